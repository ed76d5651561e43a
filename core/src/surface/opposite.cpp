// SPDX-License-Identifier: MIT
//
// Cuts away the parts of triangles that lie on triangles with the opposite sense: the walls between two solids side by
// side, with any division of either.
#include <utility>

#include "surface/mesh_draft.hpp"
#include "surface/triangle_tree.hpp"

namespace lanefold::detail {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kGroup = 8;

// Normals of triangles that lie on each other are opposite within 8 degrees. Triangles that are hardly higher than the
// tolerance can be tilted by more; these stay.
constexpr double kOpposite = -0.99;
// The largest component of the sum of two such normals, rounded up: sqrt(2 - 2 * 0.99) is 0.142.
constexpr float kNormalSlack = 0.15F;

// A triangle or a group of them: the box, and the range of its unit normals.
struct Bundle {
    ItemBox box;
    ItemBox normals;
};

Bundle join(const Bundle* first, std::size_t count) {
    Bundle all = first[0];
    for (std::size_t i = 1; i < count; ++i) {
        for (int a = 0; a < 3; ++a) {
            all.box.low[a] = std::min(all.box.low[a], first[i].box.low[a]);
            all.box.high[a] = std::max(all.box.high[a], first[i].box.high[a]);
            all.normals.low[a] = std::min(all.normals.low[a], first[i].normals.low[a]);
            all.normals.high[a] = std::max(all.normals.high[a], first[i].normals.high[a]);
        }
    }
    return all;
}

bool may_lie_on(const Bundle& p, const Bundle& q, float reach) {
    for (int a = 0; a < 3; ++a) {
        if (p.box.low[a] - reach > q.box.high[a] || q.box.low[a] - reach > p.box.high[a]) return false;
        if (p.normals.low[a] > kNormalSlack - q.normals.low[a]) return false;
        if (p.normals.high[a] < -kNormalSlack - q.normals.high[a]) return false;
    }
    return true;
}

Vec3d normal_of(const MeshDraft& draft, std::uint32_t t) {
    const auto& [a, b, c] = draft.triangles[t];
    return normalized(cross(draft.at(b) - draft.at(a), draft.at(c) - draft.at(a)));
}

// Pairs of triangles that may lie on each other, from a tree of bundles that descends into itself.
class Pairs {
public:
    Pairs(const MeshDraft& draft) : draft_(draft), reach_(2 * float_above(draft.tolerance + draft.largest * 0x1p-23)) {
        std::vector<ItemBox> boxes;
        for (const auto& [a, b, c] : draft.triangles)
            boxes.push_back(box_of(draft.points[a], draft.points[b], draft.points[c]));
        order_ = build_tree(boxes).order;
        std::vector<Bundle> level;
        for (const std::uint32_t t : order_) {
            const Vec3f n = to_float(normal_of(draft, t));
            level.push_back({boxes[t], box_of(n, n, n)});
        }
        levels_.push_back(std::move(level));
        while (levels_.back().size() > 1) {
            const std::vector<Bundle>& down = levels_.back();
            std::vector<Bundle> up;
            for (std::size_t i = 0; i < down.size(); i += kGroup)
                up.push_back(join(down.data() + i, std::min(kGroup, down.size() - i)));
            levels_.push_back(std::move(up));
        }
    }

    // (t, other) both ways, ascending.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> find() {
        if (!order_.empty()) descend(levels_.size() - 1, 0, 0);
        std::sort(found_.begin(), found_.end());
        return std::move(found_);
    }

private:
    void descend(std::size_t level, std::size_t p, std::size_t q) {
        if (level == 0) {
            if (p != q) look(order_[p], order_[q]);
            return;
        }
        const std::vector<Bundle>& down = levels_[level - 1];
        const std::size_t p_end = std::min((p + 1) * kGroup, down.size());
        const std::size_t q_end = std::min((q + 1) * kGroup, down.size());
        for (std::size_t i = p * kGroup; i < p_end; ++i) {
            for (std::size_t j = p == q ? i : q * kGroup; j < q_end; ++j) {
                if (may_lie_on(down[i], down[j], reach_)) descend(level - 1, i, j);
            }
        }
    }

    // The smaller one lies in the plane of the larger one.
    void look(std::uint32_t t, std::uint32_t u) {
        const Vec3d nt = normal_of(draft_, t);
        const Vec3d nu = normal_of(draft_, u);
        if (dot(nt, nu) > kOpposite) return;
        const bool t_larger = area(t) >= area(u);
        const std::uint32_t large = t_larger ? t : u;
        const std::uint32_t small = t_larger ? u : t;
        const Vec3d n = t_larger ? nt : nu;
        const Vec3d at = draft_.at(draft_.triangles[large][0]);
        for (const std::uint32_t v : draft_.triangles[small]) {
            if (std::fabs(dot(n, draft_.at(v) - at)) > std::max(draft_.tolerance, draft_.largest * 0x1p-23)) return;
        }
        found_.push_back({t, u});
        found_.push_back({u, t});
    }

    double area(std::uint32_t t) const {
        const auto& [a, b, c] = draft_.triangles[t];
        return length(cross(draft_.at(b) - draft_.at(a), draft_.at(c) - draft_.at(a)));
    }

    const MeshDraft& draft_;
    float reach_;
    std::vector<std::uint32_t> order_;
    std::vector<std::vector<Bundle>> levels_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found_;
};

struct Corner {
    Vec3d at;
    std::uint32_t vertex;  // kNone: a new one
};
using Polygon = std::vector<Corner>;

// Least width of a convex polygon over its longest diagonal, as least_height() of a triangle.
double width(const Polygon& p) {
    Vec3d area;
    double longest = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (i > 1) area = area + cross(p[i - 1].at - p[0].at, p[i].at - p[0].at);
        for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, length_squared(p[i].at - p[j].at));
    }
    return longest > 0 ? length(area) / std::sqrt(longest) : 0;
}

struct Line {
    Vec3d at;
    Vec3d inward;  // unit length, in the plane of the polygon
};

// The parts of a convex polygon on both sides of a line. Corners within the tolerance of the line are on it.
void part(const Polygon& p, const Line& line, double tolerance, Polygon& inside, Polygon& outside) {
    inside.clear();
    outside.clear();
    const auto side = [&](const Corner& c) {
        const double s = dot(line.inward, c.at - line.at);
        return std::fabs(s) <= tolerance ? 0.0 : s;
    };
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Corner& here = p[i];
        const Corner& next = p[i + 1 == p.size() ? 0 : i + 1];
        const double s = side(here);
        const double t = side(next);
        if (s >= 0) inside.push_back(here);
        if (s <= 0) outside.push_back(here);
        if (!(s < 0 && t > 0) && !(s > 0 && t < 0)) continue;
        const Corner cut{here.at + (next.at - here.at) * (s / (s - t)), kNone};
        inside.push_back(cut);
        outside.push_back(cut);
    }
}

// The pieces of a triangle that are left beside the others.
class Remainder {
public:
    Remainder(const MeshDraft& draft, std::uint32_t t) : draft_(draft), normal_(normal_of(draft, t)) {
        Polygon whole;
        for (const std::uint32_t v : draft.triangles[t]) whole.push_back({draft.at(v), v});
        pieces_.push_back(std::move(whole));
    }

    void take_off(std::uint32_t other) {
        const auto& [a, b, c] = draft_.triangles[other];
        const Vec3d corner[3] = {draft_.at(a), draft_.at(c), draft_.at(b)};
        Line lines[3];
        for (int k = 0; k < 3; ++k) {
            const Vec3d along = corner[(k + 1) % 3] - corner[k];
            lines[k] = {corner[k], normalized(cross(normal_, along))};
        }
        std::vector<Polygon> kept;
        for (Polygon& piece : pieces_) {
            std::vector<Polygon> outer;
            Polygon rest = piece;
            for (const Line& line : lines) {
                Polygon inside;
                Polygon outside;
                part(rest, line, draft_.tolerance, inside, outside);
                if (is_wide(outside)) outer.push_back(std::move(outside));
                rest = std::move(inside);
            }
            if (is_wide(rest)) {
                changed_ = true;
                kept.insert(kept.end(), outer.begin(), outer.end());
            } else {
                kept.push_back(std::move(piece));
            }
        }
        pieces_ = std::move(kept);
    }

    bool changed() const { return changed_; }
    const std::vector<Polygon>& pieces() const { return pieces_; }

private:
    bool is_wide(const Polygon& p) const { return p.size() > 2 && width(p) > draft_.tolerance; }

    const MeshDraft& draft_;
    Vec3d normal_;
    std::vector<Polygon> pieces_;
    bool changed_ = false;
};

// Adds a polygon's new vertices to `points`, and its triangles.
void add_polygon(Polygon polygon, std::uint32_t number, MeshDraft& draft) {
    for (Corner& c : polygon) {
        if (c.vertex != kNone) continue;
        c.vertex = static_cast<std::uint32_t>(draft.points.size());
        draft.points.push_back(to_float(c.at) + Vec3f{});
    }
    for (std::size_t i = 2; i < polygon.size(); ++i)
        draft.add({polygon[0].vertex, polygon[i - 1].vertex, polygon[i].vertex}, number);
}

}  // namespace

bool cut_opposite(MeshDraft& draft) {
    const auto pairs = Pairs(draft).find();
    std::vector<bool> gone(draft.triangles.size(), false);
    std::vector<std::pair<Polygon, std::uint32_t>> pieces;
    for (std::size_t i = 0; i < pairs.size();) {
        const std::uint32_t t = pairs[i].first;
        Remainder left(draft, t);
        for (; i < pairs.size() && pairs[i].first == t; ++i) left.take_off(pairs[i].second);
        if (!left.changed()) continue;
        gone[t] = true;
        note(left.pieces().empty() ? draft.report.opposite : draft.report.cut, draft.input[t]);
        for (const Polygon& piece : left.pieces()) pieces.emplace_back(piece, draft.input[t]);
    }
    if (std::find(gone.begin(), gone.end(), true) == gone.end()) return false;
    draft.remove([&](std::uint32_t t) { return gone[t]; });
    for (auto& [polygon, number] : pieces) add_polygon(std::move(polygon), number, draft);
    return true;
}

}  // namespace lanefold::detail
