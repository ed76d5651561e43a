// SPDX-License-Identifier: MIT
//
// Scenes of few bodies on given paths, for tests of events.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lanefold/pose.hpp>

#include "scene/io.hpp"

namespace lanefold::test {

// Hulls and bodies, and their poses at any time.
struct PathScene {
    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    std::vector<float> radius;
    std::vector<std::uint32_t> body_hull;
    std::vector<float> inverse_mass;
    std::vector<std::uint32_t> group;
    std::vector<std::string> names;
    std::vector<std::function<Vec3d(double)>> place;  // seconds
    std::vector<std::function<Quat(double)>> turn;
    std::vector<std::function<bool(double)>> there;  // empty: always
    tools::OtherShapes shapes;

    std::uint32_t add_hull(const std::vector<Vec3f>& points, float round = 0) {
        vertices.insert(vertices.end(), points.begin(), points.end());
        offsets.push_back(vertices.size());
        radius.push_back(round);
        return static_cast<std::uint32_t>(radius.size() - 1);
    }
    std::uint32_t add_box(float x, float y, float z) {
        std::vector<Vec3f> points;
        for (const float i : {-x, x})
            for (const float j : {-y, y})
                for (const float k : {-z, z}) points.push_back({i, j, k});
        return add_hull(points);
    }
    std::uint32_t add_half_space(const Vec3f& normal, float offset) {
        const std::uint32_t hull = add_hull({});
        shapes.kind.resize(radius.size());
        shapes.kind[hull] = static_cast<std::uint8_t>(lanefold::ShapeKind::half_space);
        shapes.half_spaces.push_back({normal, offset});
        return hull;
    }
    std::uint32_t add_compound(const std::vector<CompoundChild>& children) {
        const std::uint32_t hull = add_hull({});
        shapes.kind.resize(radius.size());
        shapes.kind[hull] = static_cast<std::uint8_t>(lanefold::ShapeKind::compound);
        if (shapes.offsets.empty()) shapes.offsets.push_back(0);
        shapes.children.insert(shapes.children.end(), children.begin(), children.end());
        shapes.offsets.push_back(shapes.children.size());
        return hull;
    }
    // A surface, for a body without a mass.
    std::uint32_t add_mesh(std::span<const Vec3f> points, std::span<const std::array<std::uint32_t, 3>> triangles) {
        const std::uint32_t hull = add_hull({});
        shapes.kind.resize(radius.size());
        shapes.kind[hull] = static_cast<std::uint8_t>(lanefold::ShapeKind::surface);
        shapes.surfaces.add_mesh(points, triangles);
        return hull;
    }
    std::uint32_t add_sphere(float r) { return add_hull({{0, 0, 0}}, r); }

    std::uint32_t add_body(
        std::uint32_t hull, float inverse, std::function<Vec3d(double)> path,
        std::function<Quat(double)> orientation = [](double) { return Quat{}; }) {
        body_hull.push_back(hull);
        inverse_mass.push_back(inverse);
        place.push_back(std::move(path));
        turn.push_back(std::move(orientation));
        return static_cast<std::uint32_t>(body_hull.size() - 1);
    }

    void write(const std::filesystem::path& folder, std::uint64_t frames, double rate, bool with_rate = true,
               bool with_masses = true) const {
        tools::SceneWriter::Contents contents;
        if (with_rate) contents.info.frames_per_second = rate;
        contents.hull_offsets = offsets;
        contents.hull_vertices = vertices;
        contents.hull_radius = radius;
        contents.other_shapes = shapes;
        if (!shapes.kind.empty()) contents.other_shapes.kind.resize(radius.size());
        contents.body_hull = body_hull;
        if (with_masses) contents.inverse_mass = inverse_mass;
        contents.group = group;
        contents.names = names;
        contents.positions_are_double = true;
        contents.with_mask = !there.empty();
        tools::SceneWriter writer(folder, contents);
        for (std::uint64_t f = 0; f < frames; ++f) {
            const double time = static_cast<double>(f) / rate;
            std::vector<double> position;
            std::vector<float> orientation;
            std::vector<std::uint8_t> active;
            for (std::size_t i = 0; i < place.size(); ++i) {
                const Vec3d p = place[i](time);
                const Quat q = turn[i](time);
                position.insert(position.end(), {p.x, p.y, p.z});
                for (const double x : {q.x, q.y, q.z, q.w}) orientation.push_back(static_cast<float>(x));
                if (!there.empty()) active.push_back(there[i](time) ? 1 : 0);
            }
            writer.add_frame(std::span<const double>(position), orientation, {}, active);
        }
        writer.commit();
    }
};

// A turn about an axis of unit length.
inline Quat turn_about(const Vec3d& axis, double angle) {
    const double s = std::sin(angle / 2);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

}  // namespace lanefold::test
