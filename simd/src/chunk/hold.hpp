// SPDX-License-Identifier: MIT
//
// Hysteresis. It runs after all pairs of the chunk are decided. If the features of a touching pair differ from those of
// its previous record, hold_contact() decides whether the previous ones stay (core/src/precise/hold.cpp). Its inputs
// are results of the pair alone and the previous record, so the answer depends on nothing else.
#pragma once

#include "record/emit.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Pair i of the chunk in the form that the float64 path takes. Its indices must be valid.
LANEFOLD_INLINE PrecisePair precise_pair(const ChunkJob& job, std::uint32_t i) {
    const BodyView& v = *job.bodies;
    PrecisePair p;
    p.index_a = job.pairs[i].a;
    p.index_b = job.pairs[i].b;
    p.a = job.hulls + frame_a(job, i).hull;
    p.b = job.hulls + frame_b(job, i).hull;
    body_position(v, p.index_a, p.position_a);
    body_position(v, p.index_b, p.position_b);
    __builtin_memcpy(p.orientation_a, v.orientation + p.index_a * v.orientation_stride, sizeof p.orientation_a);
    __builtin_memcpy(p.orientation_b, v.orientation + p.index_b * v.orientation_stride, sizeof p.orientation_b);
    p.margin = job.pair_margins != nullptr ? job.pair_margins[i] : job.margin;
    p.face_preference = job.face_preference;
    p.points = job.points;
    p.method = job.method;
    p.patch_band = job.patch_band;
    return p;
}

// Whether the reduction of this record dropped a point that the previous record had.
template <class Record>
LANEFOLD_INLINE bool reduced_otherwise(const Record& r, const PreviousChoice& previous) {
    if (r.total <= r.count || previous.count != r.count) return false;
    for (std::uint32_t k = 0; k < previous.count; ++k) {
        bool there = false;
        for (std::uint32_t j = 0; j < r.count; ++j) there |= r.points[j].feature == previous.points[k].feature;
        if (!there) return true;
    }
    return false;
}

template <class Record>
inline void stage_hold(const ChunkJob& job, PreciseScratch& scratch, Record* out, ChunkTotals& totals) {
    if (job.previous == nullptr) return;
    for (std::uint32_t i = 0; i < job.count; ++i) {
        const PreviousChoice& previous = job.previous[i];
        if (previous.features.kind == ContactKind::none || !bit_of(job.reported, i)) continue;
        Record& r = out[i];
        if (r.kind == ContactKind::none) continue;
        const FeatureChoice chosen{r.feature_a, r.feature_b, r.kind};
        if (chosen == previous.features && !reduced_otherwise(r, previous)) continue;
        ++totals.counters.hold_tried;
        Record held;
        if (!hold_contact(precise_pair(job, i), {chosen, &previous, r.distance, job.hysteresis}, scratch, held))
            continue;
        ++totals.counters.held;
        --totals.by_kind[static_cast<std::size_t>(r.kind)];
        ++totals.by_kind[static_cast<std::size_t>(held.kind)];
        totals.points -= r.count;
        totals.points += held.count;
        r = held;
    }
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
