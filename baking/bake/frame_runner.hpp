// SPDX-License-Identifier: MIT
//
// Runs one frame through the batch calls in batches of bounded memory; measures, counts and hashes. The time is that of
// the batch calls only: without reading, finding pairs, hashing and writing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <oneapi/tbb/task_arena.h>

#include <lanefold/call_inputs.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/stop.hpp>

#include "capture/recorder.hpp"
#include "console/failure.hpp"
#include "contacts/io.hpp"
#include "contacts/reference_batch.hpp"
#include "contacts/summary.hpp"

namespace lanefold::tools {

// The most bytes that the dense output of one batch takes. At this size the fixed cost of a call is negligible, and
// 10 million pairs need no more memory than one million.
inline constexpr std::size_t kOutputBytes = std::size_t{128} << 20U;

inline void throw_unless_done(const BatchResult& result, std::uint64_t frame) {
    if (result.status) return;
    if (result.status.code == Status::cancelled) throw Failure(ExitCode::interrupted, "interrupted");
    throw io_failure("frame {}: the batch call failed: {} ({} {})", frame, to_string(result.status.code),
                     result.status.what, result.status.where);
}

// Workspace and buffers for frames of manifolds M, kept from call to call.
template <class M>
class FrameRunner {
public:
    // `reference`: the float64 reference computes the frame instead of the batch calls (contacts/reference_batch.hpp).
    // `capture` looks at all records.
    FrameRunner(const Scene& scene, const HullSet& hulls, const Options& options, const StopToken& stop,
                oneapi::tbb::task_arena& arena, const std::optional<ReferenceSettings>& reference = std::nullopt,
                CaptureRecorder* capture = nullptr)
        : scene_(scene),
          hulls_(hulls),
          options_(options),
          stop_(stop),
          arena_(arena),
          reference_(reference),
          capture_(capture) {}

    struct Outcome {
        FrameSummary summary;
        Counters counters;
        Isa isa = Isa::scalar;
        double seconds = 0;  // in batch calls
    };

    // Dense, into one reused buffer. With compounds or surfaces, which the reference refuses, compact: so all their
    // records count.
    Outcome in_memory(const SceneFrame& frame, bool with_hash) {
        if (has_several() && !reference_) return compact_in_memory(frame, with_hash);
        return in_batches(frame, [&](std::span<const Pair> pairs, Outcome& outcome) {
            const std::span<M> out = buffer(pairs.size());
            BatchResult result;
            outcome.seconds += timed([&] {
                const BodyView bodies = scene_.view(frame);
                result = reference_ ? collide_reference(hulls_, bodies, pairs, *reference_, stop_, out)
                                    : collide(hulls_, bodies, pairs, options_, out, workspace_, {.stop = stop_});
            });
            if (with_hash) outcome.summary.hash += arena_.execute([&] { return sum_of_hashes<M>(out); });
            if (result.status) capture(frame, pairs, out, result.isa, true);
            return result;
        });
    }

    // Whether a pair may have several records.
    bool has_several() const { return hulls_.max_children() > 0 || hulls_.has_surfaces(); }

    // Compact: the records of pairs of a frame go to the front of `out`, which has room for one of each pair; their
    // number is `written`. Counts and the sum of their hashes are in the result. A pair of a compound or a surface may
    // have more: room(written, records) gives room for so many, to the front of which those that are written were
    // moved.
    struct Part {
        BatchResult result;
        std::size_t written = 0;
    };
    template <class Room>
    Part compact(const SceneFrame& frame, std::span<const Pair> pairs, std::span<M> out, const Room& room) {
        Part part = compute_compact(frame, pairs, out, room);
        capture(frame, pairs, out.first(part.written), part.result.isa, false);
        return part;
    }

private:
    template <class Room>
    Part compute_compact(const SceneFrame& frame, std::span<const Pair> pairs, std::span<M>& out, const Room& room) {
        CompactResult result;
        arena_.execute([&] {
            const BodyView bodies = scene_.view(frame);
            if (reference_) {
                result = collide_reference_compact(hulls_, bodies, pairs, *reference_, stop_, out);
                result.hash = sum_of_hashes<M>(out.first(result.written));
            } else {
                // Hashed where they are made, because they are in the caches there.
                Options options = options_;
                options.hash = true;
                const CallInputs inputs{.cache = cache_of(frame, pairs), .stop = stop_};
                result = in_rooms(bodies, pairs, options, inputs, out, room);
            }
        });
        throw_unless_done(result, frame.index);
        return {static_cast<BatchResult>(result), static_cast<std::size_t>(result.written)};
    }

    // Calls that go on where the one before ran out of room, as one. Room grows by half at least.
    template <class Room>
    CompactResult in_rooms(const BodyView& bodies, std::span<const Pair> pairs, Options options,
                           const CallInputs& inputs, std::span<M>& out, const Room& room) {
        options.count_required = false;
        CompactResult all;
        for (;;) {
            const CompactResult next = collide_compact(hulls_, bodies, pairs, options, out.subspan(all.written),
                                                       workspace_, inputs, all.next_pair);
            const std::uint64_t written = all.written + next.written;
            const std::uint64_t least = all.written + next.required;
            add(all, next);
            all.written = written;
            all.next_pair = next.next_pair;
            if (next.status.code != Status::truncated) return all;
            out = room(written, std::max<std::size_t>(least, out.size() + out.size() / 2));
        }
    }

    // The sums of two calls; all else is the latter's.
    static void add(BatchResult& to, const BatchResult& from) {
        to.status = from.status;
        to.isa = from.isa;
        add_counts(to, from);
        to.counters += from.counters;
        to.hash += from.hash;
    }

    Outcome compact_in_memory(const SceneFrame& frame, bool with_hash) {
        const auto room = [this](std::size_t, std::size_t records) {
            grown_.resize(std::max(records, grown_.size()));
            return std::span<M>(grown_);
        };
        return in_batches(frame, [&](std::span<const Pair> pairs, Outcome& outcome) {
            std::span<M> out = room(0, pairs.size());
            Options options = options_;
            options.hash = with_hash;
            CompactResult result;
            outcome.seconds +=
                timed([&] { result = in_rooms(scene_.view(frame), pairs, options, {.stop = stop_}, out, room); });
            outcome.summary.hash += result.hash;
            outcome.summary.records += result.written;
            if (result.status) capture(frame, pairs, out.first(result.written), result.isa, false);
            return static_cast<BatchResult>(result);
        });
    }

    void capture(const SceneFrame& frame, std::span<const Pair> pairs, std::span<const M> records, Isa isa,
                 bool dense) {
        if (capture_ == nullptr) return;
        const CapturedCall call{hulls_,
                                scene_.view(frame),
                                pairs,
                                options_,
                                {},
                                isa,
                                frame.index,
                                scene_.hull_vertices(),
                                scene_.hull_offsets(),
                                {}};
        capture_->watch(call, records, dense);
    }

    // The entries that the frame before left about these pairs, which change no byte. A frame of several pieces
    // would only give it other pairs each time.
    std::span<PairCache> cache_of(const SceneFrame& frame, std::span<const Pair> pairs) {
        if (pairs.empty() || pairs.size() != frame.pairs.size()) return {};
        // The same list again may be in any order; others are carried over where they ascend.
        if (!std::equal(pairs.begin(), pairs.end(), cached_pairs_.begin(), cached_pairs_.end())) {
            next_cache_.resize(pairs.size());
            carry_over(cached_pairs_, cache_, pairs, next_cache_);
            cached_pairs_.assign(pairs.begin(), pairs.end());
            cache_.swap(next_cache_);
        }
        return cache_;
    }

    template <class Call>
    Outcome in_batches(const SceneFrame& frame, const Call& call) {
        Outcome outcome;
        outcome.summary.frame = frame.index;
        const std::span<const Pair> pairs = frame.pairs;
        constexpr std::size_t kBatch = kOutputBytes / sizeof(M);
        for (std::size_t first = 0; first < pairs.size(); first += kBatch) {
            const BatchResult result = call(pairs.subspan(first, std::min(kBatch, pairs.size() - first)), outcome);
            throw_unless_done(result, frame.index);
            outcome.summary.add(result);
            outcome.counters += result.counters;
            outcome.isa = result.isa;
        }
        return outcome;
    }

    template <class Call>
    double timed(const Call& call) {
        double seconds = 0;
        arena_.execute([&] {
            const auto start = std::chrono::steady_clock::now();
            call();
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        });
        return seconds;
    }

    // The memory is not initialised, so that pages without records are never touched.
    std::span<M> buffer(std::size_t count) {
        if (count > buffer_size_) {
            buffer_.reset();
            buffer_size_ = std::min(std::max(count, buffer_size_ * 2), kOutputBytes / sizeof(M));
            buffer_ = std::make_unique_for_overwrite<M[]>(buffer_size_);
        }
        return {buffer_.get(), count};
    }

    const Scene& scene_;
    const HullSet& hulls_;
    const Options& options_;
    const StopToken& stop_;
    oneapi::tbb::task_arena& arena_;
    std::optional<ReferenceSettings> reference_;
    CaptureRecorder* capture_;  // null: nothing is captured
    Workspace workspace_;
    std::vector<Pair> cached_pairs_;  // of the latest frame
    std::vector<PairCache> cache_;    // of these pairs
    std::vector<PairCache> next_cache_;
    std::vector<M> grown_;  // where pairs may have several records
    std::unique_ptr<M[]> buffer_;
    std::size_t buffer_size_ = 0;
};

}  // namespace lanefold::tools
