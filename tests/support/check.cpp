// SPDX-License-Identifier: MIT
//
// Asks the judge about a manifold and counts for the sweep.
#include "support/check.hpp"

#include <algorithm>

#include <lanefold/judge.hpp>

namespace lanefold::test {
namespace {

template <class M>
void count_reported(const reference::JudgedPair& q, const M& m, const reference::Judgement& j, Coverage& coverage) {
    ++coverage.touching;
    const auto k = static_cast<std::size_t>(m.kind);
    if (k < std::size(coverage.by_kind)) ++coverage.by_kind[k];  // a forged record may hold any kind
    const auto distance = static_cast<double>(m.distance);
    if (distance >= 0.0) ++coverage.touching_separated;
    if (distance < 0.0) ++coverage.overlapping;
    if (m.count >= 2) ++coverage.multi_point;
    if (m.total > m.count) ++coverage.reduced;
    if (-distance > std::min(q.a->size, q.b->size)) ++coverage.containments;
    if (j.preferred_face) ++coverage.preferred_face;
    coverage.worst_distance = std::max(coverage.worst_distance, j.distance_share);
    if (std::max(q.a->size, q.b->size) <= std::min(q.a->size, q.b->size) * static_cast<double>(kPreciseSizeRatio)) {
        coverage.worst_distance_size = std::max(coverage.worst_distance_size, j.distance_error);
    }
    if (q.face_preference == 0 && q.hysteresis == 0) {
        coverage.worst_normal = std::max(coverage.worst_normal, j.normal_share);
    }
    coverage.worst_unit = std::max(coverage.worst_unit, j.unit_error);
    coverage.worst_point = std::max(coverage.worst_point, j.surface_share);
    coverage.worst_depth = std::max(coverage.worst_depth, j.depth_share);
    coverage.least_area = std::min(coverage.least_area, j.area_share);
}

}  // namespace

template <class M>
std::string check_manifold(const reference::JudgedPair& q, const M& m, Coverage& coverage) {
    ++coverage.pairs;
    const reference::Judgement j = reference::judge(q, m);
    if (j.in_band) ++coverage.in_band;
    if (is_reported(m)) {
        if (m.status == Status::ok) count_reported(q, m, j, coverage);
    } else {
        ++coverage.unreported;
    }
    if (!j.right()) ++coverage.violations;
    return j.what;
}

template std::string check_manifold(const reference::JudgedPair&, const Manifold4&, Coverage&);
template std::string check_manifold(const reference::JudgedPair&, const Manifold16&, Coverage&);

}  // namespace lanefold::test
