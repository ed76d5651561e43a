// SPDX-License-Identifier: MIT
//
// See the header. Of planes, or lines in a plane, that are equal within rounding the one of the lowest index counts.
#include <lanefold/measure_oracle.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lanefold::reference {
namespace {

// Planes and lines are equal if they differ by less, in radians and in units of the smaller hull's size: a thousand
// times the rounding of float64. Larger would take faces for one that are two.
constexpr double kEqual = 1e-12;

struct Plane {
    Vec3d n;
    double d;
    bool of_b;
};

void add_planes(const OracleHull& h, const Mat3d& rotation, const Vec3d& position, bool of_b, std::vector<Plane>& out) {
    if (h.half_space) {
        const Vec3d n = rotation * h.normals[0];
        out.push_back({n, h.offset + dot(n, position), of_b});
        return;
    }
    for (std::size_t t = 0; t < h.triangles.size(); ++t) {
        const Vec3d n = rotation * h.normals[t];
        out.push_back({n, dot(n, rotation * h.vertices[h.triangles[t].v[0]] + position), of_b});
    }
}

// A line in a facet's plane: m.x <= c, m unit and in the plane.
struct Line {
    Vec3d m;
    double c;
};

// The lines of all other planes in plane i. False if the facet is empty, or if it is another's.
bool lines_of(const std::vector<Plane>& planes, std::size_t i, double equal, std::vector<Line>& out) {
    out.clear();
    const Plane& own = planes[i];
    for (std::size_t j = 0; j < planes.size(); ++j) {
        if (j == i) continue;
        const double along = dot(planes[j].n, own.n);
        const Vec3d m = planes[j].n - own.n * along;
        const double sine = length(m);
        if (sine > kEqual) {
            out.push_back({m * (1.0 / sine), (planes[j].d - along * own.d) / sine});
            continue;
        }
        if (along < 0) {
            if (planes[j].d + own.d <= 0) return false;
            continue;
        }
        const double above = own.d - planes[j].d;
        if (above > equal || (above >= -equal && j < i)) return false;
    }
    return true;
}

// The part of line j that all other lines leave.
bool interval_of(const std::vector<Line>& lines, std::size_t j, const Vec3d& n, double d, double equal,
                 Vec3d (&ends)[2]) {
    const Vec3d start = n * d + lines[j].m * lines[j].c;
    const Vec3d by = cross(n, lines[j].m);
    double from = -INFINITY;
    double to = INFINITY;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (k == j) continue;
        const double rate = dot(lines[k].m, by);
        const double room = lines[k].c - dot(lines[k].m, start);
        if (std::abs(rate) > kEqual) {
            if (rate > 0) to = std::min(to, room / rate);
            if (rate < 0) from = std::max(from, room / rate);
            continue;
        }
        if (dot(lines[k].m, lines[j].m) < 0) {
            if (room <= 0) return false;
        } else if (room < -equal || (room <= equal && k < j)) {
            return false;
        }
    }
    ends[0] = start + by * from;
    ends[1] = start + by * to;
    return from < to && std::isfinite(from) && std::isfinite(to);
}

struct Facet {
    double area = 0;
    Vec3d moment;
};

Facet facet_of(const std::vector<Line>& lines, const Plane& plane, double equal) {
    Facet f;
    const Vec3d foot = plane.n * plane.d;
    Vec3d ends[2];
    for (std::size_t j = 0; j < lines.size(); ++j) {
        if (!interval_of(lines, j, plane.n, plane.d, equal, ends)) continue;
        const double part = 0.5 * lines[j].c * length(ends[1] - ends[0]);
        f.area += part;
        f.moment = f.moment + (foot + ends[0] + ends[1]) * (part / 3.0);
    }
    return f;
}

// Sums over the facets of one hull: row k of `moment` is the integral of coordinate k times the normal.
struct Side {
    Vec3d area;
    Vec3d moment[3]{};
    bool any = false;

    void add(const Facet& f, const Vec3d& n) {
        any = any || f.area != 0;
        area = area + n * f.area;
        moment[0] = moment[0] + n * f.moment.x;
        moment[1] = moment[1] + n * f.moment.y;
        moment[2] = moment[2] + n * f.moment.z;
    }
    Vec3d middle() const {
        const double square = length_squared(area);
        return Vec3d{dot(moment[0], area), dot(moment[1], area), dot(moment[2], area)} * (1.0 / square);
    }
};

}  // namespace

OracleOverlap overlap_of(const OracleHull& a, const PoseD& pose_a, const OracleHull& b, const PoseD& pose_b) {
    // About a place near both surfaces, a vertex of a hull, so that moments are of numbers as large as the hulls.
    const Vec3d apart = pose_b.position - pose_a.position;
    const Vec3d origin = a.half_space ? apart + pose_b.rotation * b.vertices[0] : pose_a.rotation * a.vertices[0];
    std::vector<Plane> planes;
    add_planes(a, pose_a.rotation, -origin, false, planes);
    add_planes(b, pose_b.rotation, apart - origin, true, planes);
    const double equal = kEqual * std::min(a.size, b.size);

    OracleOverlap out;
    Side sides[2];
    Vec3d moment;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (!lines_of(planes, i, equal, lines)) continue;
        const Facet f = facet_of(lines, planes[i], equal);
        sides[planes[i].of_b ? 1 : 0].add(f, planes[i].n);
        // The cone from the origin.
        out.volume += f.area * planes[i].d / 3.0;
        moment = moment + f.moment * (planes[i].d / 4.0);
    }
    if (!(out.volume > 0)) return {};
    out.centroid = moment * (1.0 / out.volume) + origin;
    out.area_centroid = out.centroid;
    if (!sides[0].any || !sides[1].any) return out;
    out.area_vector = sides[0].area;
    out.area_centroid = (sides[0].middle() + sides[1].middle()) * 0.5 + origin;
    return out;
}

}  // namespace lanefold::reference
