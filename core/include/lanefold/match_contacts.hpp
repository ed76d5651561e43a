// SPDX-License-Identifier: MIT
//
// Matches contacts of two frames: which contact points stayed, which are new, which broke. A solver carries its
// impulses over by this (warm starting), and a game detects that bodies began or ceased to touch.
//
// Points are matched by their feature ids only (feature.hpp): a point is the same while the same two features meet,
// wherever they move. An id belongs to an ordered pair of hulls, so (a, b) and (b, a) do not match; list a pair in the
// same order in every frame. Nothing here allocates or throws, and any bytes are safe.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

inline constexpr std::uint8_t kNewPoint = 0xFF;
inline constexpr std::uint32_t kNoRecord = 0xFFFFFFFFU;

// The points of a current record matched with those of a previous one.
template <class Manifold>
struct PointMatch {
    // For each current point the index of the previous point with the same id, or kNewPoint. Entries from `count` on
    // are kNewPoint.
    std::uint8_t previous[Manifold::kCapacity];
    // Bit k: no current point has the id of previous point k.
    std::uint16_t broken;
};

// Matches two manifolds of the same two bodies. `pair` is not read, because indices may have changed.
LANEFOLD_EXPORT PointMatch<Manifold4> match_contacts(const Manifold4& previous, const Manifold4& current);
LANEFOLD_EXPORT PointMatch<Manifold16> match_contacts(const Manifold16& previous, const Manifold16& current);

// The match of one current record.
template <class Manifold>
struct RecordMatch {
    std::uint32_t record;  // index of the previous record of the same pair; kNoRecord if the pair was not reported
    std::uint8_t previous[Manifold::kCapacity];  // for each point as in PointMatch; all kNewPoint without a record
};
static_assert(sizeof(RecordMatch<Manifold4>) == 8 && sizeof(RecordMatch<Manifold16>) == 20);

// The match of one previous record.
struct RecordFate {
    std::uint32_t record;  // index of the current record of the same pair; kNoRecord if the pair is no longer reported
    std::uint16_t broken;  // bit k: point k broke; all points if there is no record
    std::uint16_t reserved;
};
static_assert(sizeof(RecordFate) == 8);

// How many contacts and points stayed, are new, or ended.
struct [[nodiscard]] MatchResult {
    CallStatus status;
    std::uint64_t begun = 0;  // current records without a previous one
    std::uint64_t kept = 0;   // current records with a previous one
    std::uint64_t ended = 0;  // previous records without a current one
    std::uint64_t points_new = 0;
    std::uint64_t points_kept = 0;
    std::uint64_t points_broken = 0;
};

// Matches all records of two frames in one pass. Both spans must ascend by (pair[0], pair[1]), as compact outputs do if
// the candidate pairs ascend. Several records of a pair are matched by their children, and of the same children those
// whose normals are each other's nearest; other children have other contacts. A pair that is listed twice is matched in
// order. `matches` has as many elements as `current`; `fates` as many as `previous`, or none, and then it is not
// written.
//
// Refused with bad_argument: spans that do not ascend, wrong lengths, more than 2^32 - 1 records. status.where is the
// index of the record or the wrong length. After an error of order the written elements are unspecified.
LANEFOLD_EXPORT MatchResult match_contacts(std::span<const Manifold4> previous, std::span<const Manifold4> current,
                                           std::span<RecordMatch<Manifold4>> matches, std::span<RecordFate> fates = {});
LANEFOLD_EXPORT MatchResult match_contacts(std::span<const Manifold16> previous, std::span<const Manifold16> current,
                                           std::span<RecordMatch<Manifold16>> matches,
                                           std::span<RecordFate> fates = {});

}  // namespace lanefold
