// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/pair.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <lanefold/detail/contact_constants.hpp>
#include <lanefold/detail/swapped_kind.hpp>

#include "ground/clusters.hpp"
#include "precise/plane_axes.hpp"
#include "precise/reduce.hpp"

namespace lanefold::detail {

namespace {

// Difference of positions above which a pair is apart by more than any margin (precise/pose.cpp).
constexpr double kFarthest = 1e39;

// Distance, relative to the body, within which triangles are equally near.
constexpr double kEquallyNear = 1e-9;

// Whether a triangle that the thickness leaves out is as near as this. Then it is not rounding that refuses its
// neighbours.
bool left_out_is_nearer(GroundScratch& s, const GroundSurface& surface, const TriangleSolver& solver, double limit) {
    for (std::size_t i = 0; solver.has_thickness() && i < s.candidates.size(); ++i) {
        if (s.places[i] != GroundScratch::kNotMade) continue;
        GroundTriangle t = surface.triangle(s.candidates[i]);
        if (!solver.is_too_deep(t)) continue;
        GroundSurface::add_sides(t);
        if (overlap(s.body, t, s.work.cut) || closest_points(s.body, t, limit).distance <= limit) return true;
    }
    return false;
}

// Whether a triangle that the core is wholly behind is nearer than this.
bool is_passed(GroundScratch& s, const GroundSurface& surface, double distance) {
    return std::any_of(s.behind.begin(), s.behind.end(), [&](const GroundBehind& b) {
        if (!(b.gap < distance)) return false;
        const GroundTriangle t = surface.triangle(b.triangle);
        return closest_points(s.body, t, distance).distance < distance;
    });
}

// If the core cuts no triangle, the nearest one decides at which side of the surface it is. At the outer side nothing
// that is seen from behind counts, and the nearest triangle has a contact, whatever rounding made of its direction. At
// the inner side it is before no other triangle.
void settle_nearest(GroundScratch& s, const GroundSurface& surface, TriangleSolver& solver) {
    std::size_t nearest = s.contacts.size();
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
        const GroundContact& c = s.contacts[i];
        if (c.place == GroundPlace::cut) return;
        if (c.place == GroundPlace::far) continue;
        if (nearest == s.contacts.size() || c.nearest < s.contacts[nearest].nearest) nearest = i;
    }
    if (nearest == s.contacts.size()) return;
    const double limit = s.contacts[nearest].nearest + kEquallyNear * s.body.size;
    bool front = s.contacts[nearest].place == GroundPlace::refused;
    for (const GroundContact& c : s.contacts) {
        if (c.place == GroundPlace::apart && c.nearest <= limit) front = true;
    }
    const bool taken = std::any_of(s.contacts.begin(), s.contacts.end(), [&](const GroundContact& c) {
        return c.place == GroundPlace::apart && c.nearest <= limit;
    });
    if (front && is_passed(s, surface, s.contacts[nearest].nearest - kEquallyNear * s.body.size)) front = false;
    if (!front) {
        for (GroundContact& c : s.contacts) {
            if (c.place == GroundPlace::apart) c.touching = false;
        }
        return;
    }
    if (!taken) {
        if (left_out_is_nearer(s, surface, solver, limit)) return;
        solver.accept(s.triangles[nearest], s.contacts[nearest], s.points);
    }
    for (GroundContact& c : s.contacts) {
        if (c.place == GroundPlace::behind) c.touching = false;
    }
}

// A body that cuts triangles without a point over any of them keeps its support point.
void settle_pointless(GroundScratch& s, const TriangleSolver& solver) {
    GroundContact* best = nullptr;
    for (GroundContact& c : s.contacts) {
        if (c.touching) return;
        const bool met = c.place == GroundPlace::cut || (c.place == GroundPlace::behind && c.nearest < s.body.radius);
        if (met && (best == nullptr || c.axis.separation > best->axis.separation)) best = &c;
    }
    if (best != nullptr) solver.keep_support(s.triangle(best->triangle), *best, s.points);
}

}  // namespace

GroundCluster& GroundScratch::add_cluster() {
    if (used == clusters.size()) clusters.emplace_back();
    GroundCluster& c = clusters[used++];
    c.contacts.clear();
    c.triangles.clear();
    c.points.clear();
    return c;
}

namespace {

std::uint32_t table_place(std::uint32_t t, std::uint32_t bits) { return t * 0x9E3779B1U >> (32U - bits); }

}  // namespace

void GroundScratch::list_candidates() {
    table_bits = static_cast<std::uint32_t>(std::bit_width(2 * candidates.size() + 1));
    const std::uint32_t last = (1U << table_bits) - 1U;
    table.assign(std::size_t{last} + 1, kNotMade);
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
        std::uint32_t at = table_place(candidates[i], table_bits);
        while (table[at] != kNotMade) at = (at + 1) & last;
        table[at] = i;
    }
    marks.assign(triangles.size(), 0);
    mark = 0;
}

std::size_t GroundScratch::candidate(std::uint32_t t) const {
    const std::uint32_t last = (1U << table_bits) - 1U;
    for (std::uint32_t at = table_place(t, table_bits); table[at] != kNotMade; at = (at + 1) & last) {
        if (candidates[table[at]] == t) return table[at];
    }
    return candidates.size();
}

void GroundScratch::put_in_cluster(std::uint32_t t) {
    const std::uint32_t at = places[candidate(t)];
    if (at >= marks.size()) marks.resize(triangles.size(), 0);
    marks[at] = mark;
}

bool GroundScratch::in_cluster(std::uint32_t t) const {
    const std::size_t i = candidate(t);
    return i < candidates.size() && places[i] < marks.size() && marks[places[i]] == mark;
}

std::uint32_t GroundScratch::make(std::size_t candidate, const GroundSurface& surface) {
    places[candidate] = static_cast<std::uint32_t>(triangles.size());
    triangles.push_back(surface.triangle(candidates[candidate]));
    contacts.emplace_back();
    return places[candidate];
}

void solve_ground(const GroundPair& pair, GroundScratch& s) {
    s.used = 0;
    const Vec3d apart{pair.position_body[0] - pair.position_surface[0],
                      pair.position_body[1] - pair.position_surface[1],
                      pair.position_body[2] - pair.position_surface[2]};
    if (!(std::max({std::fabs(apart.x), std::fabs(apart.y), std::fabs(apart.z)}) <= kFarthest)) return;
    Quat qb;
    Quat qs;
    normalize(pair.orientation_body, qb);
    normalize(pair.orientation_surface, qs);
    s.world = rotation(qs);
    s.body.place(*pair.body, transpose(s.world) * rotation(qb));
    const Vec3d origin = transpose_times(s.world, apart) + s.body.centre;

    GroundQuestion question;
    question.most = static_cast<double>(pair.margin) + s.body.radius;
    question.preference = static_cast<double>(pair.face_preference) * s.body.size;
    question.thickness = pair.surface->thickness();
    solve_placed(*pair.surface, origin, question, s);
}

void solve_placed(const SurfaceView& view, const Vec3d& origin, const GroundQuestion& question, GroundScratch& s) {
    s.used = 0;
    const Vec3d room{question.most, question.most, question.most};
    view.candidates({s.body.low + origin - room, s.body.high + origin + room}, s.candidates);

    GroundSurface surface(view, origin, s.cones);
    TriangleSolver solver(s.body, surface, question, s.work);
    s.contacts.clear();
    s.points.clear();
    s.work.clip.has_core = false;
    s.triangles.clear();
    s.behind.clear();
    s.places.assign(s.candidates.size(), GroundScratch::kNotMade);
    for (std::size_t i = 0; i < s.candidates.size(); ++i) {
        if (solver.is_beyond(s.candidates[i])) continue;
        const std::uint32_t at = s.make(i, surface);
        s.contacts[at] = solver.solve(s.triangles[at], s.points);
        if (s.contacts[at].place != GroundPlace::far) continue;
        if (s.contacts[at].nearest > 0) s.behind.push_back({s.candidates[i], s.contacts[at].nearest});
        s.places[i] = GroundScratch::kNotMade;
        s.triangles.pop_back();
        s.contacts.pop_back();
    }
    if (s.contacts.empty()) return;
    s.list_candidates();
    settle_nearest(s, surface, solver);
    settle_pointless(s, solver);
    order_contacts(s);
    make_clusters(s, surface, solver, question.most);
}

namespace {

// The members that records of all levels have.
template <class Record>
void write_axis(const GroundPair& pair, const GroundScratch& s, const GroundCluster& cluster, Record& out) {
    const GroundContact& leader = s.contacts[cluster.leader];
    const Vec3f normal = to_float(s.world * (pair.surface_is_a ? leader.axis.u : -leader.axis.u));
    out.normal[0] = normal.x;
    out.normal[1] = normal.y;
    out.normal[2] = normal.z;
    out.distance = std::min(static_cast<float>(cluster.distance - s.body.radius), pair.margin) + 0.0F;
    out.kind = pair.surface_is_a ? swapped(leader.kind) : leader.kind;
}

// The points of the cluster, as the reduction takes them.
void list_points(const GroundPair& pair, GroundScratch& s, const GroundCluster& cluster, const FeatureCounts& its) {
    const PlaneAxes axes(s.contacts[cluster.leader].axis.u);
    const FeatureCounts mine = pair.body->feature_counts();
    s.record.clear();
    for (const GroundPoint& p : cluster.points) {
        ClipPoint c;
        c.middle = p.middle;
        c.separation = p.separation;
        c.u = dot(axes.across, p.middle);
        c.v = dot(axes.along, p.middle);
        c.number_a = feature_number(mine, p.body);
        c.number_b = feature_number(its, p.surface);
        s.record.push_back(c);
    }
    if (pair.points != PointSelection::impact) return;
    double deepest = s.record.front().separation;
    for (const ClipPoint& c : s.record) deepest = std::min(deepest, c.separation);
    const double limit = deepest + kImpactBand * s.body.size;
    std::erase_if(s.record, [&](const ClipPoint& c) { return c.separation > limit; });
}

}  // namespace

template <class Manifold>
void write_ground(const GroundPair& pair, GroundScratch& s, const GroundCluster& cluster, Manifold& out) {
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    const GroundContact& leader = s.contacts[cluster.leader];
    const Vec3d u = leader.axis.u;
    const FeatureCounts mine = pair.body->feature_counts();
    const std::uint32_t triangles = pair.surface->triangle_count();
    const FeatureCounts its{triangles, 3 * triangles, pair.surface->vertex_count()};
    list_points(pair, s, cluster, its);
    const bool swap = pair.surface_is_a;
    out.pair[0] = swap ? pair.index_surface : pair.index_body;
    out.pair[1] = swap ? pair.index_body : pair.index_surface;
    write_axis(pair, s, cluster, out);
    out.feature_a = swap ? leader.feature_surface : leader.feature_body;
    out.feature_b = swap ? leader.feature_body : leader.feature_surface;
    out.total = static_cast<std::uint16_t>(std::min<std::size_t>(s.record.size(), 65535));
    reduce_points(s.record, Manifold::kCapacity);
    out.count = static_cast<std::uint8_t>(s.record.size());
    for (std::size_t i = 0; i < s.record.size(); ++i) {
        const ClipPoint& c = s.record[i];
        // Midway between the surfaces: the core's is further out by the radius.
        const Vec3d middle = c.middle - u * (0.5 * s.body.radius);
        const Vec3d at = s.world * (middle + s.body.centre);
        const Vec3f x = to_float(pair.shifted ? at + pair.shift : at);
        ContactPoint& p = out.points[i];
        p.position[0] = x.x;
        p.position[1] = x.y;
        p.position[2] = x.z;
        p.separation = static_cast<float>(c.separation - s.body.radius);
        p.feature =
            swap ? feature_id(c.number_b, c.number_a, mine.total()) : feature_id(c.number_a, c.number_b, its.total());
        for (std::size_t k = 0; k < i; ++k) {
            if (out.points[k].feature != p.feature) continue;
            ++p.feature;  // ids are unique within a manifold: the comparison starts over
            k = static_cast<std::size_t>(-1);
        }
    }
}

void write_ground(const GroundPair& pair, GroundScratch& s, const GroundCluster& cluster, PairDistance& out) {
    std::memset(static_cast<void*>(&out), 0, sizeof out);
    write_axis(pair, s, cluster, out);
}

template void write_ground(const GroundPair&, GroundScratch&, const GroundCluster&, Manifold4&);
template void write_ground(const GroundPair&, GroundScratch&, const GroundCluster&, Manifold16&);

}  // namespace lanefold::detail
