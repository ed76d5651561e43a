// SPDX-License-Identifier: MIT
//
// Matches the half-edges of a mesh, and finds triangles with the same corners.
#include <limits>
#include <utility>

#include <lanefold/detail/surface_view.hpp>

#include "surface/mesh_draft.hpp"

namespace lanefold::detail {

namespace {

struct Spoke {
    std::uint32_t end;   // the larger vertex of an edge; the smaller one owns the list
    std::uint32_t edge;  // half-edge

    friend bool operator<(const Spoke& a, const Spoke& b) { return a.end != b.end ? a.end < b.end : a.edge < b.edge; }
};

std::pair<std::uint32_t, std::uint32_t> ends(const MeshDraft& draft, std::uint32_t edge) {
    const Corners& c = draft.triangles[edge / 3];
    const std::uint32_t k = edge % 3;
    return {c[k], c[k == 2 ? 0 : k + 1]};
}

bool runs_up(const MeshDraft& draft, std::uint32_t edge) {
    const auto [a, b] = ends(draft, edge);
    return a < b;
}

// A number that grows with the angle of (x, y), 0 to 4 for a whole turn. Without libm, so that the order is the same
// everywhere.
double turn(double x, double y) {
    const double sum = std::fabs(x) + std::fabs(y);
    if (!(sum > 0)) return 0;
    if (y >= 0) return x >= 0 ? y / sum : 1 - x / sum;
    return x < 0 ? 2 - y / sum : 3 + x / sum;
}

// A triangle at an edge that many share.
struct Leaf {
    double angle;
    bool up;  // runs from the smaller vertex to the larger one: its outer side is where angles grow
    std::uint32_t edge;
};

// Pairs triangles about an edge by their outer wedges.
void match_many(const MeshDraft& draft, const Spoke* first, std::size_t count, EdgeMatch& match) {
    const auto [a, b] = ends(draft, first->edge);
    const Vec3d low = draft.at(std::min(a, b));
    const Vec3d axis = normalized(draft.at(std::max(a, b)) - low);
    Vec3d x;
    Vec3d y;
    std::vector<Leaf> leaves;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t edge = first[i].edge;
        const Vec3d far = draft.at(draft.triangles[edge / 3][(edge + 2) % 3]) - low;
        if (i == 0) {
            x = normalized(far - axis * dot(axis, far));
            y = cross(axis, x);
        }
        leaves.push_back({i == 0 ? 0 : turn(dot(x, far), dot(y, far)), runs_up(draft, edge), edge});
        match.non_manifold.push_back(edge);
    }
    // Coincident sides of a sheet: the one that faces smaller angles comes first, so that no wedge is inside the sheet.
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& p, const Leaf& q) {
        if (p.angle != q.angle) return p.angle < q.angle;
        return p.up != q.up ? q.up : p.edge < q.edge;
    });
    for (std::size_t i = 0; i < count; ++i) {
        const Leaf& here = leaves[i];
        const Leaf& next = leaves[i + 1 == count ? 0 : i + 1];
        if (!here.up || next.up) continue;
        match.opposites[here.edge] = next.edge;
        match.opposites[next.edge] = here.edge;
    }
}

void match_group(const MeshDraft& draft, const Spoke* first, std::size_t count, EdgeMatch& match) {
    if (count == 1) return;
    if (count > 2) {
        match_many(draft, first, count, match);
    } else if (runs_up(draft, first[0].edge) != runs_up(draft, first[1].edge)) {
        match.opposites[first[0].edge] = first[1].edge;
        match.opposites[first[1].edge] = first[0].edge;
    } else {
        match.winding.push_back(first[0].edge);
        match.winding.push_back(first[1].edge);
    }
}

// A triangle's corners, turned so that the smallest is first, and whether the next one is smaller than the last.
struct Name {
    Corners sorted;
    bool ascends;
    std::uint32_t triangle;

    friend bool operator<(const Name& a, const Name& b) {
        return a.sorted != b.sorted ? a.sorted < b.sorted : a.triangle < b.triangle;
    }
};

Name name(const MeshDraft& draft, std::uint32_t t) {
    Corners c = draft.triangles[t];
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    const bool ascends = c[1] < c[2];
    if (!ascends) std::swap(c[1], c[2]);
    return {c, ascends, t};
}

// One of the triangles with the same corners is left, or one of each sense if these may lie on each other.
void judge_copies(MeshDraft& draft, const Name* first, std::size_t count, bool opposite, std::vector<bool>& gone) {
    const Name* seen[2] = {};
    for (std::size_t i = 0; i < count; ++i) {
        const Name*& same = seen[first[i].ascends ? 1 : 0];
        if (same != nullptr) {
            note(draft.report.duplicate, draft.input[first[i].triangle]);
            gone[first[i].triangle] = true;
        } else {
            same = first + i;
        }
    }
    if (!opposite || seen[0] == nullptr || seen[1] == nullptr) return;
    for (const Name* both : seen) {
        note(draft.report.opposite, draft.input[both->triangle]);
        gone[both->triangle] = true;
    }
}

}  // namespace

EdgeMatch match_edges(const MeshDraft& draft) {
    EdgeMatch match;
    const std::size_t edges = 3 * draft.triangles.size();
    match.opposites.assign(edges, kNoNeighbour);
    std::vector<std::uint32_t> first(draft.points.size() + 2, 0);
    for (std::uint32_t e = 0; e < edges; ++e) {
        const auto [a, b] = ends(draft, e);
        ++first[std::min(a, b) + 2];
    }
    for (std::size_t v = 2; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<Spoke> spokes(edges);
    for (std::uint32_t e = 0; e < edges; ++e) {
        const auto [a, b] = ends(draft, e);
        spokes[first[std::min(a, b) + 1]++] = {std::max(a, b), e};
    }
    for (std::size_t v = 0; v + 1 < first.size(); ++v) {
        std::sort(spokes.begin() + first[v], spokes.begin() + first[v + 1]);
        for (std::size_t i = first[v]; i < first[v + 1];) {
            std::size_t end = i + 1;
            while (end < first[v + 1] && spokes[end].end == spokes[i].end) ++end;
            match_group(draft, spokes.data() + i, end - i, match);
            i = end;
        }
    }
    return match;
}

bool leave_out_copies(MeshDraft& draft, const EdgeMatch& match, bool opposite) {
    std::vector<bool> looked(draft.triangles.size(), false);
    std::vector<Name> names;
    const auto look = [&](std::uint32_t t) {
        if (!looked[t]) names.push_back(name(draft, t));
        looked[t] = true;
    };
    // Copies share all edges. So more than two triangles have them, or two that run alike, or two that have no other
    // neighbour.
    for (const std::uint32_t e : match.non_manifold) look(e / 3);
    for (const std::uint32_t e : match.winding) look(e / 3);
    for (std::uint32_t t = 0; t < draft.triangles.size(); ++t) {
        const std::uint32_t* across = match.opposites.data() + 3 * static_cast<std::size_t>(t);
        if (across[0] != kNoNeighbour && across[0] / 3 == across[1] / 3) look(t);
    }
    if (names.empty()) return false;
    std::sort(names.begin(), names.end());
    std::vector<bool> gone(draft.triangles.size(), false);
    for (std::size_t i = 0; i < names.size();) {
        std::size_t end = i + 1;
        while (end < names.size() && names[end].sorted == names[i].sorted) ++end;
        if (end - i > 1) judge_copies(draft, names.data() + i, end - i, opposite, gone);
        i = end;
    }
    const std::size_t before = draft.triangles.size();
    draft.remove([&](std::uint32_t t) { return gone[t]; });
    return draft.triangles.size() != before;
}

}  // namespace lanefold::detail
