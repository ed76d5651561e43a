// SPDX-License-Identifier: MIT
//
// Hull sets.
#include <cstddef>
#include <cstring>

#include <lanefold/half_space.hpp>
#include <lanefold/hull_builder.hpp>

#include "convert.hpp"
#include "lanefold_half_space.h"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

bool build_options_of(const lanefold_build_options* from, BuildOptions& to, lanefold_status& refused) {
    lanefold_build_options o = LANEFOLD_BUILD_OPTIONS_INIT;
    const char* wrong = nullptr;
    if (!read_versioned(from, o)) wrong = "options.struct_size is not set: begin with LANEFOLD_BUILD_OPTIONS_INIT";
    if (wrong == nullptr && o.shape != LANEFOLD_SHAPE_HULL) wrong = "options.shape is not known to this library";
    if (wrong == nullptr && o.origin > LANEFOLD_ORIGIN_BOX_CENTRE) wrong = "options.origin is not known";
    if (wrong != nullptr) {
        refused = refuse(wrong);
        return false;
    }
    to.max_vertices = o.max_vertices;
    to.threads = o.threads;
    to.merge_coplanar = o.merge_coplanar != 0;
    to.recognize_boxes = o.recognize_boxes != 0;
    to.origin = static_cast<Origin>(o.origin);
    to.radius = o.radius;
    return true;
}

void copy(const Vec3d& from, double* to) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

void copy(const Mat3d& from, double* to) {
    for (int i = 0; i < 3; ++i) copy(from.row[i], to + 3 * i);
}

lanefold_status hand_over(HullSet&& set, lanefold_hulls** out) {
    *out = new lanefold_hulls{std::move(set)};
    return status_of({});
}

// Writes the reports that fit and returns the status of the first.
lanefold_status report(const BuildResult& built, lanefold_hull_report* reports, std::uint64_t capacity) {
    for (std::size_t i = 0; i < built.failures.size() && i < capacity; ++i) {
        const HullReport& r = built.failures[i];
        reports[i] = {r.hull, r.culprit, static_cast<std::int32_t>(r.error), 0, r.what};
    }
    return refuse(built.failures.front().what, built.failures.front().hull);
}

// The caller's offsets; their number is that of the hulls and 1.
struct Offsets {
    const std::uint64_t* data;
    std::uint64_t hulls;
};

// The caller's memory for the results of a build.
struct BuildOutput {
    lanefold_hulls** hulls;
    lanefold_hull_frame* frames;
    lanefold_hull_report* reports;
    std::uint64_t report_capacity;
    std::uint64_t* report_count;
};

// `points` is empty when the caller gave none.
template <class Point>
lanefold_status build(std::span<const Point> points, std::uint64_t point_count, const Offsets& offsets,
                      const lanefold_build_options* options, const BuildOutput& out) {
    return guarded([&] {
        if (out.hulls == nullptr) return refuse("out is null");
        *out.hulls = nullptr;
        if (out.report_count != nullptr) *out.report_count = 0;
        if (points.size() != point_count) return refuse("points is null with a count");
        if (offsets.data == nullptr) return refuse("offsets is null");
        if (offsets.hulls >= UINT32_MAX) return refuse("too many hulls", offsets.hulls);
        BuildOptions build;
        lanefold_status refused{};
        if (!build_options_of(options, build, refused)) return refused;
        BuildResult built = build_hulls(points, {offsets.data, offsets.hulls + 1}, build);
        if (out.report_count != nullptr) *out.report_count = built.failures.size();
        if (!built) return report(built, out.reports, out.reports != nullptr ? out.report_capacity : 0);
        for (std::size_t i = 0; out.frames != nullptr && i < built.frames.size(); ++i) {
            copy(built.frames[i].shift, out.frames[i].shift);
            copy(built.frames[i].principal_axes, out.frames[i].principal_axes);
            copy(built.frames[i].principal_moments, out.frames[i].principal_moments);
            out.frames[i].rounding = built.frames[i].rounding;
        }
        return hand_over(std::move(built.hulls), out.hulls);
    });
}

}  // namespace

extern "C" {

lanefold_status lanefold_build_hulls(const float* points, uint64_t point_count, const uint64_t* offsets,
                                     uint64_t hull_count, const lanefold_build_options* options, lanefold_hulls** out,
                                     lanefold_hull_frame* frames, lanefold_hull_report* reports,
                                     uint64_t report_capacity, uint64_t* report_count) {
    static_assert(sizeof(Vec3f) == 3 * sizeof(float));
    return build(std::span(reinterpret_cast<const Vec3f*>(points), points != nullptr ? point_count : 0), point_count,
                 {offsets, hull_count}, options, {out, frames, reports, report_capacity, report_count});
}

lanefold_status lanefold_build_hulls_double(const double* points, uint64_t point_count, const uint64_t* offsets,
                                            uint64_t hull_count, const lanefold_build_options* options,
                                            lanefold_hulls** out, lanefold_hull_frame* frames,
                                            lanefold_hull_report* reports, uint64_t report_capacity,
                                            uint64_t* report_count) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    return build(std::span(reinterpret_cast<const Vec3d*>(points), points != nullptr ? point_count : 0), point_count,
                 {offsets, hull_count}, options, {out, frames, reports, report_capacity, report_count});
}

lanefold_status lanefold_build_half_spaces(const float* planes, uint64_t count, lanefold_hulls** out,
                                           lanefold_hull_report* reports, uint64_t report_capacity,
                                           uint64_t* report_count) {
    return guarded([&] {
        if (out == nullptr) return refuse("out is null");
        *out = nullptr;
        if (report_count != nullptr) *report_count = 0;
        if (planes == nullptr && count != 0) return refuse("planes is null with a count");
        if (count >= UINT32_MAX) return refuse("too many half-spaces", count);
        static_assert(sizeof(HalfSpace) == 4 * sizeof(float) && offsetof(HalfSpace, offset) == 3 * sizeof(float));
        BuildResult built = build_half_spaces({reinterpret_cast<const HalfSpace*>(planes), count});
        if (report_count != nullptr) *report_count = built.failures.size();
        if (!built) return report(built, reports, reports != nullptr ? report_capacity : 0);
        return hand_over(std::move(built.hulls), out);
    });
}

lanefold_status lanefold_half_space(const lanefold_hulls* hulls, uint32_t id, float plane[4]) {
    return guarded([&] {
        if (hulls == nullptr || plane == nullptr) return refuse("hulls or plane is null");
        const std::optional<HalfSpace> found = half_space(hulls->set, id);
        if (!found) return refuse("there is no half-space of this id", id);
        std::memcpy(plane, &*found, sizeof *found);
        return status_of({});
    });
}

lanefold_status lanefold_hulls_append(const lanefold_hulls* first, const lanefold_hulls* more, lanefold_hulls** out) {
    return guarded([&] {
        if (first == nullptr || more == nullptr || out == nullptr) return refuse("first, more or out is null");
        *out = nullptr;
        return hand_over(first->set.append(more->set), out);
    });
}

lanefold_status lanefold_hulls_remove(const lanefold_hulls* hulls, const uint32_t* ids, uint64_t id_count,
                                      lanefold_hulls** out) {
    return guarded([&] {
        if (hulls == nullptr || out == nullptr) return refuse("hulls or out is null");
        if (ids == nullptr && id_count != 0) return refuse("ids is null with a count");
        *out = nullptr;
        return hand_over(hulls->set.remove({ids, id_count}), out);
    });
}

void lanefold_hulls_free(lanefold_hulls* hulls) { delete hulls; }

uint64_t lanefold_hulls_count(const lanefold_hulls* hulls) { return hulls != nullptr ? hulls->set.size() : 0; }

uint64_t lanefold_hulls_fingerprint(const lanefold_hulls* hulls) {
    return hulls != nullptr ? hulls->set.fingerprint() : 0;
}

int32_t lanefold_hulls_contains(const lanefold_hulls* hulls, uint32_t id) {
    return hulls != nullptr && hulls->set.contains(id) ? 1 : 0;
}

const float* lanefold_hull_vertices(const lanefold_hulls* hulls, uint32_t id, uint64_t* vertex_count) {
    if (vertex_count != nullptr) *vertex_count = 0;
    if (lanefold_hulls_contains(hulls, id) == 0) return nullptr;
    const std::span<const Vec3f> v = hulls->set.vertices(id);
    if (vertex_count != nullptr) *vertex_count = v.size();
    return v.empty() ? nullptr : &v.data()->x;
}

lanefold_status lanefold_hull_get_info(const lanefold_hulls* hulls, uint32_t id, lanefold_hull_info* out) {
    return guarded([&] {
        if (out == nullptr) return refuse("out is null");
        if (lanefold_hulls_contains(hulls, id) == 0) return refuse("there is no hull of this id", id);
        const HullRecord& r = hulls->set[id];
        const HullInfo& i = hulls->set.info(id);
        lanefold_hull_info info = LANEFOLD_HULL_INFO_INIT;
        info.vertices = r.vertex_count;
        info.faces = r.face_count;
        info.edges = r.edge_count;
        info.input_points = i.input_points;
        info.merged_faces = i.merged_faces;
        info.dropped_vertices = i.dropped_vertices;
        info.is_box = r.is_box() ? 1 : 0;
        info.may_flicker = i.may_flicker ? 1 : 0;
        info.shape = static_cast<std::uint8_t>(r.shape);
        info.size = r.size;
        info.radius = r.round_radius;
        info.deviation = i.deviation;
        info.budget_deviation = i.budget_deviation;
        info.min_edge_angle = i.min_edge_angle;
        info.volume = i.mass.volume;
        copy(i.mass.centre_of_mass, info.centre_of_mass);
        copy(i.mass.inertia, info.inertia);
        if (!write_versioned(info, out)) {
            return refuse("out.struct_size is not set: begin with LANEFOLD_HULL_INFO_INIT");
        }
        return status_of({});
    });
}

}  // extern "C"
