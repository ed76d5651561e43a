// SPDX-License-Identifier: MIT
//
// Bodies as rays see them: a balanced tree of boxes about bounding spheres, and the closed forms of a ray and a hull's
// planes, and of a ray and a sphere. All of it is float64.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

// A body that can be placed.
struct RayBody {
    PoseD pose;    // of the hull's internal frame
    Vec3d centre;  // of the bounding sphere
    double radius = 0;
    const HullRecord* hull = nullptr;
    std::uint32_t body = 0;
};

struct RayBox {
    Vec3d lower;
    Vec3d upper;
};

struct RayScene {
    AlignedBuffer<RayBody> bodies;
    AlignedBuffer<RayBox> boxes;  // of a heap: node n has the children 2 n + 1 and 2 n + 2
    std::size_t count = 0;
    std::uint64_t left_out = 0;

    void build(const HullSet& hulls, const BodyView& views);
};

// The first contact of a ray with one body.
struct RayMeets {
    bool any = false;
    bool inside = false;
    bool unknown = false;  // a shape that rays do not take is near
    double fraction = 0;
    std::uint32_t face = 0;
    Vec3d normal;
};
RayMeets meet(const RayBody& body, const Vec3d& origin, const Vec3d& direction, double most);

// Calls f(body, most) for the bodies that a ray may meet before the fraction `most`, which f returns.
template <class F>
void visit(const RayScene& scene, const Vec3d& origin, const Vec3d& direction, const F& f) {
    struct Range {
        std::size_t node, begin, end;
    };
    Range stack[64];  // two a level of a tree of at most 2^32 bodies
    std::size_t depth = 0;
    double most = 1;
    if (scene.count != 0) stack[depth++] = {0, 0, scene.count};
    while (depth != 0) {
        const Range r = stack[--depth];
        const RayBox& box = scene.boxes[r.node];
        const double low[3] = {box.lower.x, box.lower.y, box.lower.z};
        const double high[3] = {box.upper.x, box.upper.y, box.upper.z};
        const double from[3] = {origin.x, origin.y, origin.z};
        const double by[3] = {direction.x, direction.y, direction.z};
        double enter = 0;
        double leave = most;
        for (int k = 0; k < 3; ++k) {
            if (by[k] == 0) {
                if (from[k] < low[k] || from[k] > high[k]) leave = -1;
                continue;
            }
            const double s = (low[k] - from[k]) / by[k];
            const double t = (high[k] - from[k]) / by[k];
            enter = enter > (s < t ? s : t) ? enter : (s < t ? s : t);
            leave = leave < (s < t ? t : s) ? leave : (s < t ? t : s);
        }
        if (enter > leave) continue;
        if (r.end - r.begin == 1) {
            most = f(scene.bodies[r.begin], most);
            continue;
        }
        const std::size_t middle = r.begin + (r.end - r.begin) / 2;
        stack[depth++] = {2 * r.node + 1, r.begin, middle};
        stack[depth++] = {2 * r.node + 2, middle, r.end};
    }
}

}  // namespace lanefold::detail
