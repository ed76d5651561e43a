// SPDX-License-Identifier: MIT
//
// The oracle of sweeps: poses between two frames by the standard library's sine and cosine, distances by brute force,
// and a march whose steps the fastest motion of any point bounds. It shares no code with the sweeps of the engine.
#pragma once

#include <cstdint>

#include <lanefold/export.hpp>
#include <lanefold/reference.hpp>

namespace lanefold::reference {

// The motion of a body: position + shift t, orientation turned about the spin's direction by its length t.
struct OracleMotion {
    Vec3d position;
    Vec3d shift;
    Mat3d rotation;  // first
    Vec3d spin;      // radians over the motion, world axes
};

// The motion between two poses, by the shorter way.
LANEFOLD_EXPORT OracleMotion oracle_motion(const double position[3], const float orientation[4], const double next[3],
                                           const float next_orientation[4]);
// The same with a turn of any size.
LANEFOLD_EXPORT OracleMotion oracle_motion(const double position[3], const float orientation[4], const double next[3],
                                           const Vec3d& spin);

// Two bodies and their motions.
struct OraclePair {
    const OracleHull* a = nullptr;
    const OracleHull* b = nullptr;
    OracleMotion motion_a;
    OracleMotion motion_b;
};

// Poses at a fraction, relative to the first position of a.
LANEFOLD_EXPORT void oracle_poses(const OraclePair& pair, double fraction, PoseD& a, PoseD& b);
// The distance at a fraction, by brute force.
LANEFOLD_EXPORT OracleResult distance_at(const OraclePair& pair, double fraction);

// How a march ended; see march().
enum class MarchEnd : std::uint8_t { clear, reached, undecided };

// The end of a march, and what it saw.
struct March {
    MarchEnd end = MarchEnd::undecided;
    double fraction = 0;  // where the target is reached
    double least = 0;     // distance that was seen
    std::uint32_t distances = 0;
};

// Goes from fraction 0 on in steps within which the distance cannot come below target - slack. `reached`: a distance is
// at most the target there. `clear`: the fraction `to` came first. `undecided`: after so many distances.
LANEFOLD_EXPORT March march(const OraclePair& pair, double target, double slack, double to, std::uint32_t most);

}  // namespace lanefold::reference
