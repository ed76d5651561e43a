// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/detail/cut_solid.hpp>

namespace lanefold::detail {

void CutSolid::clear() {
    points_.clear();
    edges_.clear();
    faces_.clear();
}

std::uint32_t CutSolid::add_point(const Vec3d& p) {
    points_.push_back(p);
    return static_cast<std::uint32_t>(points_.size() - 1);
}

// From the inner point to the outer one, whichever way the edge runs, so that both faces of an edge get the same bits.
std::uint32_t CutSolid::crossing(std::uint32_t in, std::uint32_t out) {
    const double share = heights_[in] / (heights_[in] - heights_[out]);
    next_points_.push_back(points_[in] + (points_[out] - points_[in]) * share);
    return static_cast<std::uint32_t>(next_points_.size() - 1);
}

void CutSolid::cut_face(const Face& face, std::uint32_t end) {
    const auto first = static_cast<std::uint32_t>(next_edges_.size());
    leaves_.clear();
    returns_.clear();
    for (std::uint32_t e = face.first; e < end; ++e) {
        const Edge& edge = edges_[e];
        const bool p_in = heights_[edge.p] <= 0;
        const bool q_in = heights_[edge.q] <= 0;
        if (p_in && q_in) next_edges_.push_back({kept_[edge.p], kept_[edge.q]});
        if (p_in && !q_in) {
            leaves_.push_back(crossing(edge.p, edge.q));
            next_edges_.push_back({kept_[edge.p], leaves_.back()});
        }
        if (!p_in && q_in) {
            returns_.push_back(crossing(edge.q, edge.p));
            next_edges_.push_back({returns_.back(), kept_[edge.q]});
        }
    }
    // Boundaries are closed, so as many edges leave as come back. A flat face in the plane may have several of them.
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
        next_edges_.push_back({leaves_[k], returns_[k]});
        rim_.push_back({returns_[k], leaves_[k]});
    }
    if (next_edges_.size() > first) next_faces_.push_back({first, face.cut});
}

bool CutSolid::cut(const Vec3d& n, double d) {
    heights_.resize(points_.size());
    bool above = false;
    bool below = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        heights_[i] = dot(n, points_[i]) - d;
        above |= heights_[i] > 0;
        below |= heights_[i] < 0;
    }
    if (!below) return false;
    if (!above) return true;
    kept_.resize(points_.size());
    next_points_.clear();
    next_edges_.clear();
    next_faces_.clear();
    rim_.clear();
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (heights_[i] > 0) continue;
        kept_[i] = static_cast<std::uint32_t>(next_points_.size());
        next_points_.push_back(points_[i]);
    }
    for (std::size_t f = 0; f < faces_.size(); ++f) cut_face(faces_[f], end_of(f));
    if (!rim_.empty()) {
        next_faces_.push_back({static_cast<std::uint32_t>(next_edges_.size()), true});
        next_edges_.insert(next_edges_.end(), rim_.begin(), rim_.end());
    }
    points_.swap(next_points_);
    edges_.swap(next_edges_);
    faces_.swap(next_faces_);
    return true;
}

SolidSums CutSolid::sums(const Vec3d& origin) const {
    SolidSums s;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        FaceSums& side = faces_[f].cut ? s.cuts : s.own;
        const Vec3d corner = points_[edges_[faces_[f].first].p] - origin;
        for (std::uint32_t e = faces_[f].first; e < end_of(f); ++e) {
            const Vec3d p = points_[edges_[e].p] - origin;
            const Vec3d q = points_[edges_[e].q] - origin;
            const Vec3d area = cross(p - corner, q - corner) * 0.5;
            const Vec3d middle = (corner + p + q) * (1.0 / 3.0);
            const double volume = dot(corner, area) * (1.0 / 3.0);
            s.volume += volume;
            s.moment = s.moment + (corner + p + q) * (0.25 * volume);
            side.area = side.area + area;
            side.total += length(area);
            side.moment[0] = side.moment[0] + area * middle.x;
            side.moment[1] = side.moment[1] + area * middle.y;
            side.moment[2] = side.moment[2] + area * middle.z;
        }
    }
    return s;
}

}  // namespace lanefold::detail
