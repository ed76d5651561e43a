// SPDX-License-Identifier: MIT
//
// contacts.json: version 1 is of plain folders with all records; version 2 also says of selection and of compression by
// zstd, version 3 of planes. A folder has the lowest version that says what it is, so that older programs read it.

#include "contacts/settings.hpp"

#include <cmath>

#include <fmt/format.h>

#include <lanefold/hash.hpp>

#include "console/failure.hpp"
#include "files/json.hpp"
#include "files/json_number.hpp"

namespace lanefold::tools {
namespace {

constexpr const char* kFormat = "lanefold-contacts";

constexpr int kLatestVersion = 3;

int version_of(const ContactsSettings& settings) {
    if (is_planes(settings.compression)) return 3;
    return settings.select || settings.compression != Compression::none ? 2 : 1;
}

float parse_float(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_number()) throw bad_input("{}: \"{}\" is not a number", name, key);
    // Checked as float32: a double beyond its range becomes infinite here and is refused.
    const auto number = static_cast<float>(value.get<double>());
    if (!std::isfinite(number) || number < 0) throw bad_input("{}: \"{}\" is {}", name, key, value.dump());
    return number;
}

std::string parse_string(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_string()) throw bad_input("{}: \"{}\" is not a string", name, key);
    return value.get<std::string>();
}

Compression parse_compression(const Json& settings, int version, const std::string& name) {
    if (!settings.contains("compression")) return Compression::none;
    const std::string text = parse_string(settings, "compression", name);
    const auto compression = tools::parse_compression(text);
    if (compression && *compression != Compression::none && (version >= 3 || !is_planes(*compression))) {
        return *compression;
    }
    throw bad_input("{}: \"compression\" is {:?}, which version {} does not know", name, text, version);
}

}  // namespace

Options call_options(const ContactsSettings& settings) {
    Options options;
    options.margin = settings.margin;
    options.face_preference = settings.face_preference;
    options.points = settings.points;
    if (settings.method == Method::patch) options.method = ContactMethod::patch;
    options.patch_band = settings.band;
    return options;
}

std::string difference(const std::string& there, const std::string& here, const std::string& name) {
    const Json a = parse_json_object(there, name);
    const Json b = parse_json_object(here, name);
    for (const char* part : {"settings", "inputs"}) {
        const Json& old = member(a, part);
        const Json& now = member(b, part);
        const char* const how = *part == 's' ? "with" : "from another scene:";
        for (const auto& item : now.items()) {
            if (!old.contains(item.key()))
                return fmt::format("was made {} no {}, not {}", how, item.key(), item.value().dump());
            const std::string value = member(old, item.key()).dump();
            if (value == item.value().dump()) continue;
            return fmt::format("was made {} {} {}, not {}", how, item.key(), value, item.value().dump());
        }
        for (const auto& item : old.items()) {
            if (now.contains(item.key())) continue;
            return fmt::format("was made {} {} {}, not without", how, item.key(), item.value().dump());
        }
    }
    return "was made by another version of this program or edited";
}

Json described_inputs(const Scene& scene, const HullSet& hulls, bool find_pairs) {
    Json inputs{{"unit", scene.info().unit},
                {"frames", scene.frames()},
                {"bodies", scene.bodies()},
                {"hulls", scene.hulls()},
                {"positions", scene.positions_are_double() ? "float64" : "float32"},
                {"hull_fingerprint", hash_string(hulls.fingerprint())},
                {"body_hull", hash_string(scene.body_hull_hash())}};
    if (find_pairs) {
        if (!scene.inverse_mass().empty()) inputs["body_inverse_mass"] = hash_string(scene.inverse_mass_hash());
        if (!scene.group().empty()) inputs["body_group"] = hash_string(scene.group_hash());
    }
    return inputs;
}

std::string contacts_description(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings) {
    Json inputs = described_inputs(scene, hulls, settings.find_pairs);
    Json shaping{{"margin", as_decimal(settings.margin)},
                 {"face_preference", as_decimal(settings.face_preference)},
                 {"capacity", settings.capacity},
                 {"method", to_string(settings.method)},
                 {"points", to_string(settings.points)}};
    // A setting of one method is recorded with that method only.
    if (settings.method == Method::patch) shaping["band"] = as_decimal(settings.band);
    if (settings.method == Method::features) shaping["feature_angle"] = as_decimal(settings.feature_angle);
    shaping["pairs"] = settings.find_pairs ? "found" : "stored";
    if (settings.select) shaping["deeper_than"] = as_decimal(settings.select_depth);
    if (settings.compression != Compression::none) shaping["compression"] = to_string(settings.compression);
    const Json json{{"format", kFormat}, {"version", version_of(settings)}, {"inputs", inputs}, {"settings", shaping}};
    return json.dump(2) + "\n";
}

Description parse_description(const std::string& text, const std::string& name) {
    Description result;
    const Json json = parse_json_object(text, name);
    if (member(json, "format") != kFormat) {
        throw bad_input("{}: \"format\" is not \"{}\": this is no contacts folder", name, kFormat);
    }
    const Json& version = member(json, "version");
    if (version != 1 && version != 2 && version != kLatestVersion) {
        throw bad_input("{}: \"version\" is {}; this program reads versions 1 to {}", name, version.dump(),
                        kLatestVersion);
    }
    result.frames = parse_count(member(json, "inputs"), "frames", name);
    const Json& settings = member(json, "settings");
    result.settings.margin = parse_float(settings, "margin", name);
    result.settings.face_preference = parse_float(settings, "face_preference", name);
    result.settings.method = parse_method(parse_string(settings, "method", name), name + ": \"method\"");
    result.settings.points = parse_point_selection(parse_string(settings, "points", name), name + ": \"points\"");
    if (result.settings.method == Method::patch) result.settings.band = parse_float(settings, "band", name);
    if (result.settings.method == Method::features)
        result.settings.feature_angle = parse_float(settings, "feature_angle", name);
    result.settings.capacity = static_cast<std::uint32_t>(parse_count(settings, "capacity", name));
    if (result.settings.capacity != 4 && result.settings.capacity != 16) {
        throw bad_input("{}: \"capacity\" is {}, expected 4 or 16", name, result.settings.capacity);
    }
    const Json& pairs = member(settings, "pairs");
    if (pairs != "stored" && pairs != "found") throw bad_input("{}: \"pairs\" is neither stored nor found", name);
    result.settings.find_pairs = pairs == "found";
    if (version == 1) return result;
    if (settings.contains("deeper_than")) {
        result.settings.select = true;
        result.settings.select_depth = parse_float(settings, "deeper_than", name);
    }
    result.settings.compression = parse_compression(settings, version.get<int>(), name);
    return result;
}

std::string uncompressed_description(const std::string& text, const std::string& name) {
    Json json = parse_json_object(text, name);
    json["settings"].erase("compression");
    ContactsSettings settings = parse_description(text, name).settings;
    settings.compression = Compression::none;
    json["version"] = version_of(settings);
    return json.dump(2) + "\n";
}

std::string settings_options(const ContactsSettings& settings) {
    const ContactsSettings usual;
    std::string text;
    const auto add = [&](const char* option, const auto& value) { text += fmt::format(" {} {}", option, value); };
    if (settings.margin != usual.margin) add("--margin", settings.margin);
    if (settings.face_preference != usual.face_preference) add("--face-preference", settings.face_preference);
    if (settings.capacity != usual.capacity) add("--capacity", settings.capacity);
    if (settings.method != usual.method) add("--method", to_string(settings.method));
    if (settings.points != usual.points) add("--points", to_string(settings.points));
    if (settings.method == Method::patch && settings.band != usual.band) add("--band", settings.band);
    if (settings.method == Method::features && settings.feature_angle != usual.feature_angle) {
        add("--feature-angle", settings.feature_angle);
    }
    if (settings.find_pairs) text += " --find-pairs";
    if (settings.select) {
        text += settings.select_depth == 0 ? std::string(" --select overlapping")
                                           : fmt::format(" --select deeper-than={}", settings.select_depth);
    }
    if (settings.compression != usual.compression) add("--compress", to_string(settings.compression));
    return text;
}

}  // namespace lanefold::tools
