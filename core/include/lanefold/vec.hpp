// SPDX-License-Identifier: MIT
//
// Three-component vectors of float and double. Plain aggregates; every operation is written out, so that the order of
// additions is visible: always (x + y) + z.
#pragma once

#include <cmath>

namespace lanefold {

// Three components, 0 by default.
template <class T>
struct Vec3 {
    T x{};
    T y{};
    T z{};

    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

// Single precision: vertices, normals, points of contacts.
using Vec3f = Vec3<float>;
// Double precision: poses, mass, references.
using Vec3d = Vec3<double>;

template <class T>
constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a) {
    return {-a.x, -a.y, -a.z};
}

template <class T>
constexpr Vec3<T> operator*(const Vec3<T>& a, T s) {
    return {a.x * s, a.y * s, a.z * s};
}

template <class T>
constexpr Vec3<T> operator*(T s, const Vec3<T>& a) {
    return a * s;
}

// Scalar product, (x + y) + z.
template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

// Vector product, right-handed.
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// dot(a, a).
template <class T>
constexpr T length_squared(const Vec3<T>& a) {
    return dot(a, a);
}

// Euclidean length, correctly rounded root of length_squared().
template <class T>
T length(const Vec3<T>& a) {
    return std::sqrt(dot(a, a));
}

// Divides by the length; the caller guarantees that it is not zero.
template <class T>
Vec3<T> normalized(const Vec3<T>& a) {
    const T l = length(a);
    return {a.x / l, a.y / l, a.z / l};
}

// Whether no component is infinite or NaN.
template <class T>
bool is_finite(const Vec3<T>& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// Exact.
constexpr Vec3d to_double(const Vec3f& a) {
    return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

// Each component rounded to the nearest.
constexpr Vec3f to_float(const Vec3d& a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

}  // namespace lanefold
