// SPDX-License-Identifier: MIT
//
// See the header. Polygons and points are offsets in world axes from body a's position, as in records.
#include "engine/steps.hpp"

namespace lanefold::web {
namespace {

Json significant(const published::SignificantFace& s) {
    return {{"vertex", s.vertex}, {"face", s.face}, {"alignment", s.alignment}};
}

const char* fate(published::CornerFate f) {
    const char* const names[] = {"kept", "above", "repeated", "edge_on"};
    return names[static_cast<std::size_t>(f)];
}

Json growth(const published::FeatureGrowth& g) {
    Json out{{"direction", to_json(g.direction)}, {"angle", g.angle}};
    out["candidates"] = Json::array();
    for (const published::GrowthCandidate& c : g.candidates) {
        out["candidates"].push_back({{"feature", to_json(c.feature)},
                                     {"sine", c.sine},
                                     {"towards", c.towards},
                                     {"aligned", c.aligned},
                                     {"chosen", c.chosen}});
    }
    out["stages"] = Json::array();
    for (const published::GrowthStage& s : g.stages) {
        out["stages"].push_back(
            {{"feature", to_json(s.feature)}, {"vertices", s.vertices}, {"gauss_map", to_json(s.gauss_map)}});
    }
    return out;
}

}  // namespace

Json to_json(const std::vector<Vec3d>& vectors) {
    Json out = Json::array();
    for (const Vec3d& v : vectors) out.push_back(to_json(v));
    return out;
}

Json to_json(const Feature& f) {
    const char* const names[] = {"face", "edge", "vertex"};
    return {{"type", names[static_cast<std::size_t>(f.type)]}, {"index", f.index}};
}

Json to_json(const tools::FaceClipStory& told) {
    Json out{{"a", significant(told.manifold.a)},
             {"b", significant(told.manifold.b)},
             {"reference_on_b", told.manifold.reference_on_b}};
    out["cuts"] = Json::array();
    for (const published::FaceClipCut& c : told.trace.cuts) {
        out["cuts"].push_back({{"face", c.face},
                               {"from", c.from},
                               {"to", c.to},
                               {"normal", to_json(c.normal)},
                               {"offset", c.offset},
                               {"before", to_json(c.before)},
                               {"after", to_json(c.after)}});
    }
    out["corners"] = Json::array();
    for (const published::FaceClipCorner& c : told.trace.corners) {
        out["corners"].push_back({{"at", to_json(c.at)},
                                  {"above", c.above},
                                  {"plane_ray", c.plane_ray},
                                  {"furthest_vertex", c.furthest_vertex},
                                  {"fate", fate(c.fate)}});
    }
    return out;
}

Json to_json(const tools::FeatureStory& told) {
    return {{"tied", told.trace.tied},
            {"as_found", told.manifold.as_found},
            {"a", growth(told.trace.a)},
            {"b", growth(told.trace.b)}};
}

}  // namespace lanefold::web
