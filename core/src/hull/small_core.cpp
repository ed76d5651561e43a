// SPDX-License-Identifier: MIT
//
// See the header.
#include "hull/small_core.hpp"

#include <cmath>

#include "hull/input.hpp"
#include "hull/rounded_mass.hpp"

namespace lanefold::detail {

bool take_small_core(std::span<const Vec3f> points, float radius, HullDraft& out) {
    HullDraft draft;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d p = to_double(points[i]) + Vec3d{};  // no -0
        if (!is_finite(p) || std::fabs(p.x) > kLargestCoordinate || std::fabs(p.y) > kLargestCoordinate ||
            std::fabs(p.z) > kLargestCoordinate) {
            return false;
        }
        bool known = false;
        for (const Vec3d& v : draft.vertices) known = known || v == p;
        if (known) continue;
        if (draft.vertices.size() == 2) return false;
        draft.vertices.push_back(p);
        draft.input_index.push_back(static_cast<std::uint32_t>(i));
    }
    if (draft.vertices.empty()) return false;
    HullTopology& t = draft.topology;
    t.faces.first.assign(1, 0);
    t.vertex_first.assign(draft.vertices.size() + 1, 0);
    if (draft.vertices.size() == 2) {
        t.edge_vertex = {0, 1};
        t.edge_face0 = {0};
        t.edge_face1 = {0};
    }
    draft.info.input_points = static_cast<std::uint32_t>(points.size());
    draft.info.mass = small_core_mass(draft.vertices, static_cast<double>(radius));
    out = std::move(draft);
    return true;
}

}  // namespace lanefold::detail
