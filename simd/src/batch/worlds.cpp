// SPDX-License-Identifier: MIT
//
// Tasks take runs of neighbouring worlds. The chunks of a run do not stop at the worlds' borders, so small worlds fill
// the lanes; what was computed is then handed out to the worlds, each of which belongs to one task, in the order of its
// pairs. A world that is too large for that is a compact call of its own, on all tasks.
#include "batch/worlds.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include <lanefold/detail/block_runs.hpp>
#include <lanefold/fp_environment.hpp>

#include "batch/several.hpp"
#include "batch/world_arguments.hpp"
#include "batch/world_previous.hpp"
#include "batch/world_sums.hpp"

namespace lanefold::detail {
namespace {

// Runs that every task should get, so that tasks end together, and the largest of them.
constexpr std::uint64_t kRunsPerSlot = 8;
constexpr std::uint64_t kLargestRun = 8 * std::uint64_t{kChunkPairs};

// A world of fewer pairs never is a call of its own: that takes about as long as a chunk to begin.
constexpr std::uint64_t kLeastOwnCall = 16 * std::uint64_t{kChunkPairs};

constexpr const char* kTruncatedWorld = "a world has more records than room; the first such world is";
constexpr const char* kStrangeBody = "pairs: a body of another world";

class Worlds {
public:
    Worlds(Batch& batch, const WorldRanges& worlds, std::span<WorldResult> results)
        : batch_(batch),
          worlds_(worlds),
          results_(results),
          level_(batch.arguments().level),
          largest_(batch.slots() == 1 ? ~std::uint64_t{0} : std::max(kLeastOwnCall, total() / (2 * batch.slots()))) {
        plan();
    }

    // Whether a world is left for a call of its own.
    bool is_large(std::size_t w) const { return takes_part(worlds_, w) && pairs_of(worlds_, w).count64() > largest_; }

    // The first pair that has a body of another world; the number of pairs if there is none.
    std::uint64_t first_strange_pair() {
        std::atomic<std::uint64_t> first = batch_.arguments().pairs.size();
        if (worlds_.bodies.empty()) return first;
        BlockRuns runs(results_.size(), batch_.slots());
        auto look = [&](unsigned slot) {
            runs.work(slot, [&](std::size_t w) {
                if (takes_part(worlds_, w)) keep_lowest(first, first_strange_pair(w));
            });
        };
        run_slots(batch_.executor(), batch_.slots(), look);
        look(0);  // an executor may leave out tasks of a cancelled group
        return first;
    }

    // The results before anything is computed.
    void begin() {
        for (std::size_t w = 0; w < results_.size(); ++w) {
            results_[w] = {};
            results_[w].next_pair = worlds_.pairs[w];
            if (takes_part(worlds_, w) && pairs_of(worlds_, w).count64() != 0) results_[w].status = Status::cancelled;
        }
    }

    void compute() {
        BlockRuns runs(runs_.size(), batch_.slots());
        auto work = [&](unsigned slot) {
            runs.work_while(slot, [&](std::size_t r) {
                if (batch_.stopped()) return false;
                with_record(level_, [&]<class Record>() { compute_run<Record>(runs_[r], batch_.slot(slot)); });
                return true;
            });
        };
        run_slots(batch_.executor(), batch_.slots(), work);
    }

private:
    std::uint64_t total() const { return worlds_.pairs.back() - worlds_.pairs.front(); }

    // Runs of neighbouring worlds that take part.
    void plan() {
        const std::uint64_t even = std::min(total() / (batch_.slots() * kRunsPerSlot), kLargestRun);
        const std::uint64_t enough = batch_.slots() == 1
                                         ? ~std::uint64_t{0}
                                         : std::max<std::uint64_t>(even, chunk_pairs(total(), batch_.slots()));
        runs_.clear();
        bool open = false;
        for (std::size_t w = 0; w < results_.size(); ++w) {
            const PairRange pairs = pairs_of(worlds_, w);
            if (pairs.count64() == 0) continue;
            if (!takes_part(worlds_, w) || is_large(w)) {
                open = false;
                continue;
            }
            if (!open) runs_.push_back({w, pairs});
            runs_.back().pairs.end = pairs.end;
            open = runs_.back().pairs.count64() < enough;
        }
    }

    std::uint64_t first_strange_pair(std::size_t w) const {
        const std::span<const Pair> pairs = batch_.arguments().pairs;
        const WorldBodies bodies(worlds_.bodies, w);
        const PairRange of = pairs_of(worlds_, w);
        for (std::uint64_t i = of.begin; i < of.end; ++i) {
            if (!bodies.has(pairs[i].a) || !bodies.has(pairs[i].b)) return i;
        }
        return pairs.size();
    }

    // Computes the chunks of a run, all of about the same length, and hands them out.
    template <class Record>
    void compute_run(const WorldRun& run, WorkSlot& slot) {
        const std::uint64_t n = run.pairs.count64();
        const std::uint64_t chunks = (n + kChunkPairs - 1) / kChunkPairs;
        const std::uint64_t step = ((n + chunks - 1) / chunks + 63) / 64 * 64;
        std::size_t w = run.first_world;
        for (std::uint64_t begin = run.pairs.begin; begin < run.pairs.end; begin += step) {
            if (begin != run.pairs.begin && batch_.stopped()) {
                stop_in(w, begin);
                return;
            }
            const PairRange range{begin, std::min(run.pairs.end, begin + step)};
            ChunkOutput to;
            to.level = level_;
            to.out = slot.staging.data();
            to.write_unreported = false;
            to.reported = slot.pending[0].reported;
            to.overlapping = slot.overlapping;
            to.found = slot.pending[0].found;
            to.several = slot.pending[0].several.get();
            batch_.collide(range, slot, to, slot.totals);
            std::copy_n(slot.skip, kChunkWords, slot.pending[0].standing);
            const FpEnvironmentGuard environment;
            w = hand_out<Record>(range, w, slot);
        }
    }

    // Hands out the records of a chunk, whose first pair is of world w or of a later one. Returns the world of the next
    // pair behind it, or one before.
    template <class Record>
    std::size_t hand_out(const PairRange& range, std::size_t w, WorkSlot& slot) {
        const auto* const from = reinterpret_cast<const Record*>(slot.staging.data());
        const PendingChunk& chunk = slot.pending[0];
        std::uint64_t several = 0;  // records so far of pairs that give several
        std::uint64_t at = range.begin;
        while (at < range.end) {
            while (at >= worlds_.pairs[w + 1]) ++w;
            const std::uint64_t end = std::min(range.end, worlds_.pairs[w + 1]);
            WorldResult mine = results_[w];
            for (std::uint64_t word = (at - range.begin) / 64; word * 64 < end - range.begin; ++word) {
                std::uint64_t bits = chunk.reported[word];
                if (word * 64 < at - range.begin) bits &= ~std::uint64_t{0} << (at - range.begin - word * 64);
                if (end - range.begin - word * 64 < 64)
                    bits &= (std::uint64_t{1} << (end - range.begin - word * 64)) - 1;
                for (; bits != 0; bits &= bits - 1) {
                    const auto i =
                        static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
                    if (chunk.several == nullptr || !has_bit(chunk.several->pairs, i)) {
                        const bool stands = has_bit(chunk.standing, i);
                        put(stands ? kept<Record>(chunk.found[i], range.begin + i) : from[i], range.begin + i, w, mine);
                    } else {
                        put_several<Record>(*chunk.several, range, i, several, w, slot, mine);
                        several += chunk.several->count[i];
                    }
                }
            }
            if (end == worlds_.pairs[w + 1]) conclude(w, mine);
            results_[w] = mine;
            at = end;
        }
        return w;
    }

    // The previous record of a pair of two unmoved bodies, with the indices of this call.
    template <class Record>
    Record kept(std::size_t previous, std::uint64_t pair) const {
        Record record;
        std::memcpy(&record, batch_.arguments().inputs.previous.records + previous * sizeof record, sizeof record);
        if constexpr (kNamesPair<Record>) std::memcpy(record.pair, &batch_.arguments().pairs[pair], sizeof(Pair));
        return record;
    }

    // The place for the next records of world w, those of one pair; null if it has no room for them.
    template <class Record>
    Record* place_for(std::uint64_t records, std::uint64_t pair, std::size_t w, WorldResult& mine) const {
        const std::uint64_t rank = mine.required;
        const std::uint64_t place = worlds_.records[w] + rank;
        mine.required += records;
        if (place + records > worlds_.records[w + 1]) {
            if (mine.written == rank) mine.next_pair = pair;
            return nullptr;
        }
        if (batch_.arguments().candidates != nullptr)
            std::fill_n(batch_.arguments().candidates + place, records, static_cast<std::uint32_t>(pair));
        mine.written += records;
        return static_cast<Record*>(batch_.arguments().out) + place;
    }

    // The next record of world w, if it has room.
    template <class Record>
    void put(const Record& record, std::uint64_t pair, std::size_t w, WorldResult& mine) const {
        Record* const to = place_for<Record>(1, pair, w, mine);
        if (to == nullptr) return;
        std::memcpy(to, &record, sizeof record);
        if constexpr (kNamesPair<Record>) name_alone(*to, worlds_, w);
        add_written(*to, batch_.arguments().options->hash, mine);
        count_pair(*to, mine);
    }

    // The same of a pair that gives several, all of them or none.
    template <class Record>
    void put_several(const SeveralRecords& several, const PairRange& chunk, std::uint32_t i, std::uint64_t first,
                     std::size_t w, WorkSlot& slot, WorldResult& mine) const {
        const std::uint64_t n = several.count[i];
        Record* const to = place_for<Record>(n, chunk.begin + i, w, mine);
        if (to == nullptr) return;
        copy_several<Record>(batch_, several, chunk, i, first, slot, reinterpret_cast<std::byte*>(to));
        const Record* deepest = to;
        for (std::uint64_t k = 0; k < n; ++k) {
            if constexpr (kNamesPair<Record>) name_alone(to[k], worlds_, w);
            add_written(to[k], batch_.arguments().options->hash, mine);
            if (to[k].distance < deepest->distance) deepest = to + k;
        }
        count_pair(*deepest, mine);
    }

    void conclude(std::size_t w, WorldResult& mine) const {
        const bool cut = mine.required > mine.written;
        mine.status = cut ? Status::truncated : Status::ok;
        if (!cut) mine.next_pair = worlds_.pairs[w + 1];
        end_world(pairs_of(worlds_, w), mine);
    }

    // The world of the first pair that a stopped call has not computed: it has the records before it.
    void stop_in(std::size_t w, std::uint64_t pair) {
        while (pair >= worlds_.pairs[w + 1]) ++w;
        WorldResult& mine = results_[w];
        if (mine.required == mine.written) mine.next_pair = pair;
        end_world(pairs_of(worlds_, w), mine);
    }

public:
    // Puts the indices of the world alone into a record.
    template <class Record>
    static void name_alone(Record& record, const WorldRanges& worlds, std::size_t w) {
        if (worlds.bodies.empty()) return;
        const WorldBodies bodies(worlds.bodies, w);
        for (std::uint32_t& i : record.pair) i = bodies.index(i);
    }

private:
    Batch& batch_;
    const WorldRanges& worlds_;
    std::span<WorldResult> results_;
    OutputLevel level_;
    std::uint64_t largest_;
    std::vector<WorldRun>& runs_ = batch_.workspace().world_runs;
};

// A large world by a call of its own. `before`: its result in the call before, if there was one.
void call_alone(BatchArguments a, const WorldRanges& worlds, std::size_t w, const WorldResult& before,
                Executor& executor, WorldResult& to, Counters& counters) {
    const PreviousOfWorlds own{&worlds, &before, w, w + 1};
    if (a.previous_of_worlds != nullptr) a.previous_of_worlds = &own;
    const PairRange pairs = pairs_of(worlds, w);
    const std::uint64_t first = worlds.records[w];
    Options options = *a.options;
    options.count_required = true;
    a.options = &options;
    a.pairs = a.pairs.first(pairs.end);
    a.first_pair = pairs.begin;
    if (!a.inputs.pair_margins.empty()) a.inputs.pair_margins = a.inputs.pair_margins.first(pairs.end);
    if (!a.inputs.cache.empty()) a.inputs.cache = a.inputs.cache.first(pairs.end);
    if (a.inputs.previous.one_per_pair) a.inputs.previous.count = pairs.end;
    a.out = static_cast<std::byte*>(a.out) + first * element_bytes(a.level);
    a.out_count = worlds.records[w + 1] - first;
    if (a.candidates != nullptr) a.candidates += first;
    const CompactResult r = run_compact(a, executor);
    counters += r.counters;
    to.status = r.status.code;
    to.written = r.written;
    to.required = r.required;
    to.next_pair = r.next_pair;
    to.touching = r.touching;
    to.overlapping = r.overlapping;
    to.points = r.points;
    std::copy_n(r.by_status, kStatusCount, to.by_status);
    std::copy_n(r.by_kind, kContactKindCount, to.by_kind);
    to.hash = r.hash;
    with_record(a.level, [&]<class Record>() {
        const FpEnvironmentGuard environment;
        auto* const records = static_cast<Record*>(a.out);
        bool any = false;
        for (std::uint64_t k = 0; k < r.written; ++k) {
            if constexpr (kNamesPair<Record>) Worlds::name_alone(records[k], worlds, w);
            if (records[k].kind == ContactKind::none) continue;
            to.deepest = any ? std::min(to.deepest, records[k].distance) : records[k].distance;
            any = true;
        }
    });
}

// The sums over all worlds, and the first that is not whole.
void add_up(std::span<const WorldResult> results, const WorldRanges& worlds, WorldsResult& to) {
    bool cancelled = false;
    for (std::size_t w = 0; w < results.size(); ++w) {
        const WorldResult& r = results[w];
        to.pairs += r.next_pair - worlds.pairs[w];
        to.written += r.written;
        to.touching += r.touching;
        to.overlapping += r.overlapping;
        to.points += r.points;
        to.hash += r.hash;
        for (std::size_t i = 0; i < kStatusCount; ++i) to.by_status[i] += r.by_status[i];
        for (std::size_t i = 0; i < kContactKindCount; ++i) to.by_kind[i] += r.by_kind[i];
        if (r.status == Status::truncated && to.truncated++ == 0 && !cancelled)
            to.status = {Status::truncated, kTruncatedWorld, w};
        if (r.status == Status::cancelled && !cancelled) {
            cancelled = true;
            to.status = {Status::cancelled, kStopped, r.next_pair};
        }
    }
}

void run(const BatchArguments& arguments, const WorldRanges& worlds, std::span<WorldResult> results, Executor& executor,
         WorldsResult& to) {
    struct Large {
        std::size_t world;
        WorldResult before;  // kept, because this call may write its results over those of the call before
    };
    std::vector<Large> large;
    {
        Batch batch(arguments, executor);
        to.status = batch.status();
        if (!to.status) return;
        to.isa = batch.isa();
        batch.begin_slots();
        Worlds all(batch, worlds, results);
        const std::uint64_t strange = all.first_strange_pair();
        if (strange != arguments.pairs.size()) {
            to.status = {Status::bad_argument, kStrangeBody, strange};
            return;
        }
        const bool prepared = batch.prepare();
        to.status = batch.status();
        if (!to.status) return;
        for (std::size_t w = 0; prepared && w < results.size(); ++w) {
            if (all.is_large(w))
                large.push_back({w, worlds.previous_results.empty() ? WorldResult{} : worlds.previous_results[w]});
        }
        all.begin();
        if (prepared) all.compute();
        for (unsigned i = 0; i < batch.slots(); ++i) to.counters += batch.slot(i).totals.counters;
    }
    for (const Large& l : large)
        call_alone(arguments, worlds, l.world, l.before, executor, results[l.world], to.counters);
    add_up(results, worlds, to);
}

}  // namespace

WorldsResult run_worlds(const BatchArguments& arguments, const WorldRanges& worlds, std::span<WorldResult> results,
                        std::span<std::uint32_t> candidates, Executor& executor) {
    WorldsResult result;
    if (results.data() == nullptr && !results.empty()) {
        result.status = {Status::bad_argument, "results is null but has a length", results.size()};
        return result;
    }
    if (!candidates.empty() && candidates.size() != arguments.out_count) {
        result.status = {Status::bad_argument, "candidates and out differ in length", candidates.size()};
        return result;
    }
    result.status = check_worlds(arguments, worlds, results.size());
    if (!result.status) return result;
    return run_at_scale(arguments, result, [&](BatchArguments mine) {
        mine.compact = true;
        mine.candidates = candidates.data();
        const PreviousOfWorlds previous{&worlds, worlds.previous_results.data(), 0, results.size()};
        if (!worlds.previous_records.empty()) mine.previous_of_worlds = &previous;
        WorldsResult computed;
        try {
            run(mine, worlds, results, executor, computed);
        } catch (...) {
            computed = {};
            computed.status = failure_of_current_exception();
        }
        return computed;
    });
}

}  // namespace lanefold::detail
