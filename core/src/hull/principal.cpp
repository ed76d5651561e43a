// SPDX-License-Identifier: MIT
//
// Principal axes by cyclic Jacobi rotations (C. G. J. Jacobi, 1846; formulas: H. Rutishauser, 1966), with + - * / sqrt
// only, so the axes are the same on every machine.
#include "hull/principal.hpp"

#include <cmath>
#include <utility>

namespace lanefold::detail {

namespace {

// Sweeps of three rotations. Convergence is quadratic, and five sweeps are enough for any matrix of three rows.
constexpr int kSweeps = 8;

// Makes a[p][q] zero by a rotation in the plane of p and q, and rotates the columns of v with it.
void rotate(double a[3][3], double v[3][3], int p, int q) {
    if (a[p][q] == 0.0) return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    // Tangent of the smaller angle. The square of a huge theta may be infinite; then t is 0.
    const double t = (theta < 0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0);
    const double s = t * c;
    const double shift = t * a[p][q];
    a[p][p] -= shift;
    a[q][q] += shift;
    a[p][q] = a[q][p] = 0.0;
    const int r = 3 - p - q;
    const double rp = a[r][p];
    const double rq = a[r][q];
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
    for (int k = 0; k < 3; ++k) {
        const double kp = v[k][p];
        const double kq = v[k][q];
        v[k][p] = c * kp - s * kq;
        v[k][q] = s * kp + c * kq;
    }
}

}  // namespace

void principal_axes(const Mat3d& inertia, Mat3d& axes, Vec3d& moments) {
    double a[3][3];
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
        a[i][0] = inertia.row[i].x;
        a[i][1] = inertia.row[i].y;
        a[i][2] = inertia.row[i].z;
    }
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    int order[3] = {0, 1, 2};
    const auto sort = [&](int i, int j) {
        if (a[order[j]][order[j]] < a[order[i]][order[i]]) std::swap(order[i], order[j]);
    };
    sort(0, 1);
    sort(1, 2);
    sort(0, 1);
    moments = {a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]};
    const Vec3d first{v[0][order[0]], v[1][order[0]], v[2][order[0]]};
    const Vec3d second{v[0][order[1]], v[1][order[1]], v[2][order[1]]};
    const Vec3d third = cross(first, second);  // makes the axes right-handed in any order
    axes = {{{first.x, second.x, third.x}, {first.y, second.y, third.y}, {first.z, second.z, third.z}}};
}

}  // namespace lanefold::detail
