// SPDX-License-Identifier: MIT
//
// A heap of bodies of all kinds at scales, and the same bodies with hulls of these sizes in the scene's files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "support/tools/shapes_scene.hpp"

namespace lanefold::test {

// A half-space and bodies of cubes, bars, spheres and both compounds, in a ball of this radius.
inline ShapesScene scaled_heap(unsigned seed, std::size_t bodies, float radius) {
    ShapesScene out;
    std::mt19937 random(seed);
    const auto unit = [&] { return static_cast<float>(random() % 20001U) * 1e-4F - 1.0F; };
    out.shapes.half_spaces[0].offset = -0.25F;
    out.body_hull = {1};
    out.scale = {1.25F};
    out.inverse_mass = {0};
    out.position = {0, 0, 0};
    out.orientation = {0, 0, 0, 1};
    constexpr std::uint32_t kHulls[] = {3, 5, 0, 2, 4};
    constexpr float kScales[] = {1, 0.5F, 1.75F, 0.1F, 1.0000001F, 2.3F};
    for (std::size_t i = 0; i < bodies; ++i) {
        out.body_hull.push_back(kHulls[i % 5]);
        out.scale.push_back(i % 7 == 6 ? 0.5F + 0.3F * (1 + unit()) : kScales[random() % 6]);
        out.inverse_mass.push_back(1);
        for (int k = 0; k < 3; ++k) out.position.push_back(radius * (unit() + (k == 1 ? 0.75F : 0.0F)));
        const float q[4] = {unit(), unit(), unit(), 1};
        const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (const float x : q) out.orientation.push_back(x / length);
    }
    return out;
}

// The scene without scales: its hulls, then each hull and scale once, hulls before half-spaces before compounds. A
// program of its own, beside Scene::add_scaled_hulls().
inline ShapesScene baked(const ShapesScene& made) {
    ShapesScene out = made;
    out.scale.clear();
    constexpr std::uint8_t kInOrder[] = {0, 1, 2};
    std::vector<std::pair<std::uint32_t, float>> ids;
    for (std::uint32_t h = 0; h < made.shapes.kind.size(); ++h) ids.emplace_back(h, 1.0F);
    const auto id_of = [&](std::uint32_t hull, float scale) {
        const std::pair<std::uint32_t, float> wanted(hull, scale);
        return static_cast<std::uint32_t>(std::find(ids.begin(), ids.end(), wanted) - ids.begin());
    };
    // Compounds 0 and 1 of the scene are hulls 3 and 5, with children two by two.
    const auto first_child = [](std::uint32_t hull) { return hull == 3 ? 0U : 2U; };
    for (const std::uint8_t kind : kInOrder) {
        const auto add = [&](std::uint32_t hull, float scale) {
            if (made.shapes.kind[hull] != kind || id_of(hull, scale) < ids.size()) return;
            ids.emplace_back(hull, scale);
            const std::size_t end = kind == 0 ? made.offsets[hull + 1] : made.offsets[hull];
            for (std::size_t row = made.offsets[hull]; row < end; ++row) {
                const Vec3f& v = made.vertices[row];
                out.vertices.push_back({v.x * scale, v.y * scale, v.z * scale});
            }
            out.offsets.push_back(out.vertices.size());
            out.radius.push_back(made.radius[hull] * scale);
            out.shapes.kind.push_back(kind);
            if (kind == 1) {
                const HalfSpace& plane = made.shapes.half_spaces[0];
                out.shapes.half_spaces.push_back({plane.normal, plane.offset * scale});
            }
            if (kind != 2) return;
            for (std::size_t k = first_child(hull); k < first_child(hull) + 2; ++k) {
                CompoundChild child = made.shapes.children[k];
                child.hull = id_of(child.hull, scale);
                for (double& x : child.position) x *= static_cast<double>(scale);
                out.shapes.children.push_back(child);
            }
            out.shapes.offsets.push_back(out.shapes.children.size());
        };
        for (std::size_t i = 0; i < made.body_hull.size(); ++i) {
            const std::uint32_t hull = made.body_hull[i];
            if (kind == 0 && made.shapes.kind[hull] == 2) {
                for (std::size_t k = first_child(hull); k < first_child(hull) + 2; ++k)
                    add(made.shapes.children[k].hull, made.scale[i]);
            }
            add(hull, made.scale[i]);
        }
    }
    for (std::size_t i = 0; i < made.body_hull.size(); ++i) out.body_hull[i] = id_of(made.body_hull[i], made.scale[i]);
    return out;
}

}  // namespace lanefold::test
