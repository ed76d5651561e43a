// SPDX-License-Identifier: MIT
//
// A captured pair as the input of the float64 path.
#pragma once

#include <lanefold/capture.hpp>
#include <lanefold/detail/precise.hpp>

namespace lanefold::detail {

// The hulls stay those of the capture, which must outlive the pair.
inline PrecisePair precise_pair(const Capture& capture, const CapturedPair& captured) {
    PrecisePair pair;
    pair.a = &capture.hulls()[captured.a.hull];
    pair.b = &capture.hulls()[captured.b.hull];
    for (int k = 0; k < 3; ++k) {
        pair.position_a[k] = captured.a.position[k];
        pair.position_b[k] = captured.b.position[k];
    }
    for (int k = 0; k < 4; ++k) {
        pair.orientation_a[k] = captured.a.orientation[k];
        pair.orientation_b[k] = captured.b.orientation[k];
    }
    pair.margin = captured.margin;
    pair.face_preference = captured.face_preference;
    pair.points = captured.points;
    pair.method = captured.method;
    pair.patch_band = captured.patch_band;
    pair.index_a = captured.bodies.a;
    pair.index_b = captured.bodies.b;
    return pair;
}

}  // namespace lanefold::detail
