// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/ray_oracle.hpp>

#include <cmath>

#include <lanefold/fp_environment.hpp>

namespace lanefold::reference {
namespace {

// Steps of the search for the least distance (each leaves 0.618 of the interval) and of the bisection: both end at
// float64's resolution.
constexpr int kNarrowings = 80;
constexpr int kHalvings = 60;

struct Flat {
    long double x, y;
};

long double twice_area(const Flat& a, const Flat& b, const Flat& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

OracleEntry ray_entry(const OracleHull& hull, const PoseD& pose, const OracleRay& ray) {
    return in_default_environment([&] {
        const Vec3d from = ray.origin - pose.position;
        const auto distance = [&](double t) { return point_distance(hull, pose.rotation, from + ray.direction * t); };
        OracleEntry out;
        out.begin = distance(0);
        const double golden = 0.5 * (std::sqrt(5.0) - 1);
        double low = 0;
        double high = 1;
        double s = high - golden;
        double t = golden;
        double at_s = distance(s);
        double at_t = distance(t);
        for (int k = 0; k < kNarrowings; ++k) {
            if (at_s <= at_t) {
                high = t;
                t = s;
                at_t = at_s;
                s = high - golden * (high - low);
                at_s = distance(s);
            } else {
                low = s;
                s = t;
                at_s = at_t;
                t = low + golden * (high - low);
                at_t = distance(t);
            }
        }
        out.least_at = 0.5 * (low + high);
        out.least = distance(out.least_at);
        for (const double end : {0.0, 1.0}) {
            const double d = distance(end);
            if (d >= out.least) continue;
            out.least = d;
            out.least_at = end;
        }
        if (out.begin <= 0) return out;
        out.enter = 1;
        if (out.least > 0) return out;
        double outside = 0;
        out.enter = out.least_at;
        for (int k = 0; k < kHalvings; ++k) {
            const double middle = 0.5 * (outside + out.enter);
            (distance(middle) > 0 ? outside : out.enter) = middle;
        }
        return out;
    });
}

OracleCrossing first_crossing(const OracleSurface& surface, const OracleRay& ray, double grow, bool both_sides) {
    return in_default_environment([&] {
        OracleCrossing best;
        for (std::uint32_t i = 0; i < surface.triangles.size(); ++i) {
            const Vec3d& n = surface.normals[i];
            const double rate = dot(n, ray.direction);
            if (!(both_sides ? rate != 0 : rate < 0)) continue;
            Vec3d corner[3];
            for (std::size_t k = 0; k < 3; ++k) corner[k] = surface.vertices[surface.triangles[i][k]];
            const double t = dot(n, corner[0] - ray.origin) / rate;
            if (!(t >= 0) || t > 1 || (best.any && t >= best.fraction)) continue;
            // In the plane of the two axes along which the triangle is widest.
            const int drop = std::fabs(n.x) >= std::fabs(n.y) && std::fabs(n.x) >= std::fabs(n.z) ? 0
                             : std::fabs(n.y) >= std::fabs(n.z)                                   ? 1
                                                                                                  : 2;
            const auto flat = [&](const Vec3d& p) -> Flat {
                return drop == 0 ? Flat{p.y, p.z} : drop == 1 ? Flat{p.z, p.x} : Flat{p.x, p.y};
            };
            const Flat at = flat(ray.origin + ray.direction * t);
            const Flat c[3] = {flat(corner[0]), flat(corner[1]), flat(corner[2])};
            const long double area = twice_area(c[0], c[1], c[2]);
            bool in = true;
            for (int k = 0; k < 3; ++k) {
                in = in && twice_area(c[(k + 1) % 3], c[(k + 2) % 3], at) / area >= -static_cast<long double>(grow);
            }
            if (in) best = {true, t, i};
        }
        return best;
    });
}

}  // namespace lanefold::reference
