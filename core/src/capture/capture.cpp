// SPDX-License-Identifier: MIT
//
// Takes chosen pairs out of calls: their poses through the caller's view, their hulls as points that build them again.

#include <lanefold/capture.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <lanefold/compound.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/version.hpp>

#include "capture/captured_hull.hpp"

namespace lanefold {
namespace {

CallStatus refused(const char* what, std::uint64_t where) { return {Status::bad_argument, what, where}; }

// The previous record of pair i, with the rule of the calls: of a dense list the i-th if it is of this pair, of a
// compact one the first of this pair.
const std::byte* previous_of(const PreviousContacts& previous, const Pair& pair, std::size_t i) {
    const auto pair_at = [&](std::size_t k) {
        Pair found{};
        std::memcpy(&found, previous.records + k * previous.stride, sizeof found);
        return found;
    };
    std::size_t at = i;
    if (!previous.one_per_pair) {
        std::size_t end = previous.count;
        for (at = 0; at < end;) {
            const std::size_t middle = at + (end - at) / 2;
            if (pair_at(middle) < pair) {
                at = middle + 1;
            } else {
                end = middle;
            }
        }
    }
    return at < previous.count && pair_at(at) == pair ? previous.records + at * previous.stride : nullptr;
}

void copy_options(const CapturedCall& call, std::size_t i, CapturedPair& out) {
    const Options& o = call.options;
    const CallInputs& in = call.inputs;
    out.margin = in.pair_margins.empty() ? o.margin : in.pair_margins[i];
    out.face_preference = o.face_preference;
    out.patch_band = o.patch_band;
    out.hysteresis = o.hysteresis;
    out.points = o.points;
    out.method = o.method;
    out.isa = call.isa;
    const std::byte* const previous = previous_of(in.previous, call.pairs[i], i);
    if (previous == nullptr) return;
    out.previous_capacity = in.previous.stride == sizeof(Manifold16) ? 16 : 4;
    std::memcpy(&out.previous, previous, in.previous.stride);
    out.previous.pair[0] = 0;
    out.previous.pair[1] = 1;
}

// As the calls do it, to the last bit.
void shift_points(Manifold16& m, const double by[3], double sign) {
    for (std::uint32_t k = 0; k < m.count; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
            float& x = m.points[k].position[i];
            x = static_cast<float>(static_cast<double>(x) + sign * by[i]) + 0.0F;
        }
    }
}

// The child that the record names, or the body that is no compound, from this origin. False: there is no such child.
bool take_child(const HullSet& hulls, std::uint32_t child, const Vec3d& origin, BodyD& body) {
    for (std::size_t k = 0; k < 3; ++k) body.position[k] -= k == 0 ? origin.x : k == 1 ? origin.y : origin.z;
    const std::size_t children = hulls.child_count(body.hull);
    if (child >= std::max<std::size_t>(children, 1)) return false;
    if (children != 0) body = child_body(hulls, body, child);
    return true;
}

// A body of a view alone.
BodyView view_of_one(const BodyView& bodies, std::size_t i) {
    BodyView one = bodies;
    one.position += i * one.position_stride;
    one.orientation += i * one.orientation_stride;
    one.hull += i * one.hull_stride;
    if (one.scale != nullptr) one.scale += i * one.scale_stride;
    one.count = 1;
    return one;
}

// The hull of a captured body by its id in the call's set, which has none of the hulls at the scales of bodies.
std::uint32_t named_hull(const HullSet& hulls, const BodyView& body, std::uint32_t child) {
    const std::uint32_t hull = detail::read_body(body, 0).hull;
    return hulls.child_count(hull) == 0 ? hull : hulls.child(hull, child).hull;
}

}  // namespace

Options CapturedPair::options() const {
    Options o;
    o.margin = margin;
    o.face_preference = face_preference;
    o.patch_band = patch_band;
    o.hysteresis = hysteresis;
    o.points = points;
    o.method = method;
    return o;
}

CallInputs CapturedPair::inputs() const {
    CallInputs in;
    if (previous_capacity > 0) {
        in.previous.records = reinterpret_cast<const std::byte*>(&previous);
        in.previous.count = 1;
        in.previous.stride = previous_capacity == 16 ? sizeof(Manifold16) : sizeof(Manifold4);
        in.previous.one_per_pair = true;
    }
    return in;
}

Manifold16 CapturedPair::of_call(const Manifold16& alone) const {
    Manifold16 out = alone;
    if (!is_reported(alone)) return out;
    out.pair[0] = bodies.a;
    out.pair[1] = bodies.b;
    if (!of_children) return out;
    out.child_a = record.child_a;
    out.child_b = record.child_b;
    shift_points(out, a.position, 1);
    return out;
}

Manifold16 CapturedPair::alone(const Manifold16& of_call) const {
    Manifold16 out = of_call;
    if (!of_children || !is_reported(of_call)) return out;
    out.child_a = out.child_b = 0;
    shift_points(out, a.position, -1);
    return out;
}

Capture::Capture() : version_(lanefold::version()) {}

CallStatus Capture::add(const CapturedCall& call, std::size_t i, const Manifold4& record) {
    CapturedPair pair;
    pair.capacity = 4;
    std::memcpy(&pair.record, &record, sizeof record);
    return add_pair(call, i, pair);
}

CallStatus Capture::add(const CapturedCall& call, std::size_t i, const Manifold16& record) {
    CapturedPair pair;
    pair.capacity = 16;
    pair.record = record;
    return add_pair(call, i, pair);
}

CallStatus Capture::add_pair(const CapturedCall& call, std::size_t i, CapturedPair& pair) {
    if (pairs_.size() >= kMaxCapturedPairs) return refused("a capture has no room for more pairs", kMaxCapturedPairs);
    if (i >= call.pairs.size()) return refused("the call has no such pair", i);
    const CallInputs& in = call.inputs;
    if (!in.pair_margins.empty() && in.pair_margins.size() != call.pairs.size())
        return refused("not one margin for each pair", in.pair_margins.size());
    if (!in.previous.empty() && in.previous.stride != sizeof(Manifold4) && in.previous.stride != sizeof(Manifold16))
        return refused("previous records of a stride that is none", in.previous.stride);
    pair.bodies = call.pairs[i];
    const std::uint32_t of_pair[] = {pair.bodies.a, pair.bodies.b};
    if (of_pair[0] == of_pair[1]) return refused("a body paired with itself", i);
    for (const std::uint32_t body : of_pair) {
        if (body >= call.bodies.count) return refused("the pair's body does not exist", body);
    }
    pair.position_is_double = call.bodies.position_is_double;
    pair.frame = call.frame;
    copy_options(call, i, pair);
    const BodyView both[] = {view_of_one(call.bodies, pair.bodies.a), view_of_one(call.bodies, pair.bodies.b)};
    if (call.bodies.scale == nullptr) return add_placed(call, call.hulls, both, i, pair);
    detail::ScaledBodies scaled;
    const CallStatus status = scaled.take(call.hulls, both);
    if (!status) return status;
    const BodyView unscaled[] = {scaled.view(0), scaled.view(1)};
    const CallStatus added = add_placed(call, scaled.hulls(), unscaled, i, pair);
    if (!added) return added;
    CapturedPair& last = pairs_.back();
    last.hulls = {named_hull(call.hulls, both[0], pair.record.child_a),
                  named_hull(call.hulls, both[1], pair.record.child_b)};
    return {};
}

// Adds pair i, whose two bodies these are, with hulls of this set.
CallStatus Capture::add_placed(const CapturedCall& call, const HullSet& hulls, std::span<const BodyView> both,
                               std::size_t i, CapturedPair& pair) {
    pair.a = detail::read_body(both[0], 0);
    pair.b = detail::read_body(both[1], 0);
    const CallStatus named = take_children(hulls, i, pair);
    if (!named) return named;
    pair.hulls = {pair.a.hull, pair.b.hull};
    for (BodyD* const body : {&pair.a, &pair.b}) {
        const CallStatus status = add_hull(call, hulls, body->hull, body->hull);
        if (!status) return status;
    }
    pairs_.push_back(pair);
    return {};
}

// Makes a pair with a compound the one of its children. Pairs with one, or with a surface, take no previous records.
CallStatus Capture::take_children(const HullSet& hulls, std::size_t i, CapturedPair& pair) {
    for (const BodyD* const body : {&pair.a, &pair.b}) {
        if (!hulls.contains(body->hull)) return refused("the body's hull does not exist", body->hull);
        const ShapeKind kind = hulls[body->hull].shape;
        pair.of_children = pair.of_children || kind == ShapeKind::compound;
        if (kind == ShapeKind::compound || kind == ShapeKind::surface) {
            pair.previous_capacity = 0;
            pair.previous = {};
        }
    }
    if (!pair.of_children) return {};
    if (pair.record.kind == ContactKind::none)
        return refused("a pair with a compound and without a contact; a capture has the children that meet", i);
    const Vec3d origin{pair.a.position[0], pair.a.position[1], pair.a.position[2]};
    if (!take_child(hulls, pair.record.child_a, origin, pair.a) ||
        !take_child(hulls, pair.record.child_b, origin, pair.b)) {
        return refused("the record names a child that does not exist", i);
    }
    pair.position_is_double = true;
    return {};
}

CallStatus Capture::add_hull(const CapturedCall& call, const HullSet& hulls, std::uint32_t id, std::uint32_t& index) {
    const HullRecord& record = hulls[id];
    if (const auto known = known_.find(record.block); known != known_.end()) {
        index = known->second;
        return {};
    }
    const std::uint64_t block = detail::hash_block(hulls, id);
    const auto try_build = [&](CapturedHull&& hull) {
        BuildResult built = detail::rebuild(hull);
        if (!built || detail::hash_block(built.hulls, 0) != block) return false;
        hull.fingerprint = built.hulls.fingerprint();
        hull.block = block;
        const auto same = std::find(sources_.begin(), sources_.end(), hull);
        index = static_cast<std::uint32_t>(same - sources_.begin());
        if (same == sources_.end()) {
            hulls_ = hulls_.append(built.hulls);
            sources_.push_back(std::move(hull));
        }
        return true;
    };
    bool done = record.shape == ShapeKind::half_space && try_build(detail::capture_half_space(hulls, id));
    if (record.shape == ShapeKind::surface) done = try_build(detail::capture_surface(hulls, id));
    const std::span<const Vec3f> own = hulls.vertices(id);
    constexpr std::array kWays = {std::pair{true, true}, std::pair{false, true}, std::pair{true, false},
                                  std::pair{false, false}};
    for (const auto& [merge, boxes] : kWays) {
        done = done || try_build({{own.begin(), own.end()}, merge, boxes, 0, Origin::input, 0, 0, record.round_radius});
    }
    const bool given_points = id < call.hulls.size();  // a hull at the scale of a body has none
    if (!done && given_points && std::size_t{id} + 1 < call.offsets.size() &&
        call.offsets[id] <= call.offsets[id + 1] && call.offsets[id + 1] <= call.points.size()) {
        const auto given = call.points.subspan(call.offsets[id], call.offsets[id + 1] - call.offsets[id]);
        done = try_build({{given.begin(), given.end()},
                          call.build.merge_coplanar,
                          call.build.recognize_boxes,
                          call.build.max_vertices,
                          call.build.origin,
                          0,
                          0,
                          record.round_radius});
    }
    if (!done) return refused("the hull cannot be built again; pass the points that it was built from", id);
    if (alive_.empty() || alive_.back().records() != hulls.records()) alive_.push_back(hulls);
    known_.emplace(record.block, index);
    return {};
}

void Capture::set_blocks() {
    for (std::size_t i = 0; i < sources_.size(); ++i)
        sources_[i].block = detail::hash_block(hulls_, static_cast<std::uint32_t>(i));
}

}  // namespace lanefold
