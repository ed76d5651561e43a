// SPDX-License-Identifier: MIT
//
// Places at which an edge of one hull is on an edge of another, and rounding decides what meets: the contact normal
// lies near an end of both edges' arcs, or of one, or beyond it; the edges cross at any angle, or are parallel but for
// a tiny one. So rims of lids lie on each other, faces are level, vertices are over rims, and arcs cross or not by the
// last bits. At one place in eight one hull is in the other, below the edge's faces, with the normals of both edges on
// the same side.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/pair_scene.hpp"

namespace lanefold::test {

class EdgePlaces {
public:
    EdgePlaces(const Library& library, std::uint64_t seed) : library_(&library), random_(seed) {}

    PairPlace draw() {
        PairPlace p;
        p.a = random_.index(static_cast<std::uint32_t>(library_->size()));
        p.b = random_.index(static_cast<std::uint32_t>(library_->size()));
        const Edge a = draw_edge(p.a);
        const Edge b = draw_edge(p.b);
        const bool inside = random_.chance(0.125);
        p.turn = turn_of(a, b, inside ? 1.0 : -1.0);
        Vec3d place = inside ? draw_inside(a, p) : draw_beside(a, p);
        if (random_.chance(0.3)) {
            const double aside = smaller_size(p) * random_.log_uniform(1e-8, 0.3);
            place = place + random_.direction() * aside;
        }
        p.at = place - rotation(p.turn) * b.point;
        p.put_anywhere(random_);
        return p;
    }

private:
    static Quat inverse(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }

    // In the frame of its hull: a direction of the edge's arc, or a little beyond, a unit vector along the edge, and a
    // point of it.
    struct Edge {
        Vec3d normal, along, point;
    };

    // `positive`: how likely it is. The length is drawn first: in a product of two calls the compiler would choose.
    double signed_length(double low, double high, double positive) {
        const double length = random_.log_uniform(low, high);
        return random_.chance(positive) ? length : -length;
    }

    // A place between 0 and 1; often at an end, near it, or beyond it by as much.
    double draw_part() {
        const bool other_end = random_.chance(0.5);
        double part = 0;
        switch (random_.index(4)) {
            case 0:
                part = signed_length(1e-9, 1e-2, 0.6);
                break;
            case 1:
                break;
            default:
                part = random_.uniform();
        }
        return other_end ? 1 - part : part;
    }

    Edge draw_edge(std::uint32_t hull) {
        const reference::OracleHull& h = library_->oracle[hull];
        for (;;) {
            const reference::OracleHull::Edge& e = h.edges[random_.index(static_cast<std::uint32_t>(h.edges.size()))];
            const Vec3d& n0 = h.normals[e.face[0]];
            const Vec3d& n1 = h.normals[e.face[1]];
            // Sides of triangles inside one face are no edges.
            if (length(cross(n0, n1)) < 1e-6 && !random_.chance(0.02)) continue;
            const double part = draw_part();
            const Vec3d along = h.vertices[e.v[1]] - h.vertices[e.v[0]];
            Edge out;
            out.normal = normalized(n0 * (1 - part) + n1 * part);
            out.point = h.vertices[e.v[0]] + along * std::clamp(draw_part(), 0.0, 1.0);
            out.along = normalized(along);
            return out;
        }
    }

    // Turns B so that its edge's normal is that of A's edge, times `side`, and the edges are at an angle.
    Quat turn_of(const Edge& a, const Edge& b, double side) {
        const Quat of_a = turn_of_z_to(a.normal);
        const Quat of_b = turn_of_z_to(b.normal * side);
        const auto heading = [](const Quat& frame, const Vec3d& along) {
            const Vec3d x = rotation(inverse(frame)) * along;
            return std::atan2(x.y, x.x);
        };
        double angle = random_.uniform(-4, 4);
        if (random_.chance(0.6)) {
            angle = signed_length(1e-9, 1e-1, 0.5);
            angle += random_.chance(0.5) ? std::numbers::pi : 0.0;
        }
        const double yaw = heading(of_a, a.along) - heading(of_b, b.along) + angle;
        Quat turn = of_a * about({0, 0, 1}, yaw) * inverse(of_b);
        if (random_.chance(0.3)) {
            const Vec3d axis = random_.direction();
            turn = about(axis, random_.log_uniform(1e-9, 1e-2)) * turn;
        }
        return turn;
    }

    double smaller_size(const PairPlace& p) const {
        return std::min(library_->oracle[p.a].size, library_->oracle[p.b].size);
    }

    // The place of B's edge: a little apart from A's, a little below, on it, or deep.
    Vec3d draw_beside(const Edge& a, const PairPlace& p) {
        const double size = library_->oracle[p.a].size + library_->oracle[p.b].size;
        double gap = 0;
        switch (random_.index(5)) {
            case 0:
                gap = -smaller_size(p) * random_.uniform(0, 0.6);
                break;
            case 1:
                break;
            case 2:
                gap = size * random_.log_uniform(1e-9, 2e-2);
                break;
            default:
                gap = -size * random_.log_uniform(1e-9, 3e-2);
        }
        return a.point + a.normal * gap;
    }

    // Below A's edge, and further in.
    Vec3d draw_inside(const Edge& a, const PairPlace& p) {
        const Vec3d in = centre_of(library_->oracle[p.a]) - a.point;
        const Vec3d level = in - a.normal * dot(in, a.normal);
        const double part = random_.uniform(0, 1.2);
        return a.point + level * part - a.normal * (smaller_size(p) * random_.log_uniform(1e-3, 1));
    }

    const Library* library_;
    Random random_;
};

// `pairs` such places of hulls of the shapes in turn, with scales from `least` to 3.
inline PairScene edges_on_edges(const char* name, const Options& options, std::span<const Shape> shapes, double least,
                                std::uint64_t seed, std::uint32_t pairs) {
    constexpr std::uint32_t kHulls = 64;
    PairScene s;
    s.config.name = name;
    s.config.options = options;
    s.library = random_library(seed, kHulls, shapes, least, 3);
    EdgePlaces places(s.library, seed + 1);
    for (std::uint32_t i = 0; i < pairs; ++i) s.add(places.draw());
    return s;
}

}  // namespace lanefold::test
