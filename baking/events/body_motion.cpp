// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/body_motion.hpp"

#include <lanefold/detail/read_body.hpp>

namespace lanefold::tools {
namespace {

// The rotation by a part of the motion.
Mat3d turn_by(const BodyMotion& motion, double fraction) {
    const double angle = length(motion.spin);
    const detail::Turn turn = angle > 0 ? detail::Turn{motion.spin * (1.0 / angle), angle} : detail::Turn{};
    return rotation(detail::part_of(turn, fraction));
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
    return {turn_by(motion, fraction) * rotation(q), detail::position_of(first) + motion.shift * fraction};
}

BodyMasses::BodyMasses(const HullSet& hulls, std::span<const std::uint32_t> body_hull,
                       std::span<const float> inverse_mass, std::optional<double> density)
    : body_hull_(body_hull) {
    for (std::size_t h = 0; h < hulls.size(); ++h) centre_.push_back(hulls.info(h).mass.centre_of_mass);
    for (const float m : inverse_mass) inverse_mass_.push_back(static_cast<double>(m));
    if (!density) return;
    for (const std::uint32_t h : body_hull) {
        const double mass = hulls.info(h).mass.volume * *density;
        inverse_mass_.push_back(mass > 0 ? 1.0 / mass : 0.0);
    }
}

Vec3d BodyMasses::centre_shift(std::uint32_t body, const BodyMotion& motion, const PoseD& begin) const {
    const Vec3d arm = begin.rotation * centre_[body_hull_[body]];
    return motion.shift + turn_by(motion, 1) * arm - arm;
}

double BodyMasses::against_each_other(std::uint32_t a, std::uint32_t b) const {
    const double inverse = inverse_mass_.empty() ? 0.0 : inverse_mass_[a] + inverse_mass_[b];
    return inverse > 0 ? 1.0 / inverse : 0.0;
}

}  // namespace lanefold::tools
