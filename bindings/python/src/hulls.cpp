// SPDX-License-Identifier: MIT
//
// Hull sets, what a pickle of them holds, and the oracle.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <variant>

#include <nanobind/stl/string.h>
#include <lanefold/hull_builder.hpp>
#include <lanefold/reference.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

using Offsets = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Radii = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

std::span<const Vec3f> view_points(const FloatRows& points) {
    if (points.shape(1) != 3) throw nb::value_error("points must be (P, 3) of float32");
    return {reinterpret_cast<const Vec3f*>(points.data()), points.shape(0)};
}

std::span<const Vec3d> view_points(const DoubleRows& points) {
    if (points.shape(1) != 3) throw nb::value_error("points must be (P, 3) of float64");
    return {reinterpret_cast<const Vec3d*>(points.data()), points.shape(0)};
}

// Returns (hulls or None, [(hull, culprit, error, what)...]) and writes frames, (H, 16) of float64. Points are of
// float32 or float64; `origin` is a number of the enumeration; `radii` has one for each hull, or none.
template <class Rows>
nb::tuple build(const Rows& points, const Offsets& offsets, bool merge_coplanar, bool recognize_boxes,
                std::uint32_t max_vertices, std::uint32_t threads, std::uint8_t origin, const Radii& radii,
                const Doubles& frames) {
    BuildOptions options;
    options.merge_coplanar = merge_coplanar;
    options.recognize_boxes = recognize_boxes;
    options.max_vertices = max_vertices;
    options.threads = threads;
    options.origin = static_cast<Origin>(origin);
    options.radii = {radii.data(), radii.shape(0)};
    const auto all = view_points(points);
    BuildResult built;
    {
        const nb::gil_scoped_release release;
        built = build_hulls(all, {offsets.data(), offsets.shape(0)}, options);
    }
    nb::list failures;
    for (const HullReport& r : built.failures) {
        failures.append(nb::make_tuple(r.hull, r.culprit, to_string(r.error), r.what));
    }
    if (!built) return nb::make_tuple(nb::none(), failures);
    static_assert(sizeof(HullFrame) == 16 * sizeof(double));
    if (frames.size() != 16 * built.frames.size()) throw nb::value_error("frames must be (H, 16)");
    std::copy_n(reinterpret_cast<const double*>(built.frames.data()), frames.size(), frames.data());
    Hulls hulls{std::move(built.hulls), {}};
    if (!hulls.empty()) {
        using Points = std::vector<std::remove_const_t<typename decltype(all)::element_type>>;
        options.radii = {};
        Hulls::Source source{Points(all.begin(), all.end()),
                             {offsets.data(), offsets.data() + offsets.shape(0)},
                             options,
                             {radii.data(), radii.data() + radii.shape(0)}};
        hulls.parts.push_back({hulls.size(), std::make_shared<const Hulls::Source>(std::move(source))});
    }
    return nb::make_tuple(std::move(hulls), failures);
}

Hulls append(const Hulls& self, const Hulls& more) {
    Hulls out{self.HullSet::append(more), self.parts};
    out.parts.insert(out.parts.end(), more.parts.begin(), more.parts.end());
    return out;
}

Hulls remove(const Hulls& self, const nb::object& ids) {
    // The conversion of every other call, which refuses what does not fit.
    const nb::object checked = nb::module_::import_("lanefold._bodies").attr("some_ids")(ids, "ids");
    const auto list = nb::cast<nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig>>(checked);
    Hulls out{self.HullSet::remove({list.data(), list.shape(0)}), self.parts};
    std::size_t id = 0;
    for (Hulls::Part& part : out.parts) {
        const std::size_t end = id + part.count;
        bool alive = false;
        for (; id < end; ++id) alive = alive || out.contains(id);
        if (!alive) part.source.reset();
    }
    return out;
}

std::string describe(const Hulls& hulls) {
    std::size_t vertices = 0;
    for (std::size_t id = 0; id < hulls.size(); ++id) vertices += hulls[id].vertex_count;
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hulls.fingerprint()));
    const auto counted = [](std::size_t n, const char* one, const char* many) {
        return std::to_string(n) + (n == 1 ? one : many);
    };
    std::string out = "<lanefold.Hulls: " + counted(hulls.size() - hulls.removed(), " hull, ", " hulls, ") +
                      counted(vertices, " vertex", " vertices");
    if (hulls.removed() != 0) out += ", " + counted(hulls.removed(), " id", " ids") + " removed";
    return out + ", fingerprint 0x" + digits.data() + ">";
}

nb::object rows_of(const std::vector<Vec3f>& points, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const float, nb::ndim<2>>(points.data(), {points.size(), 3}, owner));
}
nb::object rows_of(const std::vector<Vec3d>& points, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const double, nb::ndim<2>>(points.data(), {points.size(), 3}, owner));
}

// (restore, (parts, removed ids, fingerprint)). Arrays refer to the set.
nb::tuple reduce(nb::handle_t<Hulls> self) {
    const Hulls& hulls = nb::cast<const Hulls&>(self);
    nb::list parts;
    for (const Hulls::Part& part : hulls.parts) {
        if (!part.source) {
            parts.append(part.count);
            continue;
        }
        const Hulls::Source& s = *part.source;
        const nb::object points = std::visit([&](const auto& list) { return rows_of(list, self); }, s.points);
        const nb::ndarray<nb::numpy, const std::uint64_t, nb::ndim<1>> offsets(s.offsets.data(), {s.offsets.size()},
                                                                               self);
        const nb::ndarray<nb::numpy, const float, nb::ndim<1>> radii(s.radii.data(), {s.radii.size()}, self);
        parts.append(nb::make_tuple(points, offsets, s.options.merge_coplanar, s.options.recognize_boxes,
                                    s.options.max_vertices, static_cast<std::uint8_t>(s.options.origin), radii));
    }
    nb::list removed;
    for (std::size_t id = 0; id < hulls.size(); ++id) {
        if (!hulls.contains(id)) removed.append(id);
    }
    return nb::make_tuple(nb::module_::import_("lanefold._hulls").attr("_restore"),
                          nb::make_tuple(parts, removed, hulls.fingerprint()));
}

void check_id(const HullSet& hulls, std::size_t id) {
    if (!hulls.contains(id)) throw nb::index_error("there is no hull of this id");
}

nb::dict info(const Hulls& hulls, std::size_t id) {
    check_id(hulls, id);
    const HullRecord& r = hulls[id];
    const HullInfo& i = hulls.info(id);
    nb::dict d;
    d["vertices"] = r.vertex_count;
    d["faces"] = r.face_count;
    d["edges"] = r.edge_count;
    d["size"] = r.size;
    d["radius"] = r.round_radius;
    d["is_box"] = r.is_box();
    d["input_points"] = i.input_points;
    d["merged_faces"] = i.merged_faces;
    d["dropped_vertices"] = i.dropped_vertices;
    d["deviation"] = i.deviation;
    d["budget_deviation"] = i.budget_deviation;
    d["min_edge_angle"] = i.min_edge_angle;
    d["may_flicker"] = i.may_flicker;
    d["volume"] = i.mass.volume;
    const Vec3d& c = i.mass.centre_of_mass;
    d["centre_of_mass"] = nb::make_tuple(c.x, c.y, c.z);
    nb::list rows;
    for (const Vec3d& row : i.mass.inertia.row) rows.append(nb::make_tuple(row.x, row.y, row.z));
    d["inertia"] = rows;
    return d;
}

// Writes exact distances and normals of pairs, by brute force, to out, (P, 4) of float64. Pairs with a body that cannot
// be placed get NaN.
void oracle(const Hulls& hulls, const AnyArray& position, const AnyArray& orientation, const AnyArray& hull,
            const PairRows& pairs, const Doubles& out) {
    const BodyView view = view_bodies(position, orientation, hull);
    const std::span<const Pair> list = view_pairs(pairs);
    if (out.size() != 4 * list.size()) throw nb::value_error("out must be (P, 4)");
    const nb::gil_scoped_release release;
    std::map<std::uint32_t, reference::OracleHull> solids;
    struct Placed {
        const reference::OracleHull* solid = nullptr;
        PoseD pose;
    };
    const auto place = [&](std::uint32_t body) {
        Placed p;
        if (body >= view.count) return p;
        std::uint32_t id = 0;
        std::memcpy(&id, view.hull + body * view.hull_stride, sizeof id);
        float q[4];
        std::memcpy(q, view.orientation + body * view.orientation_stride, sizeof q);
        double x[3];
        float f[3];
        const std::byte* at = view.position + body * view.position_stride;
        std::memcpy(view.position_is_double ? static_cast<void*>(x) : f, at,
                    view.position_is_double ? sizeof x : sizeof f);
        if (!view.position_is_double) std::copy_n(f, 3, x);
        Quat unit;
        if (!hulls.contains(id) || !normalize(q, unit) || !is_finite(Vec3d{x[0], x[1], x[2]})) return p;
        auto found = solids.find(id);
        if (found == solids.end())
            found = solids.emplace(id, reference::make_oracle_hull(hulls.vertices(id), hulls[id].round_radius)).first;
        p.solid = &found->second;
        p.pose = reference::oracle_pose(x, q);
        return p;
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        double* to = out.data() + 4 * i;
        std::fill_n(to, 4, std::numeric_limits<double>::quiet_NaN());
        const Placed a = place(list[i].a);
        const Placed b = place(list[i].b);
        if (a.solid == nullptr || b.solid == nullptr || list[i].a == list[i].b) continue;
        const reference::OracleResult r = reference::signed_distance(*a.solid, a.pose, *b.solid, b.pose);
        to[0] = r.distance;
        to[1] = r.normal.x;
        to[2] = r.normal.y;
        to[3] = r.normal.z;
    }
}

}  // namespace

void bind_hulls(nb::module_& m) {
    nb::class_<Hulls>(m, "Hulls",
                      "An immutable set of convex hulls; ids are 0 to len() - 1 and are never given twice. A pickle "
                      "holds the points that it was built from; a copy is the set itself.")
        .def("__len__", &HullSet::size)
        .def("__contains__", &HullSet::contains, nb::arg("id"))
        .def("__repr__", &describe)
        .def("__reduce__", &reduce)
        .def("__copy__", [](nb::handle_t<Hulls> self) { return nb::object(nb::borrow(self)); })
        .def(
            "__deepcopy__", [](nb::handle_t<Hulls> self, nb::handle) { return nb::object(nb::borrow(self)); },
            nb::arg("memo"))
        .def("append", &append, nb::arg("more"),
             "A new set: these hulls, then those of `more`. Shares their memory; ids stay.")
        .def("remove", &remove, nb::arg("ids"), "A new set without these hulls. Their ids stay empty for ever.")
        .def(
            "vertices",
            [](nb::handle_t<Hulls> self, std::size_t id) {
                const HullSet& hulls = nb::cast<const Hulls&>(self);
                check_id(hulls, id);
                const std::span<const Vec3f> v = hulls.vertices(id);
                return nb::ndarray<nb::numpy, const float, nb::ndim<2>>(&v.data()->x, {v.size(), 3}, self);
            },
            nb::arg("id"), "Stored vertices of a hull: (V, 3) of float32, a view, in the coordinates that poses place.")
        .def("info", &info, nb::arg("id"),
             "Counts, size, mass for density 1 and what the builder did, as a dictionary.")
        .def_prop_ro("fingerprint", &HullSet::fingerprint,
                     "64 bits over all vertices and faces; equal on every machine.")
        .def_prop_ro("removed", &HullSet::removed, "How many ids were removed.")
        .def_prop_ro("rounded", &HullSet::rounded, "Whether any hull is rounded by a radius.");
    m.def("build", &build<FloatRows>);
    m.def("build_double", &build<DoubleRows>);
    m.def("oracle", &oracle);
}

}  // namespace lanefold::python
