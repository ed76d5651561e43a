// SPDX-License-Identifier: MIT
//
// The judge of a body's records with a surface. It looks at every triangle, or at those that the caller names, with
// the oracle of surface_oracle.hpp.
#pragma once

#include <cstdint>
#include <limits>
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
    // World axes, from the body's position: what the points of the records are relative to.
    Vec3d origin{};
    // The triangles that may have a contact, ascending: triangles_near(), or none for all.
    std::span<const std::uint32_t> near{};
    // Whether contacts that no record has are missed; false if the caller left records out.
    bool complete = true;
};

// The triangles of a surface that the judge of a pair needs: those in the body's box, grown by the margin and by the
// body's width, which a contact's way out of the surface may take.
LANEFOLD_EXPORT std::vector<std::uint32_t> triangles_near(const JudgedGround& pair);

// The findings of the judge. All lengths are relative to the body's size.
struct LANEFOLD_EXPORT GroundJudgement {
    std::vector<std::string> violations;
    // By the oracle: whether there is a contact, with an overlap, and whether it is within the bound of the margin.
    bool touching = false;
    bool overlapping = false;
    bool in_band = false;
    double distance = std::numeric_limits<double>::infinity();  // the least one of a contact, in the caller's unit
    bool missed = false;                                        // one of the violations is a contact that no record has
    double worst_distance = 0;
    double worst_surface = 0;  // of a witness point from its surface
    std::uint32_t cut = 0;     // triangles that the core meets
    std::uint32_t apart = 0;   // triangles apart with a contact
    std::uint32_t needless = 0;
};

// Judges all records of the pair.
LANEFOLD_EXPORT GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold4> records);
LANEFOLD_EXPORT GroundJudgement judge_ground(const JudgedGround& pair, std::span<const Manifold16> records);

}  // namespace lanefold::reference
