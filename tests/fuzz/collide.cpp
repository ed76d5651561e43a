// SPDX-License-Identifier: MIT
//
// The batch calls with any bytes as bodies, pairs, options, previous records and cache entries, of hulls of every kind:
// no crash, every number finite, the same bits on every instruction set, whatever the cache holds; and pairs with
// ordinary poses are what the judge says.
#include <algorithm>
#include <cmath>

#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "fuzz/contacts_of_bodies.hpp"
#include "support/question.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::test;

const Library& library() {
    static const Library hulls = [] {
        std::vector<Shape> shapes(small_shapes().begin(), small_shapes().end());
        shapes.insert(shapes.end(), thin_shapes().begin(), thin_shapes().end());
        return random_library(31, static_cast<std::uint32_t>(3 * shapes.size()), shapes, 0.2, 20.0);
    }();
    return hulls;
}

// Most inputs should be poses that mean something: a byte says which numbers are raw bits.
float number(fuzz::Input& in, bool raw) {
    if (raw) return in.take<float>();
    return static_cast<float>(in.take<std::int16_t>()) / 4096.0F;
}

BodyD body(fuzz::Input& in) {
    BodyD b{};
    const auto flags = in.take<std::uint8_t>();
    b.hull = (flags & 1U) != 0 ? in.take<std::uint32_t>()
                               : in.take<std::uint8_t>() % static_cast<std::uint32_t>(library().size());
    for (double& x : b.position) x = (flags & 2U) != 0 ? in.take<double>() : static_cast<double>(number(in, false));
    double squared = 0;
    for (float& x : b.orientation) {
        x = number(in, (flags & 4U) != 0);
        squared += static_cast<double>(x) * static_cast<double>(x);
    }
    if ((flags & 4U) == 0) {
        for (float& x : b.orientation)
            x = squared > 0 ? static_cast<float>(static_cast<double>(x) / std::sqrt(squared)) : 0.0F;
        if (!(squared > 0)) b.orientation[3] = 1;
    }
    return b;
}

Options options_of(fuzz::Input& in) {
    const auto flags = in.take<std::uint8_t>();
    Options o = fuzz::take_options(in, flags);
    if ((flags & 8U) != 0) o.method = ContactMethod::patch;
    if ((flags & 16U) != 0) o.patch_band = in.take<float>();
    if ((flags & 32U) != 0) o.hysteresis = in.take<float>();
    return o;
}

bool is_ordinary(const BodyD& b) {
    return std::all_of(b.position, b.position + 3, [](double x) { return std::fabs(x) < 1e6; });
}

template <class M>
void run(fuzz::Input& in, Options options, const std::vector<BodyD>& bodies, const std::vector<Pair>& pairs,
         std::uint8_t form) {
    std::vector<M> previous(pairs.size());
    std::vector<PairCache> cache(pairs.size());
    std::vector<float> margins(pairs.size());
    CallInputs inputs;
    if ((form & 1U) != 0 && options.method == ContactMethod::clip) {
        for (M& m : previous) {
            m = in.take<M>();
        }
        inputs.previous = PreviousContacts::dense(std::span<const M>(previous));
    }
    if ((form & 2U) != 0) {
        for (float& x : margins) x = in.take<float>();
        inputs.pair_margins = margins;
    }
    std::vector<M> first;
    static Workspace workspace;
    for (const Isa isa : available_isas()) {
        std::vector<M> out(pairs.size());
        std::memset(static_cast<void*>(out.data()), 0x5A, out.size() * sizeof(M));
        options.isa = isa;
        for (PairCache& c : cache) c = in.take<PairCache>();
        inputs.cache = (form & 4U) != 0 ? std::span<PairCache>(cache) : std::span<PairCache>();
        const BatchResult r = collide_serial(library().hulls, BodyView(std::span<const BodyD>(bodies)), pairs, options,
                                             std::span<M>(out), workspace, inputs);
        if (!r.status) {
            fuzz::require(r.status.what != nullptr && r.status.what[0] != '\0', "refused without a reason");
            return;
        }
        if (first.empty()) first = out;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::string difference = bitwise_difference(first[i], out[i]);
            if (!difference.empty()) fuzz::stop("other bits on another instruction set:", difference.c_str());
        }
    }
    Coverage coverage;
    for (std::size_t i = 0; i < first.size(); ++i) {
        fuzz::check_numbers(first[i]);
        if (first[i].status != Status::ok || (form & 3U) != 0) continue;
        const BodyD& a = bodies[pairs[i].a];
        const BodyD& b = bodies[pairs[i].b];
        if (!is_ordinary(a) || !is_ordinary(b) || !(options.margin < 1e6F)) continue;
        const reference::JudgedPair q = question_of(library(), a, b, pairs[i], options);
        const std::string wrong = check_manifold(q, first[i], coverage);
        if (wrong.empty()) continue;
        const std::string text = wrong + "\n" + describe(q, a.position, a.orientation, b.position, b.orientation);
        fuzz::stop("the judge says:", text.c_str());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input in(data, size);
    const Options options = options_of(in);
    const auto form = in.take<std::uint8_t>();
    std::vector<BodyD> bodies(2 + in.take<std::uint8_t>() % 6U);
    for (BodyD& b : bodies) b = body(in);
    std::vector<Pair> pairs(1 + in.take<std::uint8_t>() % 20U);
    const auto count = static_cast<std::uint32_t>(bodies.size());
    for (Pair& p : pairs) {
        const auto flags = in.take<std::uint8_t>();
        p = (flags & 1U) != 0 ? in.take<Pair>() : Pair{(flags >> 1U) % count, (flags >> 4U) % count};
    }
    if ((form & 8U) != 0) {
        run<Manifold16>(in, options, bodies, pairs, form);
    } else {
        run<Manifold4>(in, options, bodies, pairs, form);
    }
    return 0;
}
