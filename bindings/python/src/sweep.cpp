// SPDX-License-Identifier: MIT
//
// Sweeps. Every call releases the interpreter lock while it computes.
#include <nanobind/stl/string.h>
#include <lanefold/isa.hpp>
#include <lanefold/speculative.hpp>
#include <lanefold/sweep.hpp>

#include "native.hpp"

namespace lanefold::python {

SweepOptions sweep_options_of(const nb::dict& d) {
    SweepOptions o;
    o.target = float_of(d["target"], "target");
    o.tolerance = float_of(d["tolerance"], "tolerance");
    o.threads = count_of(d["threads"], "threads");
    o.isa = isa_of(d);
    return o;
}

// The dictionary must outlive the result, which refers to its arrays.
SweepInputs sweep_inputs_of(const nb::dict& d) {
    SweepInputs in;
    if (!nb::object(d["spins"]).is_none()) {
        DoubleRows rows;
        if (!nb::try_cast(nb::object(d["spins"]), rows) || rows.shape(1) != 3) {
            throw nb::value_error("spins must be (N, 3) of float64");
        }
        in.spins = {reinterpret_cast<const Vec3d*>(rows.data()), rows.shape(0)};
    }
    in.stop = stop_of(d);
    return in;
}

namespace {

nb::dict result_dict(const SweepResult& r) {
    nb::dict d = status_dict(r.status);
    d["pairs"] = r.pairs;
    d["culled"] = r.culled;
    d["distances"] = r.distances;
    d["written"] = r.written;
    d["required"] = r.required;
    d["next_pair"] = r.next_pair;
    d["by_state"] = counts_by_name<SweepState>(r.by_state);
    d["by_status"] = counts_by_name<Status>(r.by_status);
    return d;
}

nb::dict dense(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
               const AnyArray& next_position, const AnyArray& next_orientation, const PairRows& pairs,
               const nb::dict& options, const Bytes& out, SweepWorkspace& workspace) {
    const BodyView begin = view_bodies(position, orientation, hull);
    const BodyView end = view_bodies(next_position, next_orientation, hull);
    const SweepOptions o = sweep_options_of(options);
    const SweepInputs in = sweep_inputs_of(options);
    SweepResult r;
    {
        const nb::gil_scoped_release release;
        r = sweep(hulls, begin, end, view_pairs(pairs), o, view_records<SweepRecord>(out), workspace, in);
    }
    return result_dict(r);
}

nb::dict compact(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                 const AnyArray& next_position, const AnyArray& next_orientation, const PairRows& pairs,
                 const nb::dict& options, const Bytes& out, SweepWorkspace& workspace, std::uint64_t first_pair) {
    const BodyView begin = view_bodies(position, orientation, hull);
    const BodyView end = view_bodies(next_position, next_orientation, hull);
    const SweepOptions o = sweep_options_of(options);
    const SweepInputs in = sweep_inputs_of(options);
    SweepResult r;
    {
        const nb::gil_scoped_release release;
        r = sweep_compact(hulls, begin, end, view_pairs(pairs), o, view_records<SweepRecord>(out), workspace, in,
                          first_pair);
    }
    return result_dict(r);
}

nb::dict margins(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                 const FloatRows& velocity, const FloatRows& spin, const PairRows& pairs, float time, float margin,
                 const Bytes& out) {
    const BodyView view = view_bodies(position, orientation, hull);
    const BodyVelocities own = {{reinterpret_cast<const Vec3f*>(velocity.data()), velocity.shape(0)},
                                {reinterpret_cast<const Vec3f*>(spin.data()), spin.shape(0)}};
    const nb::gil_scoped_release release;
    const CallStatus status =
        speculative_margins(hulls, view, own, view_pairs(pairs), time, margin, view_records<float>(out));
    const nb::gil_scoped_acquire acquire;
    return status_dict(status);
}

}  // namespace

void bind_sweep(nb::module_& m) {
    nb::class_<SweepWorkspace>(m, "SweepWorkspace",
                               "Memory between sweeps: one for each call that may run at the same time.")
        .def(nb::init<>());
    m.def("sweep_dense", &dense);
    m.def("sweep_compact", &compact);
    m.def("speculative_margins", &margins);
}

}  // namespace lanefold::python
