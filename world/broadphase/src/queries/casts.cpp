// SPDX-License-Identifier: MIT
//
// Shapes on a motion through a scene: the neighbours of their ways are pairs of sweeps.
#include <cmath>
#include <tuple>

#include <lanefold/detail/lever.hpp>
#include <lanefold/sweep.hpp>

#include "boxes/grown_boxes.hpp"
#include "boxes/tasks.hpp"
#include "boxes/world_boxes.hpp"
#include "queries/query_call.hpp"

namespace lanefold {
namespace {

using detail::FinderScene;
using detail::Neighbours;

// By how much levers are longer than float32 centres and radii say.
constexpr double kLeverRounding = 1 + 1e-6;

struct MovingShape {
    BodyD body;  // at its first pose
    Vec3d shift;
    bool turns = false;
    double lever = 0;  // from its position to its furthest point
};

struct CastArguments {
    const BodyView* begin;
    const BodyView* end;
    const SweepOptions* settings;
    const SweepInputs* inputs;
    const QueryOptions* options;

    CallStatus check() const {
        const auto target = static_cast<double>(settings->target);
        const auto tolerance = static_cast<double>(settings->tolerance);
        detail::Bytes fields[3];
        if (begin->count != end->count) return detail::refuse("begin and end differ in length", end->count);
        if (!(target >= 0) || !std::isfinite(target)) return detail::refuse("target must be 0 or more, and finite");
        if (!(tolerance > 0) || !std::isfinite(tolerance))
            return detail::refuse("tolerance must be above 0, and finite");
        if (!inputs->spins.empty() && (inputs->spins.size() != begin->count || inputs->spins.data() == nullptr))
            return detail::refuse("spins needs one for each shape, or none", inputs->spins.size());
        BodyView views[] = {*begin, *end};
        for (BodyView& v : views) v.scale = nullptr;  // checked with the hulls that they make
        const CallStatus first = detail::check_body_view(views[0], fields);
        return first ? detail::check_body_view(views[1], fields) : first;
    }

    // The motion of shape q; `status` says what is wrong with it.
    MovingShape motion(const HullSet& hulls, std::size_t q, Status& status) const {
        MovingShape m;
        m.body = detail::read_body(*begin, q);
        const BodyD last = detail::read_body(*end, q);
        status = detail::shape_status(hulls, m.body);
        if (status != Status::ok) return m;
        const bool spins = !inputs->spins.empty();
        if (!is_finite(detail::position_of(last)) ||
            !(spins ? is_finite(inputs->spins[q]) : is_orientation(last.orientation))) {
            status = Status::bad_pose;
            return m;
        }
        m.shift = detail::position_of(last) - detail::position_of(m.body);
        m.turns = spins ? length(inputs->spins[q]) != 0
                        : !std::equal(m.body.orientation, m.body.orientation + 4, last.orientation);
        m.lever = detail::lever_of(hulls, m.body.hull) * kLeverRounding;
        return m;
    }

    // A box around all of its way, with the target.
    WorldBox box(const HullSet& hulls, const MovingShape& m) const {
        const auto target = static_cast<double>(settings->target);
        const Vec3d at = detail::position_of(m.body);
        const WorldBox first =
            m.turns ? detail::grown_by({at, at}, m.lever + target) : detail::body_box(hulls, m.body, target);
        return detail::swept(first, m.shift);
    }
};

ShapeHit hit_of(const SweepRecord& r) {
    ShapeHit h = {};
    h.fraction = r.fraction;
    std::copy(r.normal, r.normal + 3, h.normal);
    h.distance = r.distance;
    std::copy(r.point, r.point + 3, h.point);
    h.shape_child = r.child_a;
    h.feature_shape = r.feature_a;
    h.feature_body = r.feature_b;
    h.kind = r.kind;
    h.state = r.state;
    h.failure = r.failure;
    h.status = r.status;
    return h;
}

ShapeHit none_of(Status status) {
    ShapeHit h = {};
    h.fraction = 1;
    h.body = kNoBody;
    h.state = status == Status::ok ? SweepState::miss : SweepState::failed;
    h.status = status;
    return h;
}

bool is_before(const ShapeHit& a, const ShapeHit& b) {
    return std::tie(a.fraction, a.body, a.child) < std::tie(b.fraction, b.body, b.child);
}

// The second poses and the turns of the pass's bodies: only the shapes move.
void set_ends(const CastArguments& c, std::size_t first, QueryWorkspace::Impl& own) {
    const Neighbours& near = own.neighbours;
    own.ends.assign(near.bodies.begin(), near.bodies.end());
    own.spins.clear();
    if (!c.inputs->spins.empty()) own.spins.assign(near.bodies.size(), {});
    for (std::size_t i = 0; i < near.shapes.size(); ++i) {
        if (near.shapes[i].status != Status::ok) continue;
        const std::size_t at = near.pairs.size() + i;
        own.ends[at] = detail::read_body(*c.end, first + i);
        if (!own.spins.empty()) own.spins[at] = c.inputs->spins[first + i];
    }
}

// Sweeps the pairs of a pass.
SweepResult sweep_near(const FinderScene& scene, const CastArguments& c, std::size_t first, QueryWorkspace::Impl& own) {
    const Neighbours& near = own.neighbours;
    set_ends(c, first, own);
    own.records.resize(near.pairs.size());
    SweepOptions settings = *c.settings;
    settings.threads = c.options->threads;
    settings.isa = c.options->isa;
    SweepInputs inputs;
    inputs.spins = own.spins;
    inputs.stop = c.inputs->stop;
    return sweep(*scene.hulls, BodyView(near.bodies), BodyView(own.ends), near.pairs, settings, own.records, own.sweeps,
                 inputs);
}

// The hits of query i of a pass, in order, into own.hits.
void collect(std::size_t i, QueryWorkspace::Impl& own) {
    const Neighbours& near = own.neighbours;
    own.hits.clear();
    for (std::size_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) {
        ShapeHit h = hit_of(own.records[k]);
        if (h.state == SweepState::miss) continue;
        h.body = near.of[k].body;
        h.child = near.of[k].child;
        own.hits.push_back(h);
    }
    std::sort(own.hits.begin(), own.hits.end(), is_before);
}

// Calls take(q, status, hits) for all queries in their order.
template <class Take>
QueryResult cast_each(const PairFinder& finder, const CastArguments& of_call, QueryWorkspace& workspace,
                      const CallStatus& arguments, QueryResult& result, const Take& take) {
    const std::size_t count = of_call.begin->count;
    result.first_bad = count;
    result.status = arguments ? of_call.check() : arguments;
    if (!result.status) return result;
    const auto cast = [&](const FinderScene& scene, const CastArguments& c, const detail::FinderTable& table,
                          QueryWorkspace::Impl& own) {
        Neighbours& near = own.neighbours;
        for (std::size_t first = 0; first < count; first += detail::kQueriesPerPass) {
            near.shapes.resize(std::min(detail::kQueriesPerPass, count - first));
            for (std::size_t i = 0; i < near.shapes.size(); ++i) {
                detail::QueryShape& shape = near.shapes[i];
                const MovingShape m = c.motion(*scene.hulls, first + i, shape.status);
                shape.body = m.body;
                if (shape.status == Status::ok) shape.box = c.box(*scene.hulls, m);
            }
            near.find(scene, table, *c.options, first, true);
            result.candidates += near.pairs.size();
            const SweepResult swept = sweep_near(scene, c, first, own);
            if (!swept.status) {
                result.status = swept.status;
                return;
            }
            for (std::size_t i = 0; i < near.shapes.size(); ++i) {
                collect(i, own);
                take(first + i, near.shapes[i].status, own.hits);
            }
        }
    };
    const auto run = [&](const FinderScene& scene, const detail::FinderTable& table, QueryWorkspace::Impl& own) {
        const auto scaled = [&](const FinderScene& all, const BodyView& begin) {
            CastArguments c = of_call;
            c.begin = &begin;
            cast(all, c, table, own);
        };
        detail::at_scale(scene, *of_call.begin, own.scaled, result.status, scaled);
    };
    detail::run_queries(finder, workspace, *of_call.options, count, result, run);
    return result;
}

}  // namespace

QueryResult cast_shapes(const PairFinder& finder, const BodyView& begin, const BodyView& end,
                        const SweepOptions& settings, std::span<ShapeHit> out, QueryWorkspace& workspace,
                        const SweepInputs& inputs, const QueryOptions& options) {
    QueryResult result;
    const CallStatus status =
        out.size() != begin.count                   ? detail::refuse("out needs one record for each shape", out.size())
        : out.data() == nullptr && begin.count != 0 ? detail::refuse("out is null but has a length", out.size())
                                                    : CallStatus{};
    return cast_each(finder, {&begin, &end, &settings, &inputs, &options}, workspace, status, result,
                     [&](std::size_t q, Status of_shape, const std::vector<ShapeHit>& hits) {
                         out[q] = hits.empty() ? none_of(of_shape) : hits[0];
                         result.touching += hits.empty() ? 0U : 1U;
                         detail::count_query(result, q, of_shape, {});
                     });
}

QueryResult cast_shapes_all(const PairFinder& finder, const BodyView& begin, const BodyView& end,
                            const SweepOptions& settings, std::span<std::uint64_t> offsets, std::span<ShapeHit> out,
                            QueryWorkspace& workspace, const SweepInputs& inputs, const QueryOptions& options,
                            std::span<Status> statuses) {
    QueryResult result;
    CallStatus status = detail::check_list(offsets, out, begin.count);
    if (status) status = detail::check_shapes(begin, statuses);
    detail::ListedRecords<ShapeHit> list{offsets, out, result};
    if (status) list.begin(begin.count);
    return cast_each(finder, {&begin, &end, &settings, &inputs, &options}, workspace, status, result,
                     [&](std::size_t q, Status of_shape, const std::vector<ShapeHit>& hits) {
                         list.add(q, hits);
                         detail::count_query(result, q, of_shape, statuses);
                     });
}

}  // namespace lanefold
