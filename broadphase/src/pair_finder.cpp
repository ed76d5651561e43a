// SPDX-License-Identifier: MIT
//
// One frame of a PairFinder: take the poses, find bodies that left their fat boxes, search these or all, and list
// the pairs whose float64 boxes overlap. The fat boxes and their pairs are kept for the next frame.
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include <lanefold/fp_environment.hpp>

#include "box_tree.hpp"
#include "finder_arguments.hpp"
#include "lazy_boxes.hpp"
#include "pair_filter.hpp"
#include "sort_pairs.hpp"
#include "world_boxes.hpp"

namespace lanefold {

namespace {

using detail::FloatBox;
using detail::for_blocks;
using detail::swept;

// A whole search is faster than single ones if more than one body in this many has left its fat box.
constexpr std::size_t kFewLeave = 8;

// Ratio of fat pairs to the number that the slack explains, above which the list is too long and the next frame
// searches all.
constexpr double kLongList = 4;

// Bodies per task where each takes little time.
constexpr std::size_t kBodiesPerTask = 4096;

constexpr float kDefaultSlack = 0.1F;

// Steps ahead for which a body that moves gets its new fat box, if it goes on as in the latest step, and the most of
// its box's longest side that the fat box grows by for that. Bodies that fall at a slack a step would be searched in
// each: with 8 steps and a side they are searched in one of eight, and the list to filter is hardly longer, because
// only what moves has such boxes.
constexpr double kStepsAhead = 8;
constexpr double kMostAhead = 1;

// Longest side that a body's slack depends on, so that the slack stays finite.
constexpr double kLongestSide = 1e30;

double longest_side(const WorldBox& box) {
    const Vec3d side = box.upper - box.lower;
    return std::min(std::max({side.x, side.y, side.z}), kLongestSide);
}

}  // namespace

struct PairFinder::Impl {
    void place(const HullSet& hulls, const BodyView& bodies, std::size_t known, const PairFinderOptions& o);
    bool keep_filters(const PairFinderOptions& o);
    bool candidates(std::uint32_t a, std::uint32_t b) const;
    double room(double longest) const { return 0.5 * static_cast<double>(slack) * longest; }
    FloatBox fat_box(std::size_t i) const;
    std::size_t marked(const BodyView& bodies, const PairFinderOptions& o) const;
    bool leaves_fat_box(std::size_t i);
    void find_leavers(std::size_t known, const PairFinderOptions& o);
    void search_all(std::uint32_t threads);
    void search_leavers(std::uint32_t threads);
    void give_fat_box(std::size_t i);
    void list_pairs(std::uint32_t threads);
    void run(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o, PairFinderResult& result);

    // A list per block, not per task: how long each becomes is then no matter of chance, and a warm finder allocates
    // nothing.
    std::vector<std::vector<Pair>>& lists(std::size_t blocks) {
        found.resize(std::max(found.size(), blocks));
        for (std::vector<Pair>& list : found) list.clear();
        return found;
    }

    float slack = kDefaultSlack;

    // State of the latest frame.
    detail::LazyBoxes boxes;
    std::vector<Pair> pairs;
    std::uint64_t without_box = 0;
    float margin = 0;
    std::vector<Vec3f> step_of;  // how far each body's box moved from the frame before

    // Filters of the fat pairs.
    std::vector<std::uint8_t> immovable;
    std::vector<std::uint32_t> group;
    std::vector<std::uint32_t> category;
    std::vector<std::uint32_t> collides_with;

    // Kept from frame to frame.
    bool valid = false;  // the fat boxes belong to the bodies of the last frame
    detail::FloatFrame frame;
    std::vector<FloatBox> fat;
    detail::BoxTree tree;
    std::vector<Pair> fat_pairs;    // ascending, filters applied
    detail::PairFilter filter;      // of these
    std::uint64_t moved_since = 0;  // single searches since the tree was built

    // Scratch.
    std::vector<std::uint32_t> leavers;
    std::vector<std::uint8_t> leaves;              // per body: it left its fat box
    std::vector<std::uint8_t> wanted;              // per body: its box is needed
    std::vector<std::vector<Pair>> found;          // per block
    std::vector<std::vector<std::uint32_t>> near;  // per block
    std::vector<Pair> fresh;
    detail::FloatFrame::Sample sample;
    std::vector<std::size_t> start;
};

// The number of bodies whose marks count: those that the finder has seen.
std::size_t PairFinder::Impl::marked(const BodyView& bodies, const PairFinderOptions& o) const {
    return valid && o.margin == margin && !o.unmoved.empty() ? std::min(boxes.size(), bodies.count) : 0;
}

// Takes the poses of this frame, and how far each box moved at most.
void PairFinder::Impl::place(const HullSet& hulls, const BodyView& bodies, std::size_t known,
                             const PairFinderOptions& o) {
    const std::size_t before = valid ? std::min(boxes.size(), bodies.count) : 0;
    const bool plain = o.growth.empty() && o.motion.empty();
    const bool follow = boxes.begin(hulls, bodies.count, 0.5 * static_cast<double>(o.margin), plain, o.threads);
    step_of.resize(bodies.count);
    filter.set_bodies(bodies.count);
    for_blocks(bodies.count, detail::kBodiesPerBlock, o.threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t i = first; i < last; ++i) {
            if (i < known && o.unmoved[i] != 0) {
                step_of[i] = {};
                continue;
            }
            const double more = o.growth.empty() ? 0 : static_cast<double>(o.growth[i]);
            const Vec3d motion = o.motion.empty() ? Vec3d{} : to_double(o.motion[i]);
            const detail::BoxStep step =
                follow ? boxes.follow(bodies, i) : boxes.set(bodies, i, more, motion, i < before);
            step_of[i] = step.middle;
            filter.move(i, step.most);
        }
    });
    without_box = boxes.empty_ones();
}

// Stores the filters. Returns true if they equal those of the last frame, for which the fat pairs are valid.
bool PairFinder::Impl::keep_filters(const PairFinderOptions& o) {
    bool same = true;
    const auto take = [&same](std::span<const std::uint32_t> from, std::vector<std::uint32_t>& to) {
        if (std::equal(from.begin(), from.end(), to.begin(), to.end())) return;
        to.assign(from.begin(), from.end());
        same = false;
    };
    take(o.group, group);
    take(o.category, category);
    take(o.collides_with, collides_with);
    const auto same_mass = [](float m, std::uint8_t fixed) { return (m == 0.0F) == (fixed != 0); };
    if (!std::equal(o.inverse_mass.begin(), o.inverse_mass.end(), immovable.begin(), immovable.end(), same_mass)) {
        immovable.resize(o.inverse_mass.size());
        std::transform(o.inverse_mass.begin(), o.inverse_mass.end(), immovable.begin(),
                       [](float m) { return static_cast<std::uint8_t>(m == 0.0F ? 1 : 0); });
        same = false;
    }
    return same;
}

bool PairFinder::Impl::candidates(std::uint32_t a, std::uint32_t b) const {
    if (!immovable.empty() && immovable[a] != 0 && immovable[b] != 0) return false;
    if (!group.empty() && group[a] != 0 && group[a] == group[b]) return false;
    return category.empty() || ((category[a] & collides_with[b]) != 0 && (category[b] & collides_with[a]) != 0);
}

// The box of body i grown by its slack, and swept by where it will be if it goes on as it moves.
FloatBox PairFinder::Impl::fat_box(std::size_t i) const {
    if (slack == 0.0F) return frame.box(boxes[i]);
    const double longest = longest_side(boxes[i]);
    const double grown = room(longest);
    const Vec3d step = to_double(step_of[i]);
    const double furthest = std::max({std::fabs(step.x), std::fabs(step.y), std::fabs(step.z)});
    if (!is_finite(step_of[i]) || furthest == 0) return frame.box(boxes[i], grown);
    const double ahead = std::min(kStepsAhead, kMostAhead * longest / furthest);
    // One that moves by more than its size a step would leave any such box at once.
    if (!(ahead >= 1)) return frame.box(boxes[i], grown);
    return frame.box(swept(boxes[i], step * ahead), grown);
}

void PairFinder::Impl::give_fat_box(std::size_t i) {
    fat[i] = fat_box(i);
    filter.leave_room(i, boxes.is_empty(i) ? 0 : room(longest_side(boxes[i])));
}

// Whether body i's box is no longer inside of its fat one. If it is, the body gets the room that is left.
bool PairFinder::Impl::leaves_fat_box(std::size_t i) {
    boxes.compute(i);
    const FloatBox now = frame.box(boxes[i]);
    if (!contains(fat[i], now)) return true;
    filter.leave_room(i, frame.room_between(fat[i], now));
    return false;
}

void PairFinder::Impl::find_leavers(std::size_t known, const PairFinderOptions& o) {
    leaves.resize(boxes.size());
    for_blocks(boxes.size(), kBodiesPerTask, o.threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t i = first; i < last; ++i) {
            // A body that has lost its box keeps its fat one; the filter drops its pairs.
            const bool stands = i < known && o.unmoved[i] != 0;
            leaves[i] = !stands && !filter.has_room(i) && !boxes.is_empty(i) && leaves_fat_box(i) ? 1 : 0;
        }
    });
    leavers.clear();
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i] != 0) leavers.push_back(i);
    }
}

void PairFinder::Impl::search_all(std::uint32_t threads) {
    boxes.compute_all(threads);
    frame = detail::FloatFrame(boxes.all(), sample);
    fat.resize(boxes.size());
    filter.restart(boxes.size());
    for_blocks(boxes.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t i = first; i < last; ++i) give_fat_box(i);
    });
    tree.build(fat, frame.span(), threads);
    moved_since = 0;
    constexpr std::size_t kLeavesPerBlock = 32;
    std::vector<std::vector<Pair>>& to = lists((tree.leaves() + kLeavesPerBlock - 1) / kLeavesPerBlock);
    for_blocks(tree.leaves(), kLeavesPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
        std::vector<Pair>& mine = to[first / kLeavesPerBlock];
        for (std::size_t leaf = first; leaf < last; ++leaf) tree.pairs_of_leaf(leaf, mine);
        mine.erase(std::remove_if(mine.begin(), mine.end(), [&](const Pair& p) { return !candidates(p.a, p.b); }),
                   mine.end());
    });
    detail::sort_pairs(to, boxes.size(), threads, start, fat_pairs);
    filter.forget(fat_pairs.size());
}

// Gives bodies that left their fat boxes new ones, and replaces their pairs.
void PairFinder::Impl::search_leavers(std::uint32_t threads) {
    for (const std::uint32_t i : leavers) {
        give_fat_box(i);
        tree.replace(i, fat[i]);
    }
    tree.refit();
    moved_since += leavers.size();
    constexpr std::size_t kLeaversPerBlock = 32;
    const std::size_t blocks = (leavers.size() + kLeaversPerBlock - 1) / kLeaversPerBlock;
    std::vector<std::vector<Pair>>& to = lists(blocks);
    near.resize(std::max(near.size(), blocks));
    for_blocks(leavers.size(), kLeaversPerBlock, threads, [&](std::size_t first, std::size_t last, unsigned) {
        const std::size_t block = first / kLeaversPerBlock;
        for (std::size_t k = first; k < last; ++k) {
            const std::uint32_t i = leavers[k];
            near[block].clear();
            tree.query(fat[i], near[block]);
            for (const std::uint32_t j : near[block]) {
                // Two bodies that both left find each other twice; keep one.
                if (j == i || (leaves[j] != 0 && j < i) || !candidates(i, j)) continue;
                to[block].push_back(i < j ? Pair{i, j} : Pair{j, i});
            }
        }
    });
    fresh.clear();
    for (const std::vector<Pair>& list : to) fresh.insert(fresh.end(), list.begin(), list.end());
    std::sort(fresh.begin(), fresh.end());
    filter.merge(fat_pairs, fresh, leaves);
}

// The fat pairs that overlap in this frame. Only boxes that decide are computed.
void PairFinder::Impl::list_pairs(std::uint32_t threads) {
    wanted.assign(boxes.size(), 0);
    filter.open(fat_pairs, threads, wanted);
    for_blocks(boxes.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t last, unsigned) {
        for (std::size_t i = first; i < last; ++i) {
            if (wanted[i] != 0) boxes.compute(i);
        }
    });
    filter.list(fat_pairs, boxes.all(), threads, pairs);
}

void PairFinder::Impl::run(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o,
                           PairFinderResult& result) {
    const bool same_bodies = valid && fat.size() == bodies.count;
    const std::size_t known = marked(bodies, o);
    place(hulls, bodies, known, o);
    const bool same_filters = keep_filters(o);
    valid = false;  // until the end, because memory may run out before
    margin = o.margin;
    bool whole = !same_bodies || !same_filters;
    if (!whole) {
        find_leavers(known, o);
        // Bodies that had no box are not in the tree, and a tree whose bodies have moved far is slow to search.
        const auto new_one = [&](std::uint32_t i) { return !tree.has(i); };
        whole = leavers.size() * kFewLeave > boxes.size() || moved_since + leavers.size() > boxes.size() ||
                std::any_of(leavers.begin(), leavers.end(), new_one);
    }
    if (whole) {
        search_all(o.threads);
        result.searched = boxes.size() - without_box;
    } else if (!leavers.empty()) {
        search_leavers(o.threads);
        result.searched = leavers.size();
    }
    list_pairs(o.threads);
    // There are too many fat pairs if the frame's unit has become too coarse or bodies have become small. The next
    // frame then searches all.
    const double grown = 1.0 + static_cast<double>(slack);
    const double usual = grown * grown * grown * static_cast<double>(pairs.size() + boxes.size());
    if (static_cast<double>(fat_pairs.size()) > kLongList * usual) moved_since = boxes.size() + 1;
    result.whole = whole;
    valid = true;
}

PairFinder::PairFinder() : impl_(std::make_unique<Impl>()) {}
PairFinder::PairFinder(PairFinder&&) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&&) noexcept = default;
PairFinder::~PairFinder() = default;

PairFinderResult PairFinder::find(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& options) {
    PairFinderResult result;
    if (!impl_) {
        result.status = {Status::bad_argument, "the finder was moved from", 0};
        return result;
    }
    result.status = detail::check_finder_arguments(bodies, options);
    if (!result.status) return result;
    try {
        in_default_environment([&] { impl_->run(hulls, bodies, options, result); });
    } catch (const std::bad_alloc&) {
        const float slack = impl_->slack;
        *impl_ = Impl();  // allocates nothing
        impl_->slack = slack;
        result = {};
        result.status = {Status::out_of_memory, "the candidate pairs do not fit into memory", 0};
        return result;
    }
    result.pairs = impl_->pairs;
    result.without_box = impl_->without_box;
    return result;
}

std::span<const WorldBox> PairFinder::boxes() const {
    if (!impl_) return {};
    in_default_environment([&] { impl_->boxes.compute_all(1); });
    return impl_->boxes.all();
}

void PairFinder::set_slack(float slack) {
    if (impl_ && slack >= 0 && std::isfinite(slack)) impl_->slack = slack;
}

}  // namespace lanefold
