// SPDX-License-Identifier: MIT
//
// Surfaces of triangles and the contacts of bodies with them. Every call releases the interpreter lock while it
// computes. Records and offsets go to NumPy as the memory that the library wrote.
#include <algorithm>

#include <nanobind/stl/array.h>
#include <lanefold/collide_surface.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/surface_set.hpp>

#include "native.hpp"

namespace lanefold::python {

namespace {

using Triangle = std::array<std::uint32_t, 3>;
using TriangleRows = nb::ndarray<const std::uint32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

SurfaceOptions options_of_surface(const nb::dict& d) {
    SurfaceOptions o;
    o.weld_tolerance = value_of<double>(d["weld_tolerance"], "weld_tolerance", "a number");
    o.split_t_junctions = nb::cast<bool>(d["split_t_junctions"]);
    o.drop_opposite = nb::cast<bool>(d["drop_opposite"]);
    o.thickness = float_of(d["thickness"], "thickness");
    o.materials = view_optional<std::uint16_t>(d["materials"], "materials must be (T) of uint16");
    o.origin = static_cast<Origin>(nb::cast<std::uint8_t>(d["origin"]));
    return o;
}

// (status, surface). The dictionary that options refer to outlives the call.
nb::tuple result_of(SurfaceResult&& made) { return nb::make_tuple(status_dict(made.status), std::move(made.surface)); }

template <class Vec, class Rows>
nb::tuple mesh(const Rows& vertices, const TriangleRows& triangles, const nb::dict& options) {
    if (vertices.shape(1) != 3) throw nb::value_error("vertices must be (V, 3)");
    const SurfaceOptions o = options_of_surface(options);
    const std::span points(reinterpret_cast<const Vec*>(vertices.data()), vertices.shape(0));
    const std::span list(reinterpret_cast<const Triangle*>(triangles.data()), triangles.shape(0));
    SurfaceResult made;
    {
        const nb::gil_scoped_release release;
        made = build_surface(points, list, o);
    }
    return result_of(std::move(made));
}

// materials: of each piece, or None.
nb::tuple pieces(const Hulls& hulls, const DoubleRows& position, const FloatRows& orientation, const Ids& hull,
                 const nb::object& materials, const nb::dict& options) {
    if (position.shape(1) != 3 || orientation.shape(1) != 4 || orientation.shape(0) != position.shape(0) ||
        hull.shape(0) != position.shape(0))
        throw nb::value_error("position, orientation and hull must be of equal length");
    const auto numbers = view_optional<std::uint16_t>(materials, "materials must be (N) of uint16");
    if (!numbers.empty() && numbers.size() != hull.shape(0)) throw nb::value_error("materials must be (N)");
    std::vector<SurfacePiece> all(hull.shape(0));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double* p = position.data() + 3 * i;
        const float* q = orientation.data() + 4 * i;
        all[i].hull = hull.data()[i];
        all[i].position = {p[0], p[1], p[2]};
        all[i].orientation = {q[0], q[1], q[2], q[3]};
        if (!numbers.empty()) all[i].material = numbers[i];
    }
    const SurfaceOptions o = options_of_surface(options);
    SurfaceResult made;
    {
        const nb::gil_scoped_release release;
        made = surface_of_hulls(hulls, all, o);
    }
    return result_of(std::move(made));
}

// Keeps an array of Python while C++ borrows it. The last surface may go on any thread.
std::shared_ptr<const void> kept(const nb::object& array) {
    return {array.inc_ref().ptr(), [](PyObject* p) {
                const nb::gil_scoped_acquire acquire;
                Py_DECREF(p);
            }};
}

// samples: (tile rows, tile columns, rows, columns) of float32 or uint16, with any strides.
nb::tuple field(const nb::object& samples, const nb::dict& d) {
    const auto a = nb::cast<AnyArray>(samples);
    const bool is_uint16 = a.dtype() == nb::dtype<std::uint16_t>();
    if (a.ndim() != 4 || !(is_uint16 || a.dtype() == nb::dtype<float>()))
        throw nb::value_error("samples must be of four dimensions and of float32 or uint16");
    const auto number = [&d](const char* name) { return value_of<double>(d[name], name, "a number"); };
    HeightFieldOptions o;
    o.tile_rows = a.shape(0);
    o.tile_columns = a.shape(1);
    o.rows = a.shape(2);
    o.columns = a.shape(3);
    o.x0 = number("x0");
    o.y0 = number("y0");
    o.dx = number("dx");
    o.dy = number("dy");
    o.scale = number("scale");
    o.offset = number("offset");
    o.holes = view_optional<std::uint8_t>(d["holes"], "holes must be of bool");
    o.diagonals = view_optional<std::uint8_t>(d["diagonals"], "diagonals must be of bool");
    o.materials = view_optional<std::uint16_t>(d["materials"], "materials must be of uint16");
    o.thickness = float_of(d["thickness"], "thickness");
    o.borrow = nb::cast<bool>(d["borrow"]);
    if (o.borrow) o.keep = kept(samples);
    const auto bytes = static_cast<std::ptrdiff_t>(is_uint16 ? sizeof(std::uint16_t) : sizeof(float));
    std::vector<HeightSamples> tiles(o.tile_rows * o.tile_columns);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        const auto i = static_cast<std::int64_t>(t / o.tile_columns);
        const auto j = static_cast<std::int64_t>(t % o.tile_columns);
        tiles[t].data = static_cast<const std::byte*>(a.data()) + (i * a.stride(0) + j * a.stride(1)) * bytes;
        tiles[t].is_uint16 = is_uint16;
        tiles[t].row_stride = a.stride(2) * bytes;
        tiles[t].column_stride = a.stride(3) * bytes;
    }
    SurfaceResult made;
    {
        const nb::gil_scoped_release release;
        made = build_height_field(tiles, o);
    }
    return result_of(std::move(made));
}

// Triangles as (vertices, triangles, numbers, materials); see SurfaceArrays.
nb::dict arrays_of(const Surface& surface) {
    SurfaceArrays a;
    {
        const nb::gil_scoped_release release;
        a = surface_arrays(surface);
    }
    nb::dict d;
    d["vertices"] = array_of<float>(std::move(a.vertices), 3);
    d["triangles"] = array_of<std::uint32_t>(std::move(a.triangles), 3);
    d["numbers"] = array_of(std::move(a.numbers));
    if (a.materials.empty()) {
        d["materials"] = nb::none();
    } else {
        d["materials"] = array_of(std::move(a.materials));
    }
    return d;
}

// None instead of an empty array.
template <class T>
nb::object array_or_none(std::vector<T>&& elements) {
    return elements.empty() ? nb::none() : array_of(std::move(elements));
}

nb::object input_triangles(const Surface& surface) {
    std::vector<std::uint32_t> input(surface.triangle_count());
    for (std::size_t t = 0; t < input.size(); ++t) input[t] = surface.input_triangle(static_cast<std::uint32_t>(t));
    return array_of(std::move(input));
}

nb::tuple tuple_of(const Vec3d& v) { return nb::make_tuple(v.x, v.y, v.z); }

// Numbers by name, and findings as (count, places).
nb::dict report_of(const Surface& surface) {
    const SurfaceReport& r = surface.report();
    nb::dict d;
    const auto add = [&d](const char* name, const SurfaceFinding& found) {
        nb::list places;
        const std::size_t n = std::min<std::uint64_t>(found.count, SurfaceFinding::kPlaces);
        for (std::size_t i = 0; i < n; ++i) places.append(found.places[i]);
        d[name] = nb::make_tuple(found.count, nb::tuple(places));
    };
    add("welded", r.welded);
    add("copies", r.copies);
    add("degenerate", r.degenerate);
    add("duplicate", r.duplicate);
    add("opposite", r.opposite);
    add("cut", r.cut);
    add("split", r.split);
    add("non_manifold", r.non_manifold);
    add("winding", r.winding);
    add("unhealed", r.unhealed);
    d["border_edges"] = r.border_edges;
    d["largest_movement"] = r.largest_movement;
    d["weld_tolerance"] = r.weld_tolerance;
    return d;
}

// Returns (hulls or None, failures) as build().
nb::tuple set_of(const nb::list& surfaces) {
    std::vector<Surface> all;
    for (const nb::handle surface : surfaces) all.push_back(nb::cast<const Surface&>(surface));
    BuildResult built = surface_set(all);
    nb::list failures;
    for (const HullReport& r : built.failures)
        failures.append(nb::make_tuple(r.hull, r.culprit, to_string(r.error), r.what));
    if (!built) return nb::make_tuple(nb::none(), failures);
    const std::size_t count = built.hulls.size();
    return nb::make_tuple(Hulls{std::move(built.hulls), {{count, nullptr}}}, failures);
}

// Returns (status, records as bytes, offsets). list: bodies, or None for all.
nb::tuple contacts(const Surface& surface, const Hulls& hulls, const AnyArray& position, const AnyArray& orientation,
                   const AnyArray& hull, const nb::object& list, const std::array<double, 3>& place,
                   const std::array<float, 4>& turn, std::uint32_t index, const nb::dict& options) {
    const BodyView view = view_bodies(position, orientation, hull);
    const auto chosen = view_optional<std::uint32_t>(list, "bodies must be (L) of uint32");
    const Options o = options_of(options);
    SurfacePose pose;
    std::copy_n(place.data(), 3, pose.position);
    std::copy_n(turn.data(), 4, pose.orientation);
    pose.index = index;
    SurfaceContacts out;
    CallStatus status;
    // An empty list of the library means all bodies.
    if (list.is_none() || !chosen.empty()) {
        const nb::gil_scoped_release release;
        status = collide_surface(surface, pose, hulls, view, chosen, o, out);
    }
    if (out.offsets.empty()) out.offsets.push_back(0);
    return nb::make_tuple(status_dict(status), array_of<std::uint8_t>(std::move(out.records), sizeof(Manifold4)),
                          array_of(std::move(out.offsets)));
}

}  // namespace

nb::tuple state_of(const Surface& surface) {
    nb::dict d;
    if (!surface.is_height_field()) {
        d = arrays_of(surface);
        d["thickness"] = surface.thickness();
        return nb::make_tuple("mesh", d);
    }
    HeightFieldArrays a;
    {
        const nb::gil_scoped_release release;
        a = height_field_arrays(surface);
    }
    d["samples"] = array_of<float>(std::move(a.heights), a.options.columns);
    d["holes"] = array_or_none(std::move(a.holes));
    d["diagonals"] = array_or_none(std::move(a.diagonals));
    d["materials"] = array_or_none(std::move(a.materials));
    d["x0"] = a.options.x0;
    d["y0"] = a.options.y0;
    d["dx"] = a.options.dx;
    d["dy"] = a.options.dy;
    d["thickness"] = a.options.thickness;
    return nb::make_tuple("field", d);
}

void bind_surface(nb::module_& m) {
    nb::class_<Surface>(m, "NativeSurface")
        .def("__len__", &Surface::triangle_count)
        .def("arrays", &arrays_of)
        .def("state", &state_of)
        .def("input_triangles", &input_triangles)
        .def("report", &report_of)
        .def("bounds",
             [](const Surface& s) { return nb::make_tuple(tuple_of(s.bounds().low), tuple_of(s.bounds().high)); })
        .def("shift", [](const Surface& s) { return tuple_of(s.shift()); })
        .def_prop_ro("vertex_count", &Surface::vertex_count)
        .def_prop_ro("is_height_field", &Surface::is_height_field)
        .def_prop_ro("size", &Surface::size)
        .def_prop_ro("thickness", &Surface::thickness)
        .def_prop_ro("rounding", &Surface::rounding)
        .def_prop_ro("fingerprint", &Surface::fingerprint)
        .def_prop_ro("nbytes", &Surface::bytes);
    m.def("surface_mesh", &mesh<Vec3f, FloatRows>);
    m.def("surface_mesh_double", &mesh<Vec3d, DoubleRows>);
    m.def("surface_pieces", &pieces, nb::arg("hulls"), nb::arg("position"), nb::arg("orientation"), nb::arg("hull"),
          nb::arg("materials").none(), nb::arg("options"));
    m.def("surface_field", &field);
    m.def("surface_set", &set_of);
    m.def("surface_contacts", &contacts, nb::arg("surface"), nb::arg("hulls"), nb::arg("position"),
          nb::arg("orientation"), nb::arg("hull"), nb::arg("list").none(), nb::arg("place"), nb::arg("turn"),
          nb::arg("index"), nb::arg("options"));
}

}  // namespace lanefold::python
