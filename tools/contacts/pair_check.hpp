// SPDX-License-Identifier: MIT
//
// One pair against the oracle: what its record promises, checked in float64.
#pragma once

#include <cstdint>
#include <string>

#include <lanefold/feature.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/reference.hpp>

#include "contacts/io.hpp"
#include "contacts/verify_job.hpp"

namespace lanefold::tools {

// Two bodies as the oracle sees them.
struct PairInput {
    const reference::OracleHull* a = nullptr;
    const reference::OracleHull* b = nullptr;
    FeatureCounts features_a;  // of the hulls as built: what the records' indices count
    FeatureCounts features_b;
    PoseD pose_a;
    PoseD pose_b;
    float margin = 0;
    float face_preference = 0;
    Method method = Method::clip;
    PointSelection points = PointSelection::all;
};

struct PairFindings {
    double distance = 0;  // the oracle's
    bool touching = false;
    bool overlapping = false;
    bool in_band = false;
    std::uint16_t violations = 0;  // bit per Violation
    std::string what;              // the first violation in words
    double distance_error = 0;     // relative, as VerifyReport says; 0 when not reported
    double normal_error = 0;
    double surface_error = 0;
    std::uint32_t points = 0;

    void violate(Violation kind, std::string text);
};

// A record with more points than Manifold4 is checked in the same way: 16 points, of which `capacity` count.
PairFindings check_pair(const PairInput& input, const Manifold16* record, std::uint32_t capacity);

// Widens a record; unused points are zero as they are in a record of that capacity.
Manifold16 widen(const Manifold4& record);

}  // namespace lanefold::tools
