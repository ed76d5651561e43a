// SPDX-License-Identifier: MIT
//
// The oracle of the batch calls: exact distances of pairs by brute force.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include <lanefold/half_space.hpp>
#include <lanefold/reference.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

using Doubles = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

// The oracle's hulls of a set, each made when a body needs it.
class Solids {
public:
    explicit Solids(const HullSet& hulls) : hulls_(hulls) {}

    // The children of an id: itself, or those of a compound.
    std::vector<reference::OracleChild> children(std::uint32_t id, float scale) {
        std::vector<reference::OracleChild> out;
        for (std::size_t k = 0; k < hulls_.child_count(id); ++k) {
            const CompoundChild child = hulls_.child(id, k);
            double at[3];
            for (int i = 0; i < 3; ++i) at[i] = child.position[i] * static_cast<double>(scale);
            out.push_back({&solid(child.hull, scale), reference::oracle_pose(at, child.orientation)});
        }
        if (out.empty()) out.push_back({&solid(id, scale), {}});
        return out;
    }

private:
    const reference::OracleHull& solid(std::uint32_t id, float scale) {
        const auto found = solids_.find({id, scale});
        if (found != solids_.end()) return found->second;
        const std::optional<HalfSpace> plane = half_space(hulls_, id);
        return solids_
            .emplace(std::pair(id, scale),
                     plane ? reference::make_oracle_half_space(plane->normal, plane->offset * scale)
                           : reference::make_oracle_hull(hulls_.vertices(id), hulls_[id].round_radius, scale))
            .first->second;
    }

    const HullSet& hulls_;
    std::map<std::pair<std::uint32_t, float>, reference::OracleHull> solids_;
};

// A body of a view; without children where it cannot be placed or is a surface.
struct Placed {
    std::vector<reference::OracleChild> children;
    PoseD pose;
    bool compound = false;
};

Placed place(const HullSet& hulls, Solids& solids, const BodyView& view, std::uint32_t body) {
    Placed p;
    if (body >= view.count) return p;
    std::uint32_t id = 0;
    std::memcpy(&id, view.hull + body * view.hull_stride, sizeof id);
    float q[4];
    std::memcpy(q, view.orientation + body * view.orientation_stride, sizeof q);
    double x[3];
    float f[3];
    const std::byte* at = view.position + body * view.position_stride;
    std::memcpy(view.position_is_double ? static_cast<void*>(x) : f, at, view.position_is_double ? sizeof x : sizeof f);
    if (!view.position_is_double) std::copy_n(f, 3, x);
    Quat unit;
    if (!hulls.contains(id) || !normalize(q, unit) || !is_finite(Vec3d{x[0], x[1], x[2]})) return p;
    // A surface has no distance of two convex shapes; surface_judge.hpp judges its contacts.
    if (hulls[id].shape == ShapeKind::surface) return p;
    float scale = 1;
    if (view.scale != nullptr) std::memcpy(&scale, view.scale + body * view.scale_stride, sizeof scale);
    if (!(scale > 0 && std::isfinite(scale))) return p;
    p.children = solids.children(id, scale);
    p.compound = hulls.child_count(id) != 0;
    p.pose = reference::oracle_pose(x, q);
    return p;
}

reference::OracleResult distance_of(const Placed& a, const Placed& b) {
    if (!a.compound && !b.compound)
        return reference::signed_distance(*a.children[0].hull, a.pose, *b.children[0].hull, b.pose);
    // The normal is that of the deepest children.
    const reference::CompoundDistance all = reference::signed_distance(a.children, a.pose, b.children, b.pose);
    const reference::OracleChild& child_a = a.children[all.child_a];
    const reference::OracleChild& child_b = b.children[all.child_b];
    reference::OracleResult r =
        reference::signed_distance(*child_a.hull, reference::child_pose(a.pose, child_a.pose, a.pose.position),
                                   *child_b.hull, reference::child_pose(b.pose, child_b.pose, a.pose.position));
    r.distance = all.distance;
    return r;
}

// Writes exact distances and normals of pairs, by brute force, to out, (P, 4) of float64. Pairs with a surface, or a
// body that cannot be placed, get NaN.
void oracle(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
            const PairRows& pairs, const Doubles& out) {
    const BodyView view = view_bodies(position, orientation, hull);
    const std::span<const Pair> list = view_pairs(pairs);
    if (out.size() != 4 * list.size()) throw nb::value_error("out must be (P, 4)");
    const nb::gil_scoped_release release;
    Solids solids(hulls);
    for (std::size_t i = 0; i < list.size(); ++i) {
        double* to = out.data() + 4 * i;
        std::fill_n(to, 4, std::numeric_limits<double>::quiet_NaN());
        const Placed a = place(hulls, solids, view, list[i].a);
        const Placed b = place(hulls, solids, view, list[i].b);
        if (a.children.empty() || b.children.empty() || list[i].a == list[i].b) continue;
        const reference::OracleResult r = distance_of(a, b);
        to[0] = r.distance;
        to[1] = r.normal.x;
        to[2] = r.normal.y;
        to[3] = r.normal.z;
    }
}

}  // namespace

void bind_oracle(nb::module_& m) { m.def("oracle", &oracle); }

}  // namespace lanefold::python
