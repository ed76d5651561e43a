// SPDX-License-Identifier: MIT
//
// The half-edge mesh for merging; see hull/mesh.hpp.
#include "hull/mesh.hpp"

#include <algorithm>

#include "hull/geometry.hpp"
#include "hull/merge.hpp"

namespace lanefold::detail {

FaceMesh::FaceMesh(std::span<const Vec3d> points, const FaceLoops& faces, double tolerance, Drop drop)
    : points_(points),
      graph_(faces, static_cast<std::uint32_t>(points.size())),
      tolerance_(tolerance),
      drop_(drop),
      vertex_(faces.vertex),
      twin_(find_twins(faces, static_cast<std::uint32_t>(points.size()))),
      next_(faces.vertex.size()),
      previous_(faces.vertex.size()),
      face_(faces.vertex.size()),
      first_(faces.first),
      start_(faces.face_count(), kNone),
      area_(faces.face_count()),
      normal_(faces.face_count()),
      touched_(faces.face_count(), false),
      sliver_(faces.face_count(), false),
      inner_(faces.face_count()),
      members_(faces.face_count()),
      marked_face_(faces.face_count(), 0),
      marked_vertex_(points.size(), 0) {
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        members_[f].assign(1, f);
        dissolve(f);
        double reach = 0;
        for (const std::uint32_t v : faces.loop(f)) {
            reach = std::max(reach, length_squared(points[v] - points[faces.loop(f)[0]]));
        }
        sliver_[f] = length_squared(area_[f]) <= tolerance * tolerance * reach;
    }
}

std::vector<std::uint32_t> FaceMesh::half_edges(std::uint32_t f) const {
    std::vector<std::uint32_t> all;
    std::uint32_t h = start_[f];
    do {
        all.push_back(h);
        h = next_[h];
    } while (h != start_[f]);
    return all;
}

std::vector<std::uint32_t> FaceMesh::loop(std::uint32_t f) const {
    std::vector<std::uint32_t> all = half_edges(f);
    for (std::uint32_t& h : all) h = vertex_[h];
    return all;
}

double FaceMesh::spread(std::span<const std::uint32_t> vertices, const Vec3d& n) const {
    const double top = support(n, vertices[0]);
    double lowest = 0;
    for (const std::uint32_t v : vertices) lowest = std::min(lowest, dot(n, points_[v] - points_[vertices[0]]));
    return top - lowest;
}

std::vector<std::uint32_t> FaceMesh::vertices_of(std::span<const std::uint32_t> region) {
    std::vector<std::uint32_t> vertices;
    ++stamp_;
    const auto add = [&](std::uint32_t v) {
        if (marked_vertex_[v] == stamp_) return;
        marked_vertex_[v] = stamp_;
        vertices.push_back(v);
    };
    for (const std::uint32_t f : region) {
        for (const std::uint32_t v : loop(f)) add(v);
        for (const std::uint32_t v : inner_[f]) add(v);
    }
    return vertices;
}

// The half-edges around the region as one loop; empty if there are several loops or one passes a vertex twice.
std::vector<std::uint32_t> FaceMesh::boundary_of(std::span<const std::uint32_t> region) {
    const auto outside = [&](std::uint32_t h) { return marked_face_[across(h)] != stamp_; };
    ++stamp_;
    for (const std::uint32_t f : region) marked_face_[f] = stamp_;
    std::size_t total = 0;
    std::uint32_t first = kNone;
    for (const std::uint32_t f : region) {
        for (const std::uint32_t h : half_edges(f)) {
            if (!outside(h)) continue;
            if (first == kNone) first = h;
            ++total;
        }
    }
    std::vector<std::uint32_t> boundary;
    if (first == kNone) return boundary;
    std::uint32_t h = first;
    do {
        if (marked_vertex_[vertex_[h]] == stamp_) return {};
        marked_vertex_[vertex_[h]] = stamp_;
        boundary.push_back(h);
        h = next_[h];
        while (!outside(h)) h = next_[twin_[h]];
    } while (h != first);
    if (boundary.size() != total) boundary.clear();
    return boundary;
}

bool FaceMesh::fit(std::span<const std::uint32_t> region, FaceFit& out) {
    out.region.assign(region.begin(), region.end());
    out.boundary = boundary_of(region);
    if (out.boundary.size() < 3) return false;
    std::vector<std::uint32_t> around;
    for (const std::uint32_t h : out.boundary) around.push_back(vertex_[h]);
    const std::vector<std::uint32_t> vertices = vertices_of(region);
    if (drop_ == Drop::none && vertices.size() != around.size()) return false;
    out.area = newell_normal(points_, around);
    if (!(length_squared(out.area) > 0)) return false;
    out.normal = normalized(out.area);
    for (const std::uint32_t f : region) {
        if (!sliver(f) && dot(normal_[f], out.normal) < kSameWay) return false;
    }
    if (spread(vertices, out.normal) > tolerance_) return false;
    if (!is_convex_loop(points_, around, out.normal, tolerance_)) return false;
    ++stamp_;
    for (const std::uint32_t v : around) marked_vertex_[v] = stamp_;
    out.inner.clear();
    for (const std::uint32_t v : vertices) {
        if (marked_vertex_[v] != stamp_) out.inner.push_back(v);
    }
    return true;
}

void FaceMesh::apply(const FaceFit& fit) {
    const std::uint32_t face = *std::min_element(fit.region.begin(), fit.region.end());
    std::vector<std::uint32_t> members;
    for (const std::uint32_t f : fit.region) {
        members.insert(members.end(), members_[f].begin(), members_[f].end());
        start_[f] = kNone;
        inner_[f].clear();
    }
    members_[face] = std::move(members);
    inner_[face] = fit.inner;
    area_[face] = fit.area;
    normal_[face] = fit.normal;
    touched_[face] = true;
    link(face, fit.boundary);
}

void FaceMesh::restore(const FaceFit& face, std::span<const std::uint32_t> members, bool touched) {
    const std::uint32_t f = face.region[0];
    members_[f].assign(members.begin(), members.end());
    inner_[f] = face.inner;
    area_[f] = face.area;
    normal_[f] = face.normal;
    touched_[f] = touched;
    link(f, face.boundary);
}

void FaceMesh::dissolve(std::uint32_t f) {
    const std::vector<std::uint32_t> members = std::move(members_[f]);
    for (const std::uint32_t m : members) {
        std::vector<std::uint32_t> all;
        for (std::uint32_t h = first_[m]; h < first_[m + 1]; ++h) all.push_back(h);
        link(m, all);
        set_plane(m, newell_normal(points_, std::span(vertex_).subspan(first_[m], all.size())));
        touched_[m] = false;
        inner_[m].clear();
        members_[m].assign(1, m);
    }
}

void FaceMesh::link(std::uint32_t f, std::span<const std::uint32_t> boundary) {
    start_[f] = boundary[0];
    for (std::size_t k = 0; k < boundary.size(); ++k) {
        face_[boundary[k]] = f;
        connect(boundary[k], boundary[k + 1 < boundary.size() ? k + 1 : 0]);
    }
}

bool FaceMesh::edge_convex(std::uint32_t h) const {
    const Vec3d edge = points_[vertex_[next_[h]]] - points_[vertex_[h]];
    return dot(cross(normal_[face_[h]], normal_[across(h)]), edge) > 0;
}

bool FaceMesh::edges_convex(std::uint32_t f) const {
    for (const std::uint32_t h : half_edges(f)) {
        if (!edge_convex(h)) return false;
    }
    return true;
}

std::uint32_t FaceMesh::conflict(std::uint32_t f) {
    const std::vector<std::uint32_t> all = half_edges(f);
    for (const std::uint32_t h : all) {
        // Two exact faces are convex by proof; their float64 normals could only give a wrong answer for slivers.
        if ((touched_[f] || touched_[across(h)]) && !edge_convex(h)) return across(h);
    }
    const std::size_t count = all.size();
    const auto neighbour = [&](std::size_t k) { return across(all[k % count]); };
    std::size_t begin = 0;
    while (begin < count && neighbour(begin) == neighbour(begin + count - 1)) ++begin;
    if (begin == count) return neighbour(0);
    ++stamp_;
    std::size_t runs = 0;
    std::size_t longest = 0;
    std::uint32_t longest_neighbour = kNone;
    std::vector<std::uint32_t> between;
    for (std::size_t k = begin; k < begin + count;) {
        const std::uint32_t g = neighbour(k);
        if (marked_face_[g] == stamp_) return g;
        marked_face_[g] = stamp_;
        ++runs;
        const std::uint32_t from = vertex_[all[k % count]];
        between.clear();
        for (++k; k < begin + count && neighbour(k) == g; ++k) between.push_back(vertex_[all[k % count]]);
        if (between.size() >= longest) {
            longest = between.size();
            longest_neighbour = g;
        }
        if (between.empty()) continue;
        if (drop_ == Drop::none || !near_segment(from, between, vertex_[all[k % count]])) return g;
    }
    return runs < 3 ? longest_neighbour : kNone;
}

bool FaceMesh::near_segment(std::uint32_t from, std::span<const std::uint32_t> between, std::uint32_t to) const {
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

void FaceMesh::set_plane(std::uint32_t f, const Vec3d& area) {
    area_[f] = area;
    normal_[f] = normalized(area);
}

void FaceMesh::take_inner(std::uint32_t f, std::span<const std::uint32_t> vertices) {
    touched_[f] = true;
    inner_[f].insert(inner_[f].end(), vertices.begin(), vertices.end());
}

}  // namespace lanefold::detail
