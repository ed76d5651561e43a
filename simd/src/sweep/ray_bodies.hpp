// SPDX-License-Identifier: MIT
//
// Bodies as rays see them: a balanced tree of boxes about bounding spheres, in float64. detail/ray.hpp has the closed
// forms of a ray and one body.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/body.hpp>
#include <lanefold/detail/ray.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/pose.hpp>

namespace lanefold::detail {

// A body that can be placed, or a child of one.
struct RayBody {
    RayTarget target;
    Vec3d centre;  // of the bounding sphere
    double radius = 0;
    std::uint32_t body = 0;
    std::uint32_t child = 0;
};

struct RayBox {
    Vec3d lower;
    Vec3d upper;
};

struct RayScene {
    std::vector<RayBody> bodies;  // in the order of the tree
    std::vector<RayBody> planes;  // half-spaces, which have no bound
    AlignedBuffer<RayBox> boxes;  // of a heap: node n has the children 2 n + 1 and 2 n + 2
    std::uint64_t left_out = 0;

    void build(const HullSet& hulls, const BodyView& views);
};

// Calls f(body) for the bodies that a ray may meet before the fraction `most`, which f returns.
template <class F>
void visit(const RayScene& scene, const RayLine& ray, double most, const F& f) {
    struct Range {
        std::size_t node, begin, end;
    };
    for (std::size_t k = 0; k < scene.planes.size() && most >= 0; ++k) most = f(scene.planes[k]);
    Range stack[64];  // two a level of a tree of at most 2^32 bodies
    std::size_t depth = 0;
    if (!scene.bodies.empty()) stack[depth++] = {0, 0, scene.bodies.size()};
    while (depth != 0) {
        const Range r = stack[--depth];
        const RayBox& box = scene.boxes[r.node];
        const double low[3] = {box.lower.x, box.lower.y, box.lower.z};
        const double high[3] = {box.upper.x, box.upper.y, box.upper.z};
        const double from[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
        const double by[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
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
            most = f(scene.bodies[r.begin]);
            continue;
        }
        const std::size_t middle = r.begin + (r.end - r.begin) / 2;
        stack[depth++] = {2 * r.node + 1, r.begin, middle};
        stack[depth++] = {2 * r.node + 2, middle, r.end};
    }
}

}  // namespace lanefold::detail
