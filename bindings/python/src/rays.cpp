// SPDX-License-Identifier: MIT
//
// Rays. The call releases the interpreter lock while it computes.
#include <nanobind/stl/string.h>
#include <lanefold/rays.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// rays: (R, 6) of float64, origin and direction; out: bytes of RayHit.
nb::dict cast(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
              const DoubleRows& rays, const Bytes& out, SweepWorkspace& workspace) {
    const BodyView view = view_bodies(position, orientation, hull);
    static_assert(sizeof(Ray) == 6 * sizeof(double));
    if (rays.shape(1) != 6) throw nb::value_error("rays must be (R, 6) of float64");
    const std::span<const Ray> list(reinterpret_cast<const Ray*>(rays.data()), rays.shape(0));
    const std::span<RayHit> hits = view_records<RayHit>(out);
    RayResult r;
    {
        const nb::gil_scoped_release release;
        r = cast_rays(hulls, view, list, hits, workspace);
    }
    nb::dict d = status_dict(r.status);
    nb::list by_state;
    for (const std::uint64_t n : r.by_state) by_state.append(n);
    d["by_state"] = by_state;
    d["left_out"] = r.left_out;
    return d;
}

}  // namespace

void bind_rays(nb::module_& m) { m.def("cast_rays", &cast); }

}  // namespace lanefold::python
