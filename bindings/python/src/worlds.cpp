// SPDX-License-Identifier: MIT
//
// The contacts of many worlds in one call. It releases the interpreter lock while it computes.
#include <cstddef>

#include <lanefold/narrowphase.hpp>
#include <lanefold/worlds.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

// WORLD_RESULT of _worlds.py has these places.
static_assert(sizeof(WorldResult) == 184 && offsetof(WorldResult, deepest) == 4);
static_assert(offsetof(WorldResult, written) == 8 && offsetof(WorldResult, by_status) == 56);
static_assert(offsetof(WorldResult, by_kind) == 120 && offsetof(WorldResult, hash) == 176);

// `ranges` has the arrays of WorldRanges by name. Writes records, results, and candidates unless they are None.
nb::dict worlds(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                const PairRows& pairs, const nb::dict& ranges, const nb::dict& options, const Bytes& out, int capacity,
                const Bytes& results, const nb::object& candidates, Workspace& workspace) {
    const BodyView view = view_bodies(position, orientation, hull);
    const std::span<const Pair> list = view_pairs(pairs);
    const Options o = options_of(options);
    const CallInputs inputs = inputs_of(options, list.size());
    WorldRanges w;
    w.pairs = view_optional<std::uint64_t>(ranges["pairs"], "pair_offsets must be (W + 1) of uint64");
    w.records = view_optional<std::uint64_t>(ranges["records"], "record_offsets must be (W + 1) of uint64");
    w.bodies = view_optional<std::uint64_t>(ranges["bodies"], "body_offsets must be (W + 1) of uint64");
    w.active = view_optional<std::uint8_t>(ranges["active"], "active must be (W) of uint8");
    w.previous_records =
        view_optional<std::uint64_t>(ranges["previous_records"], "previous_offsets must be (W + 1) of uint64");
    if (!nb::object(ranges["previous_results"]).is_none())
        w.previous_results = view_records<WorldResult>(nb::cast<Bytes>(ranges["previous_results"]));
    std::span<std::uint32_t> indices;
    if (!candidates.is_none()) indices = view_records<std::uint32_t>(nb::cast<Bytes>(candidates));
    const std::span<WorldResult> each = view_records<WorldResult>(results);
    WorldsResult r;
    const auto call = [&](auto records) {
        const nb::gil_scoped_release release;
        r = collide_worlds<typename decltype(records)::element_type>(hulls, view, list, w, o, records, each, workspace,
                                                                     inputs, indices);
    };
    if (capacity == 4) {
        call(view_records<Manifold4>(out));
    } else {
        call(view_records<Manifold16>(out));
    }
    nb::dict d = result_dict(r);
    d["written"] = r.written;
    d["truncated"] = r.truncated;
    return d;
}

}  // namespace

void bind_worlds(nb::module_& m) {
    m.def("worlds", &worlds, nb::arg("hulls"), nb::arg("position"), nb::arg("orientation"), nb::arg("hull"),
          nb::arg("pairs"), nb::arg("ranges"), nb::arg("options"), nb::arg("out"), nb::arg("capacity"),
          nb::arg("results"), nb::arg("candidates").none(), nb::arg("workspace"));
}

}  // namespace lanefold::python
