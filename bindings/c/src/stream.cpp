// SPDX-License-Identifier: MIT
//
// Streams.
#include <concepts>
#include <memory>

#include <lanefold_stream.h>
#include <lanefold/contact_stream.hpp>

#include "convert.hpp"

// One of the two. Not a variant, whose visit would make the shared library show a symbol of the standard library.
struct lanefold_stream {
    std::unique_ptr<lanefold::ContactStream<lanefold::Manifold4>> four;
    std::unique_ptr<lanefold::ContactStream<lanefold::Manifold16>> sixteen;

    template <class F>
    auto visit(const F& f) const {
        return four != nullptr ? f(*four) : f(*sixteen);
    }
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_match4) == sizeof(RecordMatch<Manifold4>));
static_assert(sizeof(lanefold_match16) == sizeof(RecordMatch<Manifold16>));

lanefold_stream_result stream_result_of(const StreamResult& r) {
    return {sizeof(lanefold_stream_result),
            r.next_pair,
            r.new_pairs,
            r.begun,
            r.kept,
            r.ended,
            r.points_new,
            r.points_kept,
            r.points_broken,
            r.carried,
            r.anchored};
}

// The elements that a stream of this capacity has, as those of C; none of a stream of the other capacity.
template <class Record, class To, class Get>
const To* elements(const lanefold_stream* stream, std::uint64_t* count, const Get& get) {
    const ContactStream<Record>* own = nullptr;
    if constexpr (std::same_as<Record, Manifold4>) {
        own = stream != nullptr ? stream->four.get() : nullptr;
    } else {
        own = stream != nullptr ? stream->sixteen.get() : nullptr;
    }
    if (count != nullptr) *count = own != nullptr ? get(*own).size() : 0;
    return own != nullptr ? reinterpret_cast<const To*>(get(*own).data()) : nullptr;
}

constexpr auto kContacts = [](const auto& own) { return own.contacts(); };
constexpr auto kMatches = [](const auto& own) { return own.matches(); };

// False, with the reason in `refused`, for options of calls that a stream's step does not have.
bool step_options_of(const lanefold_options* from, const BodyView& bodies, std::size_t pairs, Options& options,
                     StepInputs& in, lanefold_status& refused) {
    CallInputs inputs;
    if (!options_of(from, bodies, pairs, options, inputs, refused)) return false;
    if (!inputs.previous.empty() || !inputs.cache.empty()) {
        refused = refuse("options: a stream has its own previous records and cache");
        return false;
    }
    in.pair_margins = inputs.pair_margins;
    in.unmoved = inputs.unmoved;
    in.stop = inputs.stop;
    return true;
}

}  // namespace

extern "C" {

lanefold_stream* lanefold_stream_create(uint32_t capacity, int32_t match_points) {
    if (capacity != Manifold4::kCapacity && capacity != Manifold16::kCapacity) return nullptr;
    const PointMatching matching = match_points != 0 ? PointMatching::on : PointMatching::off;
    try {
        auto stream = std::make_unique<lanefold_stream>();
        if (capacity == Manifold4::kCapacity) {
            stream->four = std::make_unique<ContactStream<Manifold4>>(matching);
        } else {
            stream->sixteen = std::make_unique<ContactStream<Manifold16>>(matching);
        }
        return stream.release();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_stream_free(lanefold_stream* stream) { delete stream; }

void lanefold_stream_reset(lanefold_stream* stream) {
    if (stream != nullptr) stream->visit([](auto& own) { own.reset(); });
}

lanefold_status lanefold_stream_step(lanefold_stream* stream, const lanefold_hulls* hulls,
                                     const lanefold_body_view* bodies, const lanefold_pair* pairs, uint64_t pair_count,
                                     const lanefold_options* options, const lanefold_stream_options* stream_options,
                                     lanefold_result* result, lanefold_stream_result* stream_result) {
    return guarded([&] {
        if (stream == nullptr || hulls == nullptr || bodies == nullptr) {
            return refuse("stream, hulls or bodies is null");
        }
        if (pairs == nullptr && pair_count != 0) return refuse("pairs is null with a count");
        lanefold_result known = LANEFOLD_RESULT_INIT;
        lanefold_stream_result known_stream = LANEFOLD_STREAM_RESULT_INIT;
        lanefold_stream_options reuse = LANEFOLD_STREAM_OPTIONS_INIT;
        if (!read_versioned(result, known) || !read_versioned(stream_result, known_stream) ||
            !read_versioned(stream_options, reuse)) {
            return refuse("struct_size of a structure is not set: begin with its LANEFOLD_..._INIT");
        }
        const BodyView view = view_of(*bodies);
        Options own_options;
        StepInputs inputs;
        lanefold_status refused{};
        if (!step_options_of(options, view, pair_count, own_options, inputs, refused)) return refused;
        const std::span<const Pair> list(reinterpret_cast<const Pair*>(pairs), pair_count);
        StreamOptions settings;
        settings.reuse = reuse.reuse;
        const StreamResult r =
            stream->visit([&](auto& own) { return own.step(hulls->set, view, list, own_options, inputs, settings); });
        write_versioned(result_of(r), result);
        write_versioned(stream_result_of(r), stream_result);
        return status_of(r.status);
    });
}

const lanefold_manifold4* lanefold_stream_contacts4(const lanefold_stream* stream, uint64_t* count) {
    return elements<Manifold4, lanefold_manifold4>(stream, count, kContacts);
}

const lanefold_manifold16* lanefold_stream_contacts16(const lanefold_stream* stream, uint64_t* count) {
    return elements<Manifold16, lanefold_manifold16>(stream, count, kContacts);
}

const uint32_t* lanefold_stream_candidates(const lanefold_stream* stream, uint64_t* count) {
    std::span<const std::uint32_t> all;
    if (stream != nullptr) all = stream->visit([](const auto& own) { return own.candidates(); });
    if (count != nullptr) *count = all.size();
    return all.data();
}

const lanefold_match4* lanefold_stream_matches4(const lanefold_stream* stream, uint64_t* count) {
    return elements<Manifold4, lanefold_match4>(stream, count, kMatches);
}

const lanefold_match16* lanefold_stream_matches16(const lanefold_stream* stream, uint64_t* count) {
    return elements<Manifold16, lanefold_match16>(stream, count, kMatches);
}

}  // extern "C"
