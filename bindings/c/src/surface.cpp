// SPDX-License-Identifier: MIT
//
// The surfaces of lanefold_surface.h and the contacts of bodies with them.
#include <lanefold_surface.h>

#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/surface_set.hpp>

#include "convert.hpp"

struct lanefold_surface {
    lanefold::Surface own;
};

struct lanefold_surface_contacts {
    lanefold::SurfaceContacts own;
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

constexpr const char* kNoOut = "out is null";

lanefold_status hand_over(SurfaceResult&& made, lanefold_surface** out) {
    if (!made) return status_of(made.status);
    *out = new lanefold_surface{std::move(made.surface)};
    return status_of({});
}

// False, with the reason in `refused`, for invalid options. `materials`: how many there are.
bool options_of(const lanefold_surface_options* from, std::uint64_t materials, SurfaceOptions& to,
                lanefold_status& refused) {
    lanefold_surface_options o = LANEFOLD_SURFACE_OPTIONS_INIT;
    const char* wrong = nullptr;
    if (!read_versioned(from, o)) wrong = "options.struct_size is not set: begin with LANEFOLD_SURFACE_OPTIONS_INIT";
    if (wrong == nullptr && o.origin > LANEFOLD_ORIGIN_BOX_CENTRE) wrong = "options.origin is not known";
    if (wrong != nullptr) {
        refused = refuse(wrong);
        return false;
    }
    to.weld_tolerance = o.weld_tolerance;
    to.split_t_junctions = o.split_t_junctions != 0;
    to.drop_opposite = o.drop_opposite != 0;
    to.thickness = o.thickness;
    to.origin = static_cast<Origin>(o.origin);
    if (o.materials != nullptr) to.materials = {o.materials, materials};
    return true;
}

template <class Vertex, class Number>
lanefold_status mesh(const Number* vertices, std::uint64_t vertex_count, const std::uint32_t* triangles,
                     std::uint64_t triangle_count, const lanefold_surface_options* options, lanefold_surface** out) {
    return guarded([&] {
        if (out == nullptr) return refuse(kNoOut);
        *out = nullptr;
        if (vertices == nullptr && vertex_count != 0) return refuse("vertices is null with a count");
        if (triangles == nullptr && triangle_count != 0) return refuse("triangles is null with a count");
        SurfaceOptions o;
        lanefold_status refused{};
        if (!options_of(options, triangle_count, o, refused)) return refused;
        using Triangle = std::array<std::uint32_t, 3>;
        static_assert(sizeof(Vertex) == 3 * sizeof(Number) && sizeof(Triangle) == 3 * sizeof(std::uint32_t));
        return hand_over(build_surface(std::span(reinterpret_cast<const Vertex*>(vertices), vertex_count),
                                       {reinterpret_cast<const Triangle*>(triangles), triangle_count}, o),
                         out);
    });
}

lanefold_surface_finding finding_of(const SurfaceFinding& found) {
    static_assert(SurfaceFinding::kPlaces == 4);
    lanefold_surface_finding out{found.count, {}};
    std::copy(found.places.begin(), found.places.end(), out.places);
    return out;
}

}  // namespace

extern "C" {

lanefold_status lanefold_build_surface(const float* vertices, uint64_t vertex_count, const uint32_t* triangles,
                                       uint64_t triangle_count, const lanefold_surface_options* options,
                                       lanefold_surface** out) {
    return mesh<Vec3f>(vertices, vertex_count, triangles, triangle_count, options, out);
}

lanefold_status lanefold_build_surface_double(const double* vertices, uint64_t vertex_count, const uint32_t* triangles,
                                              uint64_t triangle_count, const lanefold_surface_options* options,
                                              lanefold_surface** out) {
    return mesh<Vec3d>(vertices, vertex_count, triangles, triangle_count, options, out);
}

lanefold_status lanefold_surface_of_hulls(const lanefold_hulls* hulls, const lanefold_surface_piece* pieces,
                                          uint64_t piece_count, const lanefold_surface_options* options,
                                          lanefold_surface** out) {
    return guarded([&] {
        if (hulls == nullptr || out == nullptr) return refuse("hulls or out is null");
        *out = nullptr;
        if (pieces == nullptr && piece_count != 0) return refuse("pieces is null with a count");
        SurfaceOptions o;
        lanefold_status refused{};
        if (!options_of(options, 0, o, refused)) return refused;
        std::vector<SurfacePiece> all(piece_count);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const lanefold_surface_piece& p = pieces[i];
            all[i].hull = p.hull;
            all[i].position = {p.position[0], p.position[1], p.position[2]};
            all[i].orientation = {p.orientation[0], p.orientation[1], p.orientation[2], p.orientation[3]};
            all[i].material = p.material;
        }
        return hand_over(surface_of_hulls(hulls->set, all, o), out);
    });
}

lanefold_status lanefold_build_height_field(const lanefold_height_samples* tiles, uint64_t tile_count,
                                            const lanefold_height_field_options* options, lanefold_surface** out) {
    return guarded([&] {
        if (out == nullptr) return refuse(kNoOut);
        *out = nullptr;
        if (tiles == nullptr || options == nullptr) return refuse("tiles or options is null");
        lanefold_height_field_options from = LANEFOLD_HEIGHT_FIELD_OPTIONS_INIT;
        if (!read_versioned(options, from))
            return refuse("options.struct_size is not set: begin with LANEFOLD_HEIGHT_FIELD_OPTIONS_INIT");
        HeightFieldOptions o;
        o.rows = from.rows;
        o.columns = from.columns;
        o.tile_rows = from.tile_rows;
        o.tile_columns = from.tile_columns;
        o.x0 = from.x0;
        o.y0 = from.y0;
        o.dx = from.dx;
        o.dy = from.dy;
        o.scale = from.scale;
        o.offset = from.offset;
        o.thickness = from.thickness;
        o.borrow = from.borrow != 0;
        // Without rows or columns the library refuses them, whatever the number of cells.
        const std::size_t cells = (o.rows - 1) * o.tile_rows * (o.columns - 1) * o.tile_columns;
        if (from.holes != nullptr) o.holes = {from.holes, cells};
        if (from.diagonals != nullptr) o.diagonals = {from.diagonals, cells};
        if (from.materials != nullptr) o.materials = {from.materials, cells};
        std::vector<HeightSamples> all(tile_count);
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].data = tiles[i].data;
            all[i].is_uint16 = tiles[i].is_uint16 != 0;
            all[i].row_stride = tiles[i].row_stride;
            all[i].column_stride = tiles[i].column_stride;
        }
        return hand_over(build_height_field(all, o), out);
    });
}

lanefold_status lanefold_surface_set(const lanefold_surface* surface, lanefold_hulls** out) {
    return guarded([&] {
        if (out == nullptr) return refuse(kNoOut);
        *out = nullptr;
        if (surface == nullptr) return refuse("surface is null");
        BuildResult set = surface_set(std::span(&surface->own, 1));
        if (!set) return refuse(set.failures[0].what);
        *out = new lanefold_hulls{std::move(set.hulls)};
        return status_of({});
    });
}

void lanefold_surface_free(lanefold_surface* surface) { delete surface; }

lanefold_status lanefold_surface_get_report(const lanefold_surface* surface, lanefold_surface_report* out) {
    return guarded([&] {
        if (surface == nullptr || out == nullptr) return refuse("surface or out is null");
        const SurfaceReport& r = surface->own.report();
        lanefold_surface_report report = LANEFOLD_SURFACE_REPORT_INIT;
        report.welded = finding_of(r.welded);
        report.copies = finding_of(r.copies);
        report.degenerate = finding_of(r.degenerate);
        report.duplicate = finding_of(r.duplicate);
        report.opposite = finding_of(r.opposite);
        report.cut = finding_of(r.cut);
        report.split = finding_of(r.split);
        report.non_manifold = finding_of(r.non_manifold);
        report.winding = finding_of(r.winding);
        report.unhealed = finding_of(r.unhealed);
        report.border_edges = r.border_edges;
        report.largest_movement = r.largest_movement;
        report.weld_tolerance = r.weld_tolerance;
        if (!write_versioned(report, out))
            return refuse("out.struct_size is not set: begin with LANEFOLD_SURFACE_REPORT_INIT");
        return status_of({});
    });
}

uint64_t lanefold_surface_triangle_count(const lanefold_surface* surface) {
    return surface != nullptr ? surface->own.triangle_count() : 0;
}

uint64_t lanefold_surface_vertex_count(const lanefold_surface* surface) {
    return surface != nullptr ? surface->own.vertex_count() : 0;
}

uint64_t lanefold_surface_fingerprint(const lanefold_surface* surface) {
    return surface != nullptr ? surface->own.fingerprint() : 0;
}

lanefold_status lanefold_surface_get_triangle(const lanefold_surface* surface, uint32_t triangle,
                                              lanefold_surface_triangle* out) {
    return guarded([&] {
        if (surface == nullptr || out == nullptr) return refuse("surface or out is null");
        if (triangle >= surface->own.triangle_count()) return refuse("there is no such triangle", triangle);
        *out = {};
        static_assert(LANEFOLD_NO_TRIANGLE == Surface::kBorder);
        const std::array<std::uint32_t, 3> corners = surface->own.triangle(triangle);
        out->exists = surface->own.exists(triangle) ? 1 : 0;
        for (int k = 0; k < 3; ++k) {
            out->vertices[k] = corners[static_cast<std::size_t>(k)];
            out->neighbours[k] = out->exists != 0 ? surface->own.neighbour(triangle, k) : LANEFOLD_NO_TRIANGLE;
        }
        out->input = surface->own.input_triangle(triangle);
        out->material = surface->own.material(triangle);
        return status_of({});
    });
}

lanefold_status lanefold_surface_get_vertex(const lanefold_surface* surface, uint32_t vertex, float position[3]) {
    return guarded([&] {
        if (surface == nullptr || position == nullptr) return refuse("surface or position is null");
        if (vertex >= surface->own.vertex_count()) return refuse("there is no such vertex", vertex);
        const Vec3f v = surface->own.vertex(vertex);
        std::memcpy(position, &v, sizeof v);
        return status_of({});
    });
}

lanefold_status lanefold_surface_get_bounds(const lanefold_surface* surface, double low[3], double high[3],
                                            double shift[3]) {
    return guarded([&] {
        if (surface == nullptr) return refuse("surface is null");
        const SurfaceBox box = surface->own.bounds();
        const Vec3d origin = surface->own.shift();
        if (low != nullptr) std::memcpy(low, &box.low, sizeof box.low);
        if (high != nullptr) std::memcpy(high, &box.high, sizeof box.high);
        if (shift != nullptr) std::memcpy(shift, &origin, sizeof origin);
        return status_of({});
    });
}

lanefold_surface_contacts* lanefold_surface_contacts_create(void) {
    try {
        return new lanefold_surface_contacts;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_surface_contacts_free(lanefold_surface_contacts* contacts) { delete contacts; }

const lanefold_manifold4* lanefold_surface_records(const lanefold_surface_contacts* contacts, uint64_t* count) {
    if (count != nullptr) *count = contacts != nullptr ? contacts->own.records.size() : 0;
    if (contacts == nullptr || contacts->own.records.empty()) return nullptr;
    return reinterpret_cast<const lanefold_manifold4*>(contacts->own.records.data());
}

const uint64_t* lanefold_surface_offsets(const lanefold_surface_contacts* contacts, uint64_t* count) {
    if (count != nullptr) *count = contacts != nullptr ? contacts->own.offsets.size() : 0;
    return contacts == nullptr || contacts->own.offsets.empty() ? nullptr : contacts->own.offsets.data();
}

lanefold_status lanefold_collide_surface(const lanefold_surface* surface, const lanefold_surface_pose* pose,
                                         const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                         const uint32_t* list, uint64_t list_count, const lanefold_options* options,
                                         lanefold_surface_contacts* out) {
    return guarded([&] {
        if (surface == nullptr || hulls == nullptr || bodies == nullptr) {
            return refuse("surface, hulls or bodies is null");
        }
        if (out == nullptr) return refuse(kNoOut);
        if (list == nullptr && list_count != 0) return refuse("list is null with a count");
        const BodyView view = view_of(*bodies);
        Options o;
        CallInputs inputs;
        lanefold_status refused{};
        if (!options_of(options, view, 0, o, inputs, refused)) return refused;
        SurfacePose place;
        if (pose != nullptr) {
            std::copy_n(pose->position, 3, place.position);
            std::copy_n(pose->orientation, 4, place.orientation);
            place.index = pose->index;
        }
        // The library takes an empty list for all bodies.
        if (list != nullptr && list_count == 0) {
            out->own.records.clear();
            out->own.offsets.assign(1, 0);
            return status_of({});
        }
        return status_of(collide_surface(surface->own, place, hulls->set, view, {list, list_count}, o, out->own));
    });
}

}  // extern "C"
