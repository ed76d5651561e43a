// SPDX-License-Identifier: MIT
//
// See the header.

#include "export/geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/surface.hpp>

#include "console/failure.hpp"
#include "contacts/completeness.hpp"
#include "scene/drawn_hulls.hpp"

namespace lanefold::tools {
namespace {

template <class M>
ContactCount read_as(const RecordsReader& reader, const ExportInput& input, const SceneFrame& frame,
                     std::vector<ContactRow>& out) {
    // Some at a time, because a frame may have millions.
    constexpr std::uint64_t kAtOnce = 65536;
    std::vector<M> records(std::min<std::uint64_t>(reader.length(), kAtOnce));
    ContactCount count;
    for (std::uint64_t first = 0; first < reader.length(); first += kAtOnce) {
        const std::span<M> some = std::span(records).first(std::min(kAtOnce, reader.length() - first));
        reader.read(first, some);
        for (const M& m : some) {
            if (m.pair[0] >= input.scene.bodies() || m.pair[1] >= input.scene.bodies()) {
                throw bad_input("{}: a record names body {}, but the scene has {}: are these contacts of that scene?",
                                reader.path().string(), std::max(m.pair[0], m.pair[1]), input.scene.bodies());
            }
            ++count.records;
            const auto points = std::min<std::uint32_t>(m.count, static_cast<std::uint32_t>(M::kCapacity));
            if (points == 0) ++count.without_points;
            const Vec3d origin = body_position(input.scene, frame, m.pair[0], input.axes);
            const Vec3d normal = input.axes.vector(to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]}));
            for (std::uint32_t i = 0; i < points; ++i) {
                const ContactPoint& p = m.points[i];
                const Vec3d offset = to_double(Vec3f{p.position[0], p.position[1], p.position[2]});
                out.push_back({m.pair[0], m.pair[1], i, m.kind, origin + input.axes.vector(offset), normal,
                               p.separation, m.distance, p.feature});
            }
        }
    }
    return count;
}

}  // namespace

namespace {

HullMesh surface_mesh(const Surface& surface, const Axes& axes) {
    HullMesh out;
    for (std::uint32_t v = 0; v < surface.vertex_count(); ++v)
        out.vertices.push_back(axes.vector(to_double(surface.vertex(v))));
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        std::array<std::uint32_t, 3> corners = surface.triangle(t);
        if (axes.mirrored()) std::swap(corners[1], corners[2]);
        out.loop_size.push_back(3);
        out.loops.insert(out.loops.end(), corners.begin(), corners.end());
    }
    return out;
}

}  // namespace

HullMesh hull_mesh(const HullSet& hulls, std::uint32_t hull, const Axes& axes) {
    if (const Surface* const surface = hulls.surface(hull)) return surface_mesh(*surface, axes);
    HullMesh out;
    const bool whole = hulls.child_count(hull) == 0;
    for (const DrawnPiece& piece : drawn_pieces(hulls, hull)) {
        const auto base = static_cast<std::uint32_t>(out.vertices.size());
        for (const Vec3f& v : hulls.vertices(piece.hull)) {
            const Vec3d at = to_double(v);
            out.vertices.push_back(axes.vector(whole ? at : transform(piece.pose, at)));
        }
        const detail::HullView view(hulls[piece.hull]);
        for (std::uint32_t f = 0; f < hulls[piece.hull].face_count; ++f) {
            const std::uint32_t first = view.face_first[f];
            const std::uint32_t end = view.face_first[f + 1];
            out.loop_size.push_back(end - first);
            for (std::uint32_t k = first; k < end; ++k) {
                // A mirrored loop runs the other way.
                out.loops.push_back(base + view.face_vertex[axes.mirrored() ? end - 1 - (k - first) : k]);
            }
        }
    }
    return out;
}

std::vector<HullMesh> hull_meshes(const ExportInput& input) {
    std::vector<HullMesh> out;
    for (std::uint32_t h = 0; h < input.drawn.size(); ++h) out.push_back(hull_mesh(input.drawn, h, input.axes));
    return out;
}

Vec3d body_position(const Scene& scene, const SceneFrame& frame, std::size_t body, const Axes& axes) {
    if (scene.positions_are_double()) {
        const double* const p = frame.position_double.data() + 3 * body;
        return axes.vector({p[0], p[1], p[2]});
    }
    const float* const p = frame.position.data() + 3 * body;
    return axes.vector(to_double(Vec3f{p[0], p[1], p[2]}));
}

ContactCount read_contacts(const ExportInput& input, const SceneFrame& frame, std::vector<ContactRow>& out) {
    out.clear();
    if (input.contacts == nullptr) return {};
    const RecordsReader reader = open_whole(*input.contacts, frame.index);
    return input.contacts->settings().capacity == 16 ? read_as<Manifold16>(reader, input, frame, out)
                                                     : read_as<Manifold4>(reader, input, frame, out);
}

Vec3d round_origin(const ExportInput& input) {
    SceneFrame frame;
    for (const std::uint64_t number : input.frames) {
        input.scene.read_frame(number, frame);
        for (std::size_t b = 0; b < input.scene.bodies(); ++b) {
            if (!frame.is_there(b)) continue;
            const Vec3d p = body_position(input.scene, frame, b, input.axes);
            return {std::round(p.x), std::round(p.y), std::round(p.z)};
        }
    }
    return {};
}

}  // namespace lanefold::tools
