// SPDX-License-Identifier: MIT
//
// The last steps of contacts with large faces, lanes = pairs: once a clip is known to give its contact, the points wait
// until there are those of kWidth contacts, which are reduced and written together. Expressions and bits are those of
// write_face_contact().
#pragma once

#include "contact/large_faces.hpp"
#include "record/lane_emit.hpp"
#include "record/lane_spread.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Large contacts of a chunk from which on they wait for each other. A batch takes the time of about four that are
// finished alone.
inline constexpr std::uint32_t kLeastQueued = (kWidth + 3) / 4;

// Appends a contact. `outward`: the reference face's outward normal in A's frame.
inline void queue_contact(const ChunkJob& job, const HullPairs& pairs, const ClipPoints& points, const FacePick& pick,
                          const Point& outward, LargeQueue& queue) {
    const std::uint32_t l = queue.count++;
    const PairRow& row = pairs.rows[pick.slot];
    const WInt total_b(static_cast<std::int32_t>(job.hulls[row.hull_b].feature_counts().total()));
    QueuedContact& to = queue.contact[l];
    to.outward[0] = outward.x;
    to.outward[1] = outward.y;
    to.outward[2] = outward.z;
    to.points = points.count;
    to.slot = pick.slot;
    to.incident_face = pick.incident_face;
    for (std::uint32_t i = 0; i < points.count; i += kWidth) {
        WFloat::load(points.x.data() + i).store(to.x + i);
        WFloat::load(points.y.data() + i).store(to.y + i);
        WFloat::load(points.z.data() + i).store(to.z + i);
        WFloat::load(points.separation.data() + i).store(to.separation + i);
        const WInt a = WInt::loadu(reinterpret_cast<const std::int32_t*>(points.feature_a.data()) + i);
        const WInt b = WInt::loadu(reinterpret_cast<const std::int32_t*>(points.feature_b.data()) + i);
        (a * total_b + b).storeu(to.number + i);
    }
}

// Rows of kWidth contacts of the queue; lanes past the end repeat the first.
struct QueueRows {
    const float* head[kWidth];
    const float* x[kWidth];
    const float* y[kWidth];
    const float* z[kWidth];
    const float* separation[kWidth];
    const float* optimum[kWidth];
    const float* frame[kWidth];
    std::uint32_t pair[kWidth];

    LANEFOLD_INLINE QueueRows(const ChunkJob& job, const HullPairs& pairs, const LargeQueue& queue) {
        for (std::uint32_t l = 0; l < kWidth; ++l) {
            const QueuedContact& c = queue.contact[l < queue.count ? l : 0];
            head[l] = c.outward;
            x[l] = c.x;
            y[l] = c.y;
            z[l] = c.z;
            separation[l] = c.separation;
            optimum[l] = floats_of(&pairs.optima[c.slot]);
            pair[l] = pairs.rows[c.slot].pair;
            frame[l] = frame_a(job, pair[l]).rotation;
        }
    }
};

// QueuedContact, its first eight words.
static_assert(offsetof(QueuedContact, outward) == 0 && offsetof(QueuedContact, points) == 12 &&
              offsetof(QueuedContact, incident_face) == 16);
struct LaneQueued {
    WVec3 outward;
    WInt points, incident_face;

    LANEFOLD_INLINE static LaneQueued load(const float* const* rows) {
        WFloat p[4], q[4];
        load_rows4(rows, p);
        load_rows4(rows, q, 4);
        return {{p[0], p[1], p[2]}, bit_cast_int(p[3]), bit_cast_int(q[0])};
    }
};

// Loads the points of kWidth contacts.
LANEFOLD_INLINE void load_cloud(const QueueRows& rows, WInt count, std::uint32_t most, LaneCloud& out) {
    out.count = count;
    out.used = static_cast<int>((most + 3U) & ~3U);
    for (std::size_t c = 0; c < static_cast<std::size_t>(out.used); c += 4) {
        WFloat x[4], y[4], z[4], s[4];
        load_rows4(rows.x, x, c);
        load_rows4(rows.y, y, c);
        load_rows4(rows.z, z, c);
        load_rows4(rows.separation, s, c);
        for (std::size_t k = 0; k < 4; ++k)
            out.point[c + k] = {{x[k], y[k], z[k]}, s[k], WInt(static_cast<std::int32_t>(c + k)) < count};
    }
}

// The kept points of kWidth contacts in memory, by order of the record.
struct QueuedPoints {
    static constexpr int kPoints = 4;

    const LanePose& world;
    alignas(64) float x[4][3][kWidth];
    alignas(64) float separation[4][kWidth];
    alignas(64) std::int32_t number[4][kWidth];

    LANEFOLD_INLINE QueuedPoints(const LargeQueue& queue, const WInt* kept, const LanePose& frame) : world(frame) {
        for (std::uint32_t k = 0; k < 4; ++k) {
            alignas(64) std::int32_t at[kWidth];
            kept[k].storeu(at);
            for (std::uint32_t l = 0; l < kWidth; ++l) {
                const QueuedContact& c = queue.contact[l < queue.count ? l : 0];
                const std::int32_t i = at[l];
                x[k][0][l] = c.x[i];
                x[k][1][l] = c.y[i];
                x[k][2][l] = c.z[i];
                separation[k][l] = c.separation[i];
                number[k][l] = c.number[i];
            }
        }
    }
    LANEFOLD_INLINE const QueuedPoints& four() const { return *this; }
    LANEFOLD_INLINE LaneRecordPoint kept(int k, WInt total) const {
        const WVec3 at = {WFloat::load(x[k][0]), WFloat::load(x[k][1]), WFloat::load(x[k][2])};
        LaneRecordPoint point = no_point();
        point.set(WInt(k) < total,
                  {transform(world, at), WFloat::load(separation[k]), lane_mix32(WInt::loadu(number[k]))});
        return point;
    }
};

// Replaces the places of the points that were kept by those of the previous ones, where these may stay.
inline void hold_queued(const ChunkJob& job, const HullPairs& pairs, const LargeQueue& queue, HoldPass pass, WInt* kept,
                        Counters& counters) {
    alignas(64) std::uint32_t at[4][kWidth];
    for (int k = 0; k < 4; ++k) store_indices(kept[k], at[k]);
    for (std::uint32_t l = 0; l < queue.count; ++l) {
        const QueuedContact& c = queue.contact[l];
        FacePick pick = {};
        pick.slot = c.slot;
        pick.incident_face = c.incident_face;
        if (c.points <= 4 || !asks_four(job, pairs, pick, pass)) continue;
        std::uint32_t four[4] = {at[0][l], at[1][l], at[2][l], at[3][l]};
        const PointRows rows = {c.x, c.y, c.z, c.separation, c.number, c.points};
        const Point n = {c.outward[0], c.outward[1], c.outward[2]};
        const float band = job.hold->hysteresis * pairs.axes[c.slot].size_min;
        const FourHeld what = hold_four(rows, n, *job.hold, pairs.rows[c.slot].pair, band, four);
        if (pass != HoldPass::held) count_four(what, counters);
        for (int k = 0; k < 4; ++k) at[k][l] = four[k];
    }
    for (int k = 0; k < 4; ++k) kept[k] = load_indices(at[k]);
}

// Reduces and writes the contacts of the queue, and empties it.
inline void flush_queue(const ChunkJob& job, const HullPairs& pairs, LargeQueue& queue, HoldPass pass, Manifold4* out,
                        ChunkTotals& totals) {
    const std::uint32_t lanes = queue.count;
    if (lanes == 0) return;
    LANEFOLD_STAGE_LANES(lanes, kWidth);
    std::uint32_t most = 0;
    for (std::uint32_t l = 0; l < lanes; ++l) most = queue.contact[l].points > most ? queue.contact[l].points : most;
    const QueueRows rows(job, pairs, queue);
    const LaneQueued queued = LaneQueued::load(rows.head);
    const LaneFaceOptimum face = LaneFaceOptimum::load(rows.optimum);
    const WFloat distance = LaneOptimum::load(rows.optimum).value;
    const LanePose world = load_pose(rows.frame);
    const WVec3 normal = select(face.on_b, negate(queued.outward), queued.outward);
    LaneCloud cloud;
    load_cloud(rows, queued.points, most, cloud);
    WInt kept[4];
    spread_lanes(cloud, normal, kept);
    if (job.hold != nullptr) hold_queued(job, pairs, queue, pass, kept, totals.counters);
    const LaneContact contact = {rows.pair,
                                 lane_mask(lanes),
                                 rotate(world.r, normal),
                                 distance,
                                 select(face.on_b, queued.incident_face, face.face),
                                 select(face.on_b, face.face, queued.incident_face),
                                 face_kind(face.on_b),
                                 queued.points};
    write_faces<false>(job, contact, QueuedPoints(queue, kept, world), out, totals);
    totals.counters.face_contacts += lanes;
    queue.count = 0;
}

// Makes the contacts of picks with large faces.
template <class Record>
inline void large_face_contacts(const ChunkJob& job, HullPairs& pairs, ContactScratch& s, PreciseList& precise,
                                const FacePick* picks, std::uint32_t count, Record* out, ChunkTotals& totals) {
    ClipPoints& points = s.clip.points;
    for (std::uint32_t k = 0; k < count; ++k) {
        const FacePick& pick = picks[k];
        bool spoilt = false;
        const Point outward = clip_large_faces(job, pairs, s.clip, pick, spoilt);
        if (s.held.pass == HoldPass::held) {
            if (!settle_held_contact(job, pairs, s.held, points, pick, spoilt, totals.counters)) continue;
        } else {
            const bool proven = large_clip_proves(job, pairs, points, pick, spoilt);
            if (!settle_face_contact(job, pairs, points, precise, pick, proven, spoilt, totals.counters)) continue;
            if (!stays_in_pass(job, pairs, s.held, pick, totals.counters)) continue;
        }
        if constexpr (__is_same(Record, Manifold4)) {
            if (count >= kLeastQueued && can_wait(job, pairs, points, pick.slot)) {
                queue_contact(job, pairs, points, pick, outward, s.queue);
                if (s.queue.count == kWidth) flush_queue(job, pairs, s.queue, s.held.pass, out, totals);
                continue;
            }
        }
        write_face_contact(job, pairs, points, pick, outward, s.held.pass, out, totals);
    }
    if constexpr (__is_same(Record, Manifold4)) flush_queue(job, pairs, s.queue, s.held.pass, out, totals);
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
