// SPDX-License-Identifier: MIT
//
// The native module lanefold._native.
#include "native.hpp"

#include <lanefold/stop.hpp>

#include <nanobind/stl/string.h>
#include <lanefold/isa.hpp>
#include <lanefold/version.hpp>

namespace lanefold::python {

namespace {

bool rows_of(const AnyArray& a, std::size_t columns) {
    return a.ndim() == 2 && a.shape(1) == columns && (a.shape(0) == 0 || a.stride(1) == 1);
}

// Stride in bytes. The Python layer copies arrays with a negative stride before.
std::size_t step(const AnyArray& a) {
    if (a.stride(0) < 0) throw nb::value_error("an array has a negative stride");
    return static_cast<std::size_t>(a.stride(0)) * (a.dtype().bits / 8);
}

const std::byte* first(const AnyArray& a) { return static_cast<const std::byte*>(a.data()); }

}  // namespace

BodyView view_bodies(const AnyArray& position, const AnyArray& orientation, const AnyArray& hull) {
    const bool is_double = position.dtype() == nb::dtype<double>();
    if (!rows_of(position, 3) || !(is_double || position.dtype() == nb::dtype<float>())) {
        throw nb::value_error("position must be (N, 3) of float32 or float64");
    }
    if (!rows_of(orientation, 4) || orientation.dtype() != nb::dtype<float>()) {
        throw nb::value_error("orientation must be (N, 4) of float32");
    }
    const bool scaled = rows_of(hull, 2);  // ids, and the bits of scales
    if (!(hull.ndim() == 1 || scaled) || hull.dtype() != nb::dtype<std::uint32_t>()) {
        throw nb::value_error("hull must be (N) of uint32, or what at_scale() returns");
    }
    if (orientation.shape(0) != position.shape(0) || hull.shape(0) != position.shape(0)) {
        throw nb::value_error("position, orientation and hull must be of equal length");
    }
    BodyView v;
    v.count = position.shape(0);
    v.position = first(position);
    v.orientation = first(orientation);
    v.hull = first(hull);
    v.position_stride = step(position);
    v.orientation_stride = step(orientation);
    v.hull_stride = step(hull);
    v.position_is_double = is_double;
    if (scaled) {
        v.scale = v.hull + sizeof(std::uint32_t);
        v.scale_stride = v.hull_stride;
    }
    return v;
}

nb::dict status_dict(const CallStatus& status) {
    nb::dict d;
    d["code"] = static_cast<int>(status.code);
    d["what"] = status.what;
    d["where"] = status.where;
    return d;
}

}  // namespace lanefold::python

NB_MODULE(_native, m) {
    using namespace lanefold;
    namespace nb = nanobind;
    m.def("version", [] { return std::string(version()); });
    m.def("instruction_sets", [] {
        nb::list names;
        for (const Isa isa : available_isas()) names.append(to_string(isa));
        return names;
    });
    nb::class_<StopFlag>(m, "StopFlag", "One thread sets it; calls on other threads that have it as `stop` then stop.")
        .def(nb::init<>())
        .def("request_stop", &StopFlag::request_stop, "Calls with this flag stop at their next chunk.")
        .def("reset", &StopFlag::reset, "Later calls run again.")
        .def_prop_ro("stop_requested", &StopFlag::stop_requested);
    python::bind_bake(m);
    python::bind_hulls(m);
    python::bind_kinds(m);
    python::bind_measures(m);
    python::bind_oracle(m);
    python::bind_shapes(m);
    python::bind_collide(m);
    python::bind_direct(m);
    python::bind_finder(m);
    python::bind_queries(m);
    python::bind_rays(m);
    python::bind_stream(m);
    python::bind_surface(m);
    python::bind_sweep(m);
    python::bind_world(m);
    python::bind_world_batch(m);
    python::bind_worlds(m);
}
