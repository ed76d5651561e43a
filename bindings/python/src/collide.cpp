// SPDX-License-Identifier: MIT
//
// The batch calls. Every call releases the interpreter lock while it computes.
#include <nanobind/stl/string.h>
#include <lanefold/hash.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/narrowphase.hpp>

#include "native.hpp"

namespace lanefold::python {

Options options_of(const nb::dict& d) {
    Options o;
    o.margin = float_of(d["margin"], "margin");
    o.face_preference = float_of(d["face_preference"], "face_preference");
    o.hysteresis = float_of(d["hysteresis"], "hysteresis");
    o.threads = count_of(d["threads"], "threads");
    o.hash = true;
    o.points = nb::cast<bool>(d["impact_points_only"]) ? PointSelection::impact : PointSelection::all;
    o.method = nb::cast<bool>(d["patch"]) ? ContactMethod::patch : ContactMethod::clip;
    o.isa = isa_of(d);
    return o;
}

Isa isa_of(const nb::dict& d) {
    const std::optional<Isa> isa = parse_isa(value_of<std::string>(d["isa"], "isa", "a name"));
    if (!isa) throw nb::value_error("isa is not the name of an instruction set");
    return *isa;
}

StopToken stop_of(const nb::dict& d) {
    if (nb::object(d["stop"]).is_none()) return {};
    if (!nb::isinstance<StopFlag>(d["stop"])) throw nb::type_error("stop must be a StopFlag");
    return nb::cast<const StopFlag&>(d["stop"]);
}

CallInputs inputs_of(const nb::dict& d, std::size_t pairs) {
    CallInputs in;
    in.pair_margins = view_optional<float>(d["pair_margins"], "pair_margins must be (P) of float32");
    in.unmoved = view_optional<std::uint8_t>(d["unmoved"], "unmoved must be (N) of uint8");
    in.stop = stop_of(d);
    if (!nb::object(d["cache"]).is_none()) {
        const auto cache = value_of<Bytes>(d["cache"], "cache", "an array that can be written");
        if (cache.shape(0) != pairs * sizeof(PairCache)) throw nb::value_error("cache must have eight bytes a pair");
        in.cache = view_records<PairCache>(cache);
    }
    if (!nb::object(d["previous"]).is_none()) {
        const auto records = nb::cast<ConstBytes>(d["previous"]);
        in.previous.stride = nb::cast<std::size_t>(d["previous_stride"]);
        in.previous.records = reinterpret_cast<const std::byte*>(records.data());
        in.previous.count = records.shape(0) / in.previous.stride;
        in.previous.one_per_pair = nb::cast<bool>(d["previous_one_per_pair"]);
    }
    return in;
}

nb::dict result_dict(const BatchResult& r) {
    nb::dict d = status_dict(r.status);
    d["pairs"] = r.pairs;
    d["touching"] = r.touching;
    d["overlapping"] = r.overlapping;
    d["points"] = r.points;
    d["isa"] = to_string(r.isa);
    d["hash"] = r.hash;
    d["by_status"] = counts_by_name<Status>(r.by_status);
    d["by_kind"] = counts_by_name<ContactKind>(r.by_kind);
    return d;
}

namespace {

struct Batch {
    BodyView view;
    std::span<const Pair> pairs;
    Options options;
    CallInputs inputs;
};

Batch batch_of(const AnyArray& position, const AnyArray& orientation, const AnyArray& hull, const PairRows& pairs,
               const nb::dict& options) {
    const std::span<const Pair> list = view_pairs(pairs);
    return {view_bodies(position, orientation, hull), list, options_of(options), inputs_of(options, list.size())};
}

// Calls f with a span of Manifold4 or Manifold16, depending on the capacity.
template <class F>
auto with_records(const Bytes& out, int capacity, const F& f) {
    if (capacity == 4) return f(view_records<Manifold4>(out));
    if (capacity == 16) return f(view_records<Manifold16>(out));
    throw nb::value_error("capacity must be 4 or 16");
}

nb::dict dense(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
               const PairRows& pairs, const nb::dict& options, const Bytes& out, int capacity, Workspace& workspace) {
    const Batch b = batch_of(position, orientation, hull, pairs, options);
    return result_dict(with_records(out, capacity, [&](auto records) {
        const nb::gil_scoped_release release;
        return collide(hulls, b.view, b.pairs, b.options, records, workspace, b.inputs);
    }));
}

nb::dict compact(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                 const PairRows& pairs, const nb::dict& options, const Bytes& out, int capacity, Workspace& workspace,
                 std::uint64_t first_pair) {
    const Batch b = batch_of(position, orientation, hull, pairs, options);
    const CompactResult r = with_records(out, capacity, [&](auto records) {
        const nb::gil_scoped_release release;
        return collide_compact(hulls, b.view, b.pairs, b.options, records, workspace, b.inputs, first_pair);
    });
    nb::dict d = result_dict(r);
    d["written"] = r.written;
    d["required"] = r.required;
    d["next_pair"] = r.next_pair;
    return d;
}

nb::dict distance(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                  const PairRows& pairs, const nb::dict& options, const Bytes& out, Workspace& workspace) {
    const Batch b = batch_of(position, orientation, hull, pairs, options);
    const std::span<PairDistance> records = view_records<PairDistance>(out);
    BatchResult r;
    {
        const nb::gil_scoped_release release;
        r = collide(hulls, b.view, b.pairs, b.options, records, workspace, b.inputs);
    }
    return result_dict(r);
}

nb::dict overlap(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
                 const PairRows& pairs, const nb::dict& options, const Bytes& out, Workspace& workspace) {
    const Batch b = batch_of(position, orientation, hull, pairs, options);
    const std::span<std::uint64_t> words = view_records<std::uint64_t>(out);
    BatchResult r;
    {
        const nb::gil_scoped_release release;
        r = collide_overlap(hulls, b.view, b.pairs, b.options, words, workspace, b.inputs);
    }
    return result_dict(r);
}

std::uint64_t hash_records(const Bytes& records, int capacity) {
    return with_records(records, capacity, [](auto all) {
        std::uint64_t sum = 0;
        for (const auto& r : all) sum += is_reported(r) ? hash_record(r) : 0;
        return sum;
    });
}

// matches and fates are bytes of RecordMatch and RecordFate.
nb::dict match(const Bytes& previous, const Bytes& current, int capacity, const Bytes& matches, const Bytes& fates) {
    const MatchResult r = with_records(current, capacity, [&](auto records) {
        using Record = typename decltype(records)::element_type;
        return match_contacts(std::span<const Record>(view_records<Record>(previous)), std::span<const Record>(records),
                              view_records<RecordMatch<Record>>(matches), view_records<RecordFate>(fates));
    });
    nb::dict d = status_dict(r.status);
    d["begun"] = r.begun;
    d["kept"] = r.kept;
    d["ended"] = r.ended;
    d["points_new"] = r.points_new;
    d["points_kept"] = r.points_kept;
    d["points_broken"] = r.points_broken;
    return d;
}

}  // namespace

void bind_collide(nb::module_& m) {
    nb::class_<Workspace>(m, "Workspace", "Memory between calls: one for each call that may run at the same time.")
        .def(nb::init<>());
    m.def("dense", &dense);
    m.def("compact", &compact);
    m.def("distance", &distance);
    m.def("overlap", &overlap);
    m.def("hash_records", &hash_records);
    m.def("mix_frame_hash", &mix_frame_hash);
    m.def("match", &match);
    m.def("carry_over", [](const PairRows& from_pairs, const Bytes& from, const PairRows& to_pairs, const Bytes& to) {
        carry_over(view_pairs(from_pairs), view_records<PairCache>(from), view_pairs(to_pairs),
                   view_records<PairCache>(to));
    });
}

}  // namespace lanefold::python
