// SPDX-License-Identifier: MIT
//
// Queries of the scene of a pair finder. Every call releases the interpreter lock while it computes. Those that give
// all records return how many there are; the Python layer calls again if there was no room.
#include <nanobind/stl/string.h>
#include <lanefold/scene_queries.hpp>

#include "finder.hpp"
#include "native.hpp"

namespace lanefold::python {

namespace {

static_assert(sizeof(Ray) == 6 * sizeof(double));

// The dictionary must outlive the options, which refer to its arrays.
QueryOptions query_options_of(const nb::dict& d) {
    QueryOptions o;
    o.group = view_optional<std::uint32_t>(d["group"], "group must be (Q) of uint32");
    o.category = view_optional<std::uint32_t>(d["category"], "category must be (Q) of uint32");
    o.collides_with = view_optional<std::uint32_t>(d["collides_with"], "collides_with must be (Q) of uint32");
    o.world = view_optional<std::int32_t>(d["world"], "world must be (Q) of int32");
    o.threads = count_of(d["threads"], "threads");
    o.isa = isa_of(d);
    return o;
}

RayInputs ray_inputs_of(const nb::dict& d) {
    RayInputs in;
    in.mode = nb::cast<bool>(d["any"]) ? RayMode::any : RayMode::first;
    in.back_faces = nb::cast<bool>(d["back_faces"]);
    return in;
}

nb::dict query_dict(const QueryResult& r) {
    nb::dict d = status_dict(r.status);
    d["by_status"] = counts_by_name<Status>(r.by_status);
    d["first_bad"] = r.first_bad;
    d["candidates"] = r.candidates;
    d["touching"] = r.touching;
    d["required"] = r.required;
    return d;
}

nb::dict query_dict(const RayResult& r) {
    nb::dict d = status_dict(r.status);
    nb::list by_state;
    for (const std::uint64_t n : r.by_state) by_state.append(n);
    d["by_state"] = by_state;
    d["left_out"] = r.left_out;
    d["required"] = r.required;
    return d;
}

// Calls f(finder, options) without the interpreter lock.
template <class F>
nb::dict ask(SharedFinder& shared, const nb::dict& options, const F& f) {
    const QueryOptions o = query_options_of(options);
    const Busy busy(shared.busy, kFinderInUse);
    decltype(f(shared.finder, o)) r;
    {
        const nb::gil_scoped_release release;
        r = f(shared.finder, o);
    }
    return query_dict(r);
}

std::span<const Ray> view_rays(const DoubleRows& rays) {
    if (rays.shape(1) != 6) throw nb::value_error("rays must be (R, 6) of float64");
    return {reinterpret_cast<const Ray*>(rays.data()), rays.shape(0)};
}

nb::dict rays_first(SharedFinder& shared, const DoubleRows& rays, const nb::dict& options, const Bytes& out,
                    QueryWorkspace& workspace) {
    const std::span<const Ray> list = view_rays(rays);
    const RayInputs in = ray_inputs_of(options);
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return cast_rays(scene, list, view_records<RayHit>(out), workspace, in, o);
    });
}

nb::dict rays_all(SharedFinder& shared, const DoubleRows& rays, const nb::dict& options, const Bytes& offsets,
                  const Bytes& out, QueryWorkspace& workspace) {
    const std::span<const Ray> list = view_rays(rays);
    const RayInputs in = ray_inputs_of(options);
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return cast_rays_all(scene, list, view_records<std::uint64_t>(offsets), view_records<RayHit>(out), workspace,
                             in, o);
    });
}

nb::dict overlaps(SharedFinder& shared, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                  float margin, const nb::dict& options, const Bytes& offsets, const Bytes& out, const Bytes& statuses,
                  QueryWorkspace& workspace) {
    const BodyView shapes = view_bodies(position, orientation, hull);
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return overlap_scene(scene, shapes, margin, view_records<std::uint64_t>(offsets),
                             view_records<std::uint32_t>(out), workspace, o, view_records<Status>(statuses));
    });
}

nb::dict closest(SharedFinder& shared, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                 const nb::object& radii, const nb::dict& options, const Bytes& out, QueryWorkspace& workspace) {
    const BodyView shapes = view_bodies(position, orientation, hull);
    const std::span<const float> reach = view_optional<float>(radii, "radii must be (Q) of float32");
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return closest_points(scene, shapes, reach, view_records<ClosestPoints>(out), workspace, o);
    });
}

nb::dict closest_all(SharedFinder& shared, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                     const nb::object& radii, const nb::dict& options, const Bytes& offsets, const Bytes& out,
                     const Bytes& statuses, QueryWorkspace& workspace) {
    const BodyView shapes = view_bodies(position, orientation, hull);
    const std::span<const float> reach = view_optional<float>(radii, "radii must be (Q) of float32");
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return closest_points_all(scene, shapes, reach, view_records<std::uint64_t>(offsets),
                                  view_records<ClosestPoints>(out), workspace, o, view_records<Status>(statuses));
    });
}

nb::dict shapes_first(SharedFinder& shared, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                      const AnyArray& next_position, const AnyArray& next_orientation, const nb::dict& options,
                      const Bytes& out, QueryWorkspace& workspace) {
    const BodyView begin = view_bodies(position, orientation, hull);
    const BodyView end = view_bodies(next_position, next_orientation, hull);
    const SweepOptions settings = sweep_options_of(options);
    const SweepInputs in = sweep_inputs_of(options);
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return cast_shapes(scene, begin, end, settings, view_records<ShapeHit>(out), workspace, in, o);
    });
}

nb::dict shapes_all(SharedFinder& shared, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                    const AnyArray& next_position, const AnyArray& next_orientation, const nb::dict& options,
                    const Bytes& offsets, const Bytes& out, const Bytes& statuses, QueryWorkspace& workspace) {
    const BodyView begin = view_bodies(position, orientation, hull);
    const BodyView end = view_bodies(next_position, next_orientation, hull);
    const SweepOptions settings = sweep_options_of(options);
    const SweepInputs in = sweep_inputs_of(options);
    return ask(shared, options, [&](const PairFinder& scene, const QueryOptions& o) {
        return cast_shapes_all(scene, begin, end, settings, view_records<std::uint64_t>(offsets),
                               view_records<ShapeHit>(out), workspace, in, o, view_records<Status>(statuses));
    });
}

}  // namespace

void bind_queries(nb::module_& m) {
    nb::class_<QueryWorkspace>(m, "QueryWorkspace",
                               "Memory between queries: one for each call that may run at the same time.")
        .def(nb::init<>());
    m.def("query_rays", &rays_first);
    m.def("query_rays_all", &rays_all);
    m.def("query_overlaps", &overlaps);
    m.def("query_closest", &closest, nb::arg("scene"), nb::arg("position"), nb::arg("orientation"), nb::arg("hull"),
          nb::arg("radii"), nb::arg("options"), nb::arg("out"), nb::arg("workspace"));
    m.def("query_closest_all", &closest_all, nb::arg("scene"), nb::arg("position"), nb::arg("orientation"),
          nb::arg("hull"), nb::arg("radii"), nb::arg("options"), nb::arg("offsets"), nb::arg("out"),
          nb::arg("statuses"), nb::arg("workspace"));
    m.def("query_shapes", &shapes_first);
    m.def("query_shapes_all", &shapes_all);
}

}  // namespace lanefold::python
