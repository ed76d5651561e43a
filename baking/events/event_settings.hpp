// SPDX-License-Identifier: MIT
//
// The settings that shape events, and events.json, which holds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lanefold/hull_set.hpp>

#include "scene/io.hpp"

namespace lanefold::tools {

// Which events are kept, of all that there are.
struct EventFilter {
    std::optional<float> closing_above;  // closing speed, scene's unit a second
    bool first_only = false;             // of each pair the first
    // Frames, above 0: an event is kept if it is, for one of its bodies that can move, the one that closes in fastest
    // of all that begin in a window of so many frames; windows begin at frames 0, window, 2 window and so on.
    std::optional<double> window;
};

// The source of impulses.
enum class ImpulseSource : std::uint8_t {
    none,    // none are wanted; all are 0
    masses,  // an estimate from the change of the bodies' velocities and their masses
    solver,  // those that the solver of a simulation gave
};
const char* to_string(ImpulseSource source);

struct EventSettings {
    double rate = 0;      // frames a second, > 0
    float touch = 0;      // a contact begins when the distance comes down to this, scene's unit, >= 0
    float release = 0;    // and ends when it exceeds this, >= touch
    bool bounces = true;  // bounces that the poses hide are estimated
    ImpulseSource impulses = ImpulseSource::masses;
    std::optional<double> density;  // kg/m3, of all bodies, where the scene has no masses
    double moment = 0;              // of a simulation: times are whole multiples of so many seconds
    EventFilter filter;
};

// The release distance unless one is given, metres: bodies at rest tremble by less, and what bounces rises by more.
inline constexpr double kUsualRelease = 0.005;

// Fills in what is absent (0) from the scene: the rate, the release distance, the density in the scene's unit. Throws
// Failure(bad_input) with the option that would help: frames of one, no rate, no masses, an unknown unit.
struct AskedEvents {
    std::optional<double> rate;
    float touch = 0;
    std::optional<float> release;
    bool bounces = true;
    bool impulses = true;
    std::optional<double> density;  // kg/m3
    EventFilter filter;
};
EventSettings choose_event_settings(const AskedEvents& asked, const Scene& scene);

// The settings of a simulation's events. `unit`: how many of the scene's unit a metre is; `rate`: frames a second;
// `most`: the release distance at most, in the scene's unit. Throws Failure(bad_input).
EventSettings choose_simulated_events(const AskedEvents& asked, double unit, double rate, double moment, double most);

// The text of events.json.
std::string events_description(const Scene& scene, const HullSet& hulls, const EventSettings& settings);

struct EventsDescription {
    EventSettings settings;
    std::string unit;
    std::uint64_t frames = 0;  // of the scene
    std::uint64_t bodies = 0;
};
// Throws Failure(bad_input) that names `name`.
EventsDescription parse_events_description(const std::string& text, const std::string& name);

}  // namespace lanefold::tools
