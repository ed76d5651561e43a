// SPDX-License-Identifier: MIT
//
// The events folder of a simulation: settings, checks before the first step, and the folder at the end.
#pragma once

#include <filesystem>

#include <lanefold/hull_set.hpp>

#include "events/event_settings.hpp"
#include "simulate/job.hpp"
#include "simulate/push_events.hpp"

namespace lanefold::tools {

// Throws Failure(bad_input) when something else is in the folder, or events that the request must not replace.
void check_events_folder(const SimulateRequest& request);

// `request` has all defaults. Throws Failure(bad_input).
EventSettings simulated_events(const SimulateRequest& request);

// `written`: the scene that the simulation made. Counts the events in the report.
void write_events(const SimulateRequest& request, const std::filesystem::path& written, const HullSet& hulls,
                  const EventSettings& settings, const PushEvents& events, SimulateReport& report);

}  // namespace lanefold::tools
