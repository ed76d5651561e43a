// SPDX-License-Identifier: MIT
//
// Cuts blocks into convex cells.
#include "scenes/shatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanefold::bench {
namespace {

using Polygon = std::vector<Vec3d>;
using Cell = std::vector<Polygon>;  // its faces, in any order and winding

struct Plane {
    Vec3d n;
    double d;
    double height(const Vec3d& x) const { return dot(n, x) - d; }
};

// A cell thinner than this, in sides of the block, is left out.
constexpr double kThinnest = 0.02;

bool before(const Vec3d& a, const Vec3d& b) { return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z}; }

// Computed from the lower end, so that both faces of the edge get the same bits.
Vec3d crossing(const Vec3d& a, const Vec3d& b, const Plane& plane) {
    const Vec3d& low = before(a, b) ? a : b;
    const Vec3d& high = before(a, b) ? b : a;
    const double at = plane.height(low);
    return low + (high - low) * (at / (at - plane.height(high)));
}

Cell cube() {
    Cell out;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-0.5, 0.5}) {
            Polygon face;
            for (const auto& [u, v] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
                double x[3] = {};
                x[axis] = side;
                x[(axis + 1) % 3] = u;
                x[(axis + 2) % 3] = v;
                face.push_back({x[0], x[1], x[2]});
            }
            out.push_back(face);
        }
    }
    return out;
}

// The part above the plane; a new face closes the cut.
Cell above(const Cell& cell, const Plane& plane) {
    Cell out;
    Polygon lid;
    for (const Polygon& face : cell) {
        Polygon kept;
        for (std::size_t k = 0; k < face.size(); ++k) {
            const Vec3d& a = face[k];
            const Vec3d& b = face[(k + 1) % face.size()];
            const bool a_in = plane.height(a) >= 0;
            if (a_in) kept.push_back(a);
            if (a_in != (plane.height(b) >= 0)) {
                kept.push_back(crossing(a, b, plane));
                if (std::find(lid.begin(), lid.end(), kept.back()) == lid.end()) lid.push_back(kept.back());
            }
        }
        if (kept.size() >= 3) out.push_back(std::move(kept));
    }
    if (lid.size() < 3) return out;
    Vec3d middle{};
    for (const Vec3d& x : lid) middle = middle + x * (1.0 / static_cast<double>(lid.size()));
    const Vec3d u = normalized(lid[0] - middle);
    const Vec3d v = cross(plane.n, u);
    std::sort(lid.begin(), lid.end(), [&](const Vec3d& a, const Vec3d& b) {
        return std::atan2(dot(v, a - middle), dot(u, a - middle)) < std::atan2(dot(v, b - middle), dot(u, b - middle));
    });
    out.push_back(std::move(lid));
    return out;
}

std::vector<Vec3f> vertices_of(const Cell& cell) {
    std::vector<Vec3f> out;
    for (const Polygon& face : cell) {
        for (const Vec3d& x : face) {
            const Vec3f v{static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
            if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
        }
    }
    return out;
}

// Least width over the normals of its faces.
double thickness(const Cell& cell) {
    double least = 2;
    for (const Polygon& face : cell) {
        const Vec3d n = normalized(cross(face[1] - face[0], face[2] - face[0]));
        double low = 2;
        double high = -2;
        for (const Polygon& other : cell) {
            for (const Vec3d& x : other) {
                low = std::min(low, dot(n, x));
                high = std::max(high, dot(n, x));
            }
        }
        least = std::min(least, high - low);
    }
    return least;
}

}  // namespace

std::vector<std::vector<Vec3f>> shatter(tools::Random& random, int cuts) {
    std::vector<Cell> cells{cube()};
    for (int c = 0; c < cuts; ++c) {
        const Vec3d n = random.direction();
        const Plane plane = {n, random.range(-0.25, 0.25)};
        const Plane other = {n * -1.0, -plane.d};
        std::vector<Cell> next;
        for (const Cell& cell : cells) {
            Cell parts[2] = {above(cell, plane), above(cell, other)};
            if (parts[0].size() < 4 || parts[1].size() < 4 || thickness(parts[0]) < kThinnest ||
                thickness(parts[1]) < kThinnest) {
                next.push_back(cell);
                continue;
            }
            for (Cell& part : parts) next.push_back(std::move(part));
        }
        cells = std::move(next);
    }
    std::vector<std::vector<Vec3f>> out;
    for (const Cell& cell : cells) out.push_back(vertices_of(cell));
    return out;
}

}  // namespace lanefold::bench
