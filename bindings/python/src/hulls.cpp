// SPDX-License-Identifier: MIT
//
// Hull sets.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <type_traits>

#include <nanobind/stl/string.h>
#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/surface.hpp>

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
    std::size_t kinds[4] = {};
    for (std::size_t id = 0; id < hulls.size(); ++id) {
        vertices += hulls[id].vertex_count;
        kinds[static_cast<std::size_t>(hulls[id].shape)] += hulls.contains(id) ? 1 : 0;
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hulls.fingerprint()));
    const auto counted = [](std::size_t n, const char* one, const char* many) {
        return std::to_string(n) + (n == 1 ? one : many);
    };
    std::string out = "<lanefold.Hulls: " + counted(kinds[0], " hull, ", " hulls, ");
    if (kinds[1] != 0) out += counted(kinds[1], " half-space, ", " half-spaces, ");
    if (kinds[2] != 0) out += counted(kinds[2], " compound, ", " compounds, ");
    if (kinds[3] != 0) out += counted(kinds[3], " surface, ", " surfaces, ");
    out += counted(vertices, " vertex", " vertices");
    if (hulls.removed() != 0) out += ", " + counted(hulls.removed(), " id", " ids") + " removed";
    return out + ", fingerprint 0x" + digits.data() + ">";
}

void check_id(const HullSet& hulls, std::size_t id) {
    if (!hulls.contains(id)) throw nb::index_error("there is no hull of this id");
}

nb::tuple plane_of(const Hulls& hulls, std::size_t id) {
    const std::optional<HalfSpace> plane = half_space(hulls, id);
    if (!plane) throw nb::index_error("there is no half-space of this id");
    return nb::make_tuple(nb::make_tuple(plane->normal.x, plane->normal.y, plane->normal.z), plane->offset);
}

nb::object surface_of(const Hulls& hulls, std::size_t id) {
    const Surface* const surface = hulls.surface(id);
    if (surface == nullptr) throw nb::index_error("there is no surface of this id");
    return nb::module_::import_("lanefold._surface").attr("Surface")(*surface);
}

nb::dict children_of(const Hulls& hulls, std::size_t id) {
    check_id(hulls, id);
    std::vector<Vec3d> position;
    std::vector<Quaternion> orientation;
    std::vector<std::uint32_t> hull;
    add_children(hulls, id, position, orientation, hull);
    nb::dict d;
    d["position"] = array_of<double>(std::move(position), 3);
    d["orientation"] = array_of<float>(std::move(orientation), 4);
    d["hull"] = array_of(std::move(hull));
    return d;
}

// By ShapeKind.
constexpr const char* kShapes[] = {"hull", "half_space", "compound", "surface"};

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
    d["shape"] = kShapes[static_cast<std::size_t>(r.shape)];
    d["children"] = hulls.child_count(id);
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
                static constexpr float kNone = 0;  // NumPy wants an address of an empty array, too
                const std::span<const Vec3f> v = hulls.vertices(id);
                return nb::ndarray<nb::numpy, const float, nb::ndim<2>>(v.empty() ? &kNone : &v.data()->x,
                                                                        {v.size(), 3}, self);
            },
            nb::arg("id"),
            "Stored vertices of a hull: (V, 3) of float32, a view, in the coordinates that poses place. Half-spaces, "
            "compounds and surfaces have none.")
        .def("info", &info, nb::arg("id"),
             "Shape (\"hull\", \"half_space\", \"compound\" or \"surface\"), counts, size, mass for density 1 and what "
             "the builder did, as a dictionary.")
        .def("half_space", &plane_of, nb::arg("id"), "((x, y, z), offset) of a half-space, as they were given.")
        .def("surface", &surface_of, nb::arg("id"), "The surface of an id; it shares the set's memory.")
        .def("children", &children_of, nb::arg("id"),
             "Children of a compound: position (C, 3) of float64, orientation (C, 4) of float32 and hull (C,) of "
             "uint32, as a dictionary. A hull has none.")
        .def_prop_ro("fingerprint", &HullSet::fingerprint,
                     "64 bits over all vertices and faces; equal on every machine.")
        .def_prop_ro("removed", &HullSet::removed, "How many ids were removed.")
        .def_prop_ro("rounded", &HullSet::rounded, "Whether any hull is rounded by a radius.");
    m.def("build", &build<FloatRows>);
    m.def("build_double", &build<DoubleRows>);
}

}  // namespace lanefold::python
