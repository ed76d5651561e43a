// SPDX-License-Identifier: MIT
//
// The judge of a body's records with a surface. It looks at every triangle, with the oracle of surface_oracle.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/surface_oracle.hpp>

namespace lanefold::reference {

// The records of a body and a surface, to be judged.
struct JudgedGround {
    const OracleSurface* surface = nullptr;
    PoseD surface_pose;
    const OracleHull* body = nullptr;
    PoseD body_pose;
    double margin = 0;
    double preference = 0;  // Options::face_preference
};

// The findings of the judge. All lengths are relative to the body's size.
struct LANEFOLD_EXPORT GroundJudgement {
    std::vector<std::string> violations;
    double worst_distance = 0;
    double worst_surface = 0;  // of a witness point from its surface
    std::uint32_t cut = 0;     // triangles that the core meets
    std::uint32_t apart = 0;   // triangles apart with a contact
    std::uint32_t needless = 0;
};

// Judges all records of the pair.
LANEFOLD_EXPORT GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold4> records);

}  // namespace lanefold::reference
