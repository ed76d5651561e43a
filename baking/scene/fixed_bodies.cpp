// SPDX-License-Identifier: MIT
//
// Bodies with surfaces never move: none has a mass, and their poses are the same in all frames.

#include <algorithm>

#include "console/failure.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

// A body's row of an array as read for some bodies.
template <class T, class To>
void copy_row(const std::vector<T>& rows, std::uint64_t row, To& to) {
    constexpr std::size_t kWidth = std::extent_v<To>;
    for (std::size_t k = 0; k < kWidth; ++k) to[k] = rows[kWidth * row + k];
}

}  // namespace

void Scene::find_fixed() {
    if (other_shapes_.surfaces.size() == 0) return;
    SceneFrame frame;
    for (std::uint64_t body = 0; body < bodies(); ++body) {
        const std::uint32_t hull = body_hull_[body];
        if (other_shapes_.kind_of(hull) != ShapeKind::surface) continue;
        if (!inverse_mass_.empty() && inverse_mass_[body] != 0) {
            throw bad_input("{}: {} has inverse mass {}, but hull {} is a surface, which never moves",
                            (folder_ / "body_inverse_mass.npy").string(), describe(body), inverse_mass_[body], hull);
        }
        for (std::uint64_t f = 0; f < frames(); ++f) {
            read_poses(f, body, 1, frame);
            if (!frame.is_there(0)) continue;
            FixedBody& fixed = fixed_.emplace_back();
            fixed.body = body;
            fixed.frame = f;
            if (positions_are_double_) copy_row(frame.position_double, 0, fixed.position);
            if (!positions_are_double_) copy_row(frame.position, 0, fixed.position);
            copy_row(frame.orientation, 0, fixed.orientation);
            break;
        }
    }
}

void Scene::check_fixed(const SceneFrame& frame, std::uint64_t first, std::uint64_t count) const {
    for (const FixedBody& fixed : fixed_) {
        if (fixed.body < first || fixed.body >= first + count) continue;
        const std::uint64_t row = fixed.body - first;
        if (!frame.is_there(row)) continue;
        double position[3];
        float orientation[4];
        if (positions_are_double_) copy_row(frame.position_double, row, position);
        if (!positions_are_double_) copy_row(frame.position, row, position);
        copy_row(frame.orientation, row, orientation);
        const bool moved = !std::equal(position, position + 3, fixed.position);
        if (!moved && std::equal(orientation, orientation + 4, fixed.orientation)) continue;
        throw bad_input(
            "{}: frame {}, {}: hull {} is a surface, which never moves, but its pose is another than in "
            "frame {}",
            (moved ? position_ : orientation_).path().string(), frame.index, describe(fixed.body),
            body_hull_[fixed.body], fixed.frame);
    }
}

}  // namespace lanefold::tools
