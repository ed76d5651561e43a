// SPDX-License-Identifier: MIT
//
// See the header.
#include "generate/stage.hpp"

#include <string>
#include <vector>

#include <lanefold/hull_builder.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

constexpr double kDensityOfPeople = 1000;  // kg/m3

}  // namespace

std::uint32_t Stage::add_hull(std::span<const Vec3f> points, float round) {
    vertices.insert(vertices.end(), points.begin(), points.end());
    offsets.push_back(vertices.size());
    radius.push_back(round);
    return static_cast<std::uint32_t>(radius.size() - 1);
}

void Stage::add_floor(double half, bool plane) {
    if (plane) {
        first_kind = static_cast<std::uint8_t>(lanefold::ShapeKind::half_space);
        other_shapes.half_spaces = {{{0, 1, 0}, 1}};
        body_hull.push_back(add_hull({}, 0));
        return;
    }
    std::vector<Vec3f> corners;
    const auto reach = static_cast<float>(half);
    for (unsigned k = 0; k < 8; ++k)
        corners.push_back(
            {(k & 1U) != 0 ? reach : -reach, (k & 2U) != 0 ? 1.0F : -1.0F, (k & 4U) != 0 ? reach : -reach});
    body_hull.push_back(add_hull(corners, 0));
}

std::uint32_t Stage::add_compound(std::span<const CompoundChild> children) {
    other_shapes.children.assign(children.begin(), children.end());
    other_shapes.offsets = {0, children.size()};
    return add_hull({}, 0);
}

void Stage::set_masses() {
    const bool compound = !other_shapes.children.empty();
    const std::size_t hulls = radius.size() - 1 - (compound ? 1 : 0);
    BuildOptions options;
    options.radii = std::span<const float>(radius).subspan(1, hulls);
    const BuildResult built =
        build_hulls(vertices, std::span<const std::uint64_t>(offsets).subspan(1, hulls + 1), options);
    if (!built) throw Failure(ExitCode::interrupted, std::string("a body is no hull: ") + built.failures[0].what);
    std::vector<double> volume;
    for (std::size_t h = 0; h < hulls; ++h) volume.push_back(built.hulls.info(h).mass.volume);
    if (compound) volume.push_back(0);
    for (const CompoundChild& child : other_shapes.children) volume.back() += volume[child.hull - 1];
    inverse_mass.push_back(0);
    for (const std::uint32_t h : std::span<const std::uint32_t>(body_hull).subspan(1))
        inverse_mass.push_back(static_cast<float>(1 / (kDensityOfPeople * volume[h - 1])));
}

SceneWriter::Contents Stage::contents() const {
    SceneWriter::Contents out;
    out.info = info;
    out.hull_offsets = offsets;
    out.hull_vertices = vertices;
    out.hull_radius = radius;
    out.other_shapes = other_shapes;
    const bool compound = !other_shapes.children.empty();
    if (first_kind != 0 || compound) out.other_shapes.kind.assign(radius.size(), 0);
    if (first_kind != 0) out.other_shapes.kind.front() = first_kind;
    if (compound) out.other_shapes.kind.back() = static_cast<std::uint8_t>(lanefold::ShapeKind::compound);
    out.body_hull = body_hull;
    out.inverse_mass = inverse_mass;
    out.group = group;
    return out;
}

}  // namespace lanefold::tools
