// SPDX-License-Identifier: MIT
//
// The story of a pair as JSON. Polygons and points are offsets in world axes from body a's position, as in records.
#include "engine/pair.hpp"

#include <optional>

#include <fmt/format.h>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/feature.hpp>
#include <lanefold/hash.hpp>

#include "engine/steps.hpp"

namespace lanefold::web {
namespace {

using tools::PairStory;
using tools::PlacedHull;
using tools::StoryAxis;

// Pairs of edges that brute force may try while somebody drags: some milliseconds.
constexpr std::size_t kMostEdgePairs = 20000;

Json report(const HullSet& hulls, std::uint32_t h) {
    const HullInfo& info = hulls.info(h);
    Json out;
    out["input_points"] = info.input_points;
    out["vertices"] = hulls.vertices(h).size();
    out["faces"] = hulls[h].face_count;
    out["edges"] = hulls[h].edge_count;
    out["box"] = hulls[h].is_box();
    out["thin"] = (hulls[h].flags & HullRecord::kThin) != 0;
    out["size"] = static_cast<double>(hulls[h].size);
    out["merged_faces"] = info.merged_faces;
    out["dropped_vertices"] = info.dropped_vertices;
    out["deviation"] = info.deviation;
    out["min_edge_angle"] = info.min_edge_angle;
    out["may_flicker"] = info.may_flicker;
    out["volume"] = info.mass.volume;
    out["centre_of_mass"] = to_json(info.mass.centre_of_mass);
    return out;
}

Json hull(const HullSet& hulls, const PlacedHull& placed) {
    Json out;
    out["report"] = report(hulls, placed.hull);
    Json vertices = Json::array();
    for (const Vec3f& v : hulls.vertices(placed.hull)) {
        for (const float c : {v.x, v.y, v.z}) vertices.push_back(static_cast<double>(c));
    }
    out["vertices"] = std::move(vertices);
    out["input_index"] = hulls.input_index(placed.hull);
    out["loops"] = placed.faces;
    Json edges = Json::array();
    for (const PlacedHull::Edge& e : placed.edges) edges.push_back({e.v0, e.v1});
    out["edges"] = std::move(edges);
    return out;
}

Json axes(const std::vector<StoryAxis>& list) {
    Json out = Json::array();
    for (const StoryAxis& axis : list) {
        out.push_back(
            {{"a", axis.a}, {"b", axis.b}, {"normal", to_json(axis.normal)}, {"separation", axis.separation}});
    }
    return out;
}

template <class M>
Json record(const M& m, const HullSet& hulls) {
    Json out;
    out["kind"] = to_string(m.kind);
    out["status"] = to_string(m.status);
    out["normal"] = to_json(m.normal);
    out["distance"] = static_cast<double>(m.distance);
    out["feature_a"] = m.feature_a;
    out["feature_b"] = m.feature_b;
    out["total"] = m.total;
    out["count"] = m.count;
    Json points = Json::array();
    for (std::size_t i = 0; i < m.count; ++i) {
        const ContactPoint& p = m.points[i];
        const Vec3d on_a = to_double(witness_on_a(m.normal, p));
        const Vec3d on_b = to_double(witness_on_b(m.normal, p));
        Json point{{"position", to_json(p.position)},
                   {"separation", static_cast<double>(p.separation)},
                   {"feature", p.feature},
                   {"witness_a", to_json(on_a)},
                   {"witness_b", to_json(on_b)}};
        const std::optional<FeaturePair> who =
            decode_feature(hulls[0].feature_counts(), hulls[1].feature_counts(), p.feature);
        if (who) point["features"] = {{"a", to_json(who->a)}, {"b", to_json(who->b)}};
        points.push_back(std::move(point));
    }
    out["points"] = std::move(points);
    out["hash"] = hash_string(hash_record(m));
    return out;
}

Json story(const PairStory& s) {
    Json out;
    out["reason"] = s.reason;
    out["faces_a"] = axes(s.faces_a);
    out["faces_b"] = axes(s.faces_b);
    out["edges"] = axes(s.edges);
    out["oracle"] = {{"distance", s.oracle_distance}, {"normal", to_json(s.oracle_normal)}};
    out["separation_along_normal"] = s.separation_along_normal;
    out["reference"] = to_json(s.reference);
    out["incident"] = to_json(s.incident);
    Json steps = Json::array();
    const PlacedHull& reference = s.many.kind == ContactKind::face_b ? s.b : s.a;
    for (const tools::ClipStep& step : s.steps) {
        const Json side = Json::array({to_json(reference.vertices[step.from]), to_json(reference.vertices[step.to])});
        steps.push_back({{"from", step.from}, {"to", step.to}, {"side", side}, {"left", to_json(step.left)}});
    }
    out["steps"] = std::move(steps);
    if (s.face_clip) out["face_clip"] = to_json(*s.face_clip);
    if (s.features) out["features"] = to_json(*s.features);
    return out;
}

}  // namespace

Json answer_pair(const Json& request, Hulls& hulls) {
    PairRequest pair = read_pair(request);
    Json out;
    if (!hulls.build(pair)) {
        out["error"] = "a hull cannot be built";
        out["reports"] = Json::array();
        for (const HullReport& failed : hulls.failures()) out["reports"].push_back(to_json(failed));
        return out;
    }
    const HullSet& set = hulls.set();
    if (std::size_t{set[0].edge_count} * set[1].edge_count > kMostEdgePairs) pair.story.best = 0;
    const PairStory told = tools::tell_pair(set, pair.bodies[0], pair.bodies[1], pair.story);
    if (told.many.status != Status::ok) {
        out["error"] = fmt::format("the pair has the status {}", to_string(told.many.status));
        return out;
    }
    out["fingerprint"] = hash_string(set.fingerprint());
    out["hulls"] = Json::array({hull(set, told.a), hull(set, told.b)});
    out["record"] = pair.capacity == 4 ? record(told.four, set) : record(told.many, set);
    out["story"] = story(told);
    return out;
}

}  // namespace lanefold::web
