// SPDX-License-Identifier: MIT
//
// Walks over a hull's edges; see hull/support.hpp.
#include "hull/support.hpp"

#include <algorithm>

namespace lanefold::detail {

VertexGraph::VertexGraph(const FaceLoops& faces, std::uint32_t vertex_count) : first_(vertex_count + 1, 0) {
    // Each half-edge gives its first vertex one neighbour; the twin gives the other direction.
    for (const std::uint32_t v : faces.vertex) ++first_[v + 1];
    for (std::uint32_t v = 0; v < vertex_count; ++v) first_[v + 1] += first_[v];
    neighbour_.resize(faces.vertex.size());
    std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto loop = faces.loop(f);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            neighbour_[at[loop[k]]++] = loop[k + 1 < loop.size() ? k + 1 : 0];
        }
    }
}

double support_maximum(std::span<const Vec3d> points, const VertexGraph& graph, const Vec3d& n, std::uint32_t start) {
    // Relative to the start, because far from the origin the rounding of n.x itself would be too large.
    const Vec3d& origin = points[start];
    std::uint32_t at = start;
    double best = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (const std::uint32_t v : graph.around(at)) {
            const double value = dot(n, points[v] - origin);
            if (value > best) {
                best = value;
                at = v;
                moved = true;
                break;  // `around` belongs to the old vertex
            }
        }
    }
    return best;
}

std::span<const std::uint32_t> SupportCap::find(const Vec3d& n, std::uint32_t start, double slack) {
    ++call_;
    const Vec3d& origin = points_[start];
    double top = 0;
    found_.assign(1, start);
    seen_[start] = call_;
    for (std::size_t k = 0; k < found_.size(); ++k) {
        for (const std::uint32_t v : graph_.around(found_[k])) {
            if (seen_[v] == call_) continue;
            const double value = dot(n, points_[v] - origin);
            if (value < top - slack) continue;
            seen_[v] = call_;
            found_.push_back(v);
            top = std::max(top, value);
        }
    }
    return found_;
}

}  // namespace lanefold::detail
