// SPDX-License-Identifier: MIT
//
// lanefold_surface.h: surfaces from triangles and height fields as sets of one id.
#include <array>
#include <cstring>

#include <lanefold/height_field.hpp>
#include <lanefold/surface_set.hpp>

#include "convert.hpp"
#include "lanefold_surface.h"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

lanefold_surface_report report_of(const Surface& surface) {
    const SurfaceReport& from = surface.report();
    lanefold_surface_report to = LANEFOLD_SURFACE_REPORT_INIT;
    to.welded = from.welded.count;
    to.copies = from.copies.count;
    to.degenerate = from.degenerate.count;
    to.duplicate = from.duplicate.count;
    to.opposite = from.opposite.count;
    to.cut = from.cut.count;
    to.split = from.split.count;
    to.non_manifold = from.non_manifold.count;
    to.winding = from.winding.count;
    to.unhealed = from.unhealed.count;
    to.border_edges = from.border_edges;
    to.triangles = surface.triangle_count();
    to.vertices = surface.vertex_count();
    to.largest_movement = from.largest_movement;
    to.weld_tolerance = from.weld_tolerance;
    const Vec3d shift = surface.shift();
    const double by[3] = {shift.x, shift.y, shift.z};
    std::memcpy(to.shift, by, sizeof by);
    to.rounding = surface.rounding();
    return to;
}

lanefold_status hand_over(const SurfaceResult& built, lanefold_hulls** out, lanefold_surface_report* report) {
    if (!built) return status_of(built.status);
    if (built.surface.empty()) return refuse("nothing is left of the surface");
    if (!write_versioned(report_of(built.surface), report))
        return refuse("report.struct_size is not set: begin with LANEFOLD_SURFACE_REPORT_INIT");
    BuildResult set = surface_set(std::span(&built.surface, 1));
    if (!set) return {LANEFOLD_OUT_OF_MEMORY, 0, 0, set.failures[0].what};
    *out = new lanefold_hulls{std::move(set.hulls)};
    return status_of({});
}

template <class Point, class Number>
lanefold_status build(const Number* points, uint64_t point_count, const uint32_t* triangles, uint64_t triangle_count,
                      const lanefold_surface_options* options, lanefold_hulls** out, lanefold_surface_report* report) {
    static_assert(sizeof(Point) == 3 * sizeof(Number));
    return guarded([&] {
        if (out == nullptr) return refuse("out is null");
        *out = nullptr;
        if (points == nullptr && point_count != 0) return refuse("points is null with a count");
        if (triangles == nullptr && triangle_count != 0) return refuse("triangles is null with a count");
        lanefold_surface_options o = LANEFOLD_SURFACE_OPTIONS_INIT;
        if (!read_versioned(options, o))
            return refuse("options.struct_size is not set: begin with LANEFOLD_SURFACE_OPTIONS_INIT");
        if (o.origin > LANEFOLD_ORIGIN_BOX_CENTRE) return refuse("options.origin is not known");
        SurfaceOptions own;
        own.weld_tolerance = o.weld_tolerance;
        own.split_t_junctions = o.split_t_junctions != 0;
        own.drop_opposite = o.drop_opposite != 0;
        own.thickness = o.thickness;
        own.origin = static_cast<Origin>(o.origin);
        if (o.materials != nullptr) own.materials = {o.materials, triangle_count};
        using Corners = std::array<std::uint32_t, 3>;
        const std::span<const Corners> corners(reinterpret_cast<const Corners*>(triangles), triangle_count);
        return hand_over(build_surface(std::span(reinterpret_cast<const Point*>(points), point_count), corners, own),
                         out, report);
    });
}

HeightSamples samples_of(const lanefold_height_field& f) {
    const auto size = static_cast<std::ptrdiff_t>(f.is_uint16 != 0 ? sizeof(std::uint16_t) : sizeof(float));
    HeightSamples samples;
    samples.data = f.samples;
    samples.is_uint16 = f.is_uint16 != 0;
    samples.column_stride = f.column_stride != 0 ? static_cast<std::ptrdiff_t>(f.column_stride) : size;
    samples.row_stride = f.row_stride != 0 ? static_cast<std::ptrdiff_t>(f.row_stride)
                                           : samples.column_stride * static_cast<std::ptrdiff_t>(f.columns);
    return samples;
}

}  // namespace

extern "C" {

lanefold_status lanefold_build_surface(const float* points, uint64_t point_count, const uint32_t* triangles,
                                       uint64_t triangle_count, const lanefold_surface_options* options,
                                       lanefold_hulls** out, lanefold_surface_report* report) {
    return build<Vec3f>(points, point_count, triangles, triangle_count, options, out, report);
}

lanefold_status lanefold_build_surface_double(const double* points, uint64_t point_count, const uint32_t* triangles,
                                              uint64_t triangle_count, const lanefold_surface_options* options,
                                              lanefold_hulls** out, lanefold_surface_report* report) {
    return build<Vec3d>(points, point_count, triangles, triangle_count, options, out, report);
}

lanefold_status lanefold_build_height_field(const lanefold_height_field* field, lanefold_hulls** out,
                                            lanefold_surface_report* report) {
    return guarded([&] {
        if (out == nullptr) return refuse("out is null");
        *out = nullptr;
        if (field == nullptr) return refuse("field is null");
        lanefold_height_field f = LANEFOLD_HEIGHT_FIELD_INIT;
        if (!read_versioned(field, f))
            return refuse("field.struct_size is not set: begin with LANEFOLD_HEIGHT_FIELD_INIT");
        if (f.samples == nullptr) return refuse("field.samples is null");
        if (f.rows < 2 || f.columns < 2 || f.rows > UINT32_MAX || f.columns > UINT32_MAX)
            return refuse("field.rows and field.columns must be 2 to 2^32 - 1");
        const std::uint64_t cells = (f.rows - 1) * (f.columns - 1);
        HeightFieldOptions o;
        o.rows = f.rows;
        o.columns = f.columns;
        o.x0 = f.x0;
        o.y0 = f.y0;
        o.dx = f.dx;
        o.dy = f.dy;
        o.scale = f.scale;
        o.offset = f.offset;
        o.thickness = f.thickness;
        if (f.holes != nullptr) o.holes = {f.holes, cells};
        if (f.diagonals != nullptr) o.diagonals = {f.diagonals, cells};
        if (f.materials != nullptr) o.materials = {f.materials, cells};
        const HeightSamples samples = samples_of(f);
        return hand_over(build_height_field(std::span(&samples, 1), o), out, report);
    });
}

lanefold_status lanefold_surface_triangle(const lanefold_hulls* hulls, uint32_t id, uint32_t t,
                                          uint32_t* input_triangle, uint16_t* material) {
    return guarded([&] {
        const Surface* surface = hulls != nullptr ? hulls->set.surface(id) : nullptr;
        if (surface == nullptr) return refuse("there is no surface of this id", id);
        if (t >= surface->triangle_count()) return refuse("the surface has no such triangle", t);
        if (input_triangle != nullptr) *input_triangle = surface->input_triangle(t);
        if (material != nullptr) *material = surface->material(t);
        return status_of({});
    });
}

}  // extern "C"
