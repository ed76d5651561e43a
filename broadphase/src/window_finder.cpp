// SPDX-License-Identifier: MIT
//
// One window of a WindowFinder: boxes of all frames, one search of the boxes around them, and its pairs compared in all
// frames. A window in which bodies move so far that such a search would find many pairs in vain is searched in halves.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/window_finder.hpp>

#include "body_filters.hpp"
#include "box_tree.hpp"
#include "finder_arguments.hpp"
#include "finder_table.hpp"
#include "float_frame.hpp"
#include "found_pairs.hpp"
#include "tasks.hpp"
#include "window_boxes.hpp"

namespace lanefold {

namespace {

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

    // Scratch.
    detail::FloatFrame::Sample sample;
    std::vector<detail::FloatBox> fat;
    detail::BoxTree tree;
    detail::FoundPairs found;
    std::vector<double> part_sums;
};

// About how many times the pairs of one frame a search of these boxes finds: the mean over the bodies of how much more
// often such a box meets another one of mean size. One body counts at most as much as if it met all others.
double WindowFinder::Impl::pairs_in_vain(std::span<const detail::Sides> around, std::uint32_t threads) {
    const std::size_t n = around.size();
    const std::size_t tasks = (n + kBodiesPerTask - 1) / kBodiesPerTask;
    const auto mean_of = [&](const auto& of) {
        part_sums.assign(tasks, 0);
        for_blocks(n, kBodiesPerTask, threads, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) part_sums[first / kBodiesPerTask] += of(i);
        });
        double sum = 0;
        for (const double part : part_sums) sum += part;
        return sum / static_cast<double>(n);
    };
    const std::span<const double> longest = boxes.longest();
    const double mean = mean_of([&](std::size_t i) { return longest[i]; });
    return mean_of([&](std::size_t i) {
        const detail::Sides& box = around[i];
        if (box.empty()) return 1.0;
        const double usual = longest[i] + mean;
        const double sides[3] = {box.of[0] + box.of[2], box.of[1] + box.of[3], box.of[4] + box.of[5]};
        double times = 1;
        for (const double side : sides) times *= usual > 0 ? std::max(1.0, (side + mean) / usual) : 1.0;
        return std::min(times, static_cast<double>(n));
    });
}

void WindowFinder::Impl::search(std::uint32_t first, std::uint32_t frames, std::uint32_t threads) {
    if (search_at_once(first, frames, threads)) return;
    search(first, frames / 2, threads);
    search(first + frames / 2, frames - frames / 2, threads);
}

// False if the halves of these frames are better searched one after the other. One frame is always searched.
bool WindowFinder::Impl::search_at_once(std::uint32_t first, std::uint32_t frames, std::uint32_t threads) {
    const std::span<const detail::Sides> around = boxes.around(first, frames, threads);
    // A sum that is no number is one of boxes without end.
    if (frames > 1 && !(pairs_in_vain(around, threads) <= kMostInVain)) return false;
    const detail::FloatFrame frame(around, threads, sample);
    fat.resize(around.size());
    for_blocks(around.size(), kBodiesPerTask, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) fat[i] = frame.box(around[i].box());
    });
    tree.build(fat, frame.span(), threads);
    const std::size_t most = kMostPairsPerBody * around.size() + kMostTimesBefore * most_before;
    const std::size_t limit = frames > 1 ? most : std::numeric_limits<std::size_t>::max();
    if (!found.search(*table, tree, filters, threads, limit)) return false;
    if (parts.size() == parts_used) parts.emplace_back();
    Part& part = parts[parts_used];
    part.first = first;
    part.frames = frames;
    found.sort(around.size(), threads, part.pairs);
    compare(part, threads);
    count(part, threads);
    ++parts_used;
    return true;
}

void WindowFinder::Impl::compare(Part& part, std::uint32_t threads) {
    const detail::WindowJob job = boxes.job();
    const std::size_t words = std::size_t{part.blocks()} * kFrameBlock;
    part.words.resize(part.groups() * words);
    for_blocks(part.groups(), kWordsPerTask, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t g = first; g < last; ++g) {
            const std::size_t pair = g * kPairsPerWord;
            table->compare_window(job, part.pairs.data() + pair, std::min(kPairsPerWord, part.pairs.size() - pair),
                                  part.first_block(), part.blocks(), part.words.data() + g * words);
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
    filters.keep(o);
    boxes.place(*table, hulls, frames, o);
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
