// SPDX-License-Identifier: MIT
//
// Candidate pairs: bodies whose world boxes, grown by half the margin on every side and swept by a motion if one is
// given, overlap. The list is that of testing every pair of float64 boxes, sorted. It does not depend on threads or on
// earlier frames.
//
// A PairFinder works frame after frame. It keeps a tree of the bodies' boxes, each grown by a slack (fat boxes), and
// the pairs of fat boxes that overlap. While bodies stay inside their fat boxes, only this list is filtered. Bodies
// that leave are searched again. If many leave, or if their number or the filters change, all bodies are. Two poses of
// a body bound how far its box moved; the box itself is computed where that does not decide. The finder holds the hull
// set of the latest call.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// A box along the world axes, in the caller's unit. Empty (lower > upper) for a body that cannot be placed.
struct WorldBox {
    Vec3d lower;
    Vec3d upper;

    // Whether the body has no box.
    constexpr bool empty() const { return !(lower.x <= upper.x); }
    friend constexpr bool operator==(const WorldBox&, const WorldBox&) = default;
};

// True if the closed boxes share a point; never for an empty one.
constexpr bool overlap(const WorldBox& a, const WorldBox& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

// The box of a hull's stored vertices under a pose, grown by `growth` >= 0 on every side and rounded outward. It
// contains every placed vertex and exceeds their exact extent by less than 1e-14 of the coordinates' magnitude.
LANEFOLD_EXPORT WorldBox world_box(std::span<const Vec3f> vertices, const PoseD& pose, double growth);

// Whether world_boxes() was refused, and how many bodies have no box.
struct [[nodiscard]] WorldBoxesResult {
    CallStatus status;
    // Number of bodies with an empty box: position not finite, quaternion not near unit length, or no such hull.
    // Half-spaces do not count.
    std::uint64_t without_box = 0;
};

// Computes out[i], the box of body i, grown by `growth` >= 0; that of a half-space is empty, that of a compound is
// around a box in its own axes that contains its children. Refused with bad_argument: `out` of another length, memory
// that is null but has a length, bodies that are not aligned, a growth that is negative or not finite. threads: as in
// PairFinderOptions.
LANEFOLD_EXPORT WorldBoxesResult world_boxes(const HullSet& hulls, const BodyView& bodies, double growth,
                                             std::span<WorldBox> out, std::uint32_t threads = 0);

// PairFinderOptions::world of a body that every world shares, a floor for example.
inline constexpr std::int32_t kSharedBody = -1;
// Worlds of a call. Their numbers are places in arrays of as many elements.
inline constexpr std::uint32_t kMostWorlds = 1U << 30U;

// Options of find(). Every span is empty or has one element per body, unless it says otherwise.
struct PairFinderOptions {
    // Each box grows by half of it on every side. Absolute length in the caller's unit, >= 0, at least the
    // narrowphase's margin.
    float margin = 0.0F;
    // By how much more each body's box grows on every side, >= 0 and finite: a margin of its own, or what its spin may
    // reach.
    std::span<const float> growth;
    // The displacement of each body until the next call, finite: its box is swept by it.
    std::span<const Vec3f> motion;
    // 0: the body is immovable. Pairs of two immovable bodies are left out. Empty: every body moves.
    std::span<const float> inverse_mass;
    // Bodies of equal non-zero group are never candidates (limbs of one character).
    std::span<const std::uint32_t> group;
    // Bit masks: a and b are candidates only if category[a] & collides_with[b] and category[b] & collides_with[a] are
    // both not 0. Both spans or none must be given.
    std::span<const std::uint32_t> category;
    std::span<const std::uint32_t> collides_with;
    // Not 0: the body has the pose, hull, scale, growth and motion of the last call, so its box is reused. Ignored for
    // bodies without a box in the finder, and if the margin differs from that of the previous call.
    std::span<const std::uint8_t> unmoved;
    // Many worlds in one call: the world of each body, 0 to worlds - 1, or kSharedBody. Bodies of two worlds are never
    // candidates, a shared body is one of the bodies of all worlds, and two shared bodies never are. A shared body must
    // not move: its inverse mass and its motion are 0 where they are given. Worlds may be of any size and in any place;
    // the search is fastest if the bodies of a world are neighbours.
    std::span<const std::int32_t> world;
    std::uint32_t worlds = 0;  // 0 without `world`, at most kMostWorlds
    // Per world, or empty: 0 means that the world takes no part. It has no pairs, and its bodies are not read, unless
    // the finder does not know them yet; they count as unmoved.
    std::span<const std::uint8_t> active;
    // Largest number of tasks in the caller's tbb::task_arena; 0: all threads of the arena. Never changes the result.
    std::uint32_t threads = 0;
    // The instruction set of the kernels, as in Options::isa. Never changes the result.
    Isa isa = Isa::automatic;
};

// The candidate pairs of a frame.
struct [[nodiscard]] PairFinderResult {
    CallStatus status;
    // (a, b), a < b, ascending; with worlds those of world 0 first, then those of world 1, and so on, in each world
    // ascending. A half-space is a candidate with every body whose box reaches its plane, both grown and swept; two
    // half-spaces are none. Valid until the next call on this finder.
    std::span<const Pair> pairs;
    // worlds + 1 numbers: world w has pairs[world_offsets[w]] to pairs[world_offsets[w + 1] - 1]. Empty without worlds.
    // Valid until the next call.
    std::span<const std::uint64_t> world_offsets;
    std::uint64_t without_box = 0;  // as in WorldBoxesResult; these bodies have no pairs
    std::uint64_t searched = 0;     // bodies searched in the tree: all, those that left their fat box, or none
    bool whole = false;             // the tree was rebuilt
    Isa isa = Isa::scalar;          // that ran
};

namespace detail {
struct FinderScene;  // what queries see of a finder (scene_queries.hpp)
}

// Finds candidate pairs frame after frame; its memory grows to the largest frame and is reused. One finder serves one
// caller at a time; any number of finders may work at once.
class LANEFOLD_EXPORT PairFinder {
public:
    PairFinder();
    PairFinder(PairFinder&&) noexcept;
    PairFinder& operator=(PairFinder&&) noexcept;
    ~PairFinder();

    // Does not throw, print or change the bodies. Refused with bad_argument, status.what naming the argument: bodies or
    // spans that are null but have a length, bodies that are not aligned, spans of other lengths, a category without
    // collides_with, a margin, growth or motion out of range, a world out of range, a shared body that moves, more than
    // 2^32 - 2 bodies, a finder that was moved from.
    // After out_of_memory the finder starts anew with the next call.
    PairFinderResult find(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& options = {});

    // The boxes of the latest find(): one per body, grown and swept. Computes those that find() did without; so it is a
    // call like find(), one at a time.
    std::span<const WorldBox> boxes() const;

    // Gives these finders one copy of the set's vertices: their calls with this set use it instead of a copy of their
    // own. Never changes a result. Throws std::bad_alloc.
    static void share_hulls(const HullSet& hulls, std::span<PairFinder* const> finders);

    // How far bodies may move before they are searched again, as a part of half the longest side of their boxes, >= 0;
    // the default is 0.1. A larger slack saves searches of moving bodies and lengthens the list that each frame
    // filters. With 0 every body that moves is searched. Never changes the result. A slack that is negative or not
    // finite is ignored.
    void set_slack(float slack);

private:
    friend struct detail::FinderScene;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanefold
