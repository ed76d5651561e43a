// SPDX-License-Identifier: MIT
//
// See the header.

#include "scene/info.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/json.hpp"
#include "files/json_number.hpp"

namespace lanefold::tools {
namespace {

constexpr const char* kFormat = "lanefold-scene";
// names.json of some ten million bodies.
constexpr std::uint64_t kMostNamesBytes = std::uint64_t{1} << 30U;

constexpr std::string_view kKeys[] = {"format", "version",           "unit",      "pairs_margin", "first_frame",
                                      "up",     "frames_per_second", "handedness"};

// The member if it is there and not null.
const Json* find(const Json& json, const char* key) {
    const Json& value = member(json, key);
    return value.is_null() ? nullptr : &value;
}

void read_version_1(const Json& json, const std::string& name, SceneInfo& info) {
    if (json.contains("unit")) {
        if (!json["unit"].is_string()) throw bad_input("{}: \"unit\" is not a string", name);
        info.unit = json["unit"];
    }
    const Json* const margin = find(json, "pairs_margin");
    if (margin == nullptr) return;
    if (!margin->is_number() || !(margin->get<double>() >= 0.0) || !std::isfinite(margin->get<double>())) {
        throw bad_input("{}: \"pairs_margin\" is {}, expected a number >= 0", name, margin->dump());
    }
    info.pairs_margin = margin->get<double>();
}

void read_version_2(const Json& json, const std::string& name, SceneInfo& info) {
    for (const auto& item : json.items()) {
        if (std::find(std::begin(kKeys), std::end(kKeys), item.key()) != std::end(kKeys)) continue;
        throw bad_input("{}: \"{}\": version {} has no such key", name, item.key(), info.version);
    }
    if (const Json* const first = find(json, "first_frame")) {
        // Compared as double: a count beyond 2^63 would wrap.
        const bool whole = first->is_number_integer();
        if (!whole || !(std::fabs(first->get<double>()) <= static_cast<double>(kMostFrameNumber))) {
            throw bad_input("{}: \"first_frame\" is {}, expected a whole number up to 1e9", name, first->dump());
        }
        info.first_frame = first->get<std::int64_t>();
    }
    if (const Json* const rate = find(json, "frames_per_second")) {
        if (!rate->is_number() || !(rate->get<double>() > 0 && rate->get<double>() <= kMostFramesPerSecond)) {
            throw bad_input("{}: \"frames_per_second\" is {}, expected a number above 0, up to 1e6", name,
                            rate->dump());
        }
        info.frames_per_second = rate->get<double>();
    }
    const auto word = [&](const char* key) -> std::optional<std::string> {
        const Json* const value = find(json, key);
        if (value == nullptr) return std::nullopt;
        return value->is_string() ? value->get<std::string>() : value->dump();
    };
    if (const auto up = word("up")) info.up = parse_axis(*up, name + ": \"up\"");
    if (const auto hand = word("handedness")) info.handedness = parse_handedness(*hand, name + ": \"handedness\"");
}

}  // namespace

const char* to_string(Handedness handedness) { return handedness == Handedness::left ? "left" : "right"; }

Handedness parse_handedness(std::string_view text, std::string_view where) {
    if (text == "right") return Handedness::right;
    if (text == "left") return Handedness::left;
    throw bad_input("{} must be right or left, not '{}'", where, text);
}

int parse_axis(std::string_view text, std::string_view where) {
    if (text == "x") return 0;
    if (text == "y") return 1;
    if (text == "z") return 2;
    throw bad_input("{} must be x, y or z, not '{}'", where, text);
}

const char* axis_name(int axis) { return axis == 0 ? "x" : axis == 1 ? "y" : "z"; }

SceneInfo read_scene_info(const std::filesystem::path& path) {
    const std::string name = path.string();
    const Json json = read_json_object(path);
    if (member(json, "format") != kFormat) {
        throw bad_input("{}: \"format\" is not \"{}\": this is no scene", name, kFormat);
    }
    SceneInfo info;
    const Json& version = member(json, "version");
    if (version != 1 && version != 2 && version != 3) {
        throw bad_input("{}: \"version\" is {}; this program reads versions 1 to 3", name, version.dump());
    }
    info.version = version == 1 ? 1 : version == 2 ? 2 : 3;
    read_version_1(json, name, info);
    if (info.version >= 2) read_version_2(json, name, info);
    return info;
}

std::string scene_info_text(const SceneInfo& info, int least_version) {
    const int version = std::max(least_version, info.least_version());
    Json json{{"format", kFormat}, {"version", version}, {"unit", info.unit}};
    if (info.pairs_margin) {
        // A margin that is a float is written in its shortest form: 0.02.
        const auto margin = static_cast<float>(*info.pairs_margin);
        const bool was_float = static_cast<double>(margin) == *info.pairs_margin;
        json["pairs_margin"] = was_float ? as_decimal(margin) : *info.pairs_margin;
    }
    if (info.first_frame) json["first_frame"] = *info.first_frame;
    if (info.frames_per_second) json["frames_per_second"] = *info.frames_per_second;
    if (info.up) json["up"] = axis_name(*info.up);
    if (info.handedness) json["handedness"] = to_string(*info.handedness);
    return json.dump(2) + "\n";
}

std::vector<std::string> read_names(const std::filesystem::path& path, std::uint64_t bodies) {
    const std::string file = path.string();
    const Json json = parse_json_object(read_file(path, kMostNamesBytes), file);
    const Json& list = member(json, "bodies");
    if (!list.is_array()) throw bad_input("{}: \"bodies\" is not a list of names", file);
    if (list.size() != bodies) {
        throw bad_input("{}: {} names, but there are {} bodies", file, list.size(), bodies);
    }
    std::vector<std::string> names;
    names.reserve(list.size());
    for (const Json& name : list) {
        if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
            throw bad_input("{}: the name of body {} is {}, expected a text that is not empty", file, names.size(),
                            name.dump());
        }
        names.push_back(name.get<std::string>());
    }
    std::unordered_set<std::string_view> known;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!known.insert(names[i]).second) {
            throw bad_input("{}: body {} has the name '{}' of another body", file, i, names[i]);
        }
    }
    return names;
}

std::string names_text(std::span<const std::string> names) {
    Json list = Json::array();
    for (const std::string& name : names) list.push_back(name);
    return Json{{"bodies", std::move(list)}}.dump(1) + "\n";
}

}  // namespace lanefold::tools
