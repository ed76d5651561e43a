// SPDX-License-Identifier: MIT
//
// Angles without libm, whose functions differ between machines: only + - * / sqrt and rounding to an integer, so that
// the bits are the same everywhere.
#pragma once

#include <cmath>

namespace lanefold::detail {

// atan for t >= 0 (infinity allowed), accurate to a few units of rounding.
inline double portable_atan(double t) {
    // atan t = 2 atan(t / (1 + sqrt(1 + t^2))): four halvings reduce any argument to at most tan(pi / 32).
    constexpr double kHalfPi = 1.5707963267948966;
    if (t > 1e150) return kHalfPi;  // t^2 would overflow; atan differs from pi / 2 by less than 1e-150
    double x = t;
    for (int i = 0; i < 4; ++i) x = x / (1.0 + std::sqrt(1.0 + x * x));
    // |x| < 0.1: nine terms of the alternating series leave less than 1e-20.
    const double q = x * x;
    double s = 0;
    for (int k = 17; k >= 1; k -= 2) s = 1.0 / k - q * s;
    return 16.0 * (x * s);
}

struct SineCosine {
    double sine;
    double cosine;
};

// Largest angle that portable_sin_cos() takes, radians. Quarters of a turn are then counted in 20 bits, so that the
// products of the first two parts of pi / 2, of 32 bits each, are exact.
inline constexpr double kLargestAngle = 1e6;

// Sine and cosine of an angle of 0 to kLargestAngle, accurate to a few units of rounding.
inline SineCosine portable_sin_cos(double angle) {
    constexpr double kHalfPi[3] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};
    // 1 / ((k - 1) k)
    constexpr double kInverse[16] = {0,         0,         1.0 / 2,   1.0 / 6,  1.0 / 12, 1.0 / 20,
                                     1.0 / 30,  1.0 / 42,  1.0 / 56,  1.0 / 72, 1.0 / 90, 1.0 / 110,
                                     1.0 / 132, 1.0 / 156, 1.0 / 182, 1.0 / 210};
    constexpr double kQuartersInRadian = 0x1.45f306dc9c883p-1;
    const double quarters = std::floor(angle * kQuartersInRadian + 0.5);
    const double x = ((angle - quarters * kHalfPi[0]) - quarters * kHalfPi[1]) - quarters * kHalfPi[2];
    // |x| <= pi / 4: nine terms of each series leave less than 3e-18. Divisions are constants.
    const double q = x * x;
    double s = 1.0 / (16.0 * 17.0);
    for (int k = 15; k >= 3; k -= 2) s = kInverse[k] * (1.0 - q * s);
    double c = 1.0 / (15.0 * 16.0);
    for (int k = 14; k >= 2; k -= 2) c = kInverse[k] * (1.0 - q * c);
    s = q * s;
    c = q * c;
    const double sine = x * (1.0 - s);
    const double cosine = 1.0 - c;
    switch (static_cast<long long>(quarters) & 3) {
        case 0:
            return {sine, cosine};
        case 1:
            return {cosine, -sine};
        case 2:
            return {-sine, -cosine};
        default:
            return {-cosine, sine};
    }
}

}  // namespace lanefold::detail
