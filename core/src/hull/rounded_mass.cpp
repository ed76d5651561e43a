// SPDX-License-Identifier: MIT
//
// See the header. All coordinates are relative to the core's centre of mass, so that nothing cancels far from the
// origin.
#include "hull/rounded_mass.hpp"

#include <cmath>
#include <vector>

#include <lanefold/detail/angles.hpp>

#include "hull/geometry.hpp"

namespace lanefold::detail {
namespace {

constexpr double kPi = 3.141592653589793;

// Integrals of 1, x and x x^T over a solid.
struct Moments {
    double volume = 0;
    Vec3d first;
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    // Adds w (a b^T + b a^T) / 2 to the second moment.
    void add_product(double w, const Vec3d& a, const Vec3d& b) {
        xx += w * (a.x * b.x);
        yy += w * (a.y * b.y);
        zz += w * (a.z * b.z);
        xy += 0.5 * w * (a.x * b.y + a.y * b.x);
        xz += 0.5 * w * (a.x * b.z + a.z * b.x);
        yz += 0.5 * w * (a.y * b.z + a.z * b.y);
    }
    void add_unit(double w) {
        xx += w;
        yy += w;
        zz += w;
    }
};

// The core, about its centre of mass.
Moments of_core(const MassProperties& core) {
    const Mat3d& i = core.inertia;
    const double half_trace = 0.5 * (i.row[0].x + i.row[1].y + i.row[2].z);
    Moments m;
    m.volume = core.volume;
    m.xx = half_trace - i.row[0].x;
    m.yy = half_trace - i.row[1].y;
    m.zz = half_trace - i.row[2].z;
    m.xy = -i.row[0].y;
    m.xz = -i.row[0].z;
    m.yz = -i.row[1].z;
    return m;
}

MassProperties finished(const Moments& m, const Vec3d& reference) {
    MassProperties out;
    out.volume = m.volume;
    const Vec3d c = m.first * (1.0 / m.volume);
    out.centre_of_mass = reference + c;
    const double xx = m.xx - m.volume * c.x * c.x;
    const double yy = m.yy - m.volume * c.y * c.y;
    const double zz = m.zz - m.volume * c.z * c.z;
    const double xy = m.xy - m.volume * c.x * c.y;
    const double xz = m.xz - m.volume * c.x * c.z;
    const double yz = m.yz - m.volume * c.y * c.z;
    out.inertia = {{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};
    return out;
}

// The prism of height r outward on a triangle.
void add_prism(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& normal, double r, Moments& m) {
    const double area = 0.5 * dot(cross(b - a, c - a), normal);
    const Vec3d sum = a + b + c;
    const Vec3d centre = sum * (1.0 / 3.0);
    m.volume += area * r;
    m.first = m.first + (centre + normal * (0.5 * r)) * (area * r);
    const double corners = area * r / 12.0;
    m.add_product(corners, a, a);
    m.add_product(corners, b, b);
    m.add_product(corners, c, c);
    m.add_product(corners, sum, sum);
    m.add_product(area * r * r, centre, normal);
    m.add_product(area * r * r * r / 3.0, normal, normal);
}

// The angle from `from` to `to` about `axis` is 2 alpha. It is negative where rounding made a sliver of a face look
// inward, and takes back what its neighbours have too much.
struct HalfAngle {
    double alpha, sine, cosine;
};

HalfAngle half_angle(const Vec3d& from, const Vec3d& to, const Vec3d& axis) {
    const double along = dot(cross(from, to), axis);
    const double beside = 1.0 + dot(from, to);
    if (!(beside > 0)) return {0.5 * kPi, 1, 0};
    const double t = along / beside;
    const double alpha = portable_atan(std::fabs(t));
    const double hypotenuse = std::sqrt(1.0 + t * t);
    return {t < 0 ? -alpha : alpha, t / hypotenuse, 1.0 / hypotenuse};
}

// The sector of a cylinder of radius r about an edge from `a` to `b`, from the normal of the face on its left to that
// on its right. Returns the sector's angle times the edge's direction.
Vec3d add_sector(const Vec3d& a, const Vec3d& b, const Vec3d& left, const Vec3d& right, double r, Moments& m) {
    const double edge = length(b - a);
    const Vec3d along = (b - a) * (1.0 / edge);
    const HalfAngle half = half_angle(left, right, along);
    const Vec3d middle = (a + b) * 0.5;
    // The middle of the sector, and the direction across.
    const Vec3d out = left * half.cosine + cross(along, left) * half.sine;
    const Vec3d across = cross(along, out);
    const double area = half.alpha * r * r;
    const double arm = 2.0 / 3.0 * half.sine * r * r * r;  // first moment of the sector, along `out`
    m.volume += area * edge;
    m.first = m.first + (middle * area + out * arm) * edge;
    m.add_product(area * edge, middle, middle);
    m.add_product(area * edge * edge * edge / 12.0, along, along);
    m.add_product(2.0 * arm * edge, middle, out);
    const double quartic = 0.25 * (r * r) * (r * r) * edge;
    m.add_product(quartic * (half.alpha + half.sine * half.cosine), out, out);
    m.add_product(quartic * (half.alpha - half.sine * half.cosine), across, across);
    return along * (2.0 * half.alpha);
}

// The angle between two sides of a face.
double corner_angle(const Vec3d& a, const Vec3d& b) {
    const double beside = length(a) * length(b) + dot(a, b);
    return beside > 0 ? 2.0 * portable_atan(length(cross(a, b)) / beside) : kPi;
}

// The normals of a vertex.
struct Cone {
    double solid_angle = 2 * kPi;  // less the angles of its faces (R. Descartes' defect)
    Vec3d first;                   // the integral of the normals: by the divergence theorem, from the edges' angles
};

void add_cone(const Vec3d& v, const Cone& cone, double r, Moments& m) {
    const double volume = cone.solid_angle * r * r * r / 3.0;
    const double quartic = 0.25 * (r * r) * (r * r);
    m.volume += volume;
    m.first = m.first + v * volume + cone.first * quartic;
    m.add_product(volume, v, v);
    m.add_product(2.0 * quartic, v, cone.first);
}

}  // namespace

bool round_mass(std::span<const Vec3d> points, const FaceLoops& faces, double radius, MassProperties& mass) {
    const std::vector<std::uint32_t> twins = find_twins(faces, static_cast<std::uint32_t>(points.size()));
    if (twins.empty()) return false;
    const Vec3d reference = mass.centre_of_mass;
    const std::vector<Vec3d> normals = face_normals(points, faces);
    std::vector<std::uint32_t> face_of(faces.vertex.size());
    std::vector<std::uint32_t> next(faces.vertex.size());
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        for (std::uint32_t s = faces.first[f]; s < faces.first[f + 1]; ++s) {
            face_of[s] = f;
            next[s] = s + 1 < faces.first[f + 1] ? s + 1 : faces.first[f];
        }
    }
    const auto at = [&](std::uint32_t slot) { return points[faces.vertex[slot]] - reference; };

    Moments m = of_core(mass);
    std::vector<Cone> cones(points.size());
    for (std::uint32_t s = 0; s < face_of.size(); ++s) {
        const std::uint32_t first = faces.first[face_of[s]];
        const std::uint32_t after = next[s];
        // Triangles of the face's fan about its first vertex.
        if (s != first && after != first) add_prism(at(first), at(s), at(after), normals[face_of[s]], radius, m);
        cones[faces.vertex[after]].solid_angle -= corner_angle(at(s) - at(after), at(next[after]) - at(after));
        if (s > twins[s]) continue;
        const Vec3d turn = add_sector(at(s), at(after), normals[face_of[s]], normals[face_of[twins[s]]], radius, m);
        Cone& from = cones[faces.vertex[s]];
        Cone& to = cones[faces.vertex[after]];
        from.first = from.first - turn * 0.5;
        to.first = to.first + turn * 0.5;
    }
    for (std::size_t v = 0; v < points.size(); ++v) add_cone(points[v] - reference, cones[v], radius, m);
    // All cones together are a ball.
    m.add_unit(4.0 / 15.0 * kPi * (radius * radius) * (radius * radius) * radius);
    mass = finished(m, reference);
    return true;
}

MassProperties small_core_mass(std::span<const Vec3d> points, double radius) {
    const Vec3d half = (points.back() - points.front()) * 0.5;
    const double h = length(half);
    const double r = radius;
    Moments m;
    m.volume = kPi * r * r * (2.0 * h + 4.0 / 3.0 * r);
    m.add_unit(kPi * (r * r) * (r * r) * (0.5 * h + 4.0 / 15.0 * r));
    if (h > 0) {
        const Vec3d along = half * (1.0 / h);
        m.add_product(kPi * r * r * h * ((2.0 / 3.0 * h + 4.0 / 3.0 * r) * h + 0.5 * r * r), along, along);
    }
    return finished(m, (points.front() + points.back()) * 0.5);
}

}  // namespace lanefold::detail
