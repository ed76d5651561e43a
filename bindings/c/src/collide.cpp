// SPDX-License-Identifier: MIT
//
// The batch calls.
#include <cmath>

#include <lanefold_scale.h>
#include <lanefold/isa.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/version.hpp>

#include "convert.hpp"
#include "handles.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

// Arguments of all batch calls.
struct Arguments {
    const lanefold_hulls* hulls;
    const lanefold_body_view* bodies;
    const lanefold_pair* pairs;
    std::uint64_t pair_count;
    const lanefold_options* options;
    lanefold_workspace* workspace;
    lanefold_result* result;
};

// Checks the arguments, calls f(hulls, bodies, pairs, options, workspace, inputs), and converts its result.
template <class F>
lanefold_status run(const Arguments& a, const F& f) noexcept {
    return guarded([&] {
        if (a.hulls == nullptr) return refuse("hulls is null");
        if (a.bodies == nullptr) return refuse("bodies is null");
        if (a.workspace == nullptr) return refuse("workspace is null");
        if (a.pairs == nullptr && a.pair_count != 0) return refuse("pairs is null with a count");
        lanefold_result known = LANEFOLD_RESULT_INIT;
        if (!read_versioned(a.result, known)) {
            return refuse("result.struct_size is not set: begin with LANEFOLD_RESULT_INIT");
        }
        const BodyView view = view_of(*a.bodies);
        Options options;
        CallInputs inputs;
        lanefold_status refused{};
        if (!options_of(a.options, view, a.pair_count, options, inputs, refused)) return refused;
        const std::span<const Pair> pairs(reinterpret_cast<const Pair*>(a.pairs), a.pair_count);
        const auto r = f(a.hulls->set, view, pairs, options, a.workspace->own, inputs);
        lanefold_result out = result_of(r);
        if constexpr (requires { r.written; }) {
            out.written = r.written;
            out.required = r.required;
            out.next_pair = r.next_pair;
        }
        write_versioned(out, a.result);
        return status_of(r.status);
    });
}

template <class Record, class From>
std::span<Record> records(From* out, std::uint64_t count) {
    return {reinterpret_cast<Record*>(out), count};
}

template <class Record, class From>
lanefold_status dense(const Arguments& a, From* out) noexcept {
    if (out == nullptr && a.pair_count != 0) return refuse("out is null with a count");
    return run(a, [&](const auto& hulls, const auto& view, const auto& pairs, const auto& options, auto& workspace,
                      const auto& inputs) {
        return collide(hulls, view, pairs, options, records<Record>(out, a.pair_count), workspace, inputs);
    });
}

template <class Record, class From>
lanefold_status compact(const Arguments& a, From* out, std::uint64_t capacity, std::uint64_t first_pair) noexcept {
    if (out == nullptr && capacity != 0) return refuse("out is null with a capacity");
    return run(a, [&](const auto& hulls, const auto& view, const auto& pairs, const auto& options, auto& workspace,
                      const auto& inputs) {
        return collide_compact(hulls, view, pairs, options, records<Record>(out, capacity), workspace, inputs,
                               first_pair);
    });
}

template <class Body>
lanefold_body_view view_of_structs(const Body* bodies, std::uint64_t count, std::uint32_t position_is_double) {
    constexpr std::size_t kStride = sizeof(Body);
    // No columns: a call refuses them unless there are no bodies.
    if (bodies == nullptr) return {nullptr, nullptr, nullptr, kStride, kStride, kStride, count, position_is_double, 0};
    return {&bodies->position,
            &bodies->orientation,
            &bodies->hull,
            kStride,
            kStride,
            kStride,
            count,
            position_is_double,
            0};
}

}  // namespace

extern "C" {

const char* lanefold_version(void) { return lanefold::version(); }
int32_t lanefold_version_number(void) { return lanefold::version_number(); }

const char* lanefold_instruction_sets(void) {
    try {
        static const std::string names = available_isa_names();
        return names.c_str();
    } catch (const std::bad_alloc&) {
        return "";
    }
}

const char* lanefold_status_name(int32_t status) {
    return status >= 0 && status < static_cast<int32_t>(kStatusCount) ? to_string(static_cast<Status>(status))
                                                                      : "unknown";
}

const char* lanefold_kind_name(int32_t kind) {
    return kind >= 0 && kind < static_cast<int32_t>(kContactKindCount) ? to_string(static_cast<ContactKind>(kind))
                                                                       : "unknown";
}

lanefold_body_view lanefold_view_bodies(const lanefold_body* bodies, uint64_t count) {
    return view_of_structs(bodies, count, 0);
}

lanefold_body_view lanefold_view_bodies_d(const lanefold_body_d* bodies, uint64_t count) {
    return view_of_structs(bodies, count, 1);
}

lanefold_scaled_view lanefold_view_scaled(lanefold_body_view bodies, const float* scale, size_t scale_stride) {
    bodies.reserved = LANEFOLD_SCALED_VIEW;
    return {bodies, scale, scale_stride};
}

lanefold_workspace* lanefold_workspace_create(void) {
    try {
        return new lanefold_workspace;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void lanefold_workspace_free(lanefold_workspace* workspace) { delete workspace; }

lanefold_status lanefold_collide4(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                  const lanefold_pair* pairs, uint64_t pair_count, const lanefold_options* options,
                                  lanefold_manifold4* out, lanefold_workspace* workspace, lanefold_result* result) {
    return dense<Manifold4>({hulls, bodies, pairs, pair_count, options, workspace, result}, out);
}

lanefold_status lanefold_collide16(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                   const lanefold_pair* pairs, uint64_t pair_count, const lanefold_options* options,
                                   lanefold_manifold16* out, lanefold_workspace* workspace, lanefold_result* result) {
    return dense<Manifold16>({hulls, bodies, pairs, pair_count, options, workspace, result}, out);
}

lanefold_status lanefold_collide_compact4(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                          const lanefold_pair* pairs, uint64_t pair_count,
                                          const lanefold_options* options, lanefold_manifold4* out, uint64_t capacity,
                                          uint64_t first_pair, lanefold_workspace* workspace, lanefold_result* result) {
    return compact<Manifold4>({hulls, bodies, pairs, pair_count, options, workspace, result}, out, capacity,
                              first_pair);
}

lanefold_status lanefold_collide_compact16(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                           const lanefold_pair* pairs, uint64_t pair_count,
                                           const lanefold_options* options, lanefold_manifold16* out, uint64_t capacity,
                                           uint64_t first_pair, lanefold_workspace* workspace,
                                           lanefold_result* result) {
    return compact<Manifold16>({hulls, bodies, pairs, pair_count, options, workspace, result}, out, capacity,
                               first_pair);
}

lanefold_status lanefold_collide_distance(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                          const lanefold_pair* pairs, uint64_t pair_count,
                                          const lanefold_options* options, lanefold_distance* out,
                                          lanefold_workspace* workspace, lanefold_result* result) {
    if (out == nullptr && pair_count != 0) return refuse("out is null with a count");
    return run({hulls, bodies, pairs, pair_count, options, workspace, result},
               [&](const auto& set, const auto& view, const auto& list, const auto& o, auto& own, const auto& inputs) {
                   return collide(set, view, list, o, records<PairDistance>(out, pair_count), own, inputs);
               });
}

lanefold_status lanefold_collide_overlap(const lanefold_hulls* hulls, const lanefold_body_view* bodies,
                                         const lanefold_pair* pairs, uint64_t pair_count,
                                         const lanefold_options* options, uint64_t* out, lanefold_workspace* workspace,
                                         lanefold_result* result) {
    if (out == nullptr && pair_count != 0) return refuse("out is null with a count");
    return run({hulls, bodies, pairs, pair_count, options, workspace, result},
               [&](const auto& set, const auto& view, const auto& list, const auto& o, auto& own, const auto& inputs) {
                   const std::span<std::uint64_t> words(out, (pair_count + 63) / 64);
                   return collide_overlap(set, view, list, o, words, own, inputs);
               });
}

void lanefold_witnesses(const float normal[3], const lanefold_point* point, float on_a[3], float on_b[3]) {
    if (!normal || !point) return;
    ContactPoint p{};
    std::memcpy(&p, point, sizeof p);
    const Vec3f a = witness_on_a(normal, p);
    const Vec3f b = witness_on_b(normal, p);
    if (on_a) std::memcpy(on_a, &a, sizeof a);
    if (on_b) std::memcpy(on_b, &b, sizeof b);
}

}  // extern "C"
