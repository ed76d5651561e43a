// SPDX-License-Identifier: MIT
//
// Between frames: what a batch of sweeps takes and returns (docs/between_frames.md). A body moves from a first pose to
// a second: its position on a line, its orientation about a fixed axis through the position, both at a constant rate.
// A sweep finds the first fraction of this motion at which two bodies are as near as a target.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>
#include <lanefold/stop.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

// The finding of a sweep.
enum class SweepState : std::uint8_t {
    miss = 0,         // the distance stays above the target from the first pose to the second
    hit = 1,          // the distance first comes down to the target at `fraction`
    overlapping = 2,  // the distance is at most the target at the first pose already
    failed = 3,       // see SweepFailure; `fraction` is how far the pair is known to be clear
};
inline constexpr std::size_t kSweepStateCount = 4;

// "miss", "hit", "overlapping", "failed"; "unknown" for another value.
LANEFOLD_EXPORT const char* to_string(SweepState state);

// Why a sweep failed.
enum class SweepFailure : std::uint8_t {
    none = 0,
    rounds = 1,    // not decided after kMostSweepRounds distances
    accuracy = 2,  // float64 does not resolve the tolerance at such positions or motions
    range = 3,     // a motion that float64 cannot hold, or a turn of more than kLargestTurn
    shape = 4,     // two shapes that never move (surfaces, half-spaces)
};

// "none", "rounds", ...; "unknown" for another value.
LANEFOLD_EXPORT const char* to_string(SweepFailure failure);

// Distances of one pair after which a sweep is given up. Pairs that meet need one to ten; only motions that stay within
// the tolerance of the target for long, or turn by very many turns, need more. It bounds the time of a pair.
inline constexpr std::uint32_t kMostSweepRounds = 256;

// Largest turn of a body in a sweep, radians: beyond it float64 does not resolve a float32 orientation's bits.
inline constexpr double kLargestTurn = 1e6;

// Default of SweepOptions::tolerance: 0.1% of the smaller hull's size. Less costs rounds and finds a later fraction.
inline constexpr float kDefaultSweepTolerance = 1e-3F;

// The record of a pair. 64 bytes. Of a pair that misses all is zero but pair and fraction, which is 1.
struct LANEFOLD_EXPORT SweepRecord {
    double fraction;          // 0 to 1; never later than the first contact
    std::uint32_t pair[2];    // body indices a, b
    float normal[3];          // unit, world axes, from a to b, at `fraction`
    float distance;           // signed distance at `fraction`
    float point[3];           // of the contact: offset from a's position at `fraction`, world axes, midway
    std::uint32_t feature_a;  // as in Manifold4
    std::uint32_t feature_b;
    ContactKind kind;
    SweepState state;
    SweepFailure failure;
    Status status;          // of the pair: a bad pose, index or hull. Then the state is failed
    std::uint16_t rounds;   // distances that were computed
    std::uint16_t child_a;  // of compounds; 0 otherwise
    std::uint16_t child_b;
    std::uint8_t reserved[2];
};
static_assert(std::is_trivially_copyable_v<SweepRecord> && std::is_standard_layout_v<SweepRecord>);
static_assert(sizeof(SweepRecord) == 64);
static_assert(offsetof(SweepRecord, pair) == 8 && offsetof(SweepRecord, normal) == 16);
static_assert(offsetof(SweepRecord, distance) == 28 && offsetof(SweepRecord, point) == 32);
static_assert(offsetof(SweepRecord, feature_a) == 44 && offsetof(SweepRecord, feature_b) == 48);
static_assert(offsetof(SweepRecord, kind) == 52 && offsetof(SweepRecord, state) == 53);
static_assert(offsetof(SweepRecord, failure) == 54 && offsetof(SweepRecord, status) == 55);
static_assert(offsetof(SweepRecord, rounds) == 56 && offsetof(SweepRecord, child_a) == 58);

// The settings of sweeps: a value to keep and copy.
struct SweepOptions {
    // The signed distance at which bodies meet. Absolute length in the caller's unit, >= 0.
    float target = 0.0F;
    // A hit has a distance within this of the target, relative to the smaller hull's size (with its radius), > 0. Where
    // it is less than four times the accuracy of the distance at that pair, that counts instead
    // (docs/between_frames.md): with the default it never is for hulls whose origin is within them.
    float tolerance = kDefaultSweepTolerance;
    // As in Options.
    Isa isa = Isa::automatic;
    std::uint32_t threads = 0;
};

// The data of one call, borrowed.
struct SweepInputs {
    // Turns of the bodies: empty, or for each body its axis, in world axes, times the radians that it turns by from the
    // first pose to the second. Then the orientations of the second poses are not read, and a body may turn by any
    // number of turns. Empty: each body turns the shorter way.
    std::span<const Vec3d> spins = {};
    // Checked before each chunk of pairs; pairs that are left have the status cancelled.
    StopToken stop = {};
};

// Sums over the pairs of a call.
struct [[nodiscard]] SweepResult {
    CallStatus status;
    std::uint64_t pairs = 0;
    std::uint64_t by_state[kSweepStateCount] = {};
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t culled = 0;     // misses that no distance was computed for
    std::uint64_t distances = 0;  // computed in all rounds
    // Compact calls: records written, records of all pairs from first_pair on, and the pair with which to go on.
    std::uint64_t written = 0;
    std::uint64_t required = 0;
    std::uint64_t next_pair = 0;
};

}  // namespace lanefold
