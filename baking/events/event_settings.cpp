// SPDX-License-Identifier: MIT
//
// See the header.
#include "events/event_settings.hpp"

#include <cmath>

#include <lanefold/hash.hpp>

#include "console/failure.hpp"
#include "contacts/settings.hpp"
#include "files/json.hpp"
#include "files/json_number.hpp"
#include "scene/unit.hpp"

namespace lanefold::tools {
namespace {

constexpr const char* kFormat = "lanefold-events";
constexpr ImpulseSource kSources[] = {ImpulseSource::none, ImpulseSource::masses, ImpulseSource::solver};

double unit_per_metre(const Scene& scene, const char* option) {
    const std::optional<double> metres = metres_of(scene.info().unit);
    if (metres) return 1 / *metres;
    throw bad_input("{}: its unit '{}' is not known: give {}", scene.folder().string(), scene.info().unit, option);
}

double choose_rate(const AskedEvents& asked, const Scene& scene) {
    if (asked.rate) {
        if (*asked.rate > 0 && *asked.rate <= kMostFramesPerSecond) return *asked.rate;
        throw bad_input("--fps {}: expected a number above 0, and at most {:g}", *asked.rate, kMostFramesPerSecond);
    }
    if (scene.info().frames_per_second) return *scene.info().frames_per_second;
    throw bad_input("{}: does not say how many frames a second has, so speeds are unknown: give --fps",
                    scene.folder().string());
}

void check_length(const char* option, float value) {
    if (!(value >= 0) || !std::isfinite(value)) throw bad_input("{} {}: expected a number >= 0", option, value);
}

void check_filter(const EventFilter& filter) {
    if (filter.closing_above && !std::isfinite(*filter.closing_above)) {
        throw bad_input("--closing-above {}: expected a speed", *filter.closing_above);
    }
    if (filter.window && !(*filter.window > 0 && std::isfinite(*filter.window))) {
        throw bad_input("--one-a-body {}: expected a number of frames above 0", *filter.window);
    }
}

// `unit`: how many of the scene's unit a metre is.
void take_distances(const AskedEvents& asked, double unit, EventSettings& settings) {
    check_length("--touch", asked.touch);
    settings.touch = asked.touch;
    settings.release = asked.release ? *asked.release : asked.touch + static_cast<float>(kUsualRelease * unit);
    check_length("--release", settings.release);
    if (settings.release < settings.touch) {
        throw bad_input("--release {}: must be at least --touch {}: a contact would end before it begins",
                        settings.release, settings.touch);
    }
    check_filter(asked.filter);
    settings.filter = asked.filter;
}

double number(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_number()) throw bad_input("{}: \"{}\" is not a number", name, key);
    return value.get<double>();
}

std::string text_of(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_string()) throw bad_input("{}: \"{}\" is not a string", name, key);
    return value.get<std::string>();
}

EventFilter parse_filter(const Json& settings, const std::string& name) {
    EventFilter filter;
    const Json& json = member(settings, "filter");
    if (json.is_null()) return filter;
    for (const auto& item : json.items()) {
        if (item.key() == "closing_above") {
            filter.closing_above = static_cast<float>(number(json, "closing_above", name));
        } else if (item.key() == "first_contact" && item.value().is_boolean()) {
            filter.first_only = item.value().get<bool>();
        } else if (item.key() == "one_a_body") {
            filter.window = number(json, "one_a_body", name);
        } else {
            throw bad_input("{}: the filter \"{}\" is not known", name, item.key());
        }
    }
    return filter;
}

}  // namespace

const char* to_string(ImpulseSource source) {
    switch (source) {
        case ImpulseSource::none:
            return "none";
        case ImpulseSource::masses:
            return "estimate by masses";
        default:
            return "exact, of the solver";
    }
}

EventSettings choose_event_settings(const AskedEvents& asked, const Scene& scene) {
    if (scene.frames() < 2) {
        throw bad_input("{}: has {} frame{}; events are what happens between frames, so at least 2 are needed",
                        scene.folder().string(), scene.frames(), scene.frames() == 1 ? "" : "s");
    }
    EventSettings settings;
    settings.rate = choose_rate(asked, scene);
    take_distances(asked, asked.release ? 1 : unit_per_metre(scene, "--release"), settings);
    settings.bounces = asked.bounces;
    settings.impulses = asked.impulses ? ImpulseSource::masses : ImpulseSource::none;
    if (asked.density) {
        if (!scene.inverse_mass().empty()) {
            throw bad_input("--density: {} has masses (body_inverse_mass.npy)", scene.folder().string());
        }
        if (!(*asked.density > 0) || !std::isfinite(*asked.density)) {
            throw bad_input("--density {}: must be above 0, and finite", *asked.density);
        }
        static_cast<void>(unit_per_metre(scene, "masses in body_inverse_mass.npy"));
        settings.density = asked.density;
    } else if (asked.impulses && scene.inverse_mass().empty()) {
        throw bad_input(
            "{}: has no masses (body_inverse_mass.npy), so impulses cannot be estimated: give --density, or "
            "--no-impulses",
            scene.folder().string());
    }
    return settings;
}

EventSettings choose_simulated_events(const AskedEvents& asked, double unit, double rate, double moment, double most) {
    EventSettings settings;
    settings.rate = rate;
    settings.moment = moment;
    take_distances(asked, unit, settings);
    if (static_cast<double>(settings.release) > most) {
        throw bad_input("--release {}: at most {:g}, because the solver knows no contacts of bodies further apart",
                        settings.release, most);
    }
    settings.bounces = false;
    settings.impulses = ImpulseSource::solver;
    return settings;
}

std::string events_description(const Scene& scene, const HullSet& hulls, const EventSettings& s) {
    const Json inputs = described_inputs(scene, hulls, true);
    Json settings{{"rate", s.rate},
                  {"touch", as_decimal(s.touch)},
                  {"release", as_decimal(s.release)},
                  {"bounces", s.bounces},
                  {"impulses", to_string(s.impulses)}};
    if (s.density) settings["density"] = *s.density;
    if (s.moment > 0) settings["moment"] = s.moment;
    Json filter = Json::object();
    if (s.filter.closing_above) filter["closing_above"] = as_decimal(*s.filter.closing_above);
    if (s.filter.first_only) filter["first_contact"] = true;
    if (s.filter.window) filter["one_a_body"] = *s.filter.window;
    if (!filter.empty()) settings["filter"] = filter;
    return Json{{"format", kFormat}, {"version", 1}, {"settings", settings}, {"inputs", inputs}}.dump(2) + "\n";
}

EventsDescription parse_events_description(const std::string& text, const std::string& name) {
    const Json json = parse_json_object(text, name);
    if (member(json, "format") != kFormat) throw bad_input("{}: \"format\" is not {:?}", name, kFormat);
    if (member(json, "version") != 1) throw bad_input("{}: \"version\" is not 1", name);
    const Json& inputs = member(json, "inputs");
    const Json& given = member(json, "settings");
    EventsDescription out;
    out.frames = parse_count(inputs, "frames", name);
    out.bodies = parse_count(inputs, "bodies", name);
    out.unit = text_of(inputs, "unit", name);
    EventSettings& s = out.settings;
    s.rate = number(given, "rate", name);
    s.touch = static_cast<float>(number(given, "touch", name));
    s.release = static_cast<float>(number(given, "release", name));
    if (!(s.rate > 0)) throw bad_input("{}: \"rate\" is not above 0", name);
    const Json& bounces = member(given, "bounces");
    if (!bounces.is_boolean()) throw bad_input("{}: \"bounces\" is neither true nor false", name);
    s.bounces = bounces.get<bool>();
    if (given.contains("density")) s.density = number(given, "density", name);
    if (given.contains("moment")) s.moment = number(given, "moment", name);
    const std::string source = text_of(given, "impulses", name);
    bool known = false;
    for (const ImpulseSource candidate : kSources) {
        if (source != to_string(candidate)) continue;
        s.impulses = candidate;
        known = true;
    }
    if (!known) throw bad_input("{}: \"impulses\" is {:?}", name, source);
    s.filter = parse_filter(given, name);
    return out;
}

}  // namespace lanefold::tools
