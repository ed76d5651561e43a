// SPDX-License-Identifier: MIT
//
// Shapes as rings of points about the y axis. A flat face between two rings is nearest to the axis's middle in the
// plane halfway between its meridians, so its distance follows from the rings' radii there.
#include <lanefold/shapes.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include <lanefold/fp_environment.hpp>

#include "hull/circle.hpp"
#include "hull/geometry.hpp"

namespace lanefold {
namespace {

using detail::sine_cosine;
using detail::sine_cosine_of_step;

constexpr double kHalfPi = 1.5707963267948966;
// Limits of what the builder takes.
constexpr double kLeastLength = 1e-12;
constexpr double kMostLength = 1e12;
// Sides of an n-gon. More only make hulls that are slow everywhere.
constexpr std::uint32_t kMostSides = 1024;
// The same of shapes that are curved in two directions, whose points are half of the square.
constexpr std::uint32_t kMostMeridians = 256;
// Rounding a coordinate to float32 moves it by at most 2^-24 of itself.
constexpr double kFloatRounding = 1.0 / (1 << 24);

Shape refuse(const char* what) {
    Shape shape;
    shape.what = what;
    return shape;
}

bool is_length(double x) { return x >= kLeastLength && x <= kMostLength; }

bool are_lengths(std::initializer_list<double> lengths) {
    return std::all_of(lengths.begin(), lengths.end(), is_length);
}

constexpr const char* kBadLength = "a length is not between 1e-12 and 1e12";
constexpr const char* kBadError = "the error is not between 1e-12 and 1e12";
constexpr const char* kTooFine = "so small an error needs too many faces; allow more";

// Multiples of 4, so that a shape reaches its extent along all axes.
constexpr std::uint32_t kFewestSides = 4;
constexpr std::uint32_t kSidesStep = 4;

// Cosine of half a step of an n-gon: its apothem in circumradii.
double apothem(std::uint32_t sides) { return sine_cosine_of_step(1, 2 * sides).cosine; }

// The fewest sides up to `most` for which error_of(sides) is within the wanted error; 0: none.
template <class Error>
std::uint32_t fewest_sides(std::uint32_t most, double wanted, const Error& error_of) {
    for (std::uint32_t n = kFewestSides; n <= most; n += kSidesStep) {
        if (error_of(n) <= wanted) return n;
    }
    return 0;
}

void add_point(double x, double y, double z, std::vector<Vec3f>& out) { out.push_back(to_float(Vec3d{x, y, z})); }

void add_ring(double radius, double y, std::uint32_t sides, std::vector<Vec3f>& out) {
    for (std::uint32_t k = 0; k < sides; ++k) {
        const auto [s, c] = sine_cosine_of_step(k, sides);
        add_point(radius * c, y, radius * s, out);
    }
}

double float_rounding(const Shape& shape) {
    double most = static_cast<double>(shape.radius);
    for (const Vec3f& p : shape.points) most = std::max(most, length(to_double(p)));
    return 2 * kFloatRounding * most;
}

Shape finished(Shape shape, double radius, double error) {
    shape.radius = static_cast<float>(radius);
    shape.error = error + float_rounding(shape);
    return shape;
}

// Distance from the middle of a unit ball of the face between two latitudes, whose sides are one step of `sides` apart.
double face_distance(double low, double high, std::uint32_t sides) {
    const double c = apothem(sides);
    const auto a = sine_cosine(low), b = sine_cosine(high);
    const Vec3d p{c * a.cosine, a.sine, 0}, q{c * b.cosine, b.sine, 0};
    return length(cross(p, q)) / length(q - p);
}

// The latitude of a ring: `ring` of `rings` equal parts from the lower pole to `top`.
double latitude(std::uint32_t ring, std::uint32_t rings, double top) {
    return -kHalfPi + (top + kHalfPi) * (static_cast<double>(ring) / static_cast<double>(rings));
}

// Parts of the way from the lower pole to a latitude, about as long as the sides are wide.
std::uint32_t rings_to(double top, std::uint32_t sides) {
    const double half_turns = (top + kHalfPi) / (2 * kHalfPi);
    return std::max(2U, static_cast<std::uint32_t>(std::ceil(half_turns * 0.5 * static_cast<double>(sides) - 1e-9)));
}

// By how much the faces of a unit ball, from the lower pole to a latitude, lie within it.
double ball_error(double top, std::uint32_t sides) {
    const std::uint32_t rings = rings_to(top, sides);
    double least = 1;
    for (std::uint32_t r = 0; r < rings; ++r)
        least = std::min(least, face_distance(latitude(r, rings, top), latitude(r + 1, rings, top), sides));
    return 1 - least;
}

}  // namespace

Shape sphere(double radius) {
    return in_default_environment([&] {
        if (!is_length(radius)) return refuse(kBadLength);
        Shape shape;
        shape.points = {{0, 0, 0}};
        return finished(std::move(shape), radius, 0);
    });
}

Shape capsule(double radius, double length) {
    return in_default_environment([&] {
        if (!are_lengths({radius, length})) return refuse(kBadLength);
        Shape shape;
        add_point(0, -0.5 * length, 0, shape.points);
        add_point(0, 0.5 * length, 0, shape.points);
        return finished(std::move(shape), radius, 0);
    });
}

Shape cylinder(double radius, double height, double error, double rim) {
    return in_default_environment([&] {
        if (!are_lengths({radius, height}) || (rim != 0 && !is_length(rim))) return refuse(kBadLength);
        if (!is_length(error)) return refuse(kBadError);
        if (!are_lengths({radius - rim, 0.5 * height - rim}))
            return refuse("the rim is not less than the radius and half of the height");
        const double core = radius - rim;
        const auto error_of = [&](std::uint32_t sides) { return core * (1 - apothem(sides)); };
        const std::uint32_t sides = fewest_sides(kMostSides, error, error_of);
        if (sides == 0) return refuse(kTooFine);
        Shape shape;
        add_ring(core, -(0.5 * height - rim), sides, shape.points);
        add_ring(core, 0.5 * height - rim, sides, shape.points);
        return finished(std::move(shape), rim, error_of(sides));
    });
}

Shape cone(double radius, double height, double error) {
    return in_default_environment([&] {
        if (!are_lengths({radius, height})) return refuse(kBadLength);
        if (!is_length(error)) return refuse(kBadError);
        const auto error_of = [&](std::uint32_t sides) { return radius * (1 - apothem(sides)); };
        const std::uint32_t sides = fewest_sides(kMostSides, error, error_of);
        if (sides == 0) return refuse(kTooFine);
        Shape shape;
        add_ring(radius, -0.25 * height, sides, shape.points);
        add_point(0, 0.75 * height, 0, shape.points);
        return finished(std::move(shape), 0, error_of(sides));
    });
}

// The smaller ball is the radius. The core is a ball of the difference with a tangent cone, whose tip is the middle of
// the smaller ball.
Shape tapered_capsule(double first_radius, double second_radius, double length, double error) {
    return in_default_environment([&] {
        if (!are_lengths({first_radius, second_radius, length})) return refuse(kBadLength);
        if (!is_length(error)) return refuse(kBadError);
        const double small = std::min(first_radius, second_radius);
        const double core = std::max(first_radius, second_radius) - small;
        const double up = first_radius >= second_radius ? 1 : -1;  // from the larger ball to the smaller one
        Shape shape;
        if (core >= length) {  // within the larger ball
            add_point(0, -up * 0.5 * length, 0, shape.points);
            return finished(std::move(shape), core + small, 0);
        }
        if (core < kLeastLength) return capsule(small, length);
        const double sine = core / length;
        const double tangent = detail::portable_atan(sine / std::sqrt(1 - sine * sine));
        const auto error_of = [&](std::uint32_t sides) { return core * ball_error(tangent, sides); };
        const std::uint32_t sides = fewest_sides(kMostMeridians, error, error_of);
        if (sides == 0) return refuse(kTooFine);
        const std::uint32_t rings = rings_to(tangent, sides);
        add_point(0, up * (-0.5 * length - core), 0, shape.points);
        for (std::uint32_t r = 1; r <= rings; ++r) {
            const auto [s, c] = sine_cosine(latitude(r, rings, tangent));
            add_ring(core * c, up * (core * s - 0.5 * length), sides, shape.points);
        }
        add_point(0, up * 0.5 * length, 0, shape.points);
        return finished(std::move(shape), small, error_of(sides));
    });
}

Shape ellipsoid(double x, double y, double z, double error) {
    return in_default_environment([&] {
        if (!are_lengths({x, y, z})) return refuse(kBadLength);
        if (!is_length(error)) return refuse(kBadError);
        // A point of the shape and the one below it on the way to the middle are as far apart as on a unit ball, times
        // the largest axis at most.
        const double largest = std::max({x, y, z});
        const auto error_of = [&](std::uint32_t sides) { return largest * ball_error(kHalfPi, sides); };
        const std::uint32_t sides = fewest_sides(kMostMeridians, error, error_of);
        if (sides == 0) return refuse(kTooFine);
        const std::uint32_t rings = rings_to(kHalfPi, sides);
        Shape shape;
        add_point(0, -y, 0, shape.points);
        for (std::uint32_t r = 1; r < rings; ++r) {
            // Steps of a whole turn, so that both halves are alike.
            const auto [s, c] = sine_cosine_of_step(r, 2 * rings);
            for (std::uint32_t k = 0; k < sides; ++k) {
                const auto around = sine_cosine_of_step(k, sides);
                add_point(x * s * around.cosine, -y * c, z * s * around.sine, shape.points);
            }
        }
        add_point(0, y, 0, shape.points);
        return finished(std::move(shape), 0, error_of(sides));
    });
}

}  // namespace lanefold
