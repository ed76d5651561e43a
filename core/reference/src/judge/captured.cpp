// SPDX-License-Identifier: MIT
//
// The input of the judge from a pair of a capture.
#include <lanefold/judge.hpp>

namespace lanefold::reference {

JudgedPair judged_pair(const Capture& capture, const CapturedPair& pair, const OracleHull& a, const OracleHull& b) {
    JudgedPair out;
    out.a = &a;
    out.b = &b;
    out.record_a = &capture.hulls()[pair.a.hull];
    out.record_b = &capture.hulls()[pair.b.hull];
    out.pose_a = oracle_pose(pair.a.position, pair.a.orientation);
    out.pose_b = oracle_pose(pair.b.position, pair.b.orientation);
    out.index_a = pair.bodies.a;
    out.index_b = pair.bodies.b;
    out.margin = pair.margin;
    out.face_preference = pair.face_preference;
    out.hysteresis = pair.previous_capacity > 0 ? pair.hysteresis : 0;
    out.points = pair.points;
    out.method = judged_method(pair.method);
    out.patch_band = pair.patch_band;
    return out;
}

}  // namespace lanefold::reference
