// SPDX-License-Identifier: MIT
//
// Classifies degenerate point sets in float64; see hull/input.hpp.
#include "hull/input.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <lanefold/detail/point_box.hpp>

#include "hull/predicates.hpp"

namespace lanefold::detail {

namespace {

// Limits of coordinates and extents, in the caller's unit. Beyond them the products in the computation of hulls leave
// float32's range: a volume is the product of three lengths, a squared normal of four.
constexpr double kSmallestExtent = 1e-15;

HullReport failure(HullError error, std::uint32_t culprit, const char* what) {
    HullReport r;
    r.error = error;
    r.culprit = culprit;
    r.what = what;
    return r;
}

// The multiple of `grain`, a power of two, that is nearest to a float32 number, ties to even.
double to_grain(double x, double grain) {
    // Adding this rounds to whole numbers, because they are the last place of the sum.
    constexpr double kWhole = 0x1.8p52;
    // Larger float32 numbers are multiples.
    return std::fabs(x) >= 0x1p24 * grain ? x : ((x / grain + kWhole) - kWhole) * grain;
}

bool before(const Vec3d& p, const Vec3d& q) {
    if (p.x != q.x) return p.x < q.x;
    return p.y != q.y ? p.y < q.y : p.z < q.z;
}

// Indices of points in the order of a key.
std::vector<std::uint32_t> ordered(const std::vector<Vec3d>& key) {
    std::vector<std::uint32_t> order(key.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t i, std::uint32_t j) { return key[i] == key[j] ? i < j : before(key[i], key[j]); });
    return order;
}

// Drops later copies of equal points. -0 counts as +0 and is stored as +0.
void remove_duplicates(std::span<const Vec3f> input, HullInput& out) {
    std::vector<Vec3d> points;
    points.reserve(input.size());
    for (const Vec3f& p : input) points.push_back(to_double(p) + Vec3d{0.0, 0.0, 0.0});
    const std::vector<std::uint32_t> order = ordered(points);
    out.index.clear();
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || !(points[order[k]] == points[order[k - 1]])) out.index.push_back(order[k]);
    }
    std::sort(out.index.begin(), out.index.end());
    out.points.clear();
    out.points.reserve(out.index.size());
    for (const std::uint32_t i : out.index) out.points.push_back(points[i]);
}

// The points that are kept, by the multiples of the grain that are nearest to them. Points at one multiple are within a
// grain of each other, so few of them are kept, however many there are.
class GrainMap {
public:
    // Keeps the points whose coordinates are multiples: no two of them are nearer than the grain.
    GrainMap(const std::vector<Vec3d>& points, double grain) : points_(points), grain_(grain) {
        key_.reserve(points.size());
        for (const Vec3d& p : points)
            key_.push_back({to_grain(p.x, grain), to_grain(p.y, grain), to_grain(p.z, grain)});
        if (key_ == points_) return;
        order_ = ordered(key_);
        kept_.resize(points.size());
        count_.assign(points.size(), 0);
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            if (!is_fine(i)) keep(i);
        }
    }

    // Whether a coordinate is no multiple.
    bool is_fine(std::uint32_t i) const { return !(key_[i] == points_[i]); }

    void keep(std::uint32_t i) {
        const std::size_t first = first_at(key_[i]);
        kept_[first + count_[first]++] = i;
    }

    // Whether point i is nearer than the grain, in every coordinate, to a point that is kept.
    bool is_beside_kept(std::uint32_t i) const {
        for (int step = 0; step < 27; ++step) {
            const int x = step % 3 - 1;
            const int y = step / 3 % 3 - 1;
            const int z = step / 9 - 1;
            const std::size_t first = first_at(
                key_[i] + Vec3d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * grain_);
            const std::uint32_t count = first < count_.size() ? count_[first] : 0;
            for (std::uint32_t k = 0; k < count; ++k) {
                if (beside(points_[kept_[first + k]], points_[i])) return true;
            }
        }
        return false;
    }

private:
    // The place in order_ of the first point at this multiple, or at the next one that has any.
    std::size_t first_at(const Vec3d& key) const {
        const auto at = std::lower_bound(order_.begin(), order_.end(), key,
                                         [&](std::uint32_t j, const Vec3d& k) { return before(key_[j], k); });
        return static_cast<std::size_t>(at - order_.begin());
    }

    bool beside(const Vec3d& p, const Vec3d& q) const {
        return std::fabs(p.x - q.x) < grain_ && std::fabs(p.y - q.y) < grain_ && std::fabs(p.z - q.z) < grain_;
    }

    const std::vector<Vec3d>& points_;
    double grain_;
    std::vector<Vec3d> key_;
    // Only if any point is fine:
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> kept_;   // from the place of a multiple's first point on: its points that are kept
    std::vector<std::uint32_t> count_;  // at the place of a multiple's first point: how many
};

// Drops points that are nearer to a kept one than the grain.
void remove_close(double grain, HullInput& out) {
    GrainMap map(out.points, grain);
    std::vector<std::uint32_t> kept;
    kept.reserve(out.points.size());
    for (std::uint32_t i = 0; i < out.points.size(); ++i) {
        const bool fine = map.is_fine(i);
        if (fine && map.is_beside_kept(i)) continue;
        if (fine) map.keep(i);
        kept.push_back(i);
    }
    if (kept.size() == out.points.size()) return;
    for (std::size_t k = 0; k < kept.size(); ++k) {
        out.points[k] = out.points[kept[k]];
        out.index[k] = out.index[kept[k]];
    }
    out.points.resize(kept.size());
    out.index.resize(kept.size());
}

// Index of the largest value of f over the points, lowest index on ties.
template <class F>
std::uint32_t furthest(const std::vector<Vec3d>& points, const F& f) {
    std::uint32_t best = 0;
    double best_value = f(points[0]);
    for (std::uint32_t i = 1; i < points.size(); ++i) {
        const double value = f(points[i]);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

// Four points: one, the furthest from it, the furthest from their line, the furthest from their plane.
struct Spread {
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    double line_distance = 0;
    double thickness = 0;  // of all points across the plane of a, b, c

    explicit Spread(const std::vector<Vec3d>& p) {
        a = furthest(p, [](const Vec3d& q) { return -q.x; });
        b = furthest(p, [&](const Vec3d& q) { return length_squared(q - p[a]); });
        const Vec3d line = normalized(p[b] - p[a]);
        const auto from_line = [&](const Vec3d& q) { return length(cross(q - p[a], line)); };
        c = furthest(p, from_line);
        line_distance = from_line(p[c]);
        const TrianglePlane plane(p[a], p[b], p[c]);
        double lowest = 0;
        double highest = 0;
        for (const Vec3d& q : p) {
            const double h = plane.height(q);
            lowest = std::min(lowest, h);
            highest = std::max(highest, h);
        }
        d = furthest(p, [&](const Vec3d& q) { return std::fabs(plane.height(q)); });
        thickness = highest - lowest;
    }

    std::array<std::uint32_t, 4> tetrahedron(const std::vector<Vec3d>& p) const {
        if (side_of_plane(p[a], p[b], p[c], p[d]) > 0) return {a, b, c, d};
        return {a, c, b, d};
    }
};

// Power of two that scales an extent to between 1 and 2. It is exact, so results do not depend on the unit.
double unit_scale(double extent) {
    double scale = 1.0;
    while (extent * scale < 1.0) scale *= 2.0;
    while (extent * scale >= 2.0) scale *= 0.5;
    return scale;
}

}  // namespace

HullReport prepare_input(std::span<const Vec3f> points, HullInput& out) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (!is_finite(points[i])) return failure(HullError::not_finite, i, "a coordinate is NaN or infinite");
    }
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Vec3d p = to_double(points[i]);
        const double m = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        if (m > kLargestCoordinate) return failure(HullError::too_large, i, "a coordinate is beyond 1e15");
    }
    remove_duplicates(points, out);
    const auto& p = out.points;
    if (p.size() < 4) return failure(HullError::too_few_points, 0, "fewer than 4 distinct points");

    const PointBox box(p);
    const Vec3d extent = box.high - box.low;
    out.size = box.size();
    if (std::max({extent.x, extent.y, extent.z}) < kSmallestExtent)
        return failure(HullError::too_small, 0, "the points lie within 1e-15");
    remove_close(kGrain / unit_scale(out.size), out);
    if (p.size() < 4) return failure(HullError::too_few_points, 0, "fewer than 4 distinct points");

    const Spread s(p);
    if (s.line_distance < kFlatness * out.size)
        return failure(HullError::collinear, out.index[s.c], "all points lie on a line");
    if (s.thickness < kFlatness * out.size)
        return failure(HullError::flat, out.index[s.d], "all points lie in a plane");
    out.start = s.tetrahedron(p);
    out.thickness = s.thickness;
    return {};
}

std::array<std::uint32_t, 4> spanning_tetrahedron(const std::vector<Vec3d>& points) {
    return Spread(points).tetrahedron(points);
}

}  // namespace lanefold::detail
