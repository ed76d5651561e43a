// SPDX-License-Identifier: MIT
//
// Face contacts of general hulls, lanes = pairs, for faces of up to 4 or up to 8 sides: gather the polygons, clip,
// decide, write. contact/large_faces.hpp handles faces of more sides.
#pragma once

#include "contact/gather.hpp"
#include "contact/hull_hold.hpp"
#include "contact/large_queue.hpp"
#include "contact/patch/gather.hpp"
#include "contact/patch/lane_reduce.hpp"
#include "contact/pick.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Largest separation of points of patch manifolds; see patch_limit().
LANEFOLD_INLINE WFloat patch_limits(float patch_band, WFloat face_value, WFloat size_min, WFloat margin) {
    const WFloat reach = face_value + splat(2.0F) * (splat(patch_band) * size_min);
    return select(reach > margin, reach, margin);
}

// Prefetches the cache lines that a manifold of four points takes.
template <class Record>
LANEFOLD_INLINE void prefetch_record(const Record* record) {
    constexpr std::size_t kBytes = sizeof(Record) < 128 ? sizeof(Record) : 128;
    for (std::size_t at = 0; at < kBytes; at += 64)
        __builtin_prefetch(reinterpret_cast<const std::byte*>(record) + at, 1);
}

// Prefetches the records of the next batch while this one is clipped. Prefetching all batches at once would exceed the
// outstanding loads of a core.
template <class Record>
LANEFOLD_INLINE void prefetch_records(const ChunkJob& job, const HullPairs& pairs, const FacePick* picks,
                                      std::uint32_t count, const Record* out) {
    if (job.stream) return;
    for (std::uint32_t k = 0; k < count; ++k) prefetch_record(out + pairs.rows[picks[k].slot].pair);
}

// Lanes whose best axis is known to be the distance. `deepest`: least separation of the clipped points within the
// margin; of `spoilt` ones it proves nothing, because such a point may be far beyond a tip of the face.
template <int kSides>
LANEFOLD_INLINE WMask clips_prove(const FaceBatch<kSides>& f, WFloat deepest, WMask spoilt) {
    const WFloat optimum = f.optimum.value;
    const WMask apart = (optimum > splat(0.0F)) & ~f.optimum.has_edge;
    WMask proven = ~apart | (~spoilt & (deepest <= optimum + f.tolerance.size_sum * splat(kProvenTolerance)));
    if ((~bits(proven) & f.in_use) != 0) proven = proven | supports_inside(f);
    return proven;
}

// Returns the lanes whose clip gives the contact; hand_on() and leave_to_float64() take the others. `spoilt`: lanes
// whose points rounding has spoilt. `proven`: the lanes whose best axis is known to be the distance.
template <int kSides>
LANEFOLD_INLINE std::uint32_t settle_faces(HullPairs& pairs, PreciseList& precise, const FacePick* picks,
                                           const FaceBatch<kSides>& f, WFloat deepest, std::uint32_t proven,
                                           WMask spoilt, Counters& counters) {
    const WFloat optimum = f.optimum.value;
    const WFloat size_sum = f.tolerance.size_sum;
    const WMask deep = deepest <= optimum + (f.tolerance.face_band + size_sum * splat(kDepthTolerance));
    const std::uint32_t stands = proven & bits(deep) & f.in_use;
    alignas(64) float nearest[kWidth];
    deepest.store(nearest);
    for (std::uint32_t rest = f.in_use & ~stands; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        hand_on(pairs, precise, picks[l].slot, bit_at(proven, l), nearest[l], counters);
    }
    const std::uint32_t left = stands & bits(spoilt);
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
        leave_to_float64(pairs, precise, picks[lowest_bit(rest)].slot, counters);
    return stands & ~left;
}

// Separation of the deepest candidate of each lane, kHighest if it has none.
LANEFOLD_INLINE WFloat deepest_separation(const LanePoint* points, int used) {
    WFloat deepest(kHighest);
    for (int c = 0; c < used; ++c) deepest = select(points[c].valid, min(points[c].separation, deepest), deepest);
    return deepest;
}

// Whether the clip of lane_face_contacts<kSides, false> proves for one contact that the best axis is the distance, to
// the bit.
template <int kSides>
inline bool lane_clip_proves(const ChunkJob& job, const HullPairs& pairs, const FacePick& pick) {
    FaceRows rows;
    FaceBatch<kSides> f;
    load_batch(job, pairs, &pick, 1, rows, f);
    LaneFace<kSides> reference;
    LaneFace<kSides> incident;
    place_faces<false>(f, reference, incident);
    LaneClip<kSides> clip;
    lane_clip<kSides>(f.reference_sides, f.incident_sides, reference, incident, f.tolerance.size_sum, f.margin,
                      kEdgeOnCosine, clip);
    const int used = static_cast<int>(2 * f.incident_sides + f.reference_sides);
    return bit_at(bits(clips_prove(f, deepest_separation(clip.points, used), clip.spoilt)), 0);
}

// The lanes whose best axis is known to be the distance, if they are clipped with patch_limits(). Points beyond the
// margin prove nothing, and neither do they spoil a proof: the method must not show in the distance.
template <int kSides>
LANEFOLD_INLINE std::uint32_t patches_prove(const ChunkJob& job, const HullPairs& pairs, const FacePick* picks,
                                            const FaceBatch<kSides>& f, WFloat deepest, WMask spoilt) {
    std::uint32_t proven = bits(clips_prove(f, select(deepest <= f.margin, deepest, splat(kHighest)), spoilt));
    for (std::uint32_t rest = bits(spoilt) & f.in_use & ~proven; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        proven |= static_cast<std::uint32_t>(lane_clip_proves<kSides>(job, pairs, picks[l])) << l;
    }
    return proven;
}

// The contacts of kWidth picks with their previous records.
struct HullHold {
    LanePrevious previous;
    WMask same;  // the features are those of the previous record
};

LANEFOLD_INLINE HullHold with_previous(const ChunkHold& hold, const LaneContact& contact) {
    HullHold h;
    h.previous = LanePrevious::load(hold, contact.pair);
    h.same = h.previous.has(contact.feature_a, contact.feature_b, contact.kind);
    return h;
}

// Looks up the previous records of contacts. In the pass of chosen faces, moves those emitted ones to the pass of held
// faces whose previous faces may stay.
LANEFOLD_INLINE HullHold hold_chosen(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, const FacePick* picks,
                                     LaneContact& contact, Counters& counters) {
    const HullHold h = with_previous(*job.hold, contact);
    if (held.pass != HoldPass::chosen) return h;
    const std::uint32_t tried = contact.emitted & bits(h.previous.may_stay & ~h.same);
    counters.hold_tried += count_bits(tried);
    counters.hold_lanes += count_bits(tried);
    for (std::uint32_t rest = tried & bits(h.previous.face); rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        if (hold_hull(job, pairs, held, picks[l])) contact.emitted &= ~(1U << l);
    }
    return h;
}

// The pass of held faces: returns the lanes whose clip gives the contact. The others go to the last pass.
template <int kSides>
LANEFOLD_INLINE std::uint32_t settle_held(const ChunkJob& job, HullPairs& pairs, HeldPicks& held, const FacePick* picks,
                                          const FaceBatch<kSides>& f, WFloat deepest, WMask spoilt,
                                          Counters& counters) {
    const WFloat band = f.tolerance.face_band + f.tolerance.size_min * splat(job.hold->hysteresis);
    const WMask deep = deepest <= f.optimum.value + (band + f.tolerance.size_sum * splat(kDepthTolerance));
    const std::uint32_t stands = bits(deep & ~spoilt) & f.in_use;
    const std::uint32_t unclear = bits(spoilt);
    for (std::uint32_t rest = f.in_use & ~stands; rest != 0; rest &= rest - 1) {
        const std::uint32_t l = lowest_bit(rest);
        return_hull(job, pairs, held, picks[l].slot, bit_at(unclear, l), counters);
    }
    counters.held += count_bits(stands);
    return stands;
}

// Returns the lanes whose clip gives the contact in this pass.
template <bool kPatch, int kSides>
LANEFOLD_INLINE std::uint32_t settle_pass(const ChunkJob& job, HullPairs& pairs, PreciseList& precise, HeldPicks& held,
                                          const FacePick* picks, const FaceBatch<kSides>& f, WFloat deepest,
                                          WMask spoilt, Counters& counters) {
    if (held.pass == HoldPass::held) return settle_held(job, pairs, held, picks, f, deepest, spoilt, counters);
    const std::uint32_t proven =
        kPatch ? patches_prove(job, pairs, picks, f, deepest, spoilt) : bits(clips_prove(f, deepest, spoilt));
    return settle_faces(pairs, precise, picks, f, deepest, proven, spoilt, counters);
}

// Reduces the crowded lanes to four points, to the previous ones where these may stay. `held`: the pass of held faces,
// whose reductions are not counted.
template <int kSides>
inline void reduce_held(const ChunkHold& hold, const LaneContact& contact, const HullHold& h, bool held,
                        const FaceBatch<kSides>& f, LaneClip<kSides>& clip, int used, WMask crowded,
                        Counters& counters) {
    const WMask stay = held ? ~no_lanes() : h.same;
    const WMask asked = crowded & stay & h.previous.face & (h.previous.count == WInt(4));
    if ((bits(asked) & contact.emitted) == 0) return reduce_lanes(clip.points, used, crowded);
    const HeldPoints points = reduce_or_hold(
        clip.points, used, crowded, asked, LanePreviousPoints::load(hold, contact.pair).number,
        f.tolerance.size_min * splat(hold.hysteresis), [&](int c) LANEFOLD_INLINE_LAMBDA { return clip.number[c]; });
    if (held) return;
    const std::uint32_t otherwise = count_bits(bits(points.otherwise) & contact.emitted);
    counters.hold_tried += otherwise;
    counters.hold_lanes += otherwise;
    counters.held += count_bits(bits(points.held) & contact.emitted);
}

// Makes the contacts of a list of picks. kPatch: manifolds of support patches that are single faces
// (ContactMethod::patch).
template <int kSides, bool kPatch, class Record>
inline void lane_face_contacts(const ChunkJob& job, HullPairs& pairs, PreciseList& precise, HeldPicks& held,
                               const FacePick* picks, std::uint32_t count, Record* out, ChunkTotals& totals) {
    for (std::uint32_t begin = 0; begin < count; begin += kWidth) {
        const std::uint32_t lanes = lane_count(count, begin);
        LANEFOLD_STAGE_LANES(lanes, kWidth);
        const std::uint32_t left = count - begin - lanes;
        prefetch_records(job, pairs, picks + begin + lanes, left < kWidth ? left : kWidth, out);
        FaceRows rows;
        FaceBatch<kSides> f;
        load_batch(job, pairs, picks + begin, lanes, rows, f);
        LaneFace<kSides> reference;
        LaneFace<kSides> incident;
        place_faces<kPatch>(f, reference, incident);
        LaneClip<kSides> clip;
        const LaneTolerances& tolerance = f.tolerance;
        const WFloat margin =
            kPatch ? patch_limits(job.patch_band, f.face.value, tolerance.size_min, f.margin) : f.margin;
        lane_clip<kSides>(f.reference_sides, f.incident_sides, reference, incident, tolerance.size_sum, margin,
                          kPatch ? -kLeastCosine : kEdgeOnCosine, clip);

        const int used = static_cast<int>(2 * f.incident_sides + f.reference_sides);
        const WFloat deepest = deepest_separation(clip.points, used);
        if (job.points == PointSelection::impact)
            keep_impact(clip.points, used, deepest + tolerance.size_min * splat(kImpactBand));
        const WMask on_b = f.face.on_b;
        LaneContact contact;
        contact.pair = f.pair;
        contact.emitted =
            settle_pass<kPatch>(job, pairs, precise, held, picks + begin, f, deepest, clip.spoilt, totals.counters);
        contact.distance = f.optimum.value;
        contact.feature_a = select(on_b, f.incident_face, f.face.face);
        contact.feature_b = select(on_b, f.face.face, f.incident_face);
        contact.kind = face_kind(on_b);
        HullHold h;
        const bool with_hold = !kPatch && holds<Record>(job);
        if (with_hold) h = hold_chosen(job, pairs, held, picks + begin, contact, totals.counters);
        totals.counters.face_contacts += count_bits(contact.emitted);
        constexpr std::uint32_t kCapacity = record_capacity<Record>();
        if constexpr (kPatch) {
            const WFloat spread = tolerance.size_min * splat(kPatchSpread);
            contact.total = reduce_candidates(
                clip.points, used, kCapacity, contact.emitted,
                [&](LanePoint* p, int n, WMask crowded) { reduce_patch_lanes(p, n, crowded, on_b, spread); });
        } else {
            const auto reduce = [&](LanePoint* p, int n, WMask crowded) {
                if (!with_hold) return reduce_lanes(p, n, crowded);
                reduce_held(*job.hold, contact, h, held.pass == HoldPass::held, f, clip, n, crowded, totals.counters);
            };
            contact.total = reduce_candidates(clip.points, used, kCapacity, contact.emitted, reduce);
        }

        const LanePose world = load_pose(rows.frame);
        const LanePlane plane = {rotate(world.r, clip.u), rotate(world.r, clip.v), rotate(world.r, reference.n),
                                 transform(world, clip.origin), on_b};
        contact.normal = select(on_b, negate(plane.w), plane.w);
        const auto number = [](WInt features) LANEFOLD_INLINE_LAMBDA { return features; };
        write_faces<false>(job, contact, ClippedPoints(plane, clip.points, clip.number, used, number), out, totals);
    }
}

// Faces of more sides than this are clipped one pair at a time. Faces of at most kFewSides have a clip of their own:
// the work grows with the square of the sides, and most faces of real hulls are triangles and quadrilaterals.
inline constexpr std::uint32_t kMostLaneSides = 8;
inline constexpr std::uint32_t kFewSides = 4;
static_assert(LaneClip<kMostLaneSides>::kCandidates == kMostCandidates);

// Makes the contacts of the first `count` picks, sorted by number of sides, so that no lane waits for a larger face.
template <bool kPatch, class Record>
inline void sorted_lane_contacts(const ChunkJob& job, HullPairs& pairs, FacePicks& s, HeldPicks& held,
                                 PreciseList& precise, std::uint32_t count, Record* out, ChunkTotals& totals) {
    // Counting sort by the larger of the two numbers of sides, then by that of the reference face. Most picks have the
    // same key (all triangles), and successive updates of one counter wait for each other in memory. So each key has
    // four counters, used in rotation.
    constexpr std::uint32_t kTurns = 4;
    constexpr std::uint32_t kColumns = kMostLaneSides + 1;
    constexpr std::uint32_t kKeys = kTurns * kColumns * kColumns;
    const auto key = [](const FacePick& p, std::uint32_t k) {
        const std::uint32_t most = p.reference_sides > p.incident_sides ? p.reference_sides : p.incident_sides;
        return kTurns * (most * kColumns + p.reference_sides) + k % kTurns;
    };
    if (count == 0) return;
    const FacePick* picks = s.all.data();
    FacePick* sorted = s.sorted.data();
    std::uint32_t first[kKeys + 1] = {};
    for (std::uint32_t k = 0; k < count; ++k) ++first[key(picks[k], k) + 1];
    for (std::uint32_t n = 0; n < kKeys; ++n) first[n + 1] += first[n];
    const std::uint32_t small = first[kTurns * kColumns * (kFewSides + 1)];  // picks of few sides
    for (std::uint32_t k = 0; k < count; ++k) sorted[first[key(picks[k], k)]++] = picks[k];
    lane_face_contacts<kFewSides, kPatch>(job, pairs, precise, held, sorted, small, out, totals);
    lane_face_contacts<kMostLaneSides, kPatch>(job, pairs, precise, held, sorted + small, count - small, out, totals);
}

// Makes the contacts of the first `total` picks.
template <class Record>
inline void face_contacts_of(const ChunkJob& job, HullPairs& pairs, ContactScratch& s, PreciseList& precise,
                             std::uint32_t total, Record* out, ChunkTotals& totals) {
    FacePick* picks = s.picks.all.data();
    FacePick* large = s.picks.sorted.data();
    std::uint32_t count = 0;
    std::uint32_t count_large = 0;
    for (std::uint32_t k = 0; k < total; ++k) {
        const FacePick pick = picks[k];
        const bool in_lanes = pick.reference_sides <= kMostLaneSides && pick.incident_sides <= kMostLaneSides;
        picks[count] = pick;
        large[count_large] = pick;
        count += in_lanes ? 1U : 0U;
        count_large += in_lanes ? 0U : 1U;
    }
    large_face_contacts(job, pairs, s, precise, large, count_large, out, totals);
    sorted_lane_contacts<false>(job, pairs, s.picks, s.held, precise, count, out, totals);
}

// Makes the contacts of all of pairs.faces.
template <class Record>
inline void stage_face_contacts(const ChunkJob& job, HullPairs& pairs, ContactScratch& s, PreciseList& precise,
                                Record* out, ChunkTotals& totals) {
    find_previous_hulls(job, pairs);
    HeldPicks& held = s.held;
    held.count = held.count_last = 0;
    held.pass = HoldPass::chosen;
    FacePick* picks = s.picks.all.data();
    pick_faces(job, pairs, pairs.faces, picks);
    std::uint32_t total = pairs.faces.count;
    if (holds<Record>(job)) total = hold_before_clip(job, pairs, held, picks, total, totals.counters);
    face_contacts_of(job, pairs, s, precise, total, out, totals);
    if (!holds<Record>(job)) return;
    held.pass = HoldPass::held;
    for (std::uint32_t k = 0; k < held.count; ++k) picks[k] = held.picks[k];
    face_contacts_of(job, pairs, s, precise, held.count, out, totals);
    held.pass = HoldPass::last;
    for (std::uint32_t k = 0; k < held.count_last; ++k) picks[k] = held.last[k];
    face_contacts_of(job, pairs, s, precise, held.count_last, out, totals);
    held.pass = HoldPass::chosen;
    leave_features(job, pairs);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
