// SPDX-License-Identifier: MIT
//
// From frame to frame: which contact points are still there, which are new, which broke. What a solver needs to
// carry its impulses over (warm starting), and a game to tell that bodies began or ceased to touch.
//
// Points are matched by their feature ids (feature.hpp) and by nothing else: a point is the same while the same
// two features meet, wherever they moved. An id belongs to an ordered pair of hulls, so (a, b) and (b, a) do not
// match: list a pair the same way round in every frame. Nothing here allocates or throws, any bytes are safe.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/manifold.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

inline constexpr std::uint8_t kNewPoint = 0xFF;
inline constexpr std::uint32_t kNoRecord = 0xFFFFFFFFU;

// The points of a current record against those of a previous one.
template <class Manifold>
struct PointMatch {
    // Per current point: the previous point with the same id, or kNewPoint. Entries from `count` on are kNewPoint.
    std::uint8_t previous[Manifold::kCapacity];
    // Bit k: no current point has the id of previous point k.
    std::uint16_t broken;
};

// Two manifolds of the same two bodies. Does not look at `pair`: indices may have changed.
PointMatch<Manifold4> match_contacts(const Manifold4& previous, const Manifold4& current);
PointMatch<Manifold16> match_contacts(const Manifold16& previous, const Manifold16& current);

// One per current record.
template <class Manifold>
struct RecordMatch {
    std::uint32_t record;  // the previous record of the same pair, or kNoRecord: the pair was not reported
    std::uint8_t previous[Manifold::kCapacity];  // per point, as in PointMatch; all kNewPoint without a record
};
static_assert(sizeof(RecordMatch<Manifold4>) == 8 && sizeof(RecordMatch<Manifold16>) == 20);

// One per previous record.
struct RecordFate {
    std::uint32_t record;  // the current record of the same pair, or kNoRecord: the pair is no longer reported
    std::uint16_t broken;  // bit k: point k is gone; all points without a record
    std::uint16_t reserved;
};
static_assert(sizeof(RecordFate) == 8);

struct MatchResult {
    CallStatus status;
    std::uint64_t begun = 0;  // current records without a previous one
    std::uint64_t kept = 0;   // records with a partner
    std::uint64_t ended = 0;  // previous records without a current one
    std::uint64_t points_new = 0;
    std::uint64_t points_kept = 0;
    std::uint64_t points_broken = 0;
};

// All records of two frames. Both spans ascend by (pair[0], pair[1]), as compact outputs do when the candidate
// pairs ascend (equal pairs may stand side by side and are matched in order). `matches` has as many elements as
// `current`; `fates` has as many as `previous`, or none: then it is not written. One pass over both spans.
//
// Refused with bad_argument (status.where: the index of the record): spans that do not ascend, wrong lengths, more
// than 2^32 - 1 records. What was written before an order error was met is then unspecified.
MatchResult match_contacts(std::span<const Manifold4> previous, std::span<const Manifold4> current,
                           std::span<RecordMatch<Manifold4>> matches, std::span<RecordFate> fates = {});
MatchResult match_contacts(std::span<const Manifold16> previous, std::span<const Manifold16> current,
                           std::span<RecordMatch<Manifold16>> matches, std::span<RecordFate> fates = {});

}  // namespace lanefold
