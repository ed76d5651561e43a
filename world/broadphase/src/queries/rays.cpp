// SPDX-License-Identifier: MIT
//
// Rays through a finder's tree: lanes choose the bodies, the closed forms of detail/ray.hpp decide.
#include <lanefold/detail/ray.hpp>
#include <lanefold/detail/ray_batch.hpp>

#include "boxes/tasks.hpp"
#include "queries/query_call.hpp"

namespace lanefold {
namespace {

using detail::BodyFilters;
using detail::FinderScene;
using detail::RayHits;
using detail::RayLine;

// A ray on its way through the tree.
struct OneRay {
    const FinderScene* scene;
    BodyFilters::Query filter;
    RayLine ray;
    detail::RaySides sides;
    RayHits* hits;
    std::uint32_t body;

    void meet(std::uint32_t b) {
        if (!scene->tree->filters().pass(filter, b)) return;
        body = b;
        const auto child = [](void* context, std::uint32_t c, const detail::RayTarget& target) {
            OneRay& own = *static_cast<OneRay*>(context);
            own.hits->take(own.body, c, target, own.ray, own.sides);
        };
        detail::place_children(*scene->hulls, scene->bodies[b], child, this);
    }
};

RayResult cast(const PairFinder& finder, const detail::RayOutput& o, QueryWorkspace& workspace,
               const QueryOptions& options) {
    RayResult result;
    result.status = detail::check_rays(o);
    if (!result.status) return result;
    const auto run = [&](const FinderScene& scene, const detail::FinderTable& table, QueryWorkspace::Impl& own) {
        result.status = detail::place_surfaces(o.inputs->surfaces, own.rays.surfaces);
        if (!result.status) return;
        result.left_out = scene.without_box;
        const detail::BoxTree& tree = scene.tree->tree();
        const auto meet_bodies = [&](std::size_t i, const RayLine& ray, RayHits& hits) {
            OneRay one = {&scene, detail::filter_of(options, i), ray, detail::sides_of(*o.inputs), &hits, 0};
            for (const detail::WorldPlane& plane : scene.planes) one.meet(plane.body);
            if (hits.most() < 0) return;
            const auto body = [](void* context, std::uint32_t b, double) {
                OneRay& own_ray = *static_cast<OneRay*>(context);
                own_ray.meet(b);
                return own_ray.hits->most();
            };
            table.tree.along(tree.view(), scene.tree->frame().ray(ray.origin, ray.direction),
                             tree.reach_of_world(one.filter.world), hits.most(), body, &one);
        };
        const std::size_t blocks = (o.rays.size() + detail::kRayBlock - 1) / detail::kRayBlock;
        const auto loop = [&](const auto& f) {
            detail::for_blocks(blocks, 1, options.threads, [&](std::size_t first, std::size_t last) {
                for (std::size_t b = first; b < last; ++b) f(b);
            });
        };
        detail::run_ray_batch(o, own.rays, scene.bodies.size(), meet_bodies, loop, result);
    };
    detail::run_queries(finder, workspace, options, o.rays.size(), result, run);
    return result;
}

}  // namespace

RayResult cast_rays(const PairFinder& scene, std::span<const Ray> rays, std::span<RayHit> out,
                    QueryWorkspace& workspace, const RayInputs& inputs, const QueryOptions& options) {
    return cast(scene, {rays, out, {}, &inputs, false}, workspace, options);
}

RayResult cast_rays_all(const PairFinder& scene, std::span<const Ray> rays, std::span<std::uint64_t> offsets,
                        std::span<RayHit> out, QueryWorkspace& workspace, const RayInputs& inputs,
                        const QueryOptions& options) {
    return cast(scene, {rays, out, offsets, &inputs, true}, workspace, options);
}

}  // namespace lanefold
