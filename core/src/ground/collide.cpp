// SPDX-License-Identifier: MIT
//
// See the header.

#include <lanefold/collide_surface.hpp>

#include <cmath>
#include <cstring>
#include <new>

#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/fp_environment.hpp>

#include "ground/pair.hpp"

namespace lanefold {

namespace {

using namespace detail;

CallStatus check(const SurfacePose& pose, const Options& options) {
    for (const double x : pose.position) {
        if (!std::isfinite(x)) return {Status::bad_pose, "the surface's position is not finite", 0};
    }
    if (!is_orientation(pose.orientation)) {
        return {Status::bad_pose, "the surface's orientation is no unit quaternion", 0};
    }
    if (!(options.margin >= 0) || !std::isfinite(options.margin)) {
        return {Status::bad_argument, "margin is negative or not finite", 0};
    }
    if (!(options.face_preference >= 0)) return {Status::bad_argument, "face_preference is negative", 0};
    if (options.points != PointSelection::all && options.points != PointSelection::impact) {
        return {Status::bad_argument, "points is no selection", 0};
    }
    return {};
}

Status place(const HullSet& hulls, const BodyView& bodies, std::uint32_t i, GroundPair& pair) {
    if (i >= bodies.count) return Status::bad_index;
    const BodyD body = read_body(bodies, i);
    if (!hulls.contains(body.hull)) return Status::bad_hull;
    pair.body = &hulls[body.hull];
    if (pair.body->shape != ShapeKind::hull) return Status::bad_hull;
    for (const double x : body.position) {
        if (!std::isfinite(x)) return Status::bad_pose;
    }
    if (!is_orientation(body.orientation)) return Status::bad_pose;
    std::memcpy(pair.position_body, body.position, sizeof pair.position_body);
    std::memcpy(pair.orientation_body, body.orientation, sizeof pair.orientation_body);
    return Status::ok;
}

CallStatus collide_all(const Surface& surface, const SurfacePose& pose, const HullSet& hulls, const BodyView& bodies,
                       std::span<const std::uint32_t> list, const Options& options, SurfaceContacts& out) {
    out.records.clear();
    out.offsets.assign(1, 0);
    const CallStatus status = check(pose, options);
    if (!status) return status;
    GroundPair pair;
    GroundScratch scratch;
    pair.surface = &surface.view();
    std::memcpy(pair.position_surface, pose.position, sizeof pair.position_surface);
    std::memcpy(pair.orientation_surface, pose.orientation, sizeof pair.orientation_surface);
    pair.margin = options.margin;
    pair.face_preference = options.face_preference;
    pair.points = options.points;
    pair.index_surface = pose.index;
    const std::size_t count = list.empty() ? bodies.count : list.size();
    for (std::size_t i = 0; i < count; ++i) {
        pair.index_body = list.empty() ? static_cast<std::uint32_t>(i) : list[i];
        const Status placed = place(hulls, bodies, pair.index_body, pair);
        if (placed == Status::ok) {
            solve_ground(pair, scratch);
            for (std::size_t k = 0; k < scratch.used; ++k) {
                write_ground(pair, scratch, scratch.clusters[k], out.records.emplace_back());
            }
        } else {
            Manifold4& m = out.records.emplace_back();
            std::memset(static_cast<void*>(&m), 0, sizeof m);
            m.pair[0] = pair.index_body;
            m.pair[1] = pose.index;
            m.status = placed;
        }
        out.offsets.push_back(out.records.size());
    }
    return {};
}

}  // namespace

CallStatus collide_surface(const Surface& surface, const SurfacePose& pose, const HullSet& hulls,
                           const BodyView& bodies, std::span<const std::uint32_t> list, const Options& options,
                           SurfaceContacts& out) {
    try {
        return in_default_environment([&] {
            return detail::at_scale(hulls, bodies, [&](const HullSet& own, const BodyView& unscaled) {
                return collide_all(surface, pose, own, unscaled, list, options, out);
            });
        });
    } catch (const std::bad_alloc&) {
        out.records.clear();
        out.offsets.clear();
        return {Status::out_of_memory, "the memory of records or of a pair could not grow", 0};
    }
}

}  // namespace lanefold
