// SPDX-License-Identifier: MIT
//
// Checks a batch call's arguments. Every refusal names the argument; it happens before anything is written.
#include "batch/arguments.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/manifold.hpp>

namespace lanefold::detail {
namespace {

constexpr CallStatus kGood{};

bool make_bytes(const void* data, std::size_t count, std::size_t element, Bytes& out) {
    return make_bytes(data, count, element, element, out);
}

template <class T>
bool is_aligned(const T* data) {
    return reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

CallStatus check_options(const Options& options) {
    if (!is_length(options.margin)) return refuse("options.margin is negative or not finite");
    if (!is_length(options.face_preference)) return refuse("options.face_preference is negative or not finite");
    if (!is_length(options.hysteresis)) return refuse("options.hysteresis is negative or not finite");
    if (options.points != PointSelection::all && options.points != PointSelection::impact) {
        return refuse("options.points is not a PointSelection", static_cast<std::uint64_t>(options.points));
    }
    if (options.method != ContactMethod::clip && options.method != ContactMethod::patch) {
        return refuse("options.method is not a ContactMethod", static_cast<std::uint64_t>(options.method));
    }
    if (!is_length(options.patch_band)) return refuse("options.patch_band is negative or not finite");
    if (options.patch_band > kMaxPatchBand) return refuse("options.patch_band is above kMaxPatchBand");
    return kGood;
}

CallStatus check_margins(std::span<const float> margins, std::size_t pairs) {
    if (margins.empty()) return kGood;
    if (margins.size() != pairs) return refuse("inputs.pair_margins and pairs differ in length", margins.size());
    if (margins.data() == nullptr) return refuse("inputs.pair_margins is null");
    if (!is_aligned(margins.data())) return refuse("inputs.pair_margins is not aligned");
    return kGood;
}

CallStatus check_previous(const PreviousContacts& previous, ContactMethod method, std::size_t pairs, const Bytes& out) {
    if (previous.empty()) return kGood;
    if (method == ContactMethod::patch) {
        return refuse("inputs.previous holds the features of face clipping; options.method is patch");
    }
    if (previous.records == nullptr) return refuse("inputs.previous is null but has a length", previous.count);
    if (previous.stride != sizeof(Manifold4) && previous.stride != sizeof(Manifold16)) {
        return refuse("inputs.previous: stride is not the size of a record", previous.stride);
    }
    if (reinterpret_cast<std::uintptr_t>(previous.records) % alignof(Manifold4) != 0) {
        return refuse("inputs.previous is not aligned");
    }
    if (previous.one_per_pair && previous.count != pairs) {
        return refuse("inputs.previous is dense but differs from pairs in length", previous.count);
    }
    Bytes bytes;
    if (!make_bytes(previous.records, previous.count, previous.stride, bytes)) {
        return refuse("inputs.previous exceeds the address space", previous.count);
    }
    if (overlap(out, bytes)) return refuse("out overlaps inputs.previous");
    return kGood;
}

CallStatus check_unmoved(const BatchArguments& arguments, const Bytes& out) {
    const std::span<const std::uint8_t> unmoved = arguments.inputs.unmoved;
    if (unmoved.empty()) return kGood;
    if (unmoved.data() == nullptr) return refuse("inputs.unmoved is null but has a length", unmoved.size());
    if (unmoved.size() != arguments.bodies->count) {
        return refuse("inputs.unmoved and bodies differ in length", unmoved.size());
    }
    if (arguments.level == OutputLevel::overlap) {
        return refuse("inputs.unmoved: level overlap has no records to keep");
    }
    if (arguments.compact && arguments.inputs.previous.stride != element_bytes(arguments.level)) {
        return refuse("inputs.unmoved: a compact call needs inputs.previous with records of the capacity of out");
    }
    Bytes bytes;
    if (!make_bytes(unmoved.data(), unmoved.size(), 1, bytes)) {
        return refuse("inputs.unmoved exceeds the address space", unmoved.size());
    }
    if (overlap(out, bytes)) return refuse("out overlaps inputs.unmoved");
    return kGood;
}

// Whether memory that a call writes, besides `out`, overlaps an input.
bool overlaps_input(const BatchArguments& arguments, const Bytes& written) {
    const CallInputs& inputs = arguments.inputs;
    const BodyView& bodies = *arguments.bodies;
    const std::size_t scalar = bodies.position_is_double ? sizeof(double) : sizeof(float);
    Bytes read[7];
    make_bytes(arguments.pairs.data(), arguments.pairs.size(), sizeof(Pair), read[0]);
    make_bytes(inputs.pair_margins.data(), inputs.pair_margins.size(), sizeof(float), read[1]);
    make_bytes(inputs.previous.records, inputs.previous.count, inputs.previous.stride, read[2]);
    make_bytes(inputs.unmoved.data(), inputs.unmoved.size(), 1, read[3]);
    make_bytes(bodies.position, bodies.count, bodies.position_stride, 3 * scalar, read[4]);
    make_bytes(bodies.orientation, bodies.count, bodies.orientation_stride, 4 * sizeof(float), read[5]);
    make_bytes(bodies.hull, bodies.count, bodies.hull_stride, sizeof(std::uint32_t), read[6]);
    return std::any_of(std::begin(read), std::end(read), [&](const Bytes& in) { return overlap(written, in); });
}

// The cache is written, so it may overlap nothing.
CallStatus check_cache(const BatchArguments& arguments, const Bytes& out, Bytes& cache) {
    const CallInputs& inputs = arguments.inputs;
    const std::size_t count = inputs.cache.size();
    if (count == 0) return kGood;
    if (inputs.cache.data() == nullptr) return refuse("inputs.cache is null but has a length", count);
    if (count != arguments.pairs.size()) return refuse("inputs.cache and pairs differ in length", count);
    if (!is_aligned(inputs.cache.data())) return refuse("inputs.cache is not aligned");
    if (!make_bytes(inputs.cache.data(), count, sizeof(PairCache), cache)) {
        return refuse("inputs.cache exceeds the address space", count);
    }
    const bool any = overlap(cache, out) || overlaps_input(arguments, cache);
    return any ? refuse("inputs.cache overlaps another argument") : kGood;
}

// So are the candidate indices of a compact call.
CallStatus check_candidates(const BatchArguments& arguments, const Bytes& out, const Bytes& cache) {
    if (arguments.candidates == nullptr) {
        const bool nameless = arguments.compact && arguments.level == OutputLevel::distance && arguments.out_count != 0;
        return nameless ? refuse("candidates: distances of a compact call do not name their pair") : kGood;
    }
    const std::size_t n = arguments.pairs.size();
    if (n > kMostIndexedPairs) return refuse("candidates: more pairs than indices of 32 bits", n);
    if (!is_aligned(arguments.candidates)) return refuse("candidates is not aligned");
    Bytes bytes;
    if (!make_bytes(arguments.candidates, arguments.out_count, sizeof(std::uint32_t), bytes)) {
        return refuse("candidates exceeds the address space", arguments.out_count);
    }
    const bool any = overlap(bytes, out) || overlap(bytes, cache) || overlaps_input(arguments, bytes);
    return any ? refuse("candidates overlaps another argument") : kGood;
}

CallStatus check_bodies(const BodyView& bodies, const Bytes& out) {
    // Pairs hold 32-bit indices, so a larger count is a mistake, and the frames would take 64 bytes each.
    if (bodies.count > (std::uint64_t{1} << 32)) return refuse("bodies: more than 2^32", bodies.count);
    Bytes fields[3];
    const CallStatus status = check_body_view(bodies, fields);
    if (!status) return status;
    for (const Bytes& field : fields) {
        if (overlap(out, field)) return refuse("out overlaps the bodies");
    }
    return kGood;
}

}  // namespace

std::size_t element_bytes(OutputLevel level) {
    switch (level) {
        case OutputLevel::overlap:
            return sizeof(std::uint64_t);
        case OutputLevel::distance:
            return sizeof(PairDistance);
        case OutputLevel::manifold4:
            return sizeof(Manifold4);
        case OutputLevel::manifold16:
            return sizeof(Manifold16);
    }
    return 0;
}

std::size_t element_alignment(OutputLevel level) {
    static_assert(alignof(Manifold4) == alignof(Manifold16) && alignof(Manifold4) == alignof(PairDistance));
    return level == OutputLevel::overlap ? alignof(std::uint64_t) : alignof(Manifold4);
}

std::size_t dense_elements(OutputLevel level, std::size_t n) {
    return level == OutputLevel::overlap ? n / 64 + (n % 64 != 0 ? 1 : 0) : n;
}

CallStatus check_arguments(const BatchArguments& arguments) {
    const std::size_t n = arguments.pairs.size();
    if (!arguments.workspace->valid()) return refuse("workspace was moved from");
    if (n != 0 && arguments.pairs.data() == nullptr) return refuse(kPairsTexts.null, n);
    if (arguments.out_count != 0 && arguments.out == nullptr) {
        return refuse(kOutTexts.null, arguments.out_count);
    }
    if (!is_aligned(arguments.pairs.data())) return refuse(kPairsTexts.unaligned);
    if (arguments.out_count != 0 &&
        reinterpret_cast<std::uintptr_t>(arguments.out) % element_alignment(arguments.level) != 0) {
        return refuse(kOutTexts.unaligned);
    }
    if (!arguments.compact && arguments.out_count != dense_elements(arguments.level, n)) {
        return refuse(arguments.level == OutputLevel::overlap ? "out must have (pairs + 63) / 64 words"
                                                              : "out and pairs differ in length",
                      arguments.out_count);
    }
    if (arguments.first_pair > n) return refuse("first_pair lies beyond the pairs", arguments.first_pair);
    if (arguments.hulls->size() >= kFirstBadFrame) return refuse("too many hulls", arguments.hulls->size());

    CallStatus status = check_options(*arguments.options);
    if (!status) return status;
    status = check_margins(arguments.inputs.pair_margins, n);
    if (!status) return status;

    Bytes pairs;
    Bytes out;
    Bytes margins;
    if (!make_bytes(arguments.pairs.data(), n, sizeof(Pair), pairs)) return refuse("pairs exceed the address space", n);
    if (!make_bytes(arguments.out, arguments.out_count, element_bytes(arguments.level), out)) {
        return refuse("out exceeds the address space", arguments.out_count);
    }
    const std::span<const float> pair_margins = arguments.inputs.pair_margins;
    if (!make_bytes(pair_margins.data(), pair_margins.size(), sizeof(float), margins)) {
        return refuse("inputs.pair_margins exceed the address space", pair_margins.size());
    }
    if (overlap(out, pairs)) return refuse("out overlaps pairs");
    if (overlap(out, margins)) return refuse("out overlaps inputs.pair_margins");
    status = check_previous(arguments.inputs.previous, arguments.options->method, n, out);
    if (!status) return status;
    status = check_unmoved(arguments, out);
    if (!status) return status;
    status = check_bodies(*arguments.bodies, out);
    if (!status) return status;
    Bytes cache;
    status = check_cache(arguments, out, cache);
    if (!status) return status;
    return check_candidates(arguments, out, cache);
}

float limited_preference(float preference) {
    // The comparison is on bits, which ascend with the numbers, because the host may run with DAZ. The bits of -0 are
    // above those of all positive numbers.
    const auto bits = std::bit_cast<std::uint32_t>(preference);
    if (bits == kMinusZero) return 0.0F;
    return bits > std::bit_cast<std::uint32_t>(kLargestPreference) ? kLargestPreference : preference;
}

std::size_t first_bad_margin(std::span<const float> margins) {
    // Blocks without an early exit, so that the compiler vectorises the test.
    constexpr std::size_t kBlock = 256;
    for (std::size_t first = 0; first < margins.size(); first += kBlock) {
        const std::size_t last = first + kBlock < margins.size() ? first + kBlock : margins.size();
        unsigned bad = 0;
        for (std::size_t i = first; i < last; ++i) bad |= is_length(margins[i]) ? 0U : 1U;
        if (bad == 0) continue;
        for (std::size_t i = first; i < last; ++i) {
            if (!is_length(margins[i])) return i;
        }
    }
    return margins.size();
}

}  // namespace lanefold::detail
