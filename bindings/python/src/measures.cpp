// SPDX-License-Identifier: MIT
//
// Measures of contacts. The call releases the interpreter lock while it computes.
#include <nanobind/stl/string.h>
#include <lanefold/measures.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// shifts: (P, 3) of float64, or none.
nb::dict measure(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                 const PairRows& pairs, const nb::object& shifts, bool serial, const Bytes& out,
                 MeasureWorkspace& workspace) {
    const BodyView view = view_bodies(position, orientation, hull);
    const std::span<const double> numbers = view_optional<double>(shifts, "shifts must be (3 P) of float64");
    if (numbers.size() % 3 != 0) throw nb::value_error("shifts must be (3 P) of float64");
    const std::span<const Vec3d> moved(reinterpret_cast<const Vec3d*>(numbers.data()), numbers.size() / 3);
    const auto call = serial ? &measure_contacts_serial : &measure_contacts;
    MeasureResult r;
    {
        const nb::gil_scoped_release release;
        r = call(hulls, view, view_pairs(pairs), view_records<ContactMeasures>(out), workspace, moved);
    }
    nb::dict d = status_dict(r.status);
    nb::list by_state;
    for (const std::uint64_t n : r.by_state) by_state.append(n);
    d["by_state"] = by_state;
    d["volume"] = r.volume;
    return d;
}

}  // namespace

void bind_measures(nb::module_& m) {
    nb::class_<MeasureWorkspace>(m, "MeasureWorkspace",
                                 "Memory between measures: one for each call that may run at the same time.")
        .def(nb::init<>());
    m.def("measure_contacts", &measure, nb::arg("hulls"), nb::arg("position"), nb::arg("orientation"), nb::arg("hull"),
          nb::arg("pairs"), nb::arg("shifts").none(), nb::arg("serial"), nb::arg("out"), nb::arg("workspace"));
}

}  // namespace lanefold::python
