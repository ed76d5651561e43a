// SPDX-License-Identifier: MIT
//
// A scene with a half-space, compounds and hulls, for tests of the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "scene/io.hpp"

namespace lanefold::test {

inline void add_box(std::vector<Vec3f>& out, float x, float y, float z) {
    for (unsigned k = 0; k < 8; ++k)
        out.push_back({(k & 1U) != 0 ? x : -x, (k & 2U) != 0 ? y : -y, (k & 4U) != 0 ? z : -z});
}

// Hulls: 0 a cube of side 1, 1 a half-space of height 0, 2 a bar, 3 a compound of two cubes that lie 2 m apart, 4 a
// sphere of radius 0.5, 5 a compound of a turned bar and a sphere. All are 1 cm over the floor or each other: bodies 1
// and 3 on the floor, 2 on both cubes of 1, 4 beside, 5 on 3.
struct ShapesScene {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radius{0, 0, 0, 0, 0.5F, 0};
    tools::OtherShapes shapes;
    std::vector<std::uint32_t> body_hull{1, 3, 2, 0, 4, 5};
    std::vector<float> scale;  // empty: all are 1
    std::vector<float> inverse_mass{0, 1, 1, 1, 1, 1};
    std::vector<float> orientation;  // empty: no body is turned
    std::vector<float> position{0, 0, 0, 0, 0.51F, 0, 0, 1.27F, 0, 5, 0.51F, 0, -5, 0.51F, 0, 5, 1.52F, 0};

    ShapesScene() {
        const auto end = [&] { offsets.push_back(vertices.size()); };
        add_box(vertices, 0.5F, 0.5F, 0.5F);
        end();
        end();
        add_box(vertices, 2, 0.25F, 0.25F);
        end();
        end();
        vertices.push_back({0, 0, 0});
        end();
        end();
        shapes.kind = {0, 1, 0, 2, 0, 2};
        shapes.half_spaces = {{{0, 3, 0}, 0}};  // of length 3: any normal will do
        shapes.offsets = {0, 2, 4};
        shapes.children.resize(4);
        shapes.children[0].position[0] = -1.5;
        shapes.children[1].position[0] = 1.5;
        shapes.children[2].hull = 4;
        shapes.children[3].hull = 2;
        shapes.children[3].position[1] = 3;
        shapes.children[3].orientation[2] = 0.6F;
        shapes.children[3].orientation[3] = 0.8F;
    }

    // `frames` times the same poses.
    void write(const std::filesystem::path& folder, std::uint64_t frames = 1) const {
        tools::SceneWriter::Contents contents;
        contents.hull_offsets = offsets;
        contents.hull_vertices = vertices;
        contents.hull_radius = radius;
        contents.other_shapes = shapes;
        contents.body_hull = body_hull;
        contents.body_scale = scale;
        contents.inverse_mass = inverse_mass;
        tools::SceneWriter writer(folder, contents, true);
        std::vector<float> turns = orientation;
        while (turns.size() < 4 * body_hull.size()) turns.insert(turns.end(), {0, 0, 0, 1});
        for (std::uint64_t f = 0; f < frames; ++f) writer.add_frame(std::span<const float>(position), turns);
        writer.commit();
    }
};

}  // namespace lanefold::test
