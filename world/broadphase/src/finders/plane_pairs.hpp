// SPDX-License-Identifier: MIT
//
// Pairs of half-spaces with the bodies whose boxes reach their planes. A half-space has no box in the tree: its box is
// open. The lowest corner of each body's box over its plane decides. As for pairs of boxes, an answer is kept until the
// body's box has travelled far enough to change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/hull_set.hpp>

#include "boxes/lazy_boxes.hpp"
#include "finders/pair_filter.hpp"
#include "tree/body_filters.hpp"

namespace lanefold::detail {

// A half-space of a frame, in the world, grown and swept: n.x <= offset.
struct WorldPlane {
    std::uint32_t body = 0;
    Vec3d normal;
    double offset = 0;
    double magnitude = 0;  // of the numbers that make the offset, for its rounding

    friend constexpr bool operator==(const WorldPlane&, const WorldPlane&) = default;
};

// The plane of body i, if it is a half-space and can be placed.
std::optional<WorldPlane> world_plane(const HullSet& hulls, const BodyView& bodies, std::size_t i,
                                      const PairFinderOptions& o);

// By how much the lowest corner of a box is over the plane, less what rounding may hide.
struct HeightOver {
    double value = 0;
    double rounding = 0;

    // Also where a number is beyond float64.
    bool touches() const { return !(value > 0); }
};
HeightOver height_over(const WorldPlane& plane, const WorldBox& box);

// Pairs of a half-space with the bodies whose boxes touch it, ascending. `box`: of a body, maybe empty.
template <class Box>
void list_pairs_of_plane(const WorldPlane& plane, std::size_t bodies, const BodyFilters& filters, const Box& box,
                         std::vector<Pair>& out) {
    for (std::uint32_t i = 0; i < bodies; ++i) {
        const WorldBox b = box(i);
        if (b.empty() || !height_over(plane, b).touches() || !filters.pass(plane.body, i)) continue;
        out.push_back({plane.body < i ? plane.body : i, plane.body < i ? i : plane.body});
    }
}

// Merges two ascending lists of pairs into the first.
void merge_into(std::vector<Pair>& pairs, std::span<const Pair> more, std::vector<Pair>& scratch);

class PlanePairs {
public:
    // Takes the half-spaces of a frame, which are among the bodies without a box.
    void begin(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o, const LazyBoxes& boxes);
    std::size_t size() const { return planes_.size(); }
    std::span<const WorldPlane> all() const { return planes_; }

    // All travels of the filter begin at 0 again.
    void forget() { holds_until_.assign(holds_until_.size(), 0); }

    // needed[i] becomes 1 for every body whose answer may have changed.
    void open(const LazyBoxes& boxes, const PairFilter& travels, std::uint32_t threads, std::span<std::uint8_t> needed);
    // `pairs` and those of the half-spaces, ascending, valid until the next call. The boxes that are needed are right.
    std::span<const Pair> list(const LazyBoxes& boxes, const PairFilter& travels, const BodyFilters& filters,
                               std::span<const Pair> pairs, std::uint32_t threads);

private:
    void compare(const LazyBoxes& boxes, const PairFilter& travels, std::size_t plane, std::size_t first,
                 std::size_t last);

    std::vector<WorldPlane> planes_;
    std::vector<WorldPlane> last_;  // of the frame before
    std::size_t bodies_ = 0;
    // Per plane and body: the travel up to which the answer holds, negative (-0 included) where they touch.
    // +0: unknown.
    std::vector<double> holds_until_;
    std::vector<Pair> all_;
    std::vector<Pair> of_plane_;
    std::vector<Pair> scratch_;
};

}  // namespace lanefold::detail
