// SPDX-License-Identifier: MIT
//
// The pipeline of one chunk: validate the pairs and sort them by path, run the stages, write records for the remaining
// pairs.
#pragma once

#include "box/box_passes.hpp"
#include "chunk/bodies.hpp"
#include "chunk/chunk_scratch.hpp"
#include "chunk/sort.hpp"
#include "coherence/coherence.hpp"
#include "contact/edges.hpp"
#include "contact/lane_faces.hpp"
#include "contact/nearest.hpp"
#include "contact/patches.hpp"
#include "floor/boxes.hpp"
#include "floor/hulls.hpp"
#include "floor/planes.hpp"
#include "pair/chunk_context.hpp"
#include "round/rounded_pairs.hpp"
#include "search/decision.hpp"
#include "search/pose.hpp"
#include "search/search.hpp"
#include "small/small_pairs.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

template <class Record>
inline void stage_precise(Chunk<Record> chunk, PreciseScratch& scratch) {
    const PreciseList& list = chunk.precise;
    for (std::uint32_t k = 0; k < list.count; ++k) {
        const std::uint32_t i = list.pair[k];
        if (chunk.job.hold != nullptr) chunk.job.hold->leave(i);
        Record record;
        PrecisePair pair = precise_pair(chunk.job, i);
        pair.distance = list.distance[k];
        collide_precise(pair, scratch, record);
        if (record.kind == ContactKind::none) {
            ++chunk.totals.counters.rejected_distance;
            continue;
        }
        chunk.out[i] = record;
        count_record(chunk.job, i, record, chunk.totals);
    }
}

// Hysteresis of contacts with floors is left to the float64 path.
inline void leave_floors_to_hold(const ChunkJob& job, const FloorLists& floors) {
    if (job.hold == nullptr) return;
    for (const PairList* list : {&floors.boxes, &floors.hulls, &floors.plane_boxes, &floors.plane_hulls})
        for (std::uint32_t k = 0; k < list->count; ++k) job.hold->leave(list->pair[k]);
}

template <class Record>
LANEFOLD_INLINE void stream_record_of_zeros(Record& r) {
    static_assert(__is_same(Record, PairDistance) || sizeof(Record) % 64 == 0);
    auto* row = reinterpret_cast<float*>(&r);
    for (std::size_t k = 0; k < sizeof(Record) / 64; ++k) stream_zeros(row + 16 * k);
}

// Clears the records of the pairs that are apart by more than the margin and counts them. `recorded`: number of pairs
// that are already counted.
template <class Record>
inline void clear_unreported(Chunk<Record> chunk, std::uint64_t recorded) {
    const std::uint64_t n = chunk.job.count - recorded - chunk.job.skip_count;
    chunk.totals.by_status[static_cast<std::size_t>(Status::ok)] += n;
    chunk.totals.by_kind[static_cast<std::size_t>(ContactKind::none)] += n;
    if (!chunk.job.write_unreported) return;
    for (std::uint32_t begin = 0; begin < chunk.job.count; begin += 64) {
        std::uint64_t rest = ~chunk.job.reported[begin / 64];
        if (chunk.job.skip != nullptr) rest &= ~chunk.job.skip[begin / 64];
        if (chunk.job.count - begin < 64) rest &= (std::uint64_t{1} << (chunk.job.count - begin)) - 1;
        for (; rest != 0; rest &= rest - 1) {
            Record& r = chunk.out[begin + static_cast<std::uint32_t>(__builtin_ctzll(rest))];
            if (chunk.job.stream)
                stream_record_of_zeros(r);
            else
                clear_record(r);
        }
    }
}

LANEFOLD_INLINE std::uint64_t recorded_pairs(const ChunkTotals& totals) {
    std::uint64_t n = 0;
    for (const std::uint64_t count : totals.by_status) n += count;
    return n;
}

// The stages of general hulls.
template <class Record>
inline void run_hulls(Chunk<Record> chunk, ChunkScratch::Impl& s) {
    const ChunkJob& job = chunk.job;
    PreciseList& precise = chunk.precise;
    Coherence coherence(job, s.pairs, chunk.totals.counters);
    coherence.drop_apart(s.paths.hulls, s.asked);
    stage_pose(job, s.paths.hulls, s.pairs, s.search, precise);
    LANEFOLD_STAGE_DONE(pose);
    coherence.settle(s.search);
    stage_search(job, s.pairs, s.search, coherence, chunk.totals.counters);
    stage_decide(job, s.pairs, chunk.totals.counters);
    coherence.keep_separated();
    LANEFOLD_STAGE_DONE(decide);
    if (job.method == ContactMethod::patch)
        stage_patch_contacts(job, s.pairs, s.contacts, precise, chunk.out, chunk.totals);
    else
        stage_face_contacts(job, s.pairs, s.contacts, precise, chunk.out, chunk.totals);
    LANEFOLD_STAGE_DONE(face_contacts);
    stage_nearest_contacts(job, s.pairs, s.contacts, precise, chunk.out, chunk.totals);
    stage_edge_contacts(job, s.pairs, precise, chunk.out, chunk.totals);
    LANEFOLD_STAGE_DONE(edge_contacts);
}

template <class Record>
inline void run_chunk(const ChunkJob& job, ChunkScratch::Impl& s, Record* out, ChunkTotals& totals) {
    PreciseList& precise = s.paths.precise;
    const Chunk<Record> chunk = {job, precise, out, totals};
    for (std::uint32_t w = 0; w < kChunkPairs / 64; ++w) {
        job.reported[w] = 0;
        job.overlapping[w] = 0;
    }
    const std::uint64_t before = recorded_pairs(totals);
    stage_sort(chunk, s.paths);
    LANEFOLD_STAGE_DONE(sort);
    if (job.rounded != nullptr) stage_small(chunk, job.rounded->lists);
    LANEFOLD_STAGE_DONE(small);
    leave_floors_to_hold(job, s.paths.floors);
    stage_floor_boxes(chunk, s.paths.floors.boxes);
    stage_floor_hulls(chunk, s.paths.floors.hulls, s.contacts.clip.points);
    stage_plane_boxes(chunk, s.paths.floors.plane_boxes);
    stage_plane_hulls(chunk, s.paths.floors.plane_hulls, s.contacts.clip.points);
    LANEFOLD_STAGE_DONE(floors);
    run_boxes(chunk, s.paths.boxes, s.boxes);
    // Without a pair they still begin with tables that take longer than a pair of boxes.
    if (s.paths.hulls.count != 0) run_hulls(chunk, s);
    // Before the float64 path, which finishes its own records.
    if (job.rounded != nullptr) round_records(job, out, totals);
    stage_precise(chunk, s.precise);
    LANEFOLD_STAGE_DONE(precise);
    clear_unreported(chunk, recorded_pairs(totals) - before);
    if (job.stream) stream_end();
    LANEFOLD_STAGE_DONE(clear);
}

inline void collide_chunk(const ChunkJob& job, ChunkScratch& scratch, ChunkTotals& totals) {
    ChunkScratch::Impl& s = scratch.impl();
    switch (job.level) {
        case OutputLevel::overlap: {
            ChunkJob bits_only = job;
            bits_only.write_unreported = false;
            run_chunk(bits_only, s, s.overlap_records.data(), totals);
            break;
        }
        case OutputLevel::distance:
            run_chunk(job, s, static_cast<PairDistance*>(job.out), totals);
            break;
        case OutputLevel::manifold4:
            run_chunk(job, s, static_cast<Manifold4*>(job.out), totals);
            break;
        case OutputLevel::manifold16:
            run_chunk(job, s, static_cast<Manifold16*>(job.out), totals);
            break;
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
