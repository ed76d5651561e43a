// SPDX-License-Identifier: MIT
//
// Canonical numbering; see hull/topology.hpp.
#include "hull/topology.hpp"

#include <algorithm>
#include <numeric>

namespace lanefold::detail {

namespace {

struct SlotEdge {
    std::uint32_t v0;
    std::uint32_t v1;
    std::uint32_t slot;
    std::uint32_t face;
    bool forward;
};

void number_edges(HullTopology& t) {
    std::vector<SlotEdge> slots;
    slots.reserve(t.faces.vertex.size());
    for (std::uint32_t f = 0; f < t.faces.face_count(); ++f) {
        const auto loop = t.faces.loop(f);
        for (std::uint32_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t from = loop[k];
            const std::uint32_t to = loop[k + 1 < loop.size() ? k + 1 : 0];
            slots.push_back({std::min(from, to), std::max(from, to), t.faces.first[f] + k, f, from < to});
        }
    }
    std::sort(slots.begin(), slots.end(), [](const SlotEdge& a, const SlotEdge& b) {
        if (a.v0 != b.v0) return a.v0 < b.v0;
        if (a.v1 != b.v1) return a.v1 < b.v1;
        return a.forward && !b.forward;
    });
    t.face_edge.assign(t.faces.vertex.size(), 0);
    for (std::size_t i = 0; i < slots.size(); i += 2) {
        const std::uint32_t e = t.edge_count();
        t.edge_vertex.push_back(slots[i].v0);
        t.edge_vertex.push_back(slots[i].v1);
        t.edge_face0.push_back(slots[i].face);
        t.edge_face1.push_back(slots[i + 1].face);
        t.face_edge[slots[i].slot] = e;
        t.face_edge[slots[i + 1].slot] = e;
    }
}

// Lists the faces around each vertex. Returns false if a vertex has fewer than three faces, or one face twice.
bool list_faces_around(HullTopology& t, std::uint32_t vertex_count) {
    t.vertex_first.assign(vertex_count + 1, 0);
    for (const std::uint32_t v : t.faces.vertex) ++t.vertex_first[v + 1];
    for (std::uint32_t v = 0; v < vertex_count; ++v) {
        if (t.vertex_first[v + 1] < 3) return false;
        t.vertex_first[v + 1] += t.vertex_first[v];
    }
    t.vertex_face.assign(t.faces.vertex.size(), kNone);
    std::vector<std::uint32_t> at(t.vertex_first.begin(), t.vertex_first.end() - 1);
    for (std::uint32_t f = 0; f < t.faces.face_count(); ++f) {
        for (const std::uint32_t v : t.faces.loop(f)) {
            if (at[v] > t.vertex_first[v] && t.vertex_face[at[v] - 1] == f) return false;
            t.vertex_face[at[v]++] = f;
        }
    }
    return true;
}

}  // namespace

FaceLoops canonical_faces(const FaceLoops& faces) {
    FaceLoops turned;
    std::vector<std::uint32_t> loop;
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        const auto l = faces.loop(f);
        loop.assign(l.begin(), l.end());
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
        turned.add(loop);
    }
    std::vector<std::uint32_t> order(turned.face_count());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto la = turned.loop(a);
        const auto lb = turned.loop(b);
        return std::lexicographical_compare(la.begin(), la.end(), lb.begin(), lb.end());
    });
    FaceLoops sorted;
    for (const std::uint32_t f : order) sorted.add(turned.loop(f));
    return sorted;
}

bool make_topology(const FaceLoops& faces, std::uint32_t vertex_count, HullTopology& out) {
    out = {};
    if (faces.face_count() < 4 || find_twins(faces, vertex_count).empty()) return false;
    const std::uint64_t slots = faces.vertex.size();
    if (2 * (std::uint64_t{vertex_count} + faces.face_count()) != slots + 4) return false;  // 2 E slots
    out.faces = canonical_faces(faces);
    number_edges(out);
    return list_faces_around(out, vertex_count);
}

}  // namespace lanefold::detail
