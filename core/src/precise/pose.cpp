// SPDX-License-Identifier: MIT
//
// First stage of the float64 path: relative pose (from p_B - p_A, so that positions of 1e9 lose no digits), vertices
// and planes in float64, and the tolerances of the pair.

#include "precise/pose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lanefold/detail/round.hpp>

#include "precise/facets.hpp"
#include "precise/lanes.hpp"

namespace lanefold::detail {

namespace {

// Difference of two positions along an axis, in the caller's unit, above which the hulls are apart by more than any
// margin. Hulls reach at most 2e15 (the builder refuses coordinates beyond 1e15), and margins are float32. Up to this,
// fourth powers of lengths are finite in float64. The difference of positions near +-1e308 overflows to infinity, which
// is above it.
constexpr double kFarthest = 1e39;

void place_arrays(Solid& s, SolidMemory& m) {
    const std::size_t v = s.record->vertex_count;
    const std::size_t f = std::max<std::size_t>(s.record->face_count, 2 * v);
    const std::size_t e = std::max<std::size_t>(s.record->edge_count, 3 * v);
    const std::size_t vs = round_up(v, kPreciseLanes);
    const std::size_t fs = round_up(f, kPreciseLanes);
    double* at = m.numbers.data();
    const auto take = [&at](std::size_t n) {
        double* start = at;
        at += n;
        return start;
    };
    s.x = take(vs);
    s.y = take(vs);
    s.z = take(vs);
    s.dots = take(vs);
    s.nx = take(fs);
    s.ny = take(fs);
    s.nz = take(fs);
    s.offset = take(fs);
    s.bound = take(fs);
    s.gaps = take(kWitnesses * fs);
    s.dead = m.bits.data();
    s.edge_ends = m.indices.data();
    s.parent = s.edge_ends + 4 * e;
    s.facet_first = s.parent + f;
    s.vertex_stride = vs;
}

// Loads two vertices at a time; an odd last one is stored twice.
void load_vertices(Solid& s) {
    const std::size_t n = s.record->vertex_count;
    s.vertices = s.record->vertex_count;
    s.centre = {s.record->centre[0], s.record->centre[1], s.record->centre[2]};
    const float* from = s.view.input_vertices();
    double* const to[3] = {s.x, s.y, s.z};
    const Lanes centre[3] = {all_lanes(s.centre.x), all_lanes(s.centre.y), all_lanes(s.centre.z)};
    for (std::size_t i = 0; i < n; i += 2) {
        const float* p = from + 3 * i;
        const float* q = i + 1 < n ? p + 3 : p;
        for (std::size_t k = 0; k < 3; ++k) {
            store_lanes(to[k] + i, Lanes{static_cast<double>(p[k]), static_cast<double>(q[k])} - centre[k]);
        }
    }
    const std::size_t padded = s.vertex_stride;
    for (std::size_t i = n; i < padded; ++i) {
        for (double* column : to) column[i] = column[0];
    }
}

// Loads the block's planes and turns them from the internal frame to the local one.
void load_planes(Solid& s) {
    const std::size_t n = s.record->face_count;
    s.facets = s.record->face_count;
    s.edges = s.record->edge_count;
    for (std::size_t i = 0; i < n; ++i) {
        const float* plane = s.view.plane(i);
        s.nx[i] = plane[0];
        s.ny[i] = plane[1];
        s.nz[i] = plane[2];
        s.offset[i] = plane[3];
    }
    if ((s.record->flags & HullRecord::kRotated) == 0) return;
    const Mat3d turn = s.view.internal_to_input().rotation;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3d t = turn * s.facet_normal(i);
        s.nx[i] = t.x;
        s.ny[i] = t.y;
        s.nz[i] = t.z;
    }
}

void finish_planes(Solid& s) {
    s.planes = true;
    s.facet_stride = round_up(s.facets, kPreciseLanes);
    for (std::size_t i = s.facets; i < s.facet_stride; ++i) {
        s.nx[i] = 0;
        s.ny[i] = 0;
        s.nz[i] = 0;
        s.offset[i] = std::numeric_limits<double>::max();
    }
    s.witnesses = 0;
    std::fill_n(s.bound, s.facet_stride, std::numeric_limits<double>::infinity());
}

}  // namespace

bool prepare(const PrecisePair& pair, PreciseScratch::Impl& memory, Problem& p) {
    const Vec3d apart{pair.position_b[0] - pair.position_a[0], pair.position_b[1] - pair.position_a[1],
                      pair.position_b[2] - pair.position_a[2]};
    if (!(std::max({std::fabs(apart.x), std::fabs(apart.y), std::fabs(apart.z)}) <= kFarthest)) return false;
    const std::size_t most = std::max(pair.a->vertex_count, pair.b->vertex_count);
    memory.reserve(most, std::max(pair.a->face_count, pair.b->face_count),
                   std::max(pair.a->edge_count, pair.b->edge_count));
    place_arrays(p.a, memory.a);
    place_arrays(p.b, memory.b);
    load_vertices(p.a);
    load_vertices(p.b);

    Quat qa;
    Quat qb;
    normalize(pair.orientation_a, qa);
    normalize(pair.orientation_b, qb);
    p.world = rotation(qa);
    const Mat3d world_b = rotation(qb);
    p.from_b.rotation = transpose(p.world) * world_b;
    p.from_b.position = (transpose_times(p.world, apart) + p.from_b.rotation * p.b.centre) - p.a.centre;
    p.from_a.rotation = transpose(p.from_b.rotation);
    p.from_a.position = -(p.from_a.rotation * p.from_b.position);

    const double size_a = unit_size(*pair.a);
    const double size_b = unit_size(*pair.b);
    p.radii = static_cast<double>(pair.a->round_radius) + static_cast<double>(pair.b->round_radius);
    p.midway = 0.5 * (static_cast<double>(pair.a->round_radius) - static_cast<double>(pair.b->round_radius));
    p.thin = ((pair.a->flags | pair.b->flags) & HullRecord::kThin) != 0;
    p.margin = static_cast<double>(pair.margin) + p.radii;
    // The kernels decided in float32, so the distance here may exceed the margin by their rounding.
    if (is_decided(pair)) p.margin += static_cast<double>(kPruneSlack) * (size_a + size_b);
    static_cast<Tolerances&>(p) =
        Tolerances(std::min(size_a, size_b), std::max(size_a, size_b), (size_a + size_b) + length(p.from_b.position));
    p.preference = static_cast<double>(pair.face_preference) * p.small;
    return true;
}

void prepare_planes(PreciseScratch::Impl& memory, Problem& p) {
    const double size_a = unit_size(*p.a.record);
    const double size_b = unit_size(*p.b.record);
    const bool a_large = is_far_larger(*p.a.record, *p.b.record);
    const bool b_large = is_far_larger(*p.b.record, *p.a.record);
    // A small core may be smaller than what merging leaves open of a hull of any size.
    const bool small = is_small(*p.a.record) || is_small(*p.b.record);
    p.refined = a_large || b_large || small;
    if (p.refined) {
        refine_facets(p.a, memory.stack, a_large || small, p.flatness);
        refine_facets(p.b, memory.stack, b_large || small, p.flatness);
    } else {
        load_planes(p.a);
        load_planes(p.b);
    }
    finish_planes(p.a);
    finish_planes(p.b);
    p.set_planes(size_a + size_b, p.refined);
}

}  // namespace lanefold::detail
