// SPDX-License-Identifier: MIT
//
// Bodies as targets of rays: poses of hulls, half-spaces, surfaces and children in float64.
#include <lanefold/detail/compound_block.hpp>
#include <lanefold/detail/half_space_block.hpp>
#include <lanefold/detail/ray.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/surface_block.hpp>

namespace lanefold::detail {

bool place_target(const HullSet& hulls, const BodyD& body, RayTarget& out) {
    Quat q;
    if (!hulls.contains(body.hull) || !is_finite(position_of(body)) || !normalize(body.orientation, q)) return false;
    out.hull = &hulls[body.hull];
    if (is_compound(*out.hull)) return false;
    const Mat3d turned = rotation(q);
    // Only hulls have a frame of their own within the body's.
    const bool framed = !is_half_space(*out.hull) && !is_surface(*out.hull);
    const PoseD inner = framed ? HullView(*out.hull).internal_to_input() : PoseD{};
    out.pose = {turned * inner.rotation, turned * inner.position + position_of(body)};
    return true;
}

bool place_children(const HullSet& hulls, const BodyD& body, PlaceChild place, void* context) {
    RayTarget target;
    if (!hulls.contains(body.hull) || !is_compound(hulls[body.hull])) {
        if (!place_target(hulls, body, target)) return false;
        place(context, 0, target);
        return true;
    }
    if (!is_finite(position_of(body)) || !is_orientation(body.orientation)) return false;
    const HullRecord& compound = hulls[body.hull];
    const BodyTurn turn(body.orientation);
    for (std::uint32_t k = 0; k < compound.loops; ++k) {
        const BodyD child = place_child(children_of(compound)[k], body.hull, turn, position_of(body));
        if (place_target(hulls, child, target)) place(context, k, target);
    }
    return true;
}

}  // namespace lanefold::detail
