// SPDX-License-Identifier: MIT
//
// One window of a WindowFinder: boxes of all frames, one search of the boxes around them, and its pairs compared in all
// frames. A window in which bodies move so far that such a search would find many pairs in vain is searched in halves.
// The tree and its pairs are kept for the next window: where few bodies have left its boxes, only these are searched.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/window_finder.hpp>

#include "boxes/grown_boxes.hpp"
#include "boxes/tasks.hpp"
#include "boxes/window_boxes.hpp"
#include "finders/finder_arguments.hpp"
#include "finders/finder_table.hpp"
#include "tree/body_filters.hpp"
#include "tree/box_tree.hpp"
#include "tree/float_frame.hpp"
#include "tree/found_pairs.hpp"

namespace lanefold {

namespace {

using detail::FloatBox;
using detail::for_blocks;
using detail::kFrameBlock;
using detail::kPairsPerWord;

constexpr std::size_t kBodiesPerTask = 512;
constexpr std::size_t kWordsPerTask = 32;

// How many times as many pairs as in one frame a search may be expected to find before its frames are searched in
// halves. Two searches of half the frames take about a second search, as much as comparing four times the pairs.
constexpr double kMostInVain = 4;

// Pairs that a search of several frames may find, for each body, and for each pair of the fullest frame of the window
// before: what it was expected to find may be far from what it finds where few bodies sweep over many. Piles have 3 to
// 12 pairs a body.
constexpr std::size_t kMostPairsPerBody = 16;
constexpr std::size_t kMostTimesBefore = 8;

// By how much boxes in the tree are larger than those around a body's frames, as a part of the longest side. Bodies
// that creep stay inside for many windows, and hardly a pair more is compared.
constexpr double kRoom = 0.01;

// Boxes get room, and are kept, where a search is expected to find at most so many times as many pairs as in one frame:
// where most bodies rest or creep.
constexpr double kMostToKeep = 1.01;

// All bodies are searched if more than one in so many has left its box.
constexpr std::size_t kFewLeave = 8;

// And if there are so many times as many pairs as bodies and pairs of the fullest frame.
constexpr std::size_t kMostKept = 2;

// Of the longest sides that are there, the one in the middle, in a sample. Far bodies, whose boxes are large by
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

bool within(const FloatBox& inner, const FloatBox& outer) {
    bool in = true;
    for (int k = 0; k < 3; ++k) in = in && inner.lower[k] >= outer.lower[k] && inner.upper[k] <= outer.upper[k];
    return in;
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
        std::size_t fullest() const { return *std::max_element(start.end() - frames, start.end()); }
    };

    void run(const HullSet& hulls, std::span<const BodyView> frames, const PairFinderOptions& o);
    void search(std::uint32_t first, std::uint32_t frames, std::uint32_t threads);
    bool search_at_once(std::uint32_t first, std::uint32_t frames, std::uint32_t threads);
    bool search_all(std::span<const detail::Sides> around, std::size_t limit, std::uint32_t threads);
    bool find_leavers(std::span<const detail::Sides> around, std::uint32_t threads);
    void search_leavers(std::span<const detail::Sides> around, std::uint32_t threads);
    FloatBox box_in_tree(const detail::Sides& around) const;
    double pairs_in_vain(std::span<const detail::Sides> around, std::uint32_t threads);
    void compare(Part& part, std::uint32_t threads);
    static void count(Part& part, std::uint32_t threads);
    const Part* part_of(std::size_t frame) const;

    const detail::FinderTable* table = nullptr;  // of the latest call
    detail::WindowBoxes boxes;
    detail::BodyFilters filters;
    std::vector<Part> parts;      // of which there may have been more once
    std::size_t parts_used = 0;   // 0: there is no window
    std::size_t most_before = 0;  // pairs of the fullest frame of the window before
    std::uint64_t searched = 0;   // bodies, in this window

    // Kept from window to window: a tree of boxes, and in parts[0] the pairs of these that overlap.
    bool kept = false;
    double room = 0;  // of the tree's boxes
    detail::FloatFrame space;
    std::vector<FloatBox> fat;
    detail::BoxTree tree;
    std::size_t moved_since = 0;  // bodies that were searched one by one since the tree was built

    // Scratch.
    detail::FloatFrame::Sample sample;
    detail::FoundPairs found;
    std::vector<double> part_sums;
    std::vector<std::uint32_t> leavers;       // ascending
    std::vector<std::uint32_t> leaver_lists;  // those of each task, from its first body's place on
    std::vector<std::uint32_t> leaver_count;  // per task
    std::vector<std::uint8_t> leaves;         // per body: it left its box
    std::vector<Pair> fresh;
    std::vector<Pair> merged;
};

// About how many times the pairs of one frame a search of these boxes finds: the mean over the bodies of how much more
// often such a box meets another one of mean size. One body counts at most as much as if it met all others.
double WindowFinder::Impl::pairs_in_vain(std::span<const detail::Sides> around, std::uint32_t threads) {
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
    const double in_vain = frames > 1 || whole ? pairs_in_vain(around, threads) : 1;
    if (frames > 1 && !(in_vain <= kMostInVain)) return false;
    const std::size_t most = kMostPairsPerBody * around.size() + kMostTimesBefore * most_before;
    const std::size_t limit = frames > 1 ? most : std::numeric_limits<std::size_t>::max();
    if (parts.size() == parts_used) parts.emplace_back();
    Part& part = parts[parts_used];
    if (whole && kept && find_leavers(around, threads)) {
        search_leavers(around, threads);
        searched += leavers.size();
        kept = part.pairs.size() <= limit;
    } else {
        kept = false;
        room = whole && in_vain <= kMostToKeep ? kRoom : 0;
        if (!search_all(around, limit, threads)) return false;
        searched += around.size();
        found.sort(around.size(), threads, part.pairs);
        kept = room > 0;
    }
    part.first = first;
    part.frames = frames;
    compare(part, threads);
    count(part, threads);
    // Boxes of bodies that have come to rest are larger than they need be.
    if (part.pairs.size() > kMostKept * (part.fullest() + around.size())) kept = false;
    ++parts_used;
    return true;
}

// The box of the tree for one around a body's frames.
FloatBox WindowFinder::Impl::box_in_tree(const detail::Sides& around) const {
    const WorldBox box = around.box();
    if (box.empty()) return space.box(box);
    return space.box(room > 0 ? detail::grown_by(box, room * detail::longest_side(box)) : box);
}

bool WindowFinder::Impl::search_all(std::span<const detail::Sides> around, std::size_t limit, std::uint32_t threads) {
    space = detail::FloatFrame(around, threads, sample);
    fat.resize(around.size());
    for_blocks(around.size(), kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) fat[i] = box_in_tree(around[i]);
    });
    tree.build(fat, space.span(), threads);
    moved_since = 0;
    return found.search(table->tree, tree, filters, threads, limit);
}

// Finds the bodies that are no longer inside of their boxes in the tree. False if all should be searched: there are
// many of them, or one that the tree does not have.
bool WindowFinder::Impl::find_leavers(std::span<const detail::Sides> around, std::uint32_t threads) {
    const std::size_t n = around.size();
    leaves.resize(n);
    leaver_lists.resize(n);
    leaver_count.assign((n + kBodiesPerTask - 1) / kBodiesPerTask, 0);
    std::atomic<bool> is_new{false};
    for_blocks(n, kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
        std::uint32_t& count = leaver_count[first / kBodiesPerTask];
        for (std::size_t i = first; i < last; ++i) {
            // The pairs of a body that has lost its box stay; no frame has them.
            leaves[i] = !around[i].empty() && !within(space.box(around[i].box()), fat[i]) ? 1 : 0;
            if (leaves[i] == 0) continue;
            leaver_lists[first + count++] = static_cast<std::uint32_t>(i);
            if (!tree.has(static_cast<std::uint32_t>(i))) is_new.store(true, std::memory_order_relaxed);
        }
    });
    leavers.clear();
    for (std::size_t t = 0; t < leaver_count.size(); ++t) {
        const auto from = leaver_lists.begin() + static_cast<std::ptrdiff_t>(t * kBodiesPerTask);
        leavers.insert(leavers.end(), from, from + leaver_count[t]);
    }
    moved_since += leavers.size();
    return !is_new.load() && leavers.size() * kFewLeave <= n && moved_since <= n;
}

// Gives them new boxes, and replaces their pairs in parts[0].
void WindowFinder::Impl::search_leavers(std::span<const detail::Sides> around, std::uint32_t threads) {
    if (leavers.empty()) return;
    for (const std::uint32_t i : leavers) {
        fat[i] = box_in_tree(around[i]);
        tree.replace(i, fat[i]);
    }
    tree.refit(threads);
    found.search(table->tree, tree, filters, {leavers, leaves, fat}, threads);
    found.sort(around.size(), threads, fresh);
    std::vector<Pair>& pairs = parts[0].pairs;
    std::erase_if(pairs, [&](const Pair& p) { return (leaves[p.a] | leaves[p.b]) != 0; });
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

// Where the pairs of each frame begin that are in the words of each task, and behind the last one how many there are.
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
    for (std::size_t p = 0; p < parts_used; ++p) most_before = std::max(most_before, parts[p].fullest());
    parts_used = 0;  // until the end, because memory may run out before
    const bool same_filters = filters.keep(o);
    kept = kept && same_filters && frames[0].count == fat.size();
    searched = 0;
    boxes.place(table->boxes, hulls, frames, o);
    search(0, boxes.frames(), o.threads);
}

const WindowFinder::Impl::Part* WindowFinder::Impl::part_of(std::size_t frame) const {
    for (std::size_t p = 0; p < parts_used; ++p) {
        if (frame >= parts[p].first && frame < parts[p].first + parts[p].frames) return &parts[p];
    }
    return nullptr;
}

WindowFinder::WindowFinder() : impl_(std::make_unique<Impl>()) {}
WindowFinder::WindowFinder(WindowFinder&&) noexcept = default;
WindowFinder& WindowFinder::operator=(WindowFinder&&) noexcept = default;
WindowFinder::~WindowFinder() = default;

WindowFinderResult WindowFinder::find(const HullSet& hulls, std::span<const BodyView> frames,
                                      const PairFinderOptions& options) {
    WindowFinderResult result;
    if (!impl_) {
        result.status = {Status::bad_argument, "the finder was moved from", 0};
        return result;
    }
    result.status = detail::check_window_arguments(frames, options);
    if (!result.status) return result;
    const IsaChoice choice = choose_isa(options.isa);
    result.status = choice.status;
    if (!result.status) return result;
    impl_->table = &detail::finder_table(choice.isa);
    result.isa = impl_->table->isa;
    try {
        in_default_environment([&] { impl_->run(hulls, frames, options); });
    } catch (const std::bad_alloc&) {
        *impl_ = Impl();  // allocates nothing
        result.status = {Status::out_of_memory, "the candidate pairs do not fit into memory", 0};
        return result;
    }
    result.searches = impl_->parts_used;
    result.searched = impl_->searched;
    for (std::size_t p = 0; p < impl_->parts_used; ++p) result.compared += impl_->parts[p].pairs.size();
    return result;
}

std::size_t WindowFinder::count(std::size_t frame) const {
    const Impl::Part* const part = impl_ ? impl_->part_of(frame) : nullptr;
    return part == nullptr ? 0 : part->start_of(part->tasks(), static_cast<std::uint32_t>(frame));
}

std::uint64_t WindowFinder::without_box(std::size_t frame) const {
    const Impl::Part* const part = impl_ ? impl_->part_of(frame) : nullptr;
    return part == nullptr ? 0 : impl_->boxes.without_box(static_cast<std::uint32_t>(frame));
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
    return {};
}

}  // namespace lanefold
