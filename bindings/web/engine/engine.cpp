// SPDX-License-Identifier: MIT
//
// Requests to answers.
#include "engine/engine.hpp"

#include <exception>

#include <lanefold/isa.hpp>
#include <lanefold/version.hpp>

#include "contacts/method.hpp"
#include "engine/pair.hpp"
#include "generate/presets.hpp"

namespace lanefold::web {
namespace {

Json answer_about() {
    Json out;
    out["version"] = version();
    out["isas"] = Json::array();
    for (const Isa isa : available_isas()) out["isas"].push_back(to_string(isa));
    out["methods"] = Json::array();
    for (const tools::Method method : tools::kMethods) out["methods"].push_back(tools::to_string(method));
    return out;
}

Json body_of(const std::vector<Vec3f>& points, const Body& body) {
    Json vertices = Json::array();
    for (const Vec3f& p : points) {
        for (const float c : {p.x, p.y, p.z}) vertices.push_back(static_cast<double>(c));
    }
    Json orientation = Json::array();
    for (const float c : body.orientation) orientation.push_back(static_cast<double>(c));
    return {{"vertices", vertices}, {"position", to_json(body.position)}, {"orientation", orientation}};
}

Json answer_presets() {
    Json list = Json::array();
    for (const tools::Preset& p : tools::presets()) {
        list.push_back(
            {{"name", p.name}, {"shows", p.shows}, {"a", body_of(p.a, p.body_a)}, {"b", body_of(p.b, p.body_b)}});
    }
    return {{"presets", list}, {"margin", static_cast<double>(tools::kPresetMargin)}};
}

Json failed(const std::string& what) { return {{"error", what}}; }

}  // namespace

struct Engine::State {
    Hulls hulls;

    Json answer(const Json& request) {
        if (!request.is_object() || !request.contains("op") || !request["op"].is_string()) {
            return failed("expected an object with 'op'");
        }
        const auto op = request["op"].get<std::string>();
        if (op == "about") return answer_about();
        if (op == "presets") return answer_presets();
        if (op == "pair") return answer_pair(request, hulls);
        if (op == "react") return answer_react(request, hulls);
        return failed("no such op: " + op);
    }
};

Engine::Engine() : state_(std::make_unique<State>()) {}
Engine::~Engine() = default;

std::string Engine::answer(std::string_view request) {
    const Json parsed = Json::parse(request, nullptr, false);
    Json out;
    try {
        out = parsed.is_discarded() ? failed("this is no JSON") : state_->answer(parsed);
    } catch (const std::exception& e) {  // Failure, wrong types of fields
        out = failed(e.what());
    }
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lanefold::web
