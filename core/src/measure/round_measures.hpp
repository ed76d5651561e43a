// SPDX-License-Identifier: MIT
//
// Measures of spheres in closed form: along the axis from a sphere's centre to what it meets.
#pragma once

#include <algorithm>
#include <numbers>

namespace lanefold::detail {

// Measures along an axis. Positions are from the first sphere's centre.
struct AxialMeasures {
    double volume = 0;
    double volume_at = 0;
    double area = 0;
    double area_at = 0;
};

// The cap of a sphere of radius r that is h high.
struct Cap {
    double r;
    double h;

    double volume() const { return std::numbers::pi * h * h * (3.0 * r - h) / 3.0; }
    // From the sphere's centre towards the cap: the cap's centroid, and that of its round surface by the share of each
    // part in the area vector.
    double centroid() const { return 0.75 * (2.0 * r - h) * (2.0 * r - h) / (3.0 * r - h); }
    double surface() const {
        const double x = r - h;
        return 2.0 / 3.0 * (r * r + r * x + x * x) / (r + x);
    }
    // The disc that closes it.
    double area() const { return std::numbers::pi * h * (2.0 * r - h); }
};

constexpr double sphere_volume(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }

// Spheres of radii r and s, whose centres are d >= 0 apart: the lens.
inline AxialMeasures measure_spheres(double r, double s, double d) {
    const double depth = r + s - d;
    if (!(depth > 0)) return {};
    if (d <= std::max(r, s) - std::min(r, s)) {
        const double at = r <= s ? 0 : d;
        return {sphere_volume(std::min(r, s)), at, 0, at};
    }
    // r - (d^2 + r^2 - s^2) / (2 d) without the difference of large numbers.
    const Cap of_first{r, depth * (2.0 * s - depth) / (2.0 * d)};
    const Cap of_second{s, depth * (2.0 * r - depth) / (2.0 * d)};
    AxialMeasures m;
    m.volume = of_first.volume() + of_second.volume();
    m.volume_at =
        (of_first.volume() * of_first.centroid() + of_second.volume() * (d - of_second.centroid())) / m.volume;
    m.area = of_first.area();
    m.area_at = 0.5 * (of_first.surface() + d - of_second.surface());
    return m;
}

// A sphere of radius r whose centre is `height` over a half-space; positions are down.
inline AxialMeasures measure_sphere_on_plane(double r, double height) {
    if (height >= r) return {};
    if (height <= -r) return {sphere_volume(r), 0, 0, 0};
    const Cap cap{r, r - height};
    return {cap.volume(), cap.centroid(), cap.area(), 0.5 * (cap.surface() + height)};
}

}  // namespace lanefold::detail
