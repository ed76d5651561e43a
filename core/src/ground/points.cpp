// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/points.hpp"

#include <algorithm>
#include <cmath>

#include "precise/plane_axes.hpp"
#include "precise/sides.hpp"

namespace lanefold::detail {

namespace {

// Length outside of a side, relative to the body, that counts as inside: no point may fall between two triangles.
constexpr double kInside = 1e-9;

// Cosine below which a polygon is seen edge on and has no heights.
constexpr double kEdgeOn = 1e-4;

// In lengths of the former: what is certain of a side and the corners beside it.
constexpr double kWell = 1e4;

// Sine of the angle between two sides below which they do not cross, but lie along each other.
constexpr double kAlong = 1e-9;

using Corner = GroundClip::Corner;
using Outline = GroundClip::Outline;

class Clip {
public:
    Clip(const Vec3d& u, double slack, double most, std::uint32_t triangle, std::vector<GroundPoint>& out)
        : u_(u), axes_(u), slack_(slack), most_(most), triangle_(triangle), out_(out) {}

    void take(Outline& o, const Vec3d& at, const Feature& vertex, const Feature& side) const {
        o.corners.push_back({at, dot(axes_.across, at), dot(axes_.along, at), dot(u_, at), vertex, side, 0, 0, 0});
    }

    static void measure_sides(Outline& o) {
        for (std::size_t i = 0; i < o.size(); ++i) {
            Corner& p = o.corners[i];
            const Corner& q = o.next(i);
            p.dx = q.x - p.x;
            p.dy = q.y - p.y;
            p.length = std::sqrt(p.dx * p.dx + p.dy * p.dy);
        }
    }

    void run(const Outline& ground, const Outline& body, const Feature& face, const Feature& mine) {
        if (ground.flat) {
            for (const Corner& c : body.corners) {
                if (inside(ground, c)) add(c.x, c.y, height(ground, c), c.height, c.vertex, face);
            }
        }
        bool may_cross = true;
        if (body.flat) {
            Reach reach;
            for (const Corner& c : ground.corners) {
                if (inside(body, c, reach)) add(c.x, c.y, c.height, height(body, c), mine, c.vertex);
            }
            may_cross = reach.sides_may_cross(ground.size());
        }
        for (std::size_t i = 0; may_cross && i < ground.sides(); ++i) {
            for (std::size_t k = 0; k < body.sides(); ++k) cross_sides(ground, i, body, k);
        }
        if (!ground.flat && !body.flat) ends_beside(ground, body);
    }

private:
    // How corners lie to the first sides of an outline. Sides do not cross if every corner is well inside of all sides,
    // or if all corners are well outside of one.
    struct Reach {
        static constexpr std::uint32_t kSides = 32;
        std::uint32_t outside = 0xFFFFFFFFU;  // sides of which every corner so far is outside
        std::size_t inside = 0;               // corners inside of all

        bool sides_may_cross(std::size_t corners) const { return outside == 0 && inside != corners; }
    };

    // The same, and what it says of the reach.
    bool inside(const Outline& o, const Corner& c, Reach& reach) const {
        bool in = true;
        bool well = true;
        std::uint32_t outside = 0;
        for (std::size_t i = 0; i < o.size(); ++i) {
            const Corner& p = o.corners[i];
            if (!(p.length > o.least)) {
                well = false;
                continue;
            }
            const double side = o.turn * (p.dx * (c.y - p.y) - p.dy * (c.x - p.x));
            if (side < -slack_ * p.length) in = false;
            if (!(side > kWell * slack_ * p.length)) well = false;
            if (side < -kWell * slack_ * p.length && i < Reach::kSides) outside |= 1U << i;
            if (!in && reach.outside == 0) break;
        }
        reach.outside &= outside;
        reach.inside += well ? 1U : 0U;
        return in;
    }

    bool inside(const Outline& o, const Corner& c) const {
        for (std::size_t i = 0; i < o.size(); ++i) {
            const Corner& p = o.corners[i];
            if (!(p.length > o.least)) continue;
            if (o.turn * (p.dx * (c.y - p.y) - p.dy * (c.x - p.x)) < -slack_ * p.length) return false;
        }
        return true;
    }

    // The height of the outline's plane over or under a corner.
    double height(const Outline& o, const Corner& c) const {
        const Vec3d foot = c.at - u_ * c.height;
        return (o.offset - dot(o.normal, foot)) / dot(o.normal, u_);
    }

    void add(double x, double y, double ground, double body, const Feature& mine, const Feature& its) {
        if (!(body - ground <= most_)) return;
        const Vec3d middle = axes_.across * x + axes_.along * y + u_ * ((ground + body) * 0.5);
        out_.push_back({middle, body - ground, mine, its, triangle_});
    }

    void cross_sides(const Outline& ground, std::size_t i, const Outline& body, std::size_t k) {
        const Corner& p = ground.corners[i];
        const Corner& p1 = ground.next(i);
        const Corner& q = body.corners[k];
        const Corner& q1 = body.next(k);
        const double ax = p.dx;
        const double ay = p.dy;
        const double bx = q.dx;
        const double by = q.dy;
        const double la = p.length;
        const double lb = q.length;
        const double d = ax * by - ay * bx;
        if (!(std::fabs(d) > kAlong * la * lb)) return;
        const double s = ((q.x - p.x) * by - (q.y - p.y) * bx) / d;
        const double end_s = slack_ / la;
        if (!(s >= -end_s && s <= 1 + end_s)) return;
        const double t = ((q.x - p.x) * ay - (q.y - p.y) * ax) / d;
        const double end_t = slack_ / lb;
        if (!(t >= -end_t && t <= 1 + end_t)) return;
        // A corner there is a point of its own.
        if (ground.flat && (t < end_t || t > 1 - end_t)) return;
        if (body.flat && (s < end_s || s > 1 - end_s)) return;
        add(p.x + ax * s, p.y + ay * s, p.height + (p1.height - p.height) * s, q.height + (q1.height - q.height) * t,
            q.side, p.side);
    }

    // Two segments along each other: the ends of their common part.
    void ends_beside(const Outline& ground, const Outline& body) {
        if (ground.size() == 2) {
            for (const Corner& c : body.corners) end_beside(ground, c, true, c.vertex);
        }
        if (body.size() != 2) return;
        for (const Corner& c : ground.corners) end_beside(body, c, false, c.vertex);
    }

    void end_beside(const Outline& o, const Corner& c, bool of_body, const Feature& vertex) {
        const Corner& p = o.corners[0];
        const Corner& q = o.corners[1];
        const double dx = q.x - p.x;
        const double dy = q.y - p.y;
        const double squared = dx * dx + dy * dy;
        if (!(squared > 0)) return;
        const double t = ((c.x - p.x) * dx + (c.y - p.y) * dy) / squared;
        const double off = std::fabs(dx * (c.y - p.y) - dy * (c.x - p.x));
        const double room = 100 * slack_;
        if (!(off * off <= room * room * squared) || t < 0 || t > 1) return;
        const double h = p.height + (q.height - p.height) * t;
        if (of_body) {
            add(c.x, c.y, h, c.height, vertex, p.side);
        } else {
            add(c.x, c.y, c.height, h, p.side, vertex);
        }
    }

    Vec3d u_;
    PlaneAxes axes_;
    double slack_;
    double most_;
    std::uint32_t triangle_;
    std::vector<GroundPoint>& out_;
};

void outline_of(const Clip& clip, const GroundSurface& surface, const GroundTriangle& t, const SurfacePart& part,
                const Vec3d& u, Outline& o) {
    const bool face = part.type == FeatureType::face;
    const int first = face ? 0 : part.index;
    const int count = face ? 3 : part.type == FeatureType::edge ? 2 : 1;
    o.corners.clear();
    for (int i = 0; i < count; ++i) {
        const int k = (first + i) % 3;
        clip.take(o, t.corner[k], {FeatureType::vertex, t.face.vertex[k]},
                  {FeatureType::edge, surface.edge_number(t.number, k)});
    }
    o.normal = t.normal();
    o.offset = t.offset;
    o.turn = 1;
    o.flat = face && dot(u, t.normal()) > kEdgeOn;
    o.least = 0;
    Clip::measure_sides(o);
}

void outline_of(const Clip& clip, const GroundBody& body, const BodyPart& part, const Vec3d& u, Outline& o) {
    o.corners.clear();
    o.flat = false;
    if (part.type == FeatureType::vertex) {
        clip.take(o, body.vertices[part.index], {FeatureType::vertex, part.index}, {});
        return;
    }
    if (part.type == FeatureType::edge) {
        for (const std::uint32_t v : body.edges[part.index].v) {
            clip.take(o, body.vertices[v], {FeatureType::vertex, v}, {FeatureType::edge, part.index});
        }
        Clip::measure_sides(o);
        return;
    }
    for (std::uint32_t i = body.loop_first[part.index]; i < body.loop_first[part.index + 1]; ++i) {
        clip.take(o, body.vertices[body.loop_vertex[i]], {FeatureType::vertex, body.loop_vertex[i]},
                  {FeatureType::edge, body.loop_edge[i]});
    }
    o.normal = body.normals[part.index];
    o.offset = body.offsets[part.index];
    o.turn = dot(u, o.normal) < 0 ? -1 : 1;
    o.flat = std::fabs(dot(u, o.normal)) > kEdgeOn;
    o.least = least_side(body.record->size);
    Clip::measure_sides(o);
}

// Triangles of one plane see the same part from the same side, one after the other.
void outline_core(const Clip& clip, const GroundBody& body, const BodyPart& part, const Vec3d& u, GroundClip& memory) {
    const bool same =
        memory.has_core && memory.u == u && memory.part.type == part.type && memory.part.index == part.index;
    if (same) return;
    outline_of(clip, body, part, u, memory.core);
    memory.has_core = true;
    memory.part = part;
    memory.u = u;
}

Feature feature_of(const BodyPart& part) { return {part.type, part.index}; }

}  // namespace

void clip_parts(const GroundBody& body, const GroundSurface& surface, const GroundTriangle& t, const SurfacePart& its,
                const BodyPart& mine, const Vec3d& u, double most, GroundClip& memory, std::vector<GroundPoint>& out) {
    Clip clip(u, kInside * body.size, most, t.number, out);
    outline_of(clip, surface, t, its, u, memory.ground);
    outline_core(clip, body, mine, u, memory);
    clip.run(memory.ground, memory.core, {FeatureType::face, t.number}, feature_of(mine));
}

bool add_lowest(const GroundBody& body, const GroundSurface& surface, const GroundTriangle& t, const SurfacePart& its,
                const Vec3d& u, double most, GroundClip& memory, std::vector<GroundPoint>& out) {
    std::vector<GroundPoint>& all = memory.points;
    all.clear();
    Clip clip(u, kInside * body.size, most, t.number, all);
    outline_of(clip, surface, t, its, u, memory.ground);
    const auto pass = [&](const BodyPart& mine) {
        outline_core(clip, body, mine, u, memory);
        clip.run(memory.ground, memory.core, {FeatureType::face, t.number}, feature_of(mine));
    };
    if (body.has_faces()) {
        for (std::uint32_t f = 0; f < body.faces(); ++f) {
            if (dot(u, body.normals[f]) < 0) pass({FeatureType::face, f});
        }
    } else {
        pass({body.vertices.size() == 2 ? FeatureType::edge : FeatureType::vertex, 0});
    }
    if (all.empty()) return false;
    out.push_back(*std::min_element(all.begin(), all.end(), [](const GroundPoint& a, const GroundPoint& b) {
        return a.separation < b.separation;
    }));
    return true;
}

}  // namespace lanefold::detail
