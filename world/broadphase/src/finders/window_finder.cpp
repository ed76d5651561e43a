// SPDX-License-Identifier: MIT
//
// One window of a WindowFinder: boxes of all frames, one search of the boxes around them, and its pairs compared in all
// frames. A window in which bodies move so far that such a search would find many pairs that no frame has is searched
// in halves. The tree and its pairs are kept for the next window: where few bodies have left its boxes, only these are
// searched.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/scaled_bodies.hpp>
#include <lanefold/window_finder.hpp>

#include "boxes/grown_boxes.hpp"
#include "boxes/tasks.hpp"
#include "boxes/window_boxes.hpp"
#include "finders/finder_arguments.hpp"
#include "finders/finder_call.hpp"
#include "finders/finder_table.hpp"
#include "finders/plane_pairs.hpp"
#include "tree/kept_tree.hpp"

namespace lanefold {

namespace {

using detail::for_blocks;
using detail::kFrameBlock;
using detail::kPairsPerWord;

constexpr std::size_t kBodiesPerTask = 512;
constexpr std::size_t kWordsPerTask = 32;

// How many times as many pairs as in one frame a search may be expected to find before its frames are searched in
// halves. Two searches of half the frames take about a second search, as much as comparing four times the pairs.
constexpr double kMostPairRatio = 4;

// Pairs that a search of several frames may find, for each body, and for each pair of the frame with most in the window
// before: the expected number may be far from the found one where few bodies sweep over many. Piles have 3 to 12 pairs
// a body.
constexpr std::size_t kMostPairsPerBody = 16;
constexpr std::size_t kMostTimesBefore = 8;

// By how much fat boxes are larger than those around a body's frames, as a part of the longest side. Bodies
// that creep stay inside for many windows, and hardly a pair more is compared.
constexpr double kFatGrowth = 0.01;

// Boxes are grown, and kept, where a search is expected to find at most so many times as many pairs as in one frame:
// where most bodies rest or creep.
constexpr double kMostToKeep = 1.01;

// The tree is not kept with more than so many times as many pairs as there are bodies and pairs of the frame with most.
constexpr std::size_t kMostKept = 2;

// The median of a sample of the longest sides that are there. Far bodies, whose boxes are large by
// rounding, count for nothing.
double usual_side(std::span<const double> longest) {
    constexpr std::size_t kSample = 256;
    double sample[kSample];
    std::size_t n = 0;
    for (std::size_t i = 0; i < longest.size() && n < kSample; i += longest.size() / kSample + 1) {
        if (longest[i] > 0) sample[n++] = longest[i];
    }
    if (n == 0) return 0;
    std::nth_element(sample, sample + n / 2, sample + n);
    return sample[n / 2];
}

}  // namespace

struct WindowFinder::Impl {
    // Frames that were searched together.
    struct Part {
        std::uint32_t first = 0;
        std::uint32_t frames = 0;
        std::vector<Pair> pairs;  // of boxes around all of its frames, ascending
        // kPairsPerWord pairs to a word: bit k says whether pair k overlaps. Word f of each group of words belongs to
        // frame f of the frame block in which the part begins.
        std::vector<std::uint64_t> words;
        std::vector<std::size_t> start;  // per task's words and frame: pairs of the frame before these

        std::uint32_t first_block() const { return first / kFrameBlock; }
        std::uint32_t blocks() const { return (first + frames - 1) / kFrameBlock - first_block() + 1; }
        std::size_t groups() const { return (pairs.size() + kPairsPerWord - 1) / kPairsPerWord; }
        std::size_t tasks() const { return (groups() + kWordsPerTask - 1) / kWordsPerTask; }
        std::uint64_t word(std::size_t group, std::uint32_t frame) const {
            return words[group * blocks() * kFrameBlock + (frame - first_block() * kFrameBlock)];
        }
        std::size_t start_of(std::size_t task, std::uint32_t frame) const {
            return start[task * frames + (frame - first)];
        }
        // Pairs of the frame that has most.
        std::size_t most_pairs() const { return *std::max_element(start.end() - frames, start.end()); }
    };

    void run(const HullSet& hulls, std::span<const BodyView> frames, const PairFinderOptions& o);
    WindowFinderResult find(const HullSet& hulls, std::span<const BodyView> frames, const PairFinderOptions& options);
    void search(std::uint32_t first, std::uint32_t frames, std::uint32_t threads);
    bool search_at_once(std::uint32_t first, std::uint32_t frames, std::uint32_t threads);
    bool search_all(std::span<const detail::Sides> around, std::size_t limit, std::uint32_t threads);
    bool find_left(std::span<const detail::Sides> around, std::uint32_t threads);
    void search_left(std::span<const detail::Sides> around, std::uint32_t threads);
    WorldBox fat_box(const detail::Sides& around) const;
    double pair_ratio(std::span<const detail::Sides> around, std::uint32_t threads);
    void compare(Part& part, std::uint32_t threads);
    static void count(Part& part, std::uint32_t threads);
    void find_planes(const HullSet& hulls, std::span<const BodyView> frames, const PairFinderOptions& o);
    const Part* part_of(std::size_t frame) const;

    detail::ScaledBodies scaled;
    const detail::FinderTable* table = nullptr;  // of the latest call
    detail::WindowBoxes boxes;
    std::vector<Part> parts;      // of which there may have been more once
    std::size_t parts_used = 0;   // 0: there is no window
    std::size_t most_before = 0;  // pairs of the frame with most, in the window before
    std::uint64_t searched = 0;   // bodies, in this window

    // Half-spaces: their number in each frame, and their pairs, ascending. Empty where no frame has any.
    std::vector<std::uint64_t> planes;
    std::vector<std::vector<Pair>> plane_pairs;

    std::span<const Pair> pairs_of_planes(std::size_t frame) const {
        return frame < plane_pairs.size() ? std::span<const Pair>(plane_pairs[frame]) : std::span<const Pair>();
    }

    // Kept from window to window: a tree of boxes, and in parts[0] the pairs of these that overlap.
    double growth = 0;  // of the fat boxes, as a part of the longest side
    detail::KeptTree tree;

    // Scratch.
    std::vector<double> part_sums;
    std::vector<Pair> merged;
};

// About how many times the pairs of one frame a search of these boxes finds: the mean over the bodies of how much more
// often such a box meets another one of mean size. One body counts at most as much as if it met all others.
double WindowFinder::Impl::pair_ratio(std::span<const detail::Sides> around, std::uint32_t threads) {
    const std::size_t n = around.size();
    if (n == 0) return 1;
    const std::size_t tasks = (n + kBodiesPerTask - 1) / kBodiesPerTask;
    const std::span<const double> longest = boxes.longest();
    const double usual_size = usual_side(longest);
    const auto times_as_often = [&](std::size_t i) {
        const detail::Sides& box = around[i];
        if (box.empty()) return 1.0;
        const double usual = longest[i] + usual_size;
        const double sides[3] = {box.of[0] + box.of[2], box.of[1] + box.of[3], box.of[4] + box.of[5]};
        double times = 1;
        for (const double side : sides) times *= usual > 0 ? std::max(1.0, (side + usual_size) / usual) : 1.0;
        return std::min(times, static_cast<double>(n));
    };
    part_sums.assign(tasks, 0);
    for_blocks(n, kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) part_sums[first / kBodiesPerTask] += times_as_often(i);
    });
    double sum = 0;
    for (const double part : part_sums) sum += part;
    return sum / static_cast<double>(n);
}

void WindowFinder::Impl::search(std::uint32_t first, std::uint32_t frames, std::uint32_t threads) {
    if (search_at_once(first, frames, threads)) return;
    search(first, frames / 2, threads);
    search(first + frames / 2, frames - frames / 2, threads);
}

// False if the halves of these frames are better searched one after the other. One frame is always searched.
bool WindowFinder::Impl::search_at_once(std::uint32_t first, std::uint32_t frames, std::uint32_t threads) {
    const std::span<const detail::Sides> around = boxes.around(first, frames, threads);
    // Only the boxes of a whole window are worth keeping for the next one.
    const bool whole = frames == boxes.frames();
    const double ratio = frames > 1 || whole ? pair_ratio(around, threads) : 1;
    if (frames > 1 && !(ratio <= kMostPairRatio)) return false;
    const std::size_t most = kMostPairsPerBody * around.size() + kMostTimesBefore * most_before;
    const std::size_t limit = frames > 1 ? most : std::numeric_limits<std::size_t>::max();
    if (parts.size() == parts_used) parts.emplace_back();
    Part& part = parts[parts_used];
    if (whole && tree.is_kept() && find_left(around, threads)) {
        search_left(around, threads);
        searched += tree.left().size();
        if (part.pairs.size() > limit) tree.discard();
    } else {
        growth = whole && ratio <= kMostToKeep ? kFatGrowth : 0;
        if (!search_all(around, limit, threads)) return false;
        searched += around.size();
        if (growth == 0) tree.discard();
    }
    part.first = first;
    part.frames = frames;
    compare(part, threads);
    count(part, threads);
    // Boxes of bodies that have come to rest are larger than they need be.
    if (part.pairs.size() > kMostKept * (part.most_pairs() + around.size())) tree.discard();
    ++parts_used;
    return true;
}

// The fat box for one around a body's frames.
WorldBox WindowFinder::Impl::fat_box(const detail::Sides& around) const {
    const WorldBox box = around.box();
    return growth > 0 && !box.empty() ? detail::grown_by(box, growth * detail::longest_side(box)) : box;
}

bool WindowFinder::Impl::search_all(std::span<const detail::Sides> around, std::size_t limit, std::uint32_t threads) {
    return tree.search_all(
        table->tree, around, [&](std::size_t i) { return fat_box(around[i]); }, threads, parts[parts_used].pairs,
        limit);
}

// Finds the bodies that left their fat boxes. False if all should be searched.
bool WindowFinder::Impl::find_left(std::span<const detail::Sides> around, std::uint32_t threads) {
    tree.begin_left(around.size());
    for_blocks(around.size(), detail::kBodiesPerBlock, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            // The pairs of a body that has lost its box stay; no frame has them.
            tree.set_left(i, !around[i].empty() && !tree.contains(i, around[i].box()));
        }
    });
    return tree.gather_left();
}

// Gives them new fat boxes, and replaces their pairs in parts[0].
void WindowFinder::Impl::search_left(std::span<const detail::Sides> around, std::uint32_t threads) {
    if (tree.left().empty()) return;
    const std::span<const Pair> fresh = tree.search_left(
        table->tree, [&](std::size_t i) { return fat_box(around[i]); }, threads);
    const std::span<const std::uint8_t> left = tree.has_left();
    std::vector<Pair>& pairs = parts[0].pairs;
    std::erase_if(pairs, [&](const Pair& p) { return (left[p.a] | left[p.b]) != 0; });
    merged.resize(pairs.size() + fresh.size());
    std::merge(pairs.begin(), pairs.end(), fresh.begin(), fresh.end(), merged.begin());
    pairs.swap(merged);
}

void WindowFinder::Impl::compare(Part& part, std::uint32_t threads) {
    const detail::WindowJob job = boxes.job();
    const std::size_t words = std::size_t{part.blocks()} * kFrameBlock;
    part.words.resize(part.groups() * words);
    for_blocks(part.groups(), kWordsPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t g = first; g < last; ++g) {
            const std::size_t pair = g * kPairsPerWord;
            table->boxes.compare_window(job, part.pairs.data() + pair,
                                        std::min(kPairsPerWord, part.pairs.size() - pair), part.first_block(),
                                        part.blocks(), part.words.data() + g * words);
        }
    });
}

// Counts, for each frame, the pairs before the words of each task, and behind the last task all of them.
void WindowFinder::Impl::count(Part& part, std::uint32_t threads) {
    part.start.assign((part.tasks() + 1) * part.frames, 0);
    for_blocks(part.groups(), kWordsPerTask, threads, [&](std::size_t first, std::size_t last) {
        std::size_t* const of = part.start.data() + (first / kWordsPerTask + 1) * part.frames;
        for (std::size_t g = first; g < last; ++g) {
            for (std::uint32_t f = 0; f < part.frames; ++f) {
                of[f] += static_cast<std::size_t>(std::popcount(part.word(g, part.first + f)));
            }
        }
    });
    for (std::size_t k = part.frames; k < part.start.size(); ++k) part.start[k] += part.start[k - part.frames];
}

void WindowFinder::Impl::run(const HullSet& hulls, std::span<const BodyView> frames, const PairFinderOptions& o) {
    most_before = 0;
    for (std::size_t p = 0; p < parts_used; ++p) most_before = std::max(most_before, parts[p].most_pairs());
    parts_used = 0;  // until the end, because memory may run out before
    if (!tree.begin(o, frames[0].count)) tree.discard();
    searched = 0;
    boxes.place(table->boxes, hulls, frames, o);
    search(0, boxes.frames(), o.threads);
    find_planes(hulls, frames, o);
}

void WindowFinder::Impl::find_planes(const HullSet& hulls, std::span<const BodyView> frames,
                                     const PairFinderOptions& o) {
    planes.clear();
    plane_pairs.clear();
    const std::span<const HullRecord> records(hulls.records(), hulls.size());
    if (std::none_of(records.begin(), records.end(), detail::is_half_space)) return;
    planes.assign(frames.size(), 0);
    plane_pairs.resize(frames.size());
    std::vector<std::size_t> bodies;
    for (std::size_t i = 0; i < boxes.bodies(); ++i) {
        const std::uint32_t hull = detail::read_body(frames[0], i).hull;
        if (hulls.contains(hull) && detail::is_half_space(hulls[hull])) bodies.push_back(i);
    }
    for_blocks(frames.size(), 1, o.threads, [&](std::size_t f, std::size_t) {
        std::vector<Pair> of_plane;
        std::vector<Pair> scratch;
        const auto box = [&](std::size_t i) { return boxes.box(i, static_cast<std::uint32_t>(f)); };
        for (const std::size_t i : bodies) {
            const std::optional<detail::WorldPlane> plane = detail::world_plane(hulls, frames[f], i, o);
            if (!plane) continue;
            ++planes[f];
            of_plane.clear();
            detail::list_pairs_of_plane(*plane, boxes.bodies(), tree.filters(), box, of_plane);
            detail::merge_into(plane_pairs[f], of_plane, scratch);
        }
    });
}

const WindowFinder::Impl::Part* WindowFinder::Impl::part_of(std::size_t frame) const {
    for (std::size_t p = 0; p < parts_used; ++p) {
        if (frame >= parts[p].first && frame < parts[p].first + parts[p].frames) return &parts[p];
    }
    return nullptr;
}

WindowFinderResult WindowFinder::Impl::find(const HullSet& hulls, std::span<const BodyView> frames,
                                            const PairFinderOptions& options) {
    WindowFinderResult result;
    const auto search = [&](const detail::FinderTable& of_isa) {
        table = &of_isa;
        run(hulls, frames, options);
    };
    const auto reset = [&] {  // allocates nothing
        Impl fresh;
        fresh.scaled = std::move(scaled);
        *this = std::move(fresh);
    };
    if (!detail::call_finder(detail::check_window_arguments(frames, options), options.isa, result, search, reset))
        return result;
    result.searches = parts_used;
    result.searched = searched;
    for (std::size_t p = 0; p < parts_used; ++p) result.compared += parts[p].pairs.size();
    return result;
}

WindowFinder::WindowFinder() : impl_(std::make_unique<Impl>()) {}
WindowFinder::WindowFinder(WindowFinder&&) noexcept = default;
WindowFinder& WindowFinder::operator=(WindowFinder&&) noexcept = default;
WindowFinder::~WindowFinder() = default;

WindowFinderResult WindowFinder::find(const HullSet& hulls, std::span<const BodyView> frames,
                                      const PairFinderOptions& options) {
    WindowFinderResult result;
    if (!impl_) result.status = {Status::bad_argument, "the finder was moved from", 0};
    if (!result.status) return result;
    const bool checked = !frames.empty() && frames.size() <= kMostFramesInWindow && frames.data() != nullptr;
    if (!checked || (!impl_->scaled.used() && !detail::has_scale(frames))) return impl_->find(hulls, frames, options);
    result.status = impl_->scaled.take(hulls, frames);
    if (!result.status) return result;
    BodyView unscaled[kMostFramesInWindow];
    for (std::size_t f = 0; f < frames.size(); ++f) unscaled[f] = impl_->scaled.view(f);
    const detail::ScaledBodies::Taken taken{impl_->scaled};
    return impl_->find(impl_->scaled.hulls(), {unscaled, frames.size()}, options);
}

std::size_t WindowFinder::count(std::size_t frame) const {
    const Impl::Part* const part = impl_ ? impl_->part_of(frame) : nullptr;
    if (part == nullptr) return 0;
    return part->start_of(part->tasks(), static_cast<std::uint32_t>(frame)) + impl_->pairs_of_planes(frame).size();
}

std::uint64_t WindowFinder::without_box(std::size_t frame) const {
    const Impl::Part* const part = impl_ ? impl_->part_of(frame) : nullptr;
    if (part == nullptr) return 0;
    return impl_->boxes.without_box(static_cast<std::uint32_t>(frame)) -
           (impl_->planes.empty() ? 0 : impl_->planes[frame]);
}

CallStatus WindowFinder::list(std::size_t frame, std::span<Pair> out, std::uint32_t threads) const {
    const Impl::Part* const part = impl_ ? impl_->part_of(frame) : nullptr;
    if (part == nullptr) return detail::refuse("the finder's latest window has no such frame", frame);
    if (out.size() != count(frame)) return detail::refuse("out needs count(frame) pairs", out.size());
    if (out.data() == nullptr && !out.empty()) return detail::refuse("out is null but has a length", out.size());
    const auto f = static_cast<std::uint32_t>(frame);
    for_blocks(part->groups(), kWordsPerTask, threads, [&](std::size_t first, std::size_t last) {
        Pair* to = out.data() + part->start_of(first / kWordsPerTask, f);
        for (std::size_t g = first; g < last; ++g) {
            const Pair* const pairs = part->pairs.data() + g * kPairsPerWord;
            std::uint64_t word = part->word(g, f);
            if (word == ~std::uint64_t{0}) {
                to = std::copy_n(pairs, kPairsPerWord, to);
                continue;
            }
            for (; word != 0; word &= word - 1) *to++ = pairs[std::countr_zero(word)];
        }
    });
    const std::span<const Pair> of_planes = impl_->pairs_of_planes(frame);
    if (of_planes.empty()) return {};
    // From the end on, so that no pair is overwritten before it is moved.
    std::size_t to = out.size();
    std::size_t boxed = out.size() - of_planes.size();
    for (std::size_t k = of_planes.size(); k > 0; --k) {
        while (boxed > 0 && of_planes[k - 1] < out[boxed - 1]) out[--to] = out[--boxed];
        out[--to] = of_planes[k - 1];
    }
    return {};
}

}  // namespace lanefold
