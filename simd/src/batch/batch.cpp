// SPDX-License-Identifier: MIT
//
// Sets up a batch call and computes one chunk.
#include "batch/batch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/world_previous.hpp"

namespace lanefold::detail {
namespace {

// Bodies, margins and previous records per claim: many enough that the shared counter is seldom written, few enough
// that tasks finish together.
constexpr std::uint64_t kBodyBlock = 256;
constexpr std::uint64_t kMarginBlock = 65536;
constexpr std::uint64_t kPreviousBlock = 8192;
constexpr std::uint64_t kWorldBlock = 64;

// Above this ratio of bodies to pairs most bodies occur in no pair. Their frames are then prepared per pair instead of
// per body.
constexpr std::uint64_t kSparseRatio = 4;

// Chunks that every task should get. With fewer the last tasks would take a large part of the time alone.
constexpr std::uint64_t kChunksPerSlot = 8;
constexpr std::uint32_t kMinChunkPairs = 128;

// Places of the frames of a chunk's pairs when frames are prepared per pair: 0 and 1, 2 and 3, ...
constexpr std::array<Pair, kChunkPairs> kOwnFrames = [] {
    std::array<Pair, kChunkPairs> places{};
    for (std::uint32_t i = 0; i < kChunkPairs; ++i) places[i] = {2 * i, 2 * i + 1};
    return places;
}();

}  // namespace

std::uint32_t chunk_pairs(std::uint64_t pairs, unsigned slots) {
    if (slots <= 1) return kChunkPairs;
    const std::uint64_t even = pairs / (slots * kChunksPerSlot);
    const std::uint64_t whole = (even + 63) / 64 * 64;
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(whole, std::uint64_t{kMinChunkPairs}, std::uint64_t{kChunkPairs}));
}

Batch::Batch(const BatchArguments& arguments, Executor& executor) : arguments_(arguments), executor_(executor) {
    status_ = check_arguments(arguments);
    if (!status_) return;
    const IsaChoice choice = choose_isa(arguments.options->isa);
    status_ = choice.status;
    if (!status_) return;
    table_ = kernel_table(choice.isa);
    workspace_ = &arguments.workspace->impl();
    if (workspace_->in_use.exchange(1, std::memory_order_acquire) != 0) {
        status_ = {Status::bad_argument, "workspace is in use by another call", 0};
        return;
    }
    taken_ = true;
    previous_ = {arguments.inputs.previous, arguments.pairs, arguments.previous_index, workspace_->previous};

    const std::uint64_t pairs = arguments.pairs.size() - arguments.first_pair;
    const unsigned most =
        tasks_for(executor, arguments.options->threads, (pairs + kMinChunkPairs - 1) / kMinChunkPairs);
    chunk_pairs_ = chunk_pairs(pairs, most);
    chunk_count_ = pairs / chunk_pairs_ + (pairs % chunk_pairs_ != 0 ? 1 : 0);
    slots_ = static_cast<unsigned>(std::clamp<std::uint64_t>(chunk_count_, 1, most));
    frames_per_pair_ = arguments.bodies->count / kSparseRatio > pairs;
    expands_ = arguments.hulls->max_children() != 0 || arguments.hulls->has_surfaces();
    if (!reserve()) status_ = {Status::out_of_memory, "not enough memory for the workspace", 0};
}

Batch::~Batch() {
    if (taken_) workspace_->in_use.store(0, std::memory_order_release);
}

void Batch::begin_slots() {
    for (unsigned i = 0; i < slots_; ++i) {
        slot(i).totals = {};
        slot(i).hash = 0;
        slot(i).written = 0;
        slot(i).carried = 0;
        slot(i).anchored = 0;
    }
}

bool Batch::reserve() {
    try {
        workspace_->reserve_slots(slots_, *arguments_.hulls);
        for (unsigned i = 0; arguments_.anchors.states != nullptr && i < slots_; ++i) {
            if (slot(i).reuse == nullptr) slot(i).reuse = std::make_unique<ReuseMemory>();
        }
        for (unsigned i = 0; i < slots_; ++i) reserve_several(slot(i));
        if (frames_per_pair_) {
            for (unsigned i = 0; i < slots_; ++i) slot(i).frames.reserve(2 * std::size_t{kChunkPairs});
        } else {
            workspace_->frames.reserve_grown(arguments_.bodies->count);
        }
        if (holds(arguments_.level) && arguments_.level == OutputLevel::distance) {
            for (unsigned i = 0; i < slots_; ++i) slot(i).records.reserve(kChunkPairs);
        }
        if (arguments_.previous_of_worlds != nullptr) {
            workspace_->previous_index.reserve_grown(arguments_.pairs.size());
            previous_ = {arguments_.inputs.previous, arguments_.pairs, workspace_->previous_index.data(),
                         workspace_->previous};
        }
        previous_.reserve();
        if (!arguments_.compact) return true;
        const std::size_t areas = slots_ > 1 ? kMaxPending : 1;
        for (unsigned i = 0; i < slots_; ++i) {
            slot(i).staging.reserve(areas * kChunkPairs * element_bytes(arguments_.level));
        }
        workspace_->chunk_records.reserve_grown(chunk_count_);
        workspace_->chunk_end.reserve_grown(chunk_count_);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// Calls f(slot, begin, end) for all blocks of [0, count). Returns false if the work stopped early.
template <class F>
bool Batch::for_blocks(std::uint64_t count, std::uint64_t block, F f) {
    const std::uint64_t blocks = (count + block - 1) / block;
    const auto tasks = static_cast<unsigned>(std::clamp<std::uint64_t>(blocks, 1, slots_));
    if (tasks == 1) {  // as all small calls: their time is that of what they set up
        for (std::uint64_t begin = 0; begin < count; begin += block) {
            if (stopped()) return false;
            f(0, begin, std::min(count, begin + block));
        }
        return true;
    }
    BlockRuns runs(static_cast<std::size_t>(blocks), tasks);
    std::atomic<std::uint64_t> done = 0;
    auto work = [&](unsigned slot) {
        runs.work_while(slot, [&](std::size_t b) {
            if (stopped()) return false;
            const std::uint64_t begin = b * block;
            const std::uint64_t end = std::min(count, begin + block);
            f(slot, begin, end);
            done.fetch_add(end - begin, std::memory_order_relaxed);
            return true;
        });
    };
    run_slots(executor_, tasks, work);
    return done.load(std::memory_order_relaxed) == count;
}

bool Batch::check_margins() {
    const std::span<const float> margins = arguments_.inputs.pair_margins;
    std::atomic<std::uint64_t> first_bad = margins.size();
    const bool complete =
        for_blocks(margins.size(), kMarginBlock, [&](unsigned, std::uint64_t begin, std::uint64_t end) {
            const std::uint64_t bad = begin + first_bad_margin(margins.subspan(begin, end - begin));
            if (bad != end) keep_lowest(first_bad, bad);
        });
    const std::uint64_t bad = first_bad.load(std::memory_order_relaxed);
    if (bad != margins.size()) status_ = {Status::bad_argument, kBadPairMargin, bad};
    return complete && bad == margins.size();
}

// The index of previous records of the worlds at hand.
bool Batch::index_worlds() {
    const PreviousOfWorlds& worlds = *arguments_.previous_of_worlds;
    std::uint32_t* const index = workspace_->previous_index.data();
    std::atomic<std::uint64_t> first_bad = kNoPrevious;
    const bool complete =
        for_blocks(worlds.end - worlds.first, kWorldBlock, [&](unsigned, std::uint64_t begin, std::uint64_t end) {
            for (std::size_t w = worlds.first + begin; w < worlds.first + end; ++w) {
                const bool rests = !worlds.ranges->active.empty() && worlds.ranges->active[w] == 0;
                if (rests) continue;
                const WorldResult& result = worlds.results[w - worlds.first];
                keep_lowest(first_bad,
                            index_previous(previous_.contacts(), *worlds.ranges, result, w, arguments_.pairs, index));
            }
        });
    const std::uint64_t bad = first_bad.load(std::memory_order_relaxed);
    if (bad != kNoPrevious) status_ = {Status::bad_argument, kPreviousWorldOrder, bad};
    return complete && bad == kNoPrevious;
}

bool Batch::check_previous() {
    if (arguments_.previous_of_worlds != nullptr) return index_worlds();
    if (!previous_.walks()) return true;
    const std::uint64_t count = previous_.contacts().count;
    std::atomic<std::uint64_t> first_bad = count;
    const bool complete = for_blocks(count, kPreviousBlock, [&](unsigned, std::uint64_t begin, std::uint64_t end) {
        const std::uint64_t bad = previous_.take(begin, end);
        if (bad != end) keep_lowest(first_bad, bad);
    });
    const std::uint64_t bad = first_bad.load(std::memory_order_relaxed);
    if (bad != count) status_ = {Status::bad_argument, kPreviousOrder, bad};
    return complete && bad == count;
}

bool Batch::holds(OutputLevel level) const {
    // The test is on bits, because on a host thread that runs with DAZ a denormal compares as zero.
    const bool on = std::bit_cast<std::uint32_t>(arguments_.options->hysteresis) << 1 != 0;
    return level != OutputLevel::overlap && !arguments_.inputs.previous.empty() && on;
}

bool Batch::prepare_frames() {
    if (frames_per_pair_) return true;
    BodyFrame* frames = workspace_->frames.data();
    return for_blocks(arguments_.bodies->count, kBodyBlock, [&](unsigned, std::uint64_t begin, std::uint64_t end) {
        const FpEnvironmentGuard environment;
        table_->prepare_bodies(*arguments_.bodies, arguments_.hulls->records(), arguments_.hulls->size(), nullptr,
                               begin, end, frames);
    });
}

bool Batch::prepare() { return check_margins() && check_previous() && prepare_frames(); }

PairRange Batch::chunk(std::uint64_t i) const {
    const std::uint64_t begin = arguments_.first_pair + i * chunk_pairs_;
    return {begin, std::min<std::uint64_t>(arguments_.pairs.size(), begin + chunk_pairs_)};
}

// The chunk's job in the form that the kernels take. The kernels may use the memory of `slot`.
ChunkJob Batch::job_of(const PairRange& range, WorkSlot& slot, const ChunkOutput& to) const {
    const Options& options = *arguments_.options;
    const CallInputs& inputs = arguments_.inputs;
    ChunkJob job;
    job.hulls = arguments_.hulls->records();
    job.bodies = arguments_.bodies;
    job.set_pairs(arguments_.pairs.data() + range.begin);
    if (frames_per_pair_) job.frame_pairs = kOwnFrames.data();
    job.frames = frames_per_pair_ ? slot.frames.data() : workspace_->frames.data();
    job.count = range.count();
    job.pair_margins = inputs.pair_margins.empty() ? nullptr : inputs.pair_margins.data() + range.begin;
    job.core_margins = job.pair_margins;
    job.cache = inputs.cache.empty() ? nullptr : inputs.cache.data() + range.begin;
    if (arguments_.certificates.all != nullptr) {
        slot.certificates = arguments_.certificates.from(range.begin);
        job.certificates = &slot.certificates;
    }
    job.margin = options.margin;
    job.face_preference = limited_preference(options.face_preference);
    job.points = options.points;
    job.method = options.method;
    job.patch_band = options.patch_band;
    job.skip_count = find_unmoved(range, slot.skip);
    job.skip = job.skip_count == 0 ? nullptr : slot.skip;
    // Hysteresis needs whole records, so they are made first and shortened after.
    const bool shortens = to.level == OutputLevel::distance && holds(to.level);
    job.level = shortens ? OutputLevel::manifold4 : to.level;
    job.out = shortens ? slot.records.data() : to.out;
    if (holds(job.level)) {
        begin_hold(slot.hold.chunk, previous_, range.begin, options.hysteresis);
        job.hold = &slot.hold.chunk;
    }
    job.write_unreported = to.write_unreported;
    job.stream = to.stream;
    job.reported = to.reported;
    job.overlapping = to.overlapping;
    return job;
}

void Batch::collide(const PairRange& range, WorkSlot& slot, const ChunkOutput& to, ChunkTotals& totals) const {
    if (arguments_.anchors.states != nullptr) {
        collide_reusing(range, slot, to, totals);
        return;
    }
    ChunkJob job = job_of(range, slot, to);
    ChunkTotals mine;
    const bool several = expands_ && set_several_apart(job, slot, to);
    if (job.skip_count == job.count) {
        std::fill_n(to.reported, kChunkWords, std::uint64_t{0});
        std::fill_n(to.overlapping, kChunkWords, std::uint64_t{0});
    } else {
        prepare_own_frames(job, slot);
        compute(job, slot, mine);
        if (job.level != to.level) shorten(job, static_cast<PairDistance*>(to.out), mine);
    }
    if (several) expand(job, slot, to, mine);
    const std::uint32_t unmoved = several ? count_bits(slot.skip) : job.skip_count;
    if (unmoved != 0) add_standing(range, slot.skip, to, mine);
    mine.counters.unmoved_pairs += unmoved;
    add_totals(totals, mine);
}

// The distances of the job's records.
void Batch::shorten(const ChunkJob& job, PairDistance* out, ChunkTotals& totals) {
    totals.points = 0;  // the output has no points
    const auto* const records = static_cast<const Manifold4*>(job.out);
    for (std::uint32_t i = 0; i < job.count; ++i) {
        if (job.skip != nullptr && has_bit(job.skip, i)) continue;
        out[i] = distance_of(records[i]);
    }
}

void Batch::prepare_own_frames(const ChunkJob& job, WorkSlot& slot) const {
    if (!frames_per_pair_) return;
    const FpEnvironmentGuard environment;
    // A Pair is two adjacent 32-bit indices (asserted in body.hpp), so an array of pairs is an array of indices.
    table_->prepare_bodies(*arguments_.bodies, arguments_.hulls->records(), arguments_.hulls->size(),
                           reinterpret_cast<const std::uint32_t*>(job.pairs), 0, 2 * std::size_t{job.count},
                           slot.frames.data());
}

void Batch::compute(ChunkJob& job, WorkSlot& slot, ChunkTotals& totals) const {
    const FpEnvironmentGuard environment;
    if (arguments_.hulls->rounded() && find_rounded_pairs(job, slot.rounded)) {
        job.core_margins = slot.rounded.core_margins;
        job.rounded = &slot.rounded;
        job.stream = job.stream && !slot.rounded.read_again;
    }
    table_->collide_chunk(job, slot.scratch, totals);
    if (job.hold != nullptr) hold_contacts(job, slot.hold, slot.scratch.precise(), totals);
}

void Batch::keep_touching(const PairRange& range, const WorkSlot& slot, std::uint64_t* reported) const {
    for (std::uint32_t i = 0; i < range.count(); ++i) {
        const Pair pair = arguments_.pairs[range.begin + i];
        const std::size_t bodies = arguments_.bodies->count;
        bool bad = pair.a >= bodies || pair.b >= bodies || pair.a == pair.b;
        if (!bad) {
            const BodyFrame* frames = frames_per_pair_ ? slot.frames.data() : workspace_->frames.data();
            const Pair at = frames_per_pair_ ? kOwnFrames[i] : pair;
            bad = frames[at.a].hull >= kFirstBadFrame || frames[at.b].hull >= kFirstBadFrame;
        }
        if (bad) clear_bit(reported, i);
    }
}

CallStatus failure_of_current_exception() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "memory ran out during the call", 0};
    } catch (...) {
        return {Status::bad_argument, "an exception ended the call", 0};
    }
}

}  // namespace lanefold::detail
