// SPDX-License-Identifier: MIT
//
// Conversion of options.
#include "convert.hpp"

#include <optional>

#include <lanefold_scale.h>

namespace lanefold::c_api {

static_assert(sizeof(lanefold_body) == sizeof(Body) && sizeof(lanefold_body_d) == sizeof(BodyD));
static_assert(offsetof(lanefold_body_d, hull) == offsetof(BodyD, hull));
static_assert(sizeof(lanefold_pair) == sizeof(Pair) && sizeof(lanefold_pair_cache) == sizeof(PairCache));
static_assert(sizeof(lanefold_manifold4) == sizeof(Manifold4) && sizeof(lanefold_manifold16) == sizeof(Manifold16));
static_assert(offsetof(lanefold_manifold4, points) == offsetof(Manifold4, points));
static_assert(offsetof(lanefold_manifold4, status) == offsetof(Manifold4, status));
static_assert(sizeof(lanefold_distance) == sizeof(PairDistance));
static_assert(kStatusCount == 8 && kContactKindCount == 7);

BodyView view_of(const lanefold_body_view& v) {
    BodyView out;
    out.position = static_cast<const std::byte*>(v.position);
    out.orientation = static_cast<const std::byte*>(v.orientation);
    out.hull = static_cast<const std::byte*>(v.hull);
    out.position_stride = v.position_stride;
    out.orientation_stride = v.orientation_stride;
    out.hull_stride = v.hull_stride;
    out.count = v.count;
    out.position_is_double = v.position_is_double != 0;
    if (v.reserved == LANEFOLD_SCALED_VIEW) {
        static_assert(offsetof(lanefold_scaled_view, bodies) == 0);
        const auto& scaled = reinterpret_cast<const lanefold_scaled_view&>(v);
        out.scale = static_cast<const std::byte*>(scaled.scale);
        out.scale_stride = scaled.scale_stride;
    }
    return out;
}

namespace {

bool take_previous(const lanefold_options& from, CallInputs& in, lanefold_status& refused) {
    if (from.previous_capacity == 0 && from.previous_count == 0) return true;
    if (from.previous_capacity != 4 && from.previous_capacity != 16) {
        refused = refuse("previous_capacity must be 4 or 16", from.previous_capacity);
        return false;
    }
    in.previous.records = static_cast<const std::byte*>(from.previous);
    in.previous.count = from.previous_count;
    in.previous.stride = from.previous_capacity == 4 ? sizeof(Manifold4) : sizeof(Manifold16);
    in.previous.one_per_pair = from.previous_one_per_pair != 0;
    if (from.previous == nullptr && from.previous_count != 0) {
        refused = refuse("previous is null with a count");
        return false;
    }
    return true;
}

// Calls the caller's stop function. Its options hold function and context during the call.
bool asked(const void* options) {
    const auto* o = static_cast<const lanefold_options*>(options);
    return o->stop(o->stop_context) != 0;
}

}  // namespace

bool take_instruction_set(const char* name, Isa& to) {
    to = Isa::automatic;
    if (name == nullptr) return true;
    const std::optional<Isa> known = parse_isa(name);
    if (known) to = *known;
    return known.has_value();
}

bool options_of(const lanefold_options* from, const BodyView& bodies, std::size_t pairs, Options& to, CallInputs& in,
                lanefold_status& refused) {
    if (from == nullptr) return true;
    lanefold_options o = LANEFOLD_OPTIONS_INIT;
    if (!read_versioned(from, o)) {
        refused = refuse("options.struct_size is not set: begin with LANEFOLD_OPTIONS_INIT");
        return false;
    }
    to.margin = o.margin;
    to.face_preference = o.face_preference;
    to.hysteresis = o.hysteresis;
    to.threads = o.threads;
    to.hash = o.hash != 0;
    to.count_required = o.stop_when_full == 0;
    to.points = o.impact_points_only != 0 ? PointSelection::impact : PointSelection::all;
    to.method = o.patch_method != 0 ? ContactMethod::patch : ContactMethod::clip;
    if (!take_instruction_set(o.instruction_set, to.isa)) {
        refused = refuse("options.instruction_set is not a known name");
        return false;
    }
    if (o.pair_margins != nullptr) in.pair_margins = {o.pair_margins, pairs};
    if (o.unmoved != nullptr) in.unmoved = {o.unmoved, bodies.count};
    if (o.cache != nullptr) in.cache = {reinterpret_cast<PairCache*>(o.cache), pairs};
    // `stop` is set only if the caller's header has it, so it has the same place in the caller's structure.
    if (o.stop != nullptr) in.stop = StopToken(&asked, from);
    return take_previous(o, in, refused);
}

lanefold_result result_of(const BatchResult& r) {
    lanefold_result out = LANEFOLD_RESULT_INIT;
    out.pairs = r.pairs;
    out.touching = r.touching;
    out.overlapping = r.overlapping;
    out.points = r.points;
    std::copy_n(r.by_status, kStatusCount, out.by_status);
    std::copy_n(r.by_kind, kContactKindCount, out.by_kind);
    out.hash = r.hash;
    out.instruction_set = to_string(r.isa);
    return out;
}

}  // namespace lanefold::c_api
