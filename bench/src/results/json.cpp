// SPDX-License-Identifier: MIT
//
// Results as Google Benchmark's JSON (bench/README.md describes the fields).
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "contacts/counters_json.hpp"
#include "results/results.hpp"

namespace lanefold::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Machine& m) {
    return {{"cpu", m.cpu},           {"system", m.system},     {"processors", m.processors},
            {"compiler", m.compiler}, {"commit", m.commit},     {"flags", m.flags},
            {"date", m.date},         {"counters", m.counters}, {"energy", m.energy}};
}

Json to_json(const EngineInfo& e) {
    return {{"id", e.id},
            {"title", e.title},
            {"version", e.version},
            {"settings", e.settings},
            {"build", e.build},
            {"margin", e.margin},
            {"precision", e.precision},
            {"max_points", e.max_points},
            {"coherent", e.coherent},
            {"rounded", e.rounded}};
}

Json to_json(const SceneRow& s) {
    return {{"name", s.name},
            {"description", s.description},
            {"hulls", s.hulls},
            {"bodies", s.bodies},
            {"frames", s.frames},
            {"pairs", s.pairs},
            {"mean_vertices", s.mean_vertices},
            {"mean_faces", s.mean_faces},
            {"max_vertices", s.max_vertices},
            {"hot_bytes", s.hot_bytes},
            {"margin", s.margin},
            {"touching", s.touching},
            {"overlapping", s.overlapping},
            {"points", s.points},
            {"hash", s.hash},
            {"counters", tools::counters_json(s.counters)}};
}

Json to_json(const QualityRow& r) {
    const Quality& q = r.quality;
    return {{"scene", r.scene},
            {"engine", r.engine},
            {"sample", q.sample},
            {"touching", q.touching},
            {"found", q.found},
            {"points", q.points},
            {"missed", q.missed},
            {"worst_missed", q.worst_missed},
            {"false_hits", q.false_hits},
            {"worst_false", q.worst_false},
            {"overlapping", q.overlapping},
            {"depth_good", q.depth_good},
            {"depth_worst", q.depth_worst},
            {"normal_good", q.normal_good},
            {"normal_worst", q.normal_worst},
            {"distance_error_in_sizes", q.distance_error}};
}

Json to_json(const FlickerRow& r) {
    return {{"scene", r.scene},
            {"engine", r.engine},
            {"followed", r.flicker.followed},
            {"normal_jumps", r.flicker.normal_jumps},
            {"count_changes", r.flicker.count_changes}};
}

Json to_json(const WrongsRow& r) {
    return {{"scene", r.scene},
            {"engine", r.engine},
            {"pairs", r.wrongs.pairs},
            {"touching", r.wrongs.touching},
            {"missing", r.wrongs.missing},
            {"extra", r.wrongs.extra},
            {"overlapping", r.wrongs.overlapping},
            {"wrong_depth", r.wrongs.wrong_depth},
            {"wrong_normal", r.wrongs.wrong_normal}};
}

Json to_json(const RefusalRow& r) { return {{"scene", r.scene}, {"engine", r.engine}, {"why", r.why}}; }

Json to_json(const StreamRow& r) {
    return {{"scene", r.scene},
            {"output", r.output},
            {"threads", r.threads},
            {"pairs", r.pairs},
            {"ns", r.ns},
            {"resident_after_first_batch", r.resident_before},
            {"resident_at_end", r.resident_after}};
}

Json to_json(const StageRow& r) {
    Json stages = Json::array();
    for (const StageTime& t : r.profile.stages) {
        stages.push_back(
            {{"stage", detail::stage_name(t.stage)}, {"ns", t.ns}, {"lanes_in_use", t.lanes}, {"flops", t.flops}});
    }
    return {{"scene", r.scene},
            {"isa", to_string(r.profile.isa)},
            {"width", r.profile.width},
            {"ns_with_clock", r.profile.staged_ns},
            {"ns_without", r.profile.plain_ns},
            {"flops", r.profile.flops},
            {"stages", stages}};
}

template <class T>
Json list(const std::vector<T>& rows) {
    Json out = Json::array();
    for (const T& r : rows) out.push_back(to_json(r));
    return out;
}

// Bytes a second that so many threads copy.
Json copies(const Results& r) {
    Json out = Json::array();
    for (const auto& [threads, bandwidth] : r.copies) out.push_back({{"threads", threads}, {"bytes", bandwidth}});
    return out;
}

}  // namespace

void write_json(const Results& r, const std::string& file) {
    const Json facts{{"format", "lanefold-bench"},
                     {"version", 2},
                     {"label", r.label},
                     {"seed", r.seed},
                     {"turn", r.turn},
                     {"machine", to_json(r.machine)},
                     {"copy_bandwidth", r.bandwidth},
                     {"cache_bandwidth", r.cache_bandwidth},
                     {"copies", copies(r)},
                     {"other_work", r.other_work},
                     {"engines", list(r.engines)},
                     {"scenes", list(r.scenes)},
                     {"quality", list(r.quality)},
                     {"flicker", list(r.flicker)},
                     {"wrongs", list(r.wrongs)},
                     {"stages", list(r.stages)},
                     {"streams", list(r.streams)},
                     {"refusals", list(r.refusals)},
                     {"errors", r.errors}};
    // Google Benchmark's context has text only.
    for (const auto& [key, value] : facts.items()) benchmark::AddCustomContext(key, value.dump());
    std::ofstream out(file);
    write_samples(r.timings, out);
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace lanefold::bench
