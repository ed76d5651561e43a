// SPDX-License-Identifier: MIT
//
// Planes in float64 from the stored vertices, for pairs beyond the size ratio. In such a pair the error of the larger
// hull's float32 planes and merged faces is too large for the smaller hull. Faces that are not flat are split by gift
// wrapping into the triangles of the exact hull: all other vertices on the far side of a chord of the loop are below
// the triangle over that chord.

#include "precise/facets.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {

namespace {

// Twice the area of a triangle, relative to its longest side squared, up to which its plane is only rounding.
constexpr double kNoArea = 1e-13;

void put_facet(Solid& s, std::uint32_t facet, const Vec3d& normal, double offset) {
    s.nx[facet] = normal.x;
    s.ny[facet] = normal.y;
    s.nz[facet] = normal.z;
    s.offset[facet] = offset;
}

double loop_offset(const Solid& s, std::uint32_t face, const Vec3d& normal, double* lowest = nullptr) {
    const std::uint32_t first = s.view.face_first[face];
    const std::uint32_t end = s.view.face_first[face + 1];
    double top = dot(normal, s.vertex(s.view.face_vertex[first]));
    double low = top;
    for (std::uint32_t k = first + 1; k < end; ++k) {
        const double h = dot(normal, s.vertex(s.view.face_vertex[k]));
        top = std::max(top, h);
        low = std::min(low, h);
    }
    if (lowest != nullptr) *lowest = low;
    return top;
}

// Splits one face; appends its triangles as facets and its chords as edges.
class FaceSplitter {
public:
    FaceSplitter(Solid& s, std::vector<std::uint32_t>& stack) : s_(s), stack_(stack) {}

    void split(std::uint32_t face, const Vec3d& face_plane) {
        first_ = s_.view.face_first[face];
        const std::uint32_t n = s_.face_size(face);
        // The stack holds chords as (i, j, edge): the vertices i .. j of the loop are not yet covered, and `edge` runs
        // i -> j in the triangle on its other side. The closing side of the loop is not a chord; its edge is kNoIndex.
        stack_.clear();
        push(0, n - 1, kNoIndex);
        while (!stack_.empty()) {
            const std::uint32_t chord = pop();
            const std::uint32_t j = pop();
            const std::uint32_t i = pop();
            const std::uint32_t k = apex(i, j);
            const std::uint32_t facet = s_.facets++;
            s_.parent[facet] = face;
            const Vec3d normal = triangle_normal(i, k, j, face_plane);
            put_facet(s_, facet, normal, std::max({dot(normal, at(i)), dot(normal, at(k)), dot(normal, at(j))}));
            if (chord == kNoIndex) {
                set_side(j, facet);
            } else {
                s_.edge_ends[4 * chord + 3] = facet;
            }
            cover(i, k, facet);
            cover(k, j, facet);
        }
    }

private:
    Vec3d at(std::uint32_t slot) const { return s_.vertex(s_.view.face_vertex[first_ + slot]); }

    void push(std::uint32_t i, std::uint32_t j, std::uint32_t edge) {
        stack_.push_back(i);
        stack_.push_back(j);
        stack_.push_back(edge);
    }

    std::uint32_t pop() {
        const std::uint32_t v = stack_.back();
        stack_.pop_back();
        return v;
    }

    std::uint32_t apex(std::uint32_t i, std::uint32_t j) const {
        std::uint32_t best = i + 1;
        Vec3d normal = cross(at(best) - at(i), at(j) - at(i));
        for (std::uint32_t k = i + 2; k < j; ++k) {
            if (dot(normal, at(k) - at(i)) > 0) {
                best = k;
                normal = cross(at(best) - at(i), at(j) - at(i));
            }
        }
        return best;
    }

    Vec3d triangle_normal(std::uint32_t i, std::uint32_t k, std::uint32_t j, const Vec3d& otherwise) const {
        const Vec3d u = at(k) - at(i);
        const Vec3d v = at(j) - at(i);
        const Vec3d w = at(j) - at(k);
        const Vec3d n = cross(u, v);
        const double area = length(n);
        const double longest = std::max({length_squared(u), length_squared(v), length_squared(w)});
        if (area <= kNoArea * longest) return otherwise;
        return {n.x / area, n.y / area, n.z / area};
    }

    // Gives the side from i to k to this facet. It is a side of the loop, or a new chord with vertices left to cover.
    void cover(std::uint32_t i, std::uint32_t k, std::uint32_t facet) {
        if (k == i + 1) {
            set_side(i, facet);
            return;
        }
        const std::uint32_t edge = s_.edges++;
        std::uint32_t* ends = s_.edge_ends + 4 * edge;
        ends[0] = s_.view.face_vertex[first_ + i];
        ends[1] = s_.view.face_vertex[first_ + k];
        ends[2] = facet;
        push(i, k, edge);
    }

    // Gives the side at loop slot `slot` to this facet.
    void set_side(std::uint32_t slot, std::uint32_t facet) {
        const std::uint32_t edge = s_.view.face_edge[first_ + slot];
        const bool forward = s_.view.edge_vertex[2 * edge] == s_.view.face_vertex[first_ + slot];
        s_.edge_ends[4 * edge + (forward ? 2 : 3)] = facet;
    }

    Solid& s_;
    std::vector<std::uint32_t>& stack_;
    std::uint32_t first_ = 0;
};

}  // namespace

Vec3d loop_normal(const Solid& s, std::uint32_t face) {
    const std::uint32_t first = s.view.face_first[face];
    const std::uint32_t end = s.view.face_first[face + 1];
    const Vec3d origin = s.vertex(s.view.face_vertex[first]);
    Vec3d sum{0, 0, 0};
    Vec3d last = s.vertex(s.view.face_vertex[first + 1]) - origin;
    for (std::uint32_t k = first + 2; k < end; ++k) {
        const Vec3d next = s.vertex(s.view.face_vertex[k]) - origin;
        sum = sum + cross(last, next);
        last = next;
    }
    const double area = length(sum);
    if (!(area > 0)) return s.view.normal(face);  // a sliver below the resolution of float64
    return {sum.x / area, sum.y / area, sum.z / area};
}

Vec3d face_normal(const Solid& s, std::uint32_t face) {
    if (s.planes) return s.triangulated ? loop_normal(s, face) : s.facet_normal(face);
    return s.record->exact_box ? s.view.normal(face) : loop_normal(s, face);
}

void refine_facets(Solid& s, std::vector<std::uint32_t>& stack, bool split, double flatness) {
    const std::uint32_t faces = s.record->face_count;
    s.facets = faces;
    s.edges = s.record->edge_count;
    // The stored planes of an exact box are exact.
    if (s.record->exact_box) {
        for (std::uint32_t f = 0; f < faces; ++f) put_facet(s, f, s.view.normal(f), s.view.offset(f));
        return;
    }
    bool flat = true;
    for (std::uint32_t f = 0; f < faces; ++f) {
        const Vec3d n = loop_normal(s, f);
        double low = 0;
        const double top = loop_offset(s, f, n, &low);
        put_facet(s, f, n, top);
        flat = flat && top - low <= flatness;
    }
    if (!split || flat) return;

    // Second pass: copies the canonical edges and splits every face that is not flat. It overwrites the planes of the
    // first pass from the front, so it computes each face's plane again.
    s.triangulated = true;
    for (std::uint32_t e = 0; e < s.edges; ++e) {
        s.edge_ends[4 * e] = s.view.edge_vertex[2 * e];
        s.edge_ends[4 * e + 1] = s.view.edge_vertex[2 * e + 1];
    }
    s.facets = 0;
    FaceSplitter splitter(s, stack);
    for (std::uint32_t f = 0; f < faces; ++f) {
        s.facet_first[f] = s.facets;
        const Vec3d n = loop_normal(s, f);
        double low = 0;
        const double top = loop_offset(s, f, n, &low);
        if (s.face_size(f) > 3 && top - low > flatness) {
            splitter.split(f, n);
            continue;
        }
        const std::uint32_t facet = s.facets++;
        s.parent[facet] = f;
        put_facet(s, facet, n, top);
        for (std::uint32_t k = s.view.face_first[f]; k < s.view.face_first[f + 1]; ++k) {
            const std::uint32_t edge = s.view.face_edge[k];
            const bool forward = s.view.edge_vertex[2 * edge] == s.view.face_vertex[k];
            s.edge_ends[4 * edge + (forward ? 2 : 3)] = facet;
        }
    }
    s.facet_first[faces] = s.facets;
}

}  // namespace lanefold::detail
