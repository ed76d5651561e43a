// SPDX-License-Identifier: MIT
//
// Divides triangles at T-junctions: vertices of other triangles on an edge that has no neighbour.
#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/surface_view.hpp>

#include "surface/mesh_draft.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::detail {

namespace {

// An edge asks for the vertices near it in pieces of at most so many mean lengths of a border edge, but in at most
// kMostPieces. The box of a long diagonal edge as a whole would contain far more vertices than lie on the edge.
constexpr double kPieceLength = 2;
constexpr int kMostPieces = 64;

// A vertex on a half-edge.
struct OnEdge {
    std::uint32_t edge;
    double along;  // from the beginning, in lengths of the edge
    std::uint32_t vertex;

    friend bool operator<(const OnEdge& a, const OnEdge& b) {
        if (a.edge != b.edge) return a.edge < b.edge;
        return a.along != b.along ? a.along < b.along : a.vertex < b.vertex;
    }
};

struct Segment {
    Vec3d from;
    Vec3d to;
    double length;
};

// Whether p lies on the segment, further than the tolerance from its ends.
bool lies_on(const Segment& s, const Vec3d& p, double tolerance, double& along) {
    const Vec3d d = s.to - s.from;
    along = dot(p - s.from, d) / (s.length * s.length);
    if (!(along * s.length > tolerance && (1 - along) * s.length > tolerance)) return false;
    return length_squared(s.from + d * along - p) <= tolerance * tolerance;
}

// Vertices at borders, and the tree over them.
struct Borders {
    std::vector<std::uint32_t> edges;
    std::vector<std::uint32_t> vertices;
    double mean_length = 0;
    TriangleTree tree;
};

Borders borders_of(const MeshDraft& draft, const EdgeMatch& match) {
    Borders b;
    std::vector<bool> at_border(draft.points.size(), false);
    for (std::uint32_t e = 0; e < match.opposites.size(); ++e) {
        if (match.opposites[e] != kNoNeighbour) continue;
        b.edges.push_back(e);
        b.mean_length +=
            length(draft.at(draft.triangles[e / 3][(e + 1) % 3]) - draft.at(draft.triangles[e / 3][e % 3]));
        at_border[draft.triangles[e / 3][e % 3]] = true;
        at_border[draft.triangles[e / 3][(e + 1) % 3]] = true;
    }
    if (!b.edges.empty()) b.mean_length /= static_cast<double>(b.edges.size());
    std::vector<ItemBox> boxes;
    for (std::uint32_t v = 0; v < draft.points.size(); ++v) {
        if (!at_border[v]) continue;
        b.vertices.push_back(v);
        boxes.push_back(box_of(draft.points[v], draft.points[v], draft.points[v]));
    }
    b.tree = build_tree(boxes);
    return b;
}

void find_on_edge(const MeshDraft& draft, const Borders& borders, const SurfaceTree& tree, std::uint32_t edge,
                  std::vector<OnEdge>& out) {
    const Corners& c = draft.triangles[edge / 3];
    const Vec3d from = draft.at(c[edge % 3]);
    const Vec3d to = draft.at(c[(edge + 1) % 3]);
    const Segment segment{from, to, length(to - from)};
    const double t = draft.tolerance;
    const Vec3d room{t, t, t};
    const std::size_t first = out.size();
    const double wanted = std::ceil(segment.length / (kPieceLength * borders.mean_length));
    const int pieces = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostPieces)));
    for (int i = 0; i < pieces; ++i) {
        const Vec3d a = from + (to - from) * (i / static_cast<double>(pieces));
        const Vec3d b = from + (to - from) * ((i + 1) / static_cast<double>(pieces));
        const SurfaceBox box{lower_of(a, b) - room, upper_of(a, b) + room};
        visit_near(tree, box, [&](std::uint32_t item) {
            const std::uint32_t v = borders.vertices[item];
            double along = 0;
            if (v == c[0] || v == c[1] || v == c[2] || !lies_on(segment, draft.at(v), t, along)) return;
            out.push_back({edge, along, v});
        });
    }
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    out.erase(std::unique(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                          [](const OnEdge& a, const OnEdge& b) { return a.vertex == b.vertex; }),
              out.end());
}

std::vector<OnEdge> find_all(const MeshDraft& draft, const EdgeMatch& match) {
    std::vector<OnEdge> found;
    const Borders borders = borders_of(draft, match);
    const SurfaceTree tree = borders.tree.view();
    for (const std::uint32_t e : borders.edges) find_on_edge(draft, borders, tree, e, found);
    return found;
}

// A triangle with the vertices on its edges, from corner to corner.
struct Divided {
    Corners corners;
    std::vector<std::uint32_t> on[3];
};

// Cuts the longest edge that has vertices at the middle one of them, towards the far corner, until none is left.
void divide(const MeshDraft& draft, Divided whole, std::vector<Corners>& out) {
    std::vector<Divided> left;
    left.push_back(std::move(whole));
    while (!left.empty()) {
        Divided d = std::move(left.back());
        left.pop_back();
        int cut = -1;
        double longest = -1;
        for (int k = 0; k < 3; ++k) {
            const Vec3d side = draft.at(d.corners[(static_cast<std::size_t>(k) + 1) % 3]) -
                               draft.at(d.corners[static_cast<std::size_t>(k)]);
            if (d.on[k].empty() || !(length_squared(side) > longest)) continue;
            cut = k;
            longest = length_squared(side);
        }
        if (cut < 0) {
            out.push_back(d.corners);
            continue;
        }
        const int second = (cut + 1) % 3;
        const int third = (cut + 2) % 3;
        const std::vector<std::uint32_t>& on = d.on[cut];
        const auto middle = static_cast<std::ptrdiff_t>(on.size() / 2);
        const std::uint32_t a = d.corners[static_cast<std::size_t>(cut)];
        const std::uint32_t b = d.corners[static_cast<std::size_t>(second)];
        const std::uint32_t c = d.corners[static_cast<std::size_t>(third)];
        const std::uint32_t m = on[static_cast<std::size_t>(middle)];
        left.push_back({{a, m, c}, {{on.begin(), on.begin() + middle}, {}, d.on[third]}});
        left.push_back({{m, b, c}, {{on.begin() + middle + 1, on.end()}, d.on[second], {}}});
    }
}

}  // namespace

bool split_edges(MeshDraft& draft, const EdgeMatch& match) {
    const std::vector<OnEdge> found = find_all(draft, match);
    if (found.empty()) return false;
    std::vector<bool> gone(draft.triangles.size(), false);
    std::vector<Corners> pieces;
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < found.size();) {
        const std::uint32_t t = found[i].edge / 3;
        Divided d{draft.triangles[t], {}};
        for (; i < found.size() && found[i].edge / 3 == t; ++i) d.on[found[i].edge % 3].push_back(found[i].vertex);
        gone[t] = true;
        note(draft.report.split, draft.input[t]);
        divide(draft, std::move(d), pieces);
        numbers.resize(pieces.size(), draft.input[t]);
    }
    draft.remove([&](std::uint32_t t) { return gone[t]; });
    for (std::size_t i = 0; i < pieces.size(); ++i) draft.add(pieces[i], numbers[i]);
    return true;
}

void count_unhealed(MeshDraft& draft, const EdgeMatch& match) {
    std::uint32_t last = kNoNeighbour;
    for (const OnEdge& on : find_all(draft, match)) {
        if (on.edge / 3 != last) note(draft.report.unhealed, draft.input[on.edge / 3]);
        last = on.edge / 3;
    }
}

}  // namespace lanefold::detail
