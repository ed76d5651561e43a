// SPDX-License-Identifier: MIT
//
// Queries of a scene: rays, shapes on a motion, overlaps and closest points, each with all bodies near it and without a
// list of pairs. The scene is that of the latest find() of a PairFinder: its bodies, hulls, filters and worlds, and its
// tree, which is searched. docs/between_frames.md has the definitions and examples.
//
// Queries are batches. Each is decided alone, so a record depends on the query and the scene's bodies, and on nothing
// else: the same bits with any number of threads, in any order and on every instruction set. Calls run on all cores of
// the caller's tbb::task_arena and allocate nothing once the workspace has seen as many queries and neighbours.
//
// Refused with bad_argument (status.what and status.where name the argument and the place): a finder without a frame,
// spans of different lengths, null with a length, bodies that are not aligned, margins, radii and targets that are
// negative or not finite, an instruction set that is not available, a workspace that was moved from.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/export.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/ray_record.hpp>
#include <lanefold/status.hpp>
#include <lanefold/sweep_record.hpp>

namespace lanefold {

// A body's index where there is none.
inline constexpr std::uint32_t kNoBody = 0xFFFFFFFFU;

// Memory that a caller keeps between queries. One call at a time may use it.
class LANEFOLD_EXPORT QueryWorkspace {
public:
    QueryWorkspace();
    QueryWorkspace(QueryWorkspace&&) noexcept;
    QueryWorkspace& operator=(QueryWorkspace&&) noexcept;
    ~QueryWorkspace();

    struct Impl;  // world/broadphase/src/queries/query_memory.hpp
    Impl& impl() { return *impl_; }
    // False after a move from it.
    bool valid() const { return impl_ != nullptr; }

private:
    std::unique_ptr<Impl> impl_;
};

// The bodies that queries meet: every span is empty, or has an element for each query. They are compared with those of
// the finder's latest options; bodies without such a filter pass.
struct QueryOptions {
    // A query does not meet bodies of its own non-zero group.
    std::span<const std::uint32_t> group;
    // A query meets a body only if category[q] & collides_with[body] and category[body] & collides_with[q] are both not
    // 0. Both spans or none.
    std::span<const std::uint32_t> category;
    std::span<const std::uint32_t> collides_with;
    // The world whose bodies the query meets, with those that all worlds share; kSharedBody, or an empty span: bodies
    // of all worlds.
    std::span<const std::int32_t> world;
    // Largest number of tasks in the caller's arena; 0: all threads. Never changes the result.
    std::uint32_t threads = 0;
    // The instruction set of the kernels, as in Options::isa. Never changes the result.
    Isa isa = Isa::automatic;
};

// See cast_rays_serial() (serial_rays.hpp): the same records, of the bodies that pass the filters.
LANEFOLD_EXPORT RayResult cast_rays(const PairFinder& scene, std::span<const Ray> rays, std::span<RayHit> out,
                                    QueryWorkspace& workspace, const RayInputs& inputs = {},
                                    const QueryOptions& options = {});

// See cast_rays_all_serial().
LANEFOLD_EXPORT RayResult cast_rays_all(const PairFinder& scene, std::span<const Ray> rays,
                                        std::span<std::uint64_t> offsets, std::span<RayHit> out,
                                        QueryWorkspace& workspace, const RayInputs& inputs = {},
                                        const QueryOptions& options = {});

// The result of queries with shapes. Shapes are bodies, perhaps with scales, of hulls of the set that the finder was
// given, any but half-spaces. One with a bad pose or hull has no record but its status; where records are listed it has
// none, and its status is in `statuses`, if that is given.
struct [[nodiscard]] QueryResult {
    CallStatus status;
    std::uint64_t by_status[kStatusCount] = {};  // of queries
    std::uint64_t first_bad = 0;                 // the first query with a status other than ok; their number if none
    std::uint64_t candidates = 0;                // pairs of a query and a body near it
    std::uint64_t touching = 0;                  // queries with a record: of a cast that hits, overlaps or failed
    // Calls that give all records: those that all queries have, those written, and the first query whose are not.
    std::uint64_t required = 0;
    std::uint64_t written = 0;
    std::uint64_t next_query = 0;
};

// The bodies within `margin` of each shape, ascending: those of query q are out[offsets[q]] to out[offsets[q + 1] - 1].
// offsets has one element more than shapes, and always ends with the number of all; if `out` is too small the status is
// truncated, and whole queries before next_query are there. statuses: empty, or one per query.
LANEFOLD_EXPORT QueryResult overlap_scene(const PairFinder& scene, const BodyView& shapes, float margin,
                                          std::span<std::uint64_t> offsets, std::span<std::uint32_t> out,
                                          QueryWorkspace& workspace, const QueryOptions& options = {},
                                          std::span<Status> statuses = {});

// The closest points of a shape and a body. 64 bytes. Where none is in reach all is zero but the body, which is
// kNoBody, and the distance, which is infinite.
struct ClosestPoints {
    float distance;  // signed: negative where they overlap
    std::uint32_t body;
    std::uint32_t child;          // of the body, where it is a compound
    std::uint32_t shape_child;    // of the shape, where it is one
    float normal[3];              // unit, world axes, from the shape to the body
    float on_shape[3];            // offset from the shape's position, world axes; on_body less this is the distance
    float on_body[3];             // the same point of the body; of several deepest ones the first
    std::uint32_t feature_shape;  // as in Manifold4, with the shape as hull a
    std::uint32_t feature_body;
    ContactKind kind;
    Status status;
    std::uint8_t reserved[2];
};
static_assert(sizeof(ClosestPoints) == 64 && std::is_trivially_copyable_v<ClosestPoints>);

// The nearest body within radii[q] of each shape: out[q]. Of several at one distance the lowest. Distances are those of
// collide(), which is within 2e-6 of the larger hull's size.
LANEFOLD_EXPORT QueryResult closest_points(const PairFinder& scene, const BodyView& shapes,
                                           std::span<const float> radii, std::span<ClosestPoints> out,
                                           QueryWorkspace& workspace, const QueryOptions& options = {});

// All bodies, and all pairs of children, within radii[q] of each shape, by distance, then body and children; offsets as
// in overlap_scene().
LANEFOLD_EXPORT QueryResult closest_points_all(const PairFinder& scene, const BodyView& shapes,
                                               std::span<const float> radii, std::span<std::uint64_t> offsets,
                                               std::span<ClosestPoints> out, QueryWorkspace& workspace,
                                               const QueryOptions& options = {}, std::span<Status> statuses = {});

// A body that a moving shape meets. 64 bytes. Of a miss all is zero but the body, which is kNoBody, and the fraction,
// which is 1.
struct ShapeHit {
    double fraction;  // never later than the first contact
    std::uint32_t body;
    std::uint32_t child;          // of the body, where it is a compound
    float normal[3];              // unit, world axes, from the shape to the body, at `fraction`
    float distance;               // signed, at `fraction`
    float point[3];               // midway: offset from the shape's position at `fraction`, world axes
    std::uint32_t feature_shape;  // as in SweepRecord, with the shape as hull a
    std::uint32_t feature_body;
    ContactKind kind;
    SweepState state;
    SweepFailure failure;
    Status status;              // of the query
    std::uint32_t shape_child;  // of the shape, where it is a compound
};
static_assert(sizeof(ShapeHit) == 64 && std::is_trivially_copyable_v<ShapeHit>);

// Shapes on their way from `begin` to `end`, as sweep() moves them (SweepInputs::spins serves, with an element for each
// query), against bodies at rest: out[q] is the first that shape q meets. Of several at one fraction the lowest body
// and child count; a pair that failed counts at the fraction up to which it is clear; with a surface that
// is 0.
LANEFOLD_EXPORT QueryResult cast_shapes(const PairFinder& scene, const BodyView& begin, const BodyView& end,
                                        const SweepOptions& settings, std::span<ShapeHit> out,
                                        QueryWorkspace& workspace, const SweepInputs& inputs = {},
                                        const QueryOptions& options = {});

// All bodies and children that each shape meets, by fraction, then body and child; offsets as in overlap_scene().
LANEFOLD_EXPORT QueryResult cast_shapes_all(const PairFinder& scene, const BodyView& begin, const BodyView& end,
                                            const SweepOptions& settings, std::span<std::uint64_t> offsets,
                                            std::span<ShapeHit> out, QueryWorkspace& workspace,
                                            const SweepInputs& inputs = {}, const QueryOptions& options = {},
                                            std::span<Status> statuses = {});

}  // namespace lanefold
