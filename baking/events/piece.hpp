// SPDX-License-Identifier: MIT
//
// Between two frames a pair that comes near has a piece: when it touches, where and how. A piece depends on the poses
// of four frames and the settings alone, so frames can be computed in any order and on any machine; events are joined
// from the pieces of all frames (events/join.hpp). docs/events.md has the definitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/body.hpp>

namespace lanefold::tools {

// Flags of a piece.
inline constexpr std::uint32_t kPieceTouches = 1;       // the distance comes down to the touch distance
inline constexpr std::uint32_t kPieceTouchesFirst = 2;  // and is there at the first frame already
inline constexpr std::uint32_t kPieceStays = 4;         // at the second frame the distance is at most the release one
inline constexpr std::uint32_t kPieceBounces = 8;       // it touches in motions that go on (events/bounces.hpp) only

// A pair from frame f to f + 1. Speeds are in the scene's unit a second, impulses in kg times that.
struct EventPiece {
    double begin;            // fraction at which it first touches; 0 if it does not
    double end;              // last fraction at which the distance is at most the release distance
    double place[3];         // of the contact at `begin`, world; of a pair that does not touch at `end`
    float normal[3];         // unit, world axes, from a to b, there
    float closing;           // speed at which the two close in there, if they begin to touch
    float sliding;           // speed beside the normal, of the same motion
    float slide;             // way beside the normal from frame to frame, in the scene's unit
    float impulse_first;     // at frame f
    float impulse_last;      // at frame f + 1
    Pair pair;               // a < b
    std::uint32_t flags;     // kPiece...
    std::uint32_t reserved;  // 0
};
static_assert(std::is_trivially_copyable_v<EventPiece> && sizeof(EventPiece) == 88);
static_assert(offsetof(EventPiece, normal) == 40 && offsetof(EventPiece, pair) == 72);

// NumPy's spelling of it.
inline constexpr const char* kPieceDtype =
    "[('begin', '<f8'), ('end', '<f8'), ('place', '<f8', (3,)), ('normal', '<f4', (3,)), ('closing', '<f4'), "
    "('sliding', '<f4'), ('slide', '<f4'), ('impulse_first', '<f4'), ('impulse_last', '<f4'), ('pair', '<u4', (2,)), "
    "('flags', '<u4'), ('reserved', '<u4')]";

}  // namespace lanefold::tools
