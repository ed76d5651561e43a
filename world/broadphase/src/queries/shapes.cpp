// SPDX-License-Identifier: MIT
//
// Overlaps and closest points of shapes with a scene: the neighbours of a pass are pairs of the narrowphase.
#include <cmath>
#include <limits>
#include <tuple>

#include <lanefold/narrowphase.hpp>

#include "boxes/world_boxes.hpp"
#include "queries/query_call.hpp"

namespace lanefold {
namespace {

using detail::FinderScene;
using detail::Neighbours;

constexpr double kLargestRadius = 1e30;  // so that boxes and margins stay far from the ends of float32

CallStatus check_radii(std::span<const float> radii, std::size_t queries) {
    if (radii.size() != queries) return detail::refuse("radii needs one number for each shape", radii.size());
    if (radii.data() == nullptr && queries != 0) return detail::refuse("radii is null but has a length", queries);
    for (std::size_t q = 0; q < queries; ++q) {
        if (!(radii[q] >= 0) || static_cast<double>(radii[q]) > kLargestRadius)
            return detail::refuse("radii must be 0 or more, and at most 1e30", q);
    }
    return {};
}

// The shapes of a pass at their poses, and the bodies within the radius of query q, radius(q).
template <class Radius>
void find_near(const FinderScene& scene, const detail::FinderTable& table, const QueryOptions& options,
               const BodyView& shapes, std::size_t first, const Radius& radius, Neighbours& near) {
    near.shapes.resize(std::min(detail::kQueriesPerPass, shapes.count - first));
    for (std::size_t i = 0; i < near.shapes.size(); ++i) {
        detail::QueryShape& shape = near.shapes[i];
        shape.body = detail::read_body(shapes, first + i);
        shape.status = detail::shape_status(*scene.hulls, shape.body);
        if (shape.status == Status::ok)
            shape.box = detail::body_box(*scene.hulls, shape.body, static_cast<double>(radius(first + i)));
    }
    near.find(scene, table, options, first, false);
}

Options narrow_options(const QueryOptions& options, float margin) {
    Options o;
    o.margin = margin;
    o.face_preference = 0;
    o.threads = options.threads;
    o.isa = options.isa;
    return o;
}

// The records of a pass in the order of its pairs; record k is of pair pair_of[k].
std::size_t collide_near(const FinderScene& scene, const QueryOptions& options, const Neighbours& near,
                         QueryWorkspace::Impl& own, CallStatus& status) {
    if (own.manifolds.size() < near.pairs.size()) own.manifolds.resize(near.pairs.size());
    for (;;) {
        own.pair_of.resize(own.manifolds.size());
        CallInputs inputs;
        inputs.pair_margins = {own.margins.data(), near.pairs.size()};
        const CompactResult r =
            collide_compact<Manifold4>(*scene.hulls, BodyView(near.bodies), near.pairs, narrow_options(options, 0),
                                       std::span<Manifold4>(own.manifolds), own.narrowphase, inputs, 0, own.pair_of);
        if (r.status.code != Status::truncated) {
            status = r.status;
            return r.written;
        }
        own.manifolds.resize(r.required + r.required / 4);
    }
}

ClosestPoints closest_of(const Manifold4& m, const Neighbours::Of& of) {
    ClosestPoints c = {};
    c.distance = m.distance;
    c.body = of.body;
    c.child = m.child_b;
    c.shape_child = m.child_a;
    std::copy(m.normal, m.normal + 3, c.normal);
    c.feature_shape = m.feature_a;
    c.feature_body = m.feature_b;
    c.kind = m.kind;
    c.status = m.status;
    if (m.count == 0) return c;
    const ContactPoint* const deepest =
        std::min_element(m.points, m.points + m.count,
                         [](const ContactPoint& a, const ContactPoint& b) { return a.separation < b.separation; });
    const Vec3f a = witness_on_a(m.normal, *deepest);
    const Vec3f b = witness_on_b(m.normal, *deepest);
    const float on_shape[3] = {a.x, a.y, a.z};
    const float on_body[3] = {b.x, b.y, b.z};
    std::copy(on_shape, on_shape + 3, c.on_shape);
    std::copy(on_body, on_body + 3, c.on_body);
    return c;
}

ClosestPoints none_of(Status status) {
    ClosestPoints c = {};
    c.distance = std::numeric_limits<float>::infinity();
    c.body = kNoBody;
    c.status = status;
    return c;
}

bool is_nearer(const ClosestPoints& a, const ClosestPoints& b) {
    return std::tie(a.distance, a.body, a.child, a.shape_child) < std::tie(b.distance, b.body, b.child, b.shape_child);
}

// Calls take(q, status, records) for all queries in their order, with the records of each sorted.
template <class Take>
void each_closest(const FinderScene& scene, const detail::FinderTable& table, const QueryOptions& options,
                  const BodyView& shapes, std::span<const float> radii, QueryWorkspace::Impl& own, QueryResult& result,
                  const Take& take) {
    Neighbours& near = own.neighbours;
    for (std::size_t first = 0; first < shapes.count; first += detail::kQueriesPerPass) {
        find_near(
            scene, table, options, shapes, first, [&](std::size_t q) { return radii[q]; }, near);
        result.candidates += near.pairs.size();
        own.margins.resize(near.pairs.size());
        for (std::size_t i = 0; i < near.shapes.size(); ++i) {
            for (std::size_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) own.margins[k] = radii[first + i];
        }
        CallStatus status;
        const std::size_t records = collide_near(scene, options, near, own, status);
        if (!status) {
            result.status = status;
            return;
        }
        std::size_t at = 0;
        for (std::size_t i = 0; i < near.shapes.size(); ++i) {
            own.closest.clear();
            for (; at < records && own.pair_of[at] < near.offsets[i + 1]; ++at)
                own.closest.push_back(closest_of(own.manifolds[at], near.of[own.pair_of[at]]));
            std::sort(own.closest.begin(), own.closest.end(), is_nearer);
            take(first + i, near.shapes[i].status, own.closest);
        }
    }
}

// Calls run(scene, shapes, table, memory) with the shapes at their scales.
template <class Run>
void run_on_shapes(const PairFinder& finder, QueryWorkspace& workspace, const QueryOptions& options,
                   const BodyView& shapes, QueryResult& result, const Run& run) {
    detail::run_queries(finder, workspace, options, shapes.count, result,
                        [&](const FinderScene& scene, const detail::FinderTable& table, QueryWorkspace::Impl& own) {
                            detail::at_scale(
                                scene, shapes, own.scaled, result.status,
                                [&](const FinderScene& all, const BodyView& scaled) { run(all, scaled, table, own); });
                        });
}

}  // namespace

QueryResult overlap_scene(const PairFinder& finder, const BodyView& shapes, float margin,
                          std::span<std::uint64_t> offsets, std::span<std::uint32_t> out, QueryWorkspace& workspace,
                          const QueryOptions& options, std::span<Status> statuses) {
    QueryResult result;
    result.first_bad = shapes.count;
    result.status = !(margin >= 0) || static_cast<double>(margin) > kLargestRadius
                        ? detail::refuse("margin must be 0 or more, and at most 1e30")
                        : detail::check_list(offsets, out, shapes.count);
    if (result.status) result.status = detail::check_shapes(shapes, statuses);
    if (!result.status) return result;
    const auto run = [&](const FinderScene& scene, const BodyView& scaled, const detail::FinderTable& table,
                         QueryWorkspace::Impl& own) {
        detail::ListedRecords<std::uint32_t> list{offsets, out, result};
        list.begin(shapes.count);
        Neighbours& near = own.neighbours;
        for (std::size_t first = 0; first < shapes.count; first += detail::kQueriesPerPass) {
            find_near(
                scene, table, options, scaled, first, [&](std::size_t) { return margin; }, near);
            result.candidates += near.pairs.size();
            own.bits.resize((near.pairs.size() + 63) / 64);
            const BatchResult r = collide_overlap(*scene.hulls, BodyView(near.bodies), near.pairs,
                                                  narrow_options(options, margin), own.bits, own.narrowphase);
            if (!r.status) {
                result.status = r.status;
                return;
            }
            for (std::size_t i = 0; i < near.shapes.size(); ++i) {
                own.pair_of.clear();
                for (std::size_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k)
                    if ((own.bits[k / 64] >> (k % 64) & 1U) != 0) own.pair_of.push_back(near.of[k].body);
                list.add(first + i, own.pair_of);
                detail::count_query(result, first + i, near.shapes[i].status, statuses);
            }
        }
    };
    run_on_shapes(finder, workspace, options, shapes, result, run);
    return result;
}

QueryResult closest_points(const PairFinder& finder, const BodyView& shapes, std::span<const float> radii,
                           std::span<ClosestPoints> out, QueryWorkspace& workspace, const QueryOptions& options) {
    QueryResult result;
    result.first_bad = shapes.count;
    result.status = out.size() != shapes.count ? detail::refuse("out needs one record for each shape", out.size())
                    : out.data() == nullptr && shapes.count != 0
                        ? detail::refuse("out is null but has a length", out.size())
                        : check_radii(radii, shapes.count);
    if (result.status) result.status = detail::check_shapes(shapes, {});
    if (!result.status) return result;
    const auto run = [&](const FinderScene& scene, const BodyView& scaled, const detail::FinderTable& table,
                         QueryWorkspace::Impl& own) {
        each_closest(scene, table, options, scaled, radii, own, result,
                     [&](std::size_t q, Status status, const std::vector<ClosestPoints>& found) {
                         out[q] = found.empty() ? none_of(status) : found[0];
                         result.touching += found.empty() ? 0U : 1U;
                         detail::count_query(result, q, status, {});
                     });
    };
    run_on_shapes(finder, workspace, options, shapes, result, run);
    return result;
}

QueryResult closest_points_all(const PairFinder& finder, const BodyView& shapes, std::span<const float> radii,
                               std::span<std::uint64_t> offsets, std::span<ClosestPoints> out,
                               QueryWorkspace& workspace, const QueryOptions& options, std::span<Status> statuses) {
    QueryResult result;
    result.first_bad = shapes.count;
    result.status = check_radii(radii, shapes.count);
    if (result.status) result.status = detail::check_list(offsets, out, shapes.count);
    if (result.status) result.status = detail::check_shapes(shapes, statuses);
    if (!result.status) return result;
    const auto run = [&](const FinderScene& scene, const BodyView& scaled, const detail::FinderTable& table,
                         QueryWorkspace::Impl& own) {
        detail::ListedRecords<ClosestPoints> list{offsets, out, result};
        list.begin(shapes.count);
        each_closest(scene, table, options, scaled, radii, own, result,
                     [&](std::size_t q, Status status, const std::vector<ClosestPoints>& found) {
                         list.add(q, found);
                         detail::count_query(result, q, status, statuses);
                     });
    };
    run_on_shapes(finder, workspace, options, shapes, result, run);
    return result;
}

}  // namespace lanefold
