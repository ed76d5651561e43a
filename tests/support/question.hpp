// SPDX-License-Identifier: MIT
//
// Converts an engine's input to a question for the judge.
#pragma once

#include "support/check.hpp"
#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace lanefold::test {

// The pair (indices in `pair`) of bodies a and b, whose hulls are in the library. Body or BodyD.
template <class B>
reference::JudgedPair question_of(const Library& library, const B& a, const B& b, const Pair& pair,
                                  const Options& options) {
    reference::JudgedPair q;
    q.a = &library.oracle[a.hull];
    q.b = &library.oracle[b.hull];
    q.record_a = &library.hulls[a.hull];
    q.record_b = &library.hulls[b.hull];
    q.pose_a = pose_of(a);
    q.pose_b = pose_of(b);
    q.index_a = pair.a;
    q.index_b = pair.b;
    q.margin = options.margin;
    q.face_preference = options.face_preference;
    q.points = options.points;
    q.method = reference::judged_method(options.method);
    q.patch_band = options.patch_band;
    return q;
}

}  // namespace lanefold::test
