// SPDX-License-Identifier: MIT
//
// One frame of a PairFinder: take the poses, find bodies that left their fat boxes, search these or all, and list
// the pairs whose float64 boxes overlap. The fat boxes and their pairs are kept for the next frame.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/fp_environment.hpp>

#include "boxes/grown_boxes.hpp"
#include "boxes/lazy_boxes.hpp"
#include "boxes/world_boxes.hpp"
#include "finders/finder_arguments.hpp"
#include "finders/finder_call.hpp"
#include "finders/finder_scene.hpp"
#include "finders/finder_table.hpp"
#include "finders/pair_filter.hpp"
#include "finders/plane_pairs.hpp"
#include "finders/world_order.hpp"
#include "tree/kept_tree.hpp"

namespace lanefold {

namespace {

using detail::BoxStep;
using detail::for_blocks;
using detail::grown_by;
using detail::longest_side;
using detail::swept;

// Ratio of fat pairs to the number that the slack explains, above which the list is too long and the next frame
// searches all.
constexpr double kLongList = 4;

// Bodies per task where each takes little time: many enough that the shared counter is seldom written, few enough that
// tasks finish together.
constexpr std::size_t kBodiesPerTask = 512;

constexpr float kDefaultSlack = 0.1F;

// Steps ahead for which a body that moves gets its new fat box, if it goes on as in the latest step, and the most of
// its box's longest side that the fat box grows by for that. Bodies that fall at a slack a step would be searched in
// each: with 8 steps and a side they are searched in one of eight, and the list to filter is hardly longer, because
// only what moves has such boxes.
constexpr double kStepsAhead = 8;
constexpr double kMostAhead = 1;

// The bodies that rest in a frame, out of those that the finder knows: marked ones, and those of worlds that take no
// part.
class RestingBodies {
public:
    RestingBodies(const PairFinderOptions& o, std::size_t known)
        : o_(o), known_(o.unmoved.empty() && o.active.empty() ? 0 : known) {}
    bool operator()(std::size_t i) const {
        if (i >= known_) return false;
        if (!o_.unmoved.empty() && o_.unmoved[i] != 0) return true;
        if (o_.active.empty()) return false;
        const std::int32_t world = o_.world[i];
        return world != kSharedBody && o_.active[static_cast<std::size_t>(world)] == 0;
    }

private:
    const PairFinderOptions& o_;
    std::size_t known_;
};

}  // namespace

struct PairFinder::Impl {
    void place(const HullSet& hulls, const BodyView& bodies, const RestingBodies& rests, bool seek,
               const PairFinderOptions& o);
    void place_block(const BodyView& bodies, std::size_t first, std::size_t last, const RestingBodies& rests,
                     bool follow);
    double clearance(double longest) const { return 0.5 * static_cast<double>(slack) * longest; }
    WorldBox fat_box(std::size_t i) const;
    std::size_t marked(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o) const;
    void find_left(std::size_t first, std::size_t last, const RestingBodies& rests);
    void search_all(std::uint32_t threads);
    void search_left(std::uint32_t threads);
    WorldBox give_fat_box(std::size_t i);
    void list_pairs(std::uint32_t threads);
    void run(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o, PairFinderResult& result);
    void reset();
    PairFinderResult find(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o);

    detail::ScaledBodies scaled;
    std::uint64_t generation = 0;  // of these in the latest call
    std::size_t named = 0;         // hulls of the caller's set in the latest call

    float slack = kDefaultSlack;
    const detail::FinderTable* table = nullptr;  // of the latest call

    // State of the latest frame.
    detail::LazyBoxes boxes;
    std::vector<Pair> pairs;
    std::uint64_t without_box = 0;
    float margin = 0;
    std::size_t hull_count = 0;
    std::vector<Vec3f> step_of;  // how far each body's box moved from the frame before

    // Kept from frame to frame.
    bool valid = false;  // the boxes are those of the bodies of the last frame
    detail::KeptTree tree;
    std::vector<Pair> fat_pairs;   // ascending, filters applied
    detail::PairFilter filter;     // of these
    detail::PlanePairs planes;     // half-spaces
    std::span<const Pair> listed;  // the pairs of the frame, with those of half-spaces
    detail::WorldOrder order;      // of these

    // Scratch.
    std::vector<std::uint8_t> needed;  // per body: its box is needed
    std::vector<WorldBox> world;       // boxes() as the caller sees them
};

// The number of bodies whose marks count: those that the finder has seen. A body whose hull was not there may have a
// box once the set has grown.
std::size_t PairFinder::Impl::marked(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o) const {
    const bool same_boxes = o.margin == margin && (without_box == 0 || hulls.size() == hull_count);
    return valid && same_boxes ? std::min(boxes.size(), bodies.count) : 0;
}

// Takes the poses of this frame, and how far each box moved at most. If `seek`, it also finds the bodies that left
// their fat boxes.
void PairFinder::Impl::place(const HullSet& hulls, const BodyView& bodies, const RestingBodies& rests, bool seek,
                             const PairFinderOptions& o) {
    const std::size_t before = valid ? std::min(boxes.size(), bodies.count) : 0;
    const detail::BoxShape shape{0.5 * static_cast<double>(o.margin), o.growth.empty() ? nullptr : o.growth.data(),
                                 o.motion.empty() ? nullptr : o.motion.data()};
    const bool follow = boxes.begin(table->boxes, hulls, bodies.count, shape, before, o.threads);
    step_of.resize(bodies.count);
    filter.set_bodies(bodies.count);
    tree.begin_left(bodies.count);
    for_blocks(bodies.count, detail::kBodiesPerBlock, o.threads, [&](std::size_t first, std::size_t last) {
        place_block(bodies, first, last, rests, follow);
        if (seek) find_left(first, last, rests);
    });
    without_box = boxes.empty_ones();
    if (without_box == 0 && planes.size() == 0) return;
    planes.begin(hulls, bodies, o, boxes);
    without_box -= planes.size();
}

void PairFinder::Impl::place_block(const BodyView& bodies, std::size_t first, std::size_t last,
                                   const RestingBodies& rests, bool follow) {
    std::uint32_t list[detail::kBodiesPerBlock];
    BoxStep steps[detail::kBodiesPerBlock];
    std::size_t n = 0;
    for (std::size_t i = first; i < last; ++i) {
        if (rests(i)) {
            step_of[i] = {};
            continue;
        }
        list[n] = static_cast<std::uint32_t>(i);
        if (follow) steps[n] = boxes.follow(bodies, i);
        ++n;
    }
    if (!follow) boxes.set(bodies, {list, n}, {steps, n});
    for (std::size_t k = 0; k < n; ++k) {
        step_of[list[k]] = steps[k].middle;
        filter.move(list[k], steps[k].most);
    }
}

// The box of body i grown by its slack, and swept by where it will be if it goes on as it moves.
WorldBox PairFinder::Impl::fat_box(std::size_t i) const {
    const WorldBox box = boxes[i];
    if (slack == 0.0F || box.empty()) return box;
    const double longest = longest_side(box);
    const WorldBox grown = grown_by(box, clearance(longest));
    const Vec3d step = to_double(step_of[i]);
    const double furthest = std::max({std::fabs(step.x), std::fabs(step.y), std::fabs(step.z)});
    if (!is_finite(step_of[i]) || furthest == 0) return grown;
    const double ahead = std::min(kStepsAhead, kMostAhead * longest / furthest);
    // One that moves by more than its size a step would leave any such box at once.
    return ahead >= 1 ? swept(grown, step * ahead) : grown;
}

// The new fat box of body i, from which on its clearance counts.
WorldBox PairFinder::Impl::give_fat_box(std::size_t i) {
    const WorldBox around = fat_box(i);
    const double by = boxes.is_empty(i) ? 0 : clearance(longest_side(boxes[i]));
    boxes.put_within(i, detail::sides_of(around), by);
    filter.set_clearance(i, by);
    return around;
}

// Finds the bodies of a block whose boxes left their fat ones. The others get the clearance that remains.
void PairFinder::Impl::find_left(std::size_t first, std::size_t last, const RestingBodies& rests) {
    const auto stays = [&](std::size_t i) { return rests(i) || filter.is_inside(i); };
    boxes.compute(first, last, [&](std::size_t i) { return !stays(i); });
    for (std::size_t i = first; i < last; ++i) {
        // A body that has lost its box keeps its fat one; the filter drops its pairs.
        const bool in_doubt = !stays(i) && !boxes.is_empty(i);
        const bool left = in_doubt && boxes.clearance(i) < 0;
        tree.set_left(i, left);
        if (in_doubt && !left) filter.set_clearance(i, boxes.clearance(i));
    }
}

void PairFinder::Impl::search_all(std::uint32_t threads) {
    boxes.compute_all(threads);
    filter.restart(boxes.size());
    planes.forget();
    tree.search_all(
        table->tree, boxes.all(), [&](std::size_t i) { return give_fat_box(i); }, threads, fat_pairs);
    filter.forget(fat_pairs.size());
}

// Gives bodies that left their fat boxes new ones, and replaces their pairs.
void PairFinder::Impl::search_left(std::uint32_t threads) {
    const std::span<const Pair> fresh = tree.search_left(
        table->tree, [&](std::size_t i) { return give_fat_box(i); }, threads);
    filter.merge(fat_pairs, fresh, tree.has_left(), threads);
}

// The fat pairs that overlap in this frame. Only boxes that decide are computed.
void PairFinder::Impl::list_pairs(std::uint32_t threads) {
    needed.assign(boxes.size(), 0);
    filter.open(*table, fat_pairs, threads, needed);
    planes.open(boxes, filter, threads, needed);
    for_blocks(boxes.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        boxes.compute(first, last, [&](std::size_t i) { return needed[i] != 0; });
    });
    filter.list(*table, fat_pairs, boxes.all(), threads, pairs);
    listed = planes.list(boxes, filter, tree.filters(), pairs, threads);
}

void PairFinder::Impl::run(const HullSet& hulls, const BodyView& bodies, const PairFinderOptions& o,
                           PairFinderResult& result) {
    const RestingBodies rests(o, marked(hulls, bodies, o));
    const bool seek = tree.begin(o, bodies.count) && valid;
    place(hulls, bodies, rests, seek, o);
    valid = false;  // until the end, because memory may run out before
    margin = o.margin;
    hull_count = hulls.size();
    const bool whole = !tree.gather_left() || !seek;
    if (whole) {
        search_all(o.threads);
        result.searched = boxes.size() - without_box;
    } else if (!tree.left().empty()) {
        search_left(o.threads);
        result.searched = tree.left().size();
    }
    list_pairs(o.threads);
    // There are too many fat pairs if the frame's unit has become too coarse or bodies have become small. The next
    // frame then searches all.
    const double grown = 1.0 + static_cast<double>(slack);
    const double usual = grown * grown * grown * static_cast<double>(pairs.size() + boxes.size());
    if (static_cast<double>(fat_pairs.size()) > kLongList * usual) tree.discard();
    result.whole = whole;
    result.pairs = listed;
    if (o.worlds != 0) {
        result.pairs = order.order(listed, o);
        result.world_offsets = order.offsets();
    }
    valid = true;
}

// Forgets all frames; allocates nothing.
void PairFinder::Impl::reset() {
    Impl fresh;
    fresh.scaled = std::move(scaled);
    fresh.generation = generation;
    fresh.named = named;
    fresh.slack = slack;
    auto offered = boxes.offered();
    *this = std::move(fresh);
    boxes.offer(std::move(offered));
}

PairFinderResult PairFinder::Impl::find(const HullSet& hulls, const BodyView& bodies,
                                        const PairFinderOptions& options) {
    PairFinderResult result;
    // A body at rest may have a hull by an id that is another's now.
    if (generation != scaled.generation()) reset();
    generation = scaled.generation();
    const auto search = [&](const detail::FinderTable& of_isa) {
        table = &of_isa;
        run(hulls, bodies, options, result);
    };
    const auto forget = [&] { reset(); };
    if (detail::call_finder(detail::check_finder_arguments(bodies, options), options.isa, result, search, forget))
        result.without_box = without_box;
    return result;
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
    return detail::at_scale<PairFinderResult>(impl_->scaled, hulls, bodies,
                                              [&](const HullSet& own, const BodyView& unscaled) {
                                                  const PairFinderResult found = impl_->find(own, unscaled, options);
                                                  if (found.status) impl_->named = hulls.size();
                                                  return found;
                                              });
}

detail::FinderScene detail::FinderScene::of(const PairFinder& finder) {
    if (!finder.impl_ || !finder.impl_->valid) return {};
    const PairFinder::Impl& own = *finder.impl_;
    return {&own.boxes.hulls(), own.boxes.poses(), &own.boxes, &own.tree, own.planes.all(), own.without_box, own.named};
}

std::span<const WorldBox> PairFinder::boxes() const {
    if (!impl_) return {};
    in_default_environment([&] {
        impl_->boxes.compute_all(1);
        impl_->world.resize(impl_->boxes.size());
        for (std::size_t i = 0; i < impl_->world.size(); ++i) impl_->world[i] = impl_->boxes[i];
    });
    return impl_->world;
}

void PairFinder::share_hulls(const HullSet& hulls, std::span<PairFinder* const> finders) {
    const auto common = std::make_shared<detail::SharedCorners>();
    common->hulls = hulls;
    in_default_environment([&] { common->corners.take(HullSet(), hulls); });
    for (PairFinder* const finder : finders) {
        if (finder->impl_) finder->impl_->boxes.offer(common);
    }
}

void PairFinder::set_slack(float slack) {
    if (impl_ && slack >= 0 && std::isfinite(slack)) impl_->slack = slack;
}

}  // namespace lanefold
