// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/clusters.hpp"

#include <algorithm>

#include "ground/sort_stable.hpp"

namespace lanefold::detail {

namespace {

// Difference of two unit normals up to which they are one: half of what the promised bound allows for a point one size
// away from the axis.
constexpr double kOneNormal = 1e-6;

// Difference of the normals of triangles joined by flat edges up to which they are one plane. Rounding to float32 turns
// the triangles of a tilted plane, small ones the most; heights are measured on each triangle itself.
constexpr double kOnePlane = 1e-3;

// Length, relative to the body, that a body may still be in a triangle when it is moved out.
constexpr double kCleared = 1e-7;

// Separation, relative to the body, by which points are equally deep.
constexpr double kEqualDepth = 1e-9;

bool is_one(const Vec3d& a, const Vec3d& b) { return length_squared(a - b) <= kOneNormal * kOneNormal; }

bool is_one_plane(const Vec3d& a, const Vec3d& b) { return length_squared(a - b) <= kOnePlane * kOnePlane; }

// Adds the points of triangles that continue the cluster's plane: all that are connected to its own over flat edges,
// have its normal and no contact of another.
class PlaneWalk {
public:
    PlaneWalk(GroundScratch& s, GroundSurface& surface, const TriangleSolver& solver, double most)
        : s_(s), surface_(surface), solver_(solver), most_(most) {}

    void run(GroundCluster& c) {
        const Vec3d u = s_.contacts[c.leader].axis.u;
        s_.walk.clear();
        ++s_.mark;
        for (const std::size_t i : c.contacts) s_.walk.push_back(s_.contacts[i].triangle);
        for (const std::uint32_t t : c.triangles) s_.put_in_cluster(t);
        for (std::size_t i = 0; i < s_.walk.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t half = surface_.view().opposite(s_.walk[i], k);
                if (half == kNoNeighbour || kind_of(s_.walk[i], k) != EdgeKind::flat) continue;
                if (is_open(half / 3)) visit(half / 3, u, c);
            }
        }
        std::sort(c.triangles.begin(), c.triangles.end());
    }

private:
    EdgeKind kind_of(std::uint32_t t, int k) const { return s_.triangle(t).face.edge[k].kind; }

    bool is_open(std::uint32_t t) {
        const std::size_t i = s_.candidate(t);
        if (i == s_.candidates.size() || s_.in_cluster(t)) return false;
        if (s_.places[i] == GroundScratch::kNotMade) {
            if (solver_.is_off_plane(t)) {
                s_.places[i] = GroundScratch::kOffPlane;
            } else {
                surface_.complete(s_.triangles[s_.make(i, surface_)]);
            }
        }
        return s_.places[i] != GroundScratch::kOffPlane && !s_.contacts[s_.places[i]].touching;
    }

    void visit(std::uint32_t t, const Vec3d& u, GroundCluster& c) {
        const GroundTriangle& triangle = s_.triangle(t);
        if (!is_one_plane(triangle.normal(), u)) return;
        if (s_.body.lowest(triangle.normal()).value - triangle.offset > most_) return;
        s_.walk.push_back(t);
        c.triangles.push_back(t);
        s_.put_in_cluster(t);
        solver_.face_points(triangle, u, c.points);
    }

    GroundScratch& s_;
    GroundSurface& surface_;
    const TriangleSolver& solver_;
    double most_;
};

double deepest_of(const std::vector<GroundPoint>& points) {
    double d = points.front().separation;
    for (const GroundPoint& p : points) d = std::min(d, p.separation);
    return d;
}

// Whether a point is on an edge or a vertex inside of the cluster's plane, which is no feature.
bool is_inner(const GroundPoint& p, const Vec3d& u, GroundScratch& s, GroundSurface& surface) {
    const SurfaceView& view = surface.view();
    const auto level = [&](std::uint32_t t) { return s.in_cluster(t) && is_one_plane(s.triangle(t).normal(), u); };
    if (p.surface.type == FeatureType::edge) {
        const std::uint32_t own = p.surface.index / 3;
        const auto k = static_cast<int>(p.surface.index % 3);
        const std::uint32_t half = view.opposite(own, k);
        return half != kNoNeighbour && level(half / 3) && level(own) &&
               s.triangle(own).face.edge[k].kind == EdgeKind::flat;
    }
    if (p.surface.type != FeatureType::vertex) return false;
    const auto place = [&](std::uint32_t t) {
        const std::array<std::uint32_t, 3> v = view.triangle(t);
        return v[0] == p.surface.index ? 0 : v[1] == p.surface.index ? 1 : 2;
    };
    const auto flags = [&](std::uint32_t t) { return s.inner.data() + s.places[s.candidate(t)]; };
    const int k = place(p.triangle);
    constexpr std::uint32_t kKnown = 8;
    if ((*flags(p.triangle) & kKnown << k) != 0) return (*flags(p.triangle) & 1U << k) != 0;
    const std::vector<std::uint32_t>& fan = surface.fan(p.triangle, k);
    const bool inner = surface.fan_is_closed() && std::all_of(fan.begin(), fan.end(), [&](std::uint32_t t) {
                           return level(t) && s.triangle(t).face.edge[place(t)].kind == EdgeKind::flat;
                       });
    // The answer is that of all triangles of the fan.
    for (const std::uint32_t t : fan) {
        const std::size_t i = s.candidate(t);
        if (i == s.candidates.size() || s.places[i] >= s.inner.size()) continue;
        std::uint8_t& known = s.inner[s.places[i]];
        known = static_cast<std::uint8_t>(known | kKnown << place(t) | (inner ? 1U : 0U) << place(t));
    }
    return inner;
}

// One point for each vertex of the body, the deepest, and one for each pair of other features. Of points that are
// equally deep the lowest triangle's stays.
void remove_copies(std::vector<GroundPoint>& points, double equal) {
    const auto place = [](const GroundPoint& p) {
        const bool vertex = p.body.type == FeatureType::vertex;
        return std::array<std::uint64_t, 4>{static_cast<std::uint64_t>(p.body.type), p.body.index,
                                            vertex ? 0 : static_cast<std::uint64_t>(p.surface.type),
                                            vertex ? 0 : p.surface.index};
    };
    sort_stable(points.begin(), points.end(), [&](const GroundPoint& a, const GroundPoint& b) {
        const auto pa = place(a);
        const auto pb = place(b);
        if (pa != pb) return pa < pb;
        return a.triangle < b.triangle;
    });
    std::size_t n = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (n > 0 && place(points[n - 1]) == place(points[i])) {
            if (points[i].separation < points[n - 1].separation - equal) points[n - 1] = points[i];
            continue;
        }
        points[n++] = points[i];
    }
    points.resize(n);
}

void finish(GroundCluster& c, GroundScratch& s, GroundSurface& surface, const TriangleSolver& solver) {
    const GroundContact& leader = s.contacts[c.leader];
    const double equal = kEqualDepth * s.body.size;
    const bool cut = leader.place != GroundPlace::apart;
    // No triangle of the cluster is under the body's support: the deepest point may be on any face of the body.
    std::vector<GroundPoint>& kept = s.kept;
    kept.clear();
    if (cut && s.body.has_faces() && leader.axis.kind == GroundAxisKind::own_face &&
        deepest_of(c.points) > leader.axis.separation + equal) {
        for (const std::uint32_t t : c.triangles) {
            solver.deepest_point(s.triangle(t), leader.axis.u, kept);
        }
        std::erase_if(kept, [&](const GroundPoint& p) { return !(p.separation < deepest_of(c.points) - equal); });
        if (!kept.empty()) {
            const GroundPoint lowest = *std::min_element(
                kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.separation < b.separation; });
            kept.assign(1, lowest);
        }
    }
    std::vector<GroundPoint>& all = s.spare;
    all = c.points;
    s.inner.assign(s.triangles.size(), 0);
    std::erase_if(c.points, [&](const GroundPoint& p) { return is_inner(p, leader.axis.u, s, surface); });
    c.points.insert(c.points.end(), kept.begin(), kept.end());
    if (c.points.empty()) c.points.swap(all);
    remove_copies(c.points, equal);
    c.distance = cut ? deepest_of(c.points) : leader.distance;
}

// Adds the face contacts of triangles that are joined with the latest by flat edges: one plane but for rounding.
void take_plane(GroundScratch& s, GroundSurface& surface, const TriangleSolver& solver, GroundCluster& c) {
    const std::size_t latest = c.contacts.back();
    if (s.contacts[latest].axis.kind != GroundAxisKind::own_face) return;
    const Vec3d u = s.contacts[c.leader].axis.u;
    s.walk.assign(1, s.contacts[latest].triangle);
    for (std::size_t i = 0; i < s.walk.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t half = surface.view().opposite(s.walk[i], k);
            if (half == kNoNeighbour || s.triangle(s.walk[i]).face.edge[k].kind != EdgeKind::flat) continue;
            const std::size_t candidate = s.candidate(half / 3);
            if (candidate == s.candidates.size() || s.places[candidate] >= GroundScratch::kOffPlane) continue;
            const std::size_t n = s.places[candidate];
            const GroundContact& other = s.contacts[n];
            const bool face = other.touching && other.axis.kind == GroundAxisKind::own_face;
            if (s.taken[n] != 0 || !face || !is_one_plane(other.axis.u, u)) continue;
            s.taken[n] = 1;
            c.contacts.push_back(n);
            c.triangles.push_back(other.triangle);
            s.walk.push_back(other.triangle);
            solver.face_points(s.triangles[n], u, c.points);
        }
    }
}

}  // namespace

void order_contacts(GroundScratch& s) {
    // A contact's deepest point tells its depth: with full supports the body is deeper, but parts of it that are beside
    // the triangle meet nothing, and no response moves it out so far.
    const auto depth = [&](std::size_t i) { return s.body.radius - s.contacts[i].distance; };
    s.order.clear();
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
        if (s.contacts[i].touching) s.order.push_back(i);
    }
    sort_stable(s.order.begin(), s.order.end(), [&](std::size_t a, std::size_t b) { return depth(a) < depth(b); });
    const double touch = kCleared * s.body.size;
    s.ways.begin(s.body, touch);
    s.normals.clear();  // of each way
    std::erase_if(s.order, [&](std::size_t i) {
        const GroundContact& c = s.contacts[i];
        const auto known =
            std::find_if(s.normals.begin(), s.normals.end(), [&](const Vec3d& u) { return is_one(u, c.axis.u); });
        if (known != s.normals.end()) {
            s.ways.lengthen(static_cast<std::size_t>(known - s.normals.begin()), depth(i));
            return false;
        }
        if (c.place != GroundPlace::apart && s.ways.clears(s.triangles[i], depth(i), s.work.cut)) return true;
        s.normals.push_back(c.axis.u);
        s.ways.add(c.axis.u, std::max(depth(i), 0.0));
        return false;
    });
    sort_stable(s.order.begin(), s.order.end(), [&](std::size_t a, std::size_t b) {
        const GroundContact& ca = s.contacts[a];
        const GroundContact& cb = s.contacts[b];
        if (ca.distance != cb.distance) return ca.distance < cb.distance;
        return ca.axis.separation > cb.axis.separation;
    });
}

void make_clusters(GroundScratch& s, GroundSurface& surface, const TriangleSolver& solver, double most) {
    s.used = 0;
    s.taken.assign(s.contacts.size(), 0);
    for (const std::size_t i : s.order) {
        if (s.taken[i] != 0) continue;
        s.taken[i] = 1;
        const GroundContact& contact = s.contacts[i];
        GroundCluster* found = nullptr;
        for (std::size_t k = 0; k < s.used && found == nullptr; ++k) {
            if (is_one(s.contacts[s.clusters[k].leader].axis.u, contact.axis.u)) found = &s.clusters[k];
        }
        if (found == nullptr) {
            found = &s.add_cluster();
            found->leader = i;
        }
        found->contacts.push_back(i);
        found->triangles.push_back(contact.triangle);
        const auto first = s.points.begin() + static_cast<std::ptrdiff_t>(contact.first);
        found->points.insert(found->points.end(), first, first + static_cast<std::ptrdiff_t>(contact.count));
        take_plane(s, surface, solver, *found);
    }
    for (std::size_t k = 0; k < s.used; ++k) {
        GroundCluster& c = s.clusters[k];
        PlaneWalk(s, surface, solver, most).run(c);
        finish(c, s, surface, solver);
    }
    sort_stable(s.clusters.begin(), s.clusters.begin() + static_cast<std::ptrdiff_t>(s.used),
                [](const GroundCluster& a, const GroundCluster& b) { return a.distance < b.distance; });
}

}  // namespace lanefold::detail
