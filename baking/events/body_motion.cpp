// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/body_motion.hpp"

#include <lanefold/detail/read_body.hpp>

namespace lanefold::tools {
namespace {

// Zero for a matrix that has none: of hulls without an inside.
Mat3d inverse_of(const Mat3d& m) {
    const Vec3d c0 = cross(m.row[1], m.row[2]);
    const Vec3d c1 = cross(m.row[2], m.row[0]);
    const Vec3d c2 = cross(m.row[0], m.row[1]);
    const double determinant = dot(m.row[0], c0);
    if (!(determinant > 0)) return {{{}, {}, {}}};
    const double f = 1.0 / determinant;
    return transpose(Mat3d{{c0 * f, c1 * f, c2 * f}});
}

}  // namespace

BodyMotion motion_between(const BodyD& first, const BodyD& last) {
    Quat q;
    Quat r;
    if (!normalize(first.orientation, q) || !normalize(last.orientation, r)) return {};
    const detail::Turn turn = detail::shorter_turn(q, r);
    return {detail::position_of(last) - detail::position_of(first), turn.axis * turn.angle, true};
}

void read_motions(const Scene& scene, const SceneFrame& first, const SceneFrame& last, std::vector<BodyMotion>& out) {
    const BodyView from = scene.view(first);
    const BodyView to = scene.view(last);
    out.assign(from.count, {});
    for (std::size_t i = 0; i < from.count; ++i) {
        if (!first.is_there(i) || !last.is_there(i)) continue;
        out[i] = motion_between(detail::read_body(from, i), detail::read_body(to, i));
    }
}

PoseD pose_at(const BodyD& first, const BodyMotion& motion, double fraction) {
    Quat q;
    if (!normalize(first.orientation, q)) q = {};
    const double angle = length(motion.spin);
    const detail::Turn turn = angle > 0 ? detail::Turn{motion.spin * (1.0 / angle), angle} : detail::Turn{};
    return {rotation(detail::part_of(turn, fraction)) * rotation(q),
            detail::position_of(first) + motion.shift * fraction};
}

BodyMasses::BodyMasses(const HullSet& hulls, std::span<const std::uint32_t> body_hull,
                       std::span<const float> inverse_mass, std::optional<double> density)
    : body_hull_(body_hull) {
    for (std::size_t h = 0; h < hulls.size(); ++h) {
        const MassProperties& mass = hulls.info(h).mass;
        Shape shape{mass.centre_of_mass, inverse_of(mass.inertia)};
        for (Vec3d& row : shape.inverse_inertia.row) row = row * mass.volume;
        shapes_.push_back(shape);
    }
    for (const float m : inverse_mass) inverse_mass_.push_back(static_cast<double>(m));
    if (!density) return;
    for (const std::uint32_t h : body_hull) {
        const double mass = hulls.info(h).mass.volume * *density;
        inverse_mass_.push_back(mass > 0 ? 1.0 / mass : 0.0);
    }
}

double BodyMasses::response(std::uint32_t body, const PoseD& pose, const Vec3d& point, const Vec3d& direction) const {
    if (inverse_mass_.empty() || !(inverse_mass_[body] > 0)) return 0;
    const Shape& shape = shapes_[body_hull_[body]];
    const Vec3d arm = point - transform(pose, shape.centre);
    const Vec3d moment = transpose_times(pose.rotation, cross(arm, direction));
    return inverse_mass_[body] * (1.0 + dot(moment, shape.inverse_inertia * moment));
}

}  // namespace lanefold::tools
