// SPDX-License-Identifier: MIT
//
// The kernels of boxes: their functions on an instruction set, and the data that they read and write. All of them give
// the same bits on every set.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/body.hpp>
#include <lanefold/vec.hpp>
#include <lanefold/window_finder.hpp>

#include "boxes/sides.hpp"

namespace lanefold::detail {

// The stored vertices of a hull, one array per coordinate behind the other: x[stride], y[stride], z[stride]. All
// vertices beyond `count` repeat the last one.
struct Corners {
    const float* x = nullptr;
    std::uint32_t stride = 0;  // a multiple of kCornerBlock
    std::uint32_t count = 0;
    double reach = 0;  // largest magnitude of a coordinate
    double round_radius = 0;
};
inline constexpr std::uint32_t kCornerBlock = 8;

// Boxes of bodies that can be placed.
struct BoxJob {
    const BodyD* bodies = nullptr;
    const Corners* hulls = nullptr;
    double growth = 0;              // of every box, on every side
    const float* more = nullptr;    // and of each body's; null: nothing
    const Vec3f* motion = nullptr;  // by which each body's box is swept; null: nothing
    const Sides* within = nullptr;  // a box around each body's
    Sides* boxes = nullptr;
    // By how much every side of the body's box may move until it may reach that of `within`; negative if it is beyond.
    double* clearance = nullptr;
};

// Frames of a window are lanes: its arrays have room for whole blocks of so many.
inline constexpr std::uint32_t kFrameBlock = 8;
inline constexpr std::uint32_t kMostFrames = kMostFramesInWindow;
static_assert(kMostFrames % kFrameBlock == 0);

// Poses of a body in all frames of a window, and its hull's corners: of no hull where it has none. Frames beyond the
// window's repeat its last one.
struct alignas(64) WindowPoses {
    double position[3][kMostFrames];
    float orientation[4][kMostFrames];
    const Corners* hull;
};

// One side of a body's box in a block of frames.
struct alignas(64) SideBlock {
    double of[kFrameBlock];
};

// Boxes of a window. The boxes of body i are sides[i * kSides * blocks] and those that follow: all blocks of the first
// side (in the order of Sides), those of the second, ... In a frame in which the body has no box they overlap nothing.
struct WindowJob {
    static constexpr std::uint32_t kSides = 6;

    std::uint32_t blocks = 0;     // of frames
    double growth = 0;            // of every box, on every side
    const float* more = nullptr;  // and of each body's; null: nothing
    SideBlock* sides = nullptr;
    Sides* around = nullptr;           // the box around all boxes of each body
    double* longest = nullptr;         // per body: the longest side of all its boxes, 0 without a box
    std::uint16_t* without = nullptr;  // per body: a bit for each frame in which it has no box
};

// Pairs whose answers are in one word.
inline constexpr std::size_t kPairsPerWord = 64;

struct BoxKernels {
    // Computes the boxes of bodies body[0 .. count - 1], and their clearance.
    void (*place_boxes)(const BoxJob& job, const std::uint32_t* body, std::size_t count);

    // Computes the boxes of bodies first .. first + count - 1, whose poses are poses[0 .. count - 1].
    void (*place_window)(const WindowJob& job, const WindowPoses* poses, std::size_t first, std::size_t count);

    // Compares up to kPairsPerWord pairs in `blocks` blocks of frames from first_block on. Bit k of word f is set if
    // the boxes of pair k overlap in frame f, counted from the first block's first one.
    void (*compare_window)(const WindowJob& job, const Pair* pairs, std::size_t count, std::uint32_t first_block,
                           std::uint32_t blocks, std::uint64_t* words);
};

}  // namespace lanefold::detail
