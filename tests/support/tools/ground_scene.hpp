// SPDX-License-Identifier: MIT
//
// A scene with surfaces, hulls and a compound, for tests of the program.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "scene/io.hpp"
#include "support/tools/shapes_scene.hpp"

namespace lanefold::test {

// Hulls: 0 a cube of side 1, 1 a mesh, 2 a height field with a hole, 3 a compound of two cubes that lie 2 m apart, 4 a
// sphere of radius 0.5, 5 a height field of uint16, flat, 6 a capsule. z is up. Body 0 is the height field 2, about the
// origin; body 1 the mesh, a ridge beside it; body 2 the flat field, turned.
struct GroundScene {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    std::vector<float> radius{0, 0, 0, 0, 0.5F, 0, 0.3F};
    tools::OtherShapes shapes;
    std::vector<std::uint32_t> body_hull{2, 1, 5};
    std::vector<float> inverse_mass{0, 0, 0};
    std::vector<float> position{0, 0, 0, 9, 0, 0, -9, 0, 0.25F};
    std::vector<float> orientation{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.6F, 0.8F};

    static constexpr std::uint32_t kCells = 12;  // of a side of field 2, half a metre each

    explicit GroundScene(unsigned seed = 1, float rough = 0.2F) {
        const auto end = [&] { offsets.push_back(vertices.size()); };
        add_box(vertices, 0.5F, 0.5F, 0.5F);
        for (int h = 0; h < 4; ++h) end();
        vertices.push_back({0, 0, 0});
        end();
        end();
        vertices.insert(vertices.end(), {{0, 0, -0.5F}, {0, 0, 0.5F}});
        end();
        shapes.kind = {0, 3, 4, 2, 0, 4, 0};
        shapes.offsets = {0, 2};
        shapes.children.resize(2);
        shapes.children[0].position[0] = -1;
        shapes.children[1].position[0] = 1;
        tools::SceneSurfaces& s = shapes.surfaces;
        const std::array<Vec3f, 6> ridge{{{-2, -3, 0}, {2, -3, 0}, {0, -3, 1}, {-2, 3, 0}, {2, 3, 0}, {0, 3, 1}}};
        const std::array<tools::SceneSurfaces::Corners, 4> sides{{{0, 2, 3}, {2, 5, 3}, {1, 4, 2}, {4, 5, 2}}};
        s.add_mesh(ridge, sides);
        tools::FieldGrid field;
        field.rows = field.columns = kCells + 1;
        field.x0 = field.y0 = -3;
        field.dx = field.dy = 0.5;
        tools::FieldGrid flat;
        flat.rows = 3;
        flat.columns = 4;
        flat.x0 = -3;
        flat.y0 = -2;
        flat.dx = flat.dy = 2;
        s.fields = {field, flat};
        std::mt19937 random(seed);
        for (std::uint64_t k = 0; k < field.samples(); ++k)
            s.samples.push_back(rough * (static_cast<float>(random() % 20001U) * 1e-4F - 1));
        s.samples.resize(field.samples() + flat.samples(), 0);
        s.holes.resize(field.cells() + flat.cells(), 0);
        s.holes[5] = 1;
        s.diagonals.resize(s.holes.size(), 0);
        for (std::size_t k = 0; k < s.diagonals.size(); k += 3) s.diagonals[k] = 1;
    }

    // Adds a body that moves.
    void add(std::uint32_t hull, const Vec3f& at, const std::array<float, 4>& turn = {0, 0, 0, 1}) {
        body_hull.push_back(hull);
        inverse_mass.push_back(1);
        position.insert(position.end(), {at.x, at.y, at.z});
        orientation.insert(orientation.end(), turn.begin(), turn.end());
    }

    // Adds bodies of all kinds over the surfaces and in them.
    void scatter(unsigned seed, std::size_t bodies) {
        std::mt19937 random(seed);
        const auto unit = [&] { return static_cast<float>(random() % 20001U) * 1e-4F - 1.0F; };
        constexpr std::uint32_t kHulls[] = {0, 3, 4, 6, 0};
        for (std::size_t i = 0; i < bodies; ++i) {
            std::array<float, 4> q{unit(), unit(), unit(), 1};
            const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (float& x : q) x /= length;
            add(kHulls[i % 5], {11 * unit(), 3 * unit(), 1.0F + 0.35F * unit()}, q);
        }
    }

    // `frames` times the same poses.
    void write(const std::filesystem::path& folder, std::uint64_t frames = 1) const {
        tools::SceneWriter::Contents contents;
        contents.info.up = 2;
        contents.hull_offsets = offsets;
        contents.hull_vertices = vertices;
        contents.hull_radius = radius;
        contents.other_shapes = shapes;
        contents.body_hull = body_hull;
        contents.inverse_mass = inverse_mass;
        tools::SceneWriter writer(folder, contents, true);
        for (std::uint64_t f = 0; f < frames; ++f) writer.add_frame(std::span<const float>(position), orientation);
        writer.commit();
    }
};

}  // namespace lanefold::test
