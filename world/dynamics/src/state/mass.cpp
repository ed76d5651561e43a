// SPDX-License-Identifier: MIT
//
// Mass from density or as given, inertia of the homogeneous hull, and the inverses of both.
#include "state/mass.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {
namespace {

// Beyond these the solver's float32 squares and products leave their range: kilograms.
constexpr double kLeastMass = 1e-15;
constexpr double kMostMass = 1e15;

// The inverse of a symmetric positive definite matrix by cofactors. False when it is not one, or not in float32.
bool invert(const Mat3d& m, float inertia[6], float inverse[6]) {
    const double xx = m.row[0].x, xy = m.row[0].y, xz = m.row[0].z;
    const double yy = m.row[1].y, yz = m.row[1].z, zz = m.row[2].z;
    const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    const double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    const double det = (xx * cxx + xy * cxy) + xz * cxz;
    if (!(xx > 0) || !(czz > 0) || !(det > 0)) return false;
    const double from[6] = {xx, xy, xz, yy, yz, zz};
    const double to[6] = {cxx / det, cxy / det, cxz / det, cyy / det, cyz / det, czz / det};
    for (int k = 0; k < 6; ++k) {
        inertia[k] = static_cast<float>(from[k]);
        inverse[k] = static_cast<float>(to[k]);
        if (!std::isfinite(inertia[k]) || !std::isfinite(inverse[k])) return false;
    }
    return true;
}

}  // namespace

bool make_mass_row(const RigidBody& body, const MassProperties& hull, MassRow& row) {
    row = {};
    const Vec3f centre = to_float(hull.centre_of_mass);
    row.centre[0] = centre.x;
    row.centre[1] = centre.y;
    row.centre[2] = centre.z;
    if (body.kind != BodyKind::dynamic) return true;
    const double mass =
        body.mass != 0 ? static_cast<double>(body.mass) : static_cast<double>(body.density) * hull.volume;
    if (!(mass >= kLeastMass && mass <= kMostMass)) return false;
    row.inverse_mass = static_cast<float>(1.0 / mass);
    Mat3d inertia = hull.inertia;
    for (Vec3d& r : inertia.row) r = r * (mass / hull.volume);
    return invert(inertia, row.inertia, row.inverse_inertia);
}

float smallest_extent(const MassProperties& hull) {
    if (!(hull.volume > 0)) return 0;  // a half-space, which does not move
    // Jacobi's rotations make the matrix diagonal; they converge quadratically, so that six turns through its three
    // entries are more than enough.
    double m[3][3];
    for (int i = 0; i < 3; ++i) {
        const Vec3d& row = hull.inertia.row[i];
        m[i][0] = row.x, m[i][1] = row.y, m[i][2] = row.z;
    }
    constexpr int kTurns = 6;
    constexpr int kPlanes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    for (int turn = 0; turn < kTurns; ++turn) {
        for (const auto& [p, q, r] : kPlanes) {
            if (m[p][q] == 0) continue;
            const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
            const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
            const double c = 1 / std::sqrt(t * t + 1), s = t * c;
            const double pq = m[p][q], pr = m[p][r], qr = m[q][r];
            m[p][p] -= t * pq;
            m[q][q] += t * pq;
            m[p][q] = m[q][p] = 0;
            m[p][r] = m[r][p] = c * pr - s * qr;
            m[q][r] = m[r][q] = s * pr + c * qr;
        }
    }
    // The largest moment of a box of a, b, c is volume / 12 (b^2 + c^2), and the trace volume / 6 (a^2 + b^2 + c^2).
    const double most = std::max(m[0][0], std::max(m[1][1], m[2][2]));
    const double trace = m[0][0] + m[1][1] + m[2][2];
    return static_cast<float>(std::sqrt(std::max(0.0, 6 * (trace - 2 * most) / hull.volume)));
}

Mat3d symmetric_matrix(const float s[6]) {
    const auto d = [](float x) { return static_cast<double>(x); };
    return {{{d(s[0]), d(s[1]), d(s[2])}, {d(s[1]), d(s[3]), d(s[4])}, {d(s[2]), d(s[4]), d(s[5])}}};
}

}  // namespace lanefold::detail
