// SPDX-License-Identifier: MIT
//
// Joining of nearly coplanar faces: see hull_merge.hpp.
//
// The surface is a half-edge mesh. Regions grow from the largest face outwards within a slab below the
// region's plane; a region that does not merge as a whole is merged face by face as far as it goes.
#include "hull_merge.hpp"

#include <algorithm>
#include <numeric>

#include "hull_geometry.hpp"
#include "hull_support.hpp"

namespace lanefold::detail {

namespace {

// Faces of one region must look the same way: the cosine keeps the two sides, or a side and the rim, of a
// plate that is hardly thicker than the tolerance from being taken for one face.
constexpr double kSameWay = 0.5;

// Rounds of growing and refitting a region. Each takes in whole rings of faces, so few are ever needed.
constexpr int kGrowRounds = 32;

class Merger {
public:
    Merger(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, bool allow_drop)
        : points_(points),
          graph_(faces, static_cast<std::uint32_t>(points.size())),
          tolerance_(tolerance),
          allow_drop_(allow_drop),
          vertex_(faces.vertex),
          twin_(find_twins(faces, static_cast<std::uint32_t>(points.size()))),
          next_(faces.vertex.size()),
          previous_(faces.vertex.size()),
          face_(faces.vertex.size()),
          start_(faces.face_count()),
          area_(faces.face_count()),
          normal_(faces.face_count()),
          touched_(faces.face_count(), false),
          settled_(faces.face_count(), false),
          inner_(faces.face_count()),
          in_region_(faces.face_count(), 0),
          seen_face_(faces.face_count(), 0),
          seen_vertex_(points.size(), 0),
          member_(faces.face_count(), 0) {
        for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
            const std::uint32_t first = faces.first[f];
            const std::uint32_t end = faces.first[f + 1];
            start_[f] = first;
            for (std::uint32_t h = first; h < end; ++h) {
                face_[h] = f;
                next_[h] = h + 1 < end ? h + 1 : first;
                previous_[next_[h]] = h;
            }
            area_[f] = newell_normal(points, faces.loop(f));
            normal_[f] = normalized(area_[f]);
        }
    }

    MergeResult run() {
        std::vector<std::uint32_t> order(start_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::vector<double> size(start_.size());
        for (std::size_t f = 0; f < size.size(); ++f) size[f] = length_squared(area_[f]);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (size[a] != size[b]) return size[a] > size[b];
            return a < b;
        });
        for (const std::uint32_t seed : order) {
            if (settled_[seed] || start_[seed] == kNone) continue;
            const std::vector<std::uint32_t> region = grow(seed);
            if (region.size() > 1 && !merge(region)) merge_pairwise(region);
            for (const std::uint32_t f : region) settled_[f] = true;
        }
        if (allow_drop_) straighten_edges();
        return collect();
    }

private:
    std::vector<std::uint32_t> loop_of(std::uint32_t f) const {
        std::vector<std::uint32_t> loop;
        std::uint32_t h = start_[f];
        do {
            loop.push_back(vertex_[h]);
            h = next_[h];
        } while (h != start_[f]);
        return loop;
    }

    // How far the vertices of a face with unit normal n reach below the hull's support along n.
    double spread(std::span<const std::uint32_t> vertices, const Vec3d& n) const {
        const double top = support_maximum(points_, graph_, n, vertices[0]);
        double lowest = 0;
        for (const std::uint32_t v : vertices) lowest = std::min(lowest, dot(n, points_[v] - points_[vertices[0]]));
        return top - lowest;
    }

    std::vector<std::uint32_t> vertices_of(std::span<const std::uint32_t> region) {
        std::vector<std::uint32_t> vertices;
        ++stamp_;
        const auto add = [&](std::uint32_t v) {
            if (seen_vertex_[v] == stamp_) return;
            seen_vertex_[v] = stamp_;
            vertices.push_back(v);
        };
        for (const std::uint32_t f : region) {
            std::uint32_t h = start_[f];
            do {
                add(vertex_[h]);
                h = next_[h];
            } while (h != start_[f]);
            for (const std::uint32_t v : inner_[f]) add(v);
        }
        return vertices;
    }

    // Takes in neighbours that lie in the slab below the region's plane, fits the plane anew, and again.
    std::vector<std::uint32_t> grow(std::uint32_t seed) {
        std::vector<std::uint32_t> region{seed};
        Vec3d sum = area_[seed];
        for (int round = 0; round < kGrowRounds; ++round) {
            const Vec3d n = normalized(sum);
            const Vec3d& origin = points_[vertex_[start_[seed]]];
            const double top = support_maximum(points_, graph_, n, vertex_[start_[seed]]);
            std::vector<std::uint32_t> wider = region;
            Vec3d wider_sum = sum;
            ++stamp_;
            for (const std::uint32_t f : wider) seen_face_[f] = stamp_;
            for (std::size_t k = 0; k < wider.size(); ++k) {
                std::uint32_t h = start_[wider[k]];
                do {
                    const std::uint32_t g = face_[twin_[h]];
                    h = next_[h];
                    if (seen_face_[g] == stamp_ || settled_[g] || dot(normal_[g], n) < kSameWay) continue;
                    if (!within_slab(g, n, origin, top)) continue;
                    seen_face_[g] = stamp_;
                    wider.push_back(g);
                    wider_sum = wider_sum + area_[g];
                } while (h != start_[wider[k]]);
            }
            if (wider.size() == region.size()) break;
            if (spread(vertices_of(wider), normalized(wider_sum)) > tolerance_) break;
            region = std::move(wider);
            sum = wider_sum;
        }
        return region;
    }

    bool within_slab(std::uint32_t f, const Vec3d& n, const Vec3d& origin, double top) const {
        std::uint32_t h = start_[f];
        do {
            if (dot(n, points_[vertex_[h]] - origin) < top - tolerance_) return false;
            h = next_[h];
        } while (h != start_[f]);
        return true;
    }

    // The half-edges around the region as one loop; empty when it has several, or passes a vertex twice.
    std::vector<std::uint32_t> boundary_of(std::span<const std::uint32_t> region) {
        const auto outside = [&](std::uint32_t h) { return in_region_[face_[twin_[h]]] != stamp_; };
        ++stamp_;
        for (const std::uint32_t f : region) in_region_[f] = stamp_;
        std::size_t total = 0;
        std::uint32_t first = kNone;
        for (const std::uint32_t f : region) {
            std::uint32_t h = start_[f];
            do {
                if (outside(h)) {
                    if (first == kNone) first = h;
                    ++total;
                }
                h = next_[h];
            } while (h != start_[f]);
        }
        std::vector<std::uint32_t> boundary;
        if (first == kNone) return boundary;
        std::uint32_t h = first;
        do {
            if (seen_vertex_[vertex_[h]] == stamp_) return {};
            seen_vertex_[vertex_[h]] = stamp_;
            boundary.push_back(h);
            h = next_[h];
            while (!outside(h)) h = next_[twin_[h]];
        } while (h != first);
        if (boundary.size() != total) boundary.clear();
        return boundary;
    }

    // Every edge stays convex when a face with this boundary gets normal n.
    bool edges_convex(std::span<const std::uint32_t> boundary, const Vec3d& n) const {
        for (const std::uint32_t h : boundary) {
            const std::uint32_t g = face_[twin_[h]];
            const Vec3d edge = points_[vertex_[next_[h]]] - points_[vertex_[h]];
            if (!(dot(cross(n, normal_[g]), edge) > 0)) return false;
        }
        return true;
    }

    // Each neighbour must meet the region along one run of edges, and there must be three neighbours. A vertex
    // between two edges of a run has only two faces left: the run must be one that can become a single edge.
    bool neighbours_sound(std::span<const std::uint32_t> boundary) {
        const std::size_t count = boundary.size();
        const auto neighbour = [&](std::size_t k) { return face_[twin_[boundary[k % count]]]; };
        std::size_t begin = 0;
        while (begin < count && neighbour(begin) == neighbour(begin + count - 1)) ++begin;
        if (begin == count) return false;
        ++stamp_;
        std::size_t runs = 0;
        std::vector<std::uint32_t> between;
        for (std::size_t k = begin; k < begin + count;) {
            const std::uint32_t g = neighbour(k);
            if (seen_face_[g] == stamp_) return false;
            seen_face_[g] = stamp_;
            ++runs;
            const std::uint32_t from = vertex_[boundary[k % count]];
            between.clear();
            for (++k; k < begin + count && neighbour(k) == g; ++k) between.push_back(vertex_[boundary[k % count]]);
            if (between.empty()) continue;
            if (!allow_drop_ || !near_segment(from, between, vertex_[boundary[k % count]])) return false;
            if (loop_of(g).size() < between.size() + 3) return false;
        }
        return runs >= 3;
    }

    bool merge(std::span<const std::uint32_t> region) {
        const std::vector<std::uint32_t> boundary = boundary_of(region);
        if (boundary.size() < 3 || !neighbours_sound(boundary)) return false;
        std::vector<std::uint32_t> loop;
        for (const std::uint32_t h : boundary) loop.push_back(vertex_[h]);
        const std::vector<std::uint32_t> vertices = vertices_of(region);
        if (!allow_drop_ && vertices.size() != loop.size()) return false;
        const Vec3d area = newell_normal(points_, loop);
        if (!(length_squared(area) > 0)) return false;
        const Vec3d n = normalized(area);
        for (const std::uint32_t f : region) {
            if (dot(normal_[f], n) < kSameWay) return false;
        }
        if (spread(vertices, n) > tolerance_) return false;
        if (!is_convex_loop(points_, loop, n, tolerance_)) return false;
        if (!edges_convex(boundary, n)) return false;

        const std::uint32_t face = *std::min_element(region.begin(), region.end());
        ++stamp_;
        for (const std::uint32_t v : loop) seen_vertex_[v] = stamp_;
        std::vector<std::uint32_t> inner;
        for (const std::uint32_t v : vertices) {
            if (seen_vertex_[v] != stamp_) inner.push_back(v);
        }
        for (const std::uint32_t f : region) {
            start_[f] = kNone;
            inner_[f].clear();
        }
        inner_[face] = std::move(inner);
        link(face, boundary);
        area_[face] = area;
        normal_[face] = n;
        touched_[face] = true;
        return true;
    }

    void link(std::uint32_t face, std::span<const std::uint32_t> boundary) {
        start_[face] = boundary[0];
        for (std::size_t k = 0; k < boundary.size(); ++k) {
            const std::uint32_t h = boundary[k];
            face_[h] = face;
            next_[h] = boundary[k + 1 < boundary.size() ? k + 1 : 0];
            previous_[next_[h]] = h;
        }
    }

    // Face by face across single edges, as often as anything changes. Every success takes a face away, and
    // the passes are limited, so the work stays within a small multiple of the region.
    void merge_pairwise(const std::vector<std::uint32_t>& region) {
        ++member_stamp_;
        for (const std::uint32_t f : region) member_[f] = member_stamp_;
        std::vector<std::uint32_t> order = region;
        std::sort(order.begin(), order.end());
        bool changed = true;
        for (int pass = 0; changed && pass < kGrowRounds; ++pass) {
            changed = false;
            for (const std::uint32_t f : order) {
                if (start_[f] == kNone) continue;
                std::uint32_t h = start_[f];
                do {
                    const std::uint32_t g = face_[twin_[h]];
                    h = next_[h];
                    if (member_[g] != member_stamp_ || g < f) continue;
                    const std::uint32_t pair[2] = {f, g};
                    if (!merge(pair)) continue;
                    changed = true;
                    h = start_[f];  // the loop is another now: once more around it
                    if (h == kNone) break;
                } while (h != start_[f]);
            }
        }
    }

    // A chain of edges between the same two faces, cut down to one edge, and what it takes to undo that.
    struct Cut {
        std::uint32_t first;  // of face f's half-edges along the chain; stays
        std::uint32_t last;
        std::uint32_t first_next;
        std::uint32_t first_twin;
        std::uint32_t back;  // first of face g's half-edges along the chain; stays
        std::uint32_t back_next;
        std::vector<std::uint32_t> between;  // vertices left out
    };

    // Takes the vertices that have only two faces out of the edges between these: all at once, then gives
    // back what a face that fails its tests has lost, until the rest holds.
    void straighten_edges() {
        std::vector<Cut> cuts;
        for (std::uint32_t f = 0; f < start_.size(); ++f) {
            if (start_[f] != kNone) find_cuts(f, cuts);
        }
        std::vector<std::uint32_t> faces;
        ++stamp_;
        for (const Cut& c : cuts) {
            for (const std::uint32_t f : {face_[c.first], face_[c.back]}) {
                if (seen_face_[f] != stamp_) faces.push_back(f);
                seen_face_[f] = stamp_;
            }
            cut(c);
        }
        for (int round = 0; !cuts.empty(); ++round) {
            const std::vector<std::uint32_t> failed = refit(faces, cuts);
            if (failed.empty()) break;
            ++stamp_;
            for (const std::uint32_t f : failed) seen_face_[f] = stamp_;
            const auto bad = [&](const Cut& c) {
                return round >= kGrowRounds || seen_face_[face_[c.first]] == stamp_ ||
                       seen_face_[face_[c.back]] == stamp_;
            };
            for (const Cut& c : cuts) {
                if (bad(c)) undo(c);
            }
            std::erase_if(cuts, bad);
            if (cuts.empty()) refit(faces, cuts);
        }
        for (const Cut& c : cuts) {
            for (const std::uint32_t f : {face_[c.first], face_[c.back]}) {
                touched_[f] = true;
                inner_[f].insert(inner_[f].end(), c.between.begin(), c.between.end());
            }
        }
    }

    // Chains that begin in face f and end before they come back to it, towards faces of higher number.
    void find_cuts(std::uint32_t f, std::vector<Cut>& cuts) const {
        std::uint32_t h = start_[f];
        do {
            const std::uint32_t g = face_[twin_[h]];
            if (g > f && g != face_[twin_[previous_[h]]] && g == face_[twin_[next_[h]]]) {
                Cut c{h, h, next_[h], twin_[h], kNone, kNone, {}};
                while (face_[twin_[next_[c.last]]] == g) {
                    c.last = next_[c.last];
                    c.between.push_back(vertex_[c.last]);
                }
                c.back = twin_[c.last];
                c.back_next = next_[c.back];
                if (near_segment(vertex_[h], c.between, vertex_[next_[c.last]])) cuts.push_back(std::move(c));
            }
            h = next_[h];
        } while (h != start_[f]);
    }

    void connect(std::uint32_t a, std::uint32_t b) {
        next_[a] = b;
        previous_[b] = a;
    }

    void cut(const Cut& c) {
        connect(c.first, next_[c.last]);
        connect(c.back, next_[c.first_twin]);
        twin_[c.first] = c.back;
        twin_[c.back] = c.first;
        start_[face_[c.first]] = c.first;
        start_[face_[c.back]] = c.back;
    }

    void undo(const Cut& c) {
        connect(c.last, next_[c.first]);
        connect(c.first_twin, next_[c.back]);
        connect(c.first, c.first_next);
        connect(c.back, c.back_next);
        twin_[c.first] = c.first_twin;
        twin_[c.back] = c.last;
    }

    // New planes for the faces that lost vertices; returns those that fail a test.
    std::vector<std::uint32_t> refit(std::span<const std::uint32_t> faces, std::span<const Cut> cuts) {
        std::vector<std::uint32_t> failed;
        std::vector<std::vector<std::uint32_t>> vertices(faces.size());
        std::vector<std::uint32_t> place(start_.size(), kNone);
        for (std::uint32_t i = 0; i < faces.size(); ++i) place[faces[i]] = i;
        for (const Cut& c : cuts) {
            for (const std::uint32_t f : {face_[c.first], face_[c.back]}) {
                auto& list = vertices[place[f]];
                list.insert(list.end(), c.between.begin(), c.between.end());
            }
        }
        std::vector<bool> good(faces.size(), false);
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const std::uint32_t f = faces[i];
            const std::vector<std::uint32_t> loop = loop_of(f);
            if (loop.size() >= 3) {
                area_[f] = newell_normal(points_, loop);
                normal_[f] = normalized(area_[f]);
                auto& all = vertices[i];
                all.insert(all.begin(), loop.begin(), loop.end());
                all.insert(all.end(), inner_[f].begin(), inner_[f].end());
                good[i] =
                    spread(all, normal_[f]) <= tolerance_ && is_convex_loop(points_, loop, normal_[f], tolerance_);
            }
        }
        for (std::size_t i = 0; i < faces.size(); ++i) {
            if (!good[i] || !edges_convex(half_edges_of(faces[i]), normal_[faces[i]])) failed.push_back(faces[i]);
        }
        return failed;
    }

    std::vector<std::uint32_t> half_edges_of(std::uint32_t f) const {
        std::vector<std::uint32_t> all;
        std::uint32_t h = start_[f];
        do {
            all.push_back(h);
            h = next_[h];
        } while (h != start_[f]);
        return all;
    }

    bool near_segment(std::uint32_t from, std::span<const std::uint32_t> between, std::uint32_t to) const {
        const Vec3d side = points_[to] - points_[from];
        const double squared = length_squared(side);
        double before = 0;
        for (const std::uint32_t v : between) {
            const Vec3d d = points_[v] - points_[from];
            const double along = dot(d, side);
            if (along <= before || along >= squared) return false;
            before = along;
            if (length_squared(cross(side, d)) > tolerance_ * tolerance_ * squared) return false;
        }
        return true;
    }

    MergeResult collect() {
        MergeResult out;
        std::vector<bool> used(points_.size(), false);
        for (std::uint32_t f = 0; f < start_.size(); ++f) {
            if (start_[f] == kNone) continue;
            const std::vector<std::uint32_t> loop = loop_of(f);
            for (const std::uint32_t v : loop) used[v] = true;
            out.faces.add(loop);
            if (!touched_[f]) continue;
            std::vector<std::uint32_t> all = loop;
            all.insert(all.end(), inner_[f].begin(), inner_[f].end());
            out.deviation = std::max(out.deviation, spread(all, normal_[f]));
        }
        out.dropped_vertices = static_cast<std::uint32_t>(std::count(used.begin(), used.end(), false));
        return out;
    }

    std::span<const Vec3d> points_;
    VertexGraph graph_;  // of the exact hull, merged or not
    double tolerance_;
    bool allow_drop_;

    // Half-edges.
    std::vector<std::uint32_t> vertex_, twin_, next_, previous_, face_;
    // Faces; a face taken in by another has start_ == kNone.
    std::vector<std::uint32_t> start_;
    std::vector<Vec3d> area_, normal_;
    std::vector<bool> touched_;                      // merged, or lost a vertex to a straightened edge
    std::vector<bool> settled_;                      // taken by a region before
    std::vector<std::vector<std::uint32_t>> inner_;  // vertices it stands for that are in no loop

    // Marks, valid when equal to the current stamp.
    std::vector<std::uint32_t> in_region_, seen_face_, seen_vertex_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> member_;  // of the region that is merged pairwise
    std::uint32_t member_stamp_ = 0;
};

}  // namespace

MergeResult merge_faces(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, bool allow_drop) {
    return Merger(points, faces, tolerance, allow_drop).run();
}

}  // namespace lanefold::detail
