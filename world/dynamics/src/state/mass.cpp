// SPDX-License-Identifier: MIT
//
// Mass from density or as given, inertia of the homogeneous hull, and the inverses of both.
#include "state/mass.hpp"

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

Mat3d symmetric_matrix(const float s[6]) {
    const auto d = [](float x) { return static_cast<double>(x); };
    return {{{d(s[0]), d(s[1]), d(s[2])}, {d(s[1]), d(s[3]), d(s[4])}, {d(s[2]), d(s[4]), d(s[5])}}};
}

}  // namespace lanefold::detail
