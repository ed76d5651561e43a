// SPDX-License-Identifier: MIT
//
// The search for the best separating axis of each general pair: centre axis, faces of A, faces of B, arcs of both,
// edge pairs. What is separated by more than its margin drops out at the first stage that shows it.
#pragma once

#include "hull_arcs.hpp"
#include "hull_edge_pairs.hpp"
#include "hull_faces.hpp"
#include "pair_cache.hpp"

namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE {

// Appends the edges of the mask to the edge list; returns how many.
LANEFOLD_INLINE std::uint32_t list_edges(ChunkScratch::Impl& s, const HullRecord& hull, const std::uint32_t* alive) {
    const HullTopology topology = hull_topology(hull);
    const std::uint32_t first = s.edge_list_count;
    std::uint32_t n = first;
    // 64 edges at a time: every word costs a mispredicted end of its loop.
    for (std::uint32_t i = 0; i < hull.edge_count; i += 64) {
        std::uint64_t word = alive[i / 32] | static_cast<std::uint64_t>(alive[i / 32 + 1]) << 32;
        for (; word != 0; word &= word - 1) {
            const std::uint32_t e = i + static_cast<std::uint32_t>(__builtin_ctzll(word));
            s.edges[n] = e;
            s.edge_vertices[n] = edge_ends(topology, e);
            s.edge_faces[n] = edge_faces(topology, e);
            ++n;
        }
    }
    s.edge_list_count = n;
    return n - first;
}

// Supports along the centre axis; true unless it separates by more than the margin. (The slack keeps this
// first test from deciding anything that the canonical values would decide otherwise.)
LANEFOLD_INLINE bool centre_axis(const ChunkJob& job, const PairRow& row, AxisRow& axis) {
    const Best top = support(hull_floats(job.hulls[row.hull_a]), axis.n[0], axis.n[1], axis.n[2]);
    const Best low = support(hull_floats(job.hulls[row.hull_b]), axis.m[0], axis.m[1], axis.m[2]);
    axis.support_a = top.index;
    axis.support_b = low.index;
    return !((axis.tn - low.value) - top.value > row.margin + axis.slack);
}

// Face searches of one hull for the whole group: members [0, count) of s.group; results in `searches`. Pairs
// that separate by more than their margin are dropped from the group, order kept.
template <bool kOnB>
LANEFOLD_INLINE std::uint32_t search_group(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t count,
                                           Counters& counters) {
    FaceSearch* searches = kOnB ? s.search_b.data() : s.search_a.data();
    const std::uint32_t stride = s.plane_stride;
    std::uint32_t active = 0;
    for (std::uint32_t g = 0; g < count; ++g) {
        const std::uint32_t slot = s.group[g];
        const PairRow& row = s.rows[slot];
        const AxisRow& axis = s.axes[slot];
        const HullFloats faces = hull_floats(job.hulls[kOnB ? row.hull_b : row.hull_a]);
        const HullFloats other = hull_floats(job.hulls[kOnB ? row.hull_a : row.hull_b]);
        begin_face_search<kOnB>(row, kOnB ? axis.t_inverse : row.t, faces, other,
                                kOnB ? axis.support_a : axis.support_b, kOnB ? s.search_a[g].value : kLowest,
                                s.bound.data() + g * stride, searches[g]);
        s.active[active] = g;
        active += searches[g].top_value >= searches[g].cut - axis.slack ? 1U : 0U;
    }
    while (active != 0) {
        counters.faces_evaluated += active;
        std::uint32_t left = 0;
        for (std::uint32_t k = 0; k < active; ++k) {
            const std::uint32_t g = s.active[k];
            const std::uint32_t slot = s.group[g];
            const PairRow& row = s.rows[slot];
            const AxisRow& axis = s.axes[slot];
            const HullFloats faces = hull_floats(job.hulls[kOnB ? row.hull_b : row.hull_a]);
            const HullFloats other = hull_floats(job.hulls[kOnB ? row.hull_a : row.hull_b]);
            FaceSearch& search = searches[g];
            step_face_search<kOnB>(row, kOnB ? axis.t_inverse : row.t, faces, other, s.bound.data() + g * stride,
                                   search);
            s.active[left] = g;
            left += search.value <= row.margin && search.top_value >= search.cut - axis.slack ? 1U : 0U;
        }
        active = left;
    }
    std::uint32_t kept = 0;
    for (std::uint32_t g = 0; g < count; ++g) {
        const std::uint32_t slot = s.group[g];
        const bool keep = !(searches[g].value > s.rows[slot].margin);
        remember_face<kOnB>(job, s.rows[slot], searches[g]);
        s.group[kept] = slot;
        if (kept != g) {
            searches[kept] = searches[g];
            if (kOnB) s.search_a[kept] = s.search_a[g];
        }
        kept += keep ? 1U : 0U;
    }
    counters.rejected_face += count - kept;
    return kept;
}

// The best face of member g of the group, then the edges that could beat it, as masks.
LANEFOLD_INLINE void test_arcs(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g) {
    const std::uint32_t slot = s.group[g];
    const PairRow& row = s.rows[slot];
    const FaceSearch& search_a = s.search_a[g];
    const FaceSearch& search_b = s.search_b[g];
    const bool on_b = search_b.value > search_a.value;  // ties: A
    const FaceSearch& face = on_b ? search_b : search_a;
    s.optimum[slot] = {face.value, face.face, face.support, on_b ? 1U : 0U, face.value, 0, 0, 0, 0, {}};

    const HullRecord& hull_a = job.hulls[row.hull_a];
    const HullRecord& hull_b = job.hulls[row.hull_b];
    const float threshold = (face.value < 0.0F ? face.value : 0.0F) - s.axes[slot].slack;
    std::uint32_t* alive_a = s.edge_masks.data() + std::size_t{2} * g * s.mask_stride;
    std::uint32_t* alive_b = alive_a + s.mask_stride;
    surviving_edges(hull_floats(hull_a), hull_topology(hull_a), search_a, threshold, s.face_bits.data(), alive_a);
    surviving_edges(hull_floats(hull_b), hull_topology(hull_b), search_b, threshold, s.face_bits.data(), alive_b);
}

// The surviving edges of member g into the edge list.
LANEFOLD_INLINE void list_pair_edges(const ChunkJob& job, ChunkScratch::Impl& s, std::uint32_t g, Counters& counters) {
    const std::uint32_t slot = s.group[g];
    const PairRow& row = s.rows[slot];
    const HullRecord& hull_a = job.hulls[row.hull_a];
    const HullRecord& hull_b = job.hulls[row.hull_b];
    const std::uint32_t* alive_a = s.edge_masks.data() + std::size_t{2} * g * s.mask_stride;
    if (s.edge_list_count + hull_a.edge_count + hull_b.edge_count > kEdgeListBatch) fold_edge_pairs(job, s);
    const std::uint32_t first = s.edge_list_count;
    const std::uint32_t edges_a = list_edges(s, hull_a, alive_a);
    const std::uint32_t edges_b = list_edges(s, hull_b, alive_a + s.mask_stride);
    counters.edges_surviving += edges_a + edges_b;
    counters.edge_pairs += static_cast<std::uint64_t>(edges_a) * edges_b;
    s.edge_jobs[s.edge_job_count] = {slot, first, edges_a, edges_b};
    if (edges_a * edges_b == 0)
        s.edge_list_count = first;
    else
        ++s.edge_job_count;
}

// Classes of a hull by how many vectors its scans take: vertices, then faces, 1 to 4, or 5 for more.
inline constexpr std::uint32_t kScanClasses = 25;

LANEFOLD_INLINE std::uint32_t scan_class(const HullRecord& h) {
    const std::uint32_t v = (h.vertex_count - 1) / kWidth;
    const std::uint32_t f = (h.face_count - 1) / kWidth;
    return 5 * (v < 4 ? v : 4) + (f < 4 ? f : 4);
}

// Stable counting sort of `in` by the class of one hull of the pair.
template <bool kOfB>
LANEFOLD_INLINE void sort_by_class(const ChunkJob& job, const ChunkScratch::Impl& s, const std::uint32_t* in,
                                   std::uint32_t count, std::uint32_t* out) {
    std::uint32_t first[kScanClasses + 1] = {};
    for (std::uint32_t k = 0; k < count; ++k) {
        const PairRow& row = s.rows[in[k]];
        ++first[scan_class(job.hulls[kOfB ? row.hull_b : row.hull_a]) + 1];
    }
    for (std::uint32_t c = 0; c < kScanClasses; ++c) first[c + 1] += first[c];
    for (std::uint32_t k = 0; k < count; ++k) {
        const PairRow& row = s.rows[in[k]];
        out[first[scan_class(job.hulls[kOfB ? row.hull_b : row.hull_a])]++] = in[k];
    }
}

// All of hull_list (posed by stage_pose); alive_list receives the slots still in the game.
inline void stage_search(const ChunkJob& job, ChunkScratch::Impl& s, Counters& counters) {
    s.edge_list_count = 0;
    s.edge_job_count = 0;

    std::uint32_t candidates = 0;
    for (std::uint32_t slot = 0; slot < s.hull_count; ++slot) {
        s.face_list[candidates] = slot;
        const CacheAnswer cached = ask_cache(job, s.rows[slot], s.axes[slot], counters);
        if (cached == CacheAnswer::apart) continue;
        const bool alive = cached == CacheAnswer::witnesses || centre_axis(job, s.rows[slot], s.axes[slot]);
        candidates += alive ? 1U : 0U;
        counters.rejected_centre += alive ? 0U : 1U;
    }
    LANEFOLD_STAGE_DONE(centre_axis);
    // Equal shapes side by side: the same code path for whole groups, so that branches predict. Within a class the
    // order, and with it the locality, stays.
    sort_by_class<true>(job, s, s.face_list.data(), candidates, s.edge_list.data());
    sort_by_class<false>(job, s, s.edge_list.data(), candidates, s.face_list.data());
    LANEFOLD_STAGE_DONE(sort);

    std::uint32_t alive = 0;
    for (std::uint32_t begin = 0; begin < candidates; begin += kSearchGroup) {
        std::uint32_t count = candidates - begin < kSearchGroup ? candidates - begin : kSearchGroup;
        for (std::uint32_t g = 0; g < count; ++g) s.group[g] = s.face_list[begin + g];
        count = search_group<false>(job, s, count, counters);
        count = search_group<true>(job, s, count, counters);
        LANEFOLD_STAGE_DONE(faces);
        for (std::uint32_t g = 0; g < count; ++g) {
            remember(job, s.rows[s.group[g]], CacheKind::witnesses, s.search_b[g].support, s.search_a[g].support);
            test_arcs(job, s, g);
            s.alive_list[alive++] = s.group[g];
        }
        for (std::uint32_t g = 0; g < count; ++g) list_pair_edges(job, s, g, counters);
        LANEFOLD_STAGE_DONE(arcs);
        fold_edge_pairs(job, s);
        LANEFOLD_STAGE_DONE(edge_pairs);
    }
    s.alive_count = alive;
}

}  // namespace lanefold::detail::LANEFOLD_KERNEL_NAMESPACE
