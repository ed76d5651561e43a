// SPDX-License-Identifier: MIT
//
// The oracle of compounds: every pair of children, each by the oracle of hulls.
#include <cmath>

#include <lanefold/reference.hpp>

namespace lanefold::reference {

PoseD child_pose(const PoseD& body, const PoseD& child, const Vec3d& origin) {
    return {body.rotation * child.rotation, (body.position - origin) + body.rotation * child.position};
}

CompoundDistance signed_distance(std::span<const OracleChild> a, const PoseD& pose_a, std::span<const OracleChild> b,
                                 const PoseD& pose_b) {
    CompoundDistance best;
    best.distance = HUGE_VAL;
    for (std::uint32_t ka = 0; ka < a.size(); ++ka) {
        const PoseD own_a = child_pose(pose_a, a[ka].pose, pose_a.position);
        for (std::uint32_t kb = 0; kb < b.size(); ++kb) {
            const PoseD own_b = child_pose(pose_b, b[kb].pose, pose_a.position);
            const double distance = signed_distance(*a[ka].hull, own_a, *b[kb].hull, own_b).distance;
            if (distance < best.distance) best = {distance, ka, kb};
        }
    }
    return best;
}

}  // namespace lanefold::reference
