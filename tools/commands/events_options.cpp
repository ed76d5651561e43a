// SPDX-License-Identifier: MIT
//
// See the header. The work is in events/job.cpp.
#include "commands/events_options.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <lanefold/sweep_record.hpp>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"

namespace lanefold::tools {

void EventsOptions::add_release(CLI::App& command) {
    command
        .add_option(
            "--release", options_.release,
            "It ends when the bodies part by more than this (default: 5 mm above the begin, so that what trembles\n"
            "stays)")
        ->type_name("X");
}

void EventsOptions::add_filters(CLI::App& command) {
    command
        .add_option("--closing-above", options_.filter.closing_above,
                    "Only events whose bodies close in faster than this, in the scene's unit a second")
        ->type_name("V");
    command.add_flag("--first-contact", options_.filter.first_only, "Of each pair only the first event");
    command
        .add_option("--one-a-body", options_.filter.window,
                    "Of each movable body only the event that closes in fastest in each window of N frames")
        ->type_name("N");
}

void EventsOptions::add_to_simulation(CLI::App& command) {
    command
        .add_option("--events", folder_,
                    "Events folder to write: where contacts begin and end, how fast, and the solver's impulses")
        ->type_name("EVENTS");
    add_release(command);
    add_filters(command);
}

void EventsOptions::add_to(CLI::App& command) {
    command
        .add_option("--events", folder_,
                    "Events folder to write: where contacts begin and end between the frames, how fast, how hard.\n"
                    "Without -o, --capture and --repeat nothing else is computed")
        ->type_name("EVENTS");
    command.add_option("--fps", options_.rate, "Frames a second, where the scene does not say")->type_name("N");
    command
        .add_option("--touch", options_.touch,
                    "A contact begins when the distance comes down to this, in the scene's unit (default 0)")
        ->type_name("X");
    add_release(command);
    add_filters(command);
    command.add_option("--density", options_.density, "kg/m3 of all bodies, where the scene has no masses")
        ->type_name("D");
    command.add_flag("--no-impulses", no_impulses_, "Impulses are not estimated, so no masses are needed");
    command.add_flag("--no-bounces", no_bounces_,
                     "Only contacts of the poses as they are, moved evenly from frame to frame; a bounce whose frames\n"
                     "both show a gap is then left out");
}

bool EventsOptions::asked() const {
    if (!folder_.empty()) return true;
    if (options_.rate || options_.touch != 0 || options_.release || options_.density || no_impulses_ || no_bounces_ ||
        filters()) {
        throw bad_input(
            "--fps, --touch, --release, --closing-above, --first-contact, --one-a-body, --density, --no-impulses "
            "and --no-bounces are of --events, which is missing");
    }
    return false;
}

bool EventsOptions::asked_of_simulation() const {
    if (!folder_.empty()) return true;
    if (options_.release || filters()) {
        throw bad_input(
            "--release, --closing-above, --first-contact and --one-a-body are of --events, which is missing");
    }
    return false;
}

EventsRequest EventsOptions::request_of(const CollideRequest& request) const {
    EventsRequest events;
    events.scene = request.scene;
    events.output = folder_;
    events.frames = request.frames;
    events.asked = options_;
    events.asked.impulses = !no_impulses_;
    events.asked.bounces = !no_bounces_;
    events.isa = request.isa;
    events.threads = request.threads;
    events.resume = request.resume;
    events.progress = request.progress;
    return events;
}

void EventsOptions::check(const CollideRequest& request) const { check_events(request_of(request)); }

void EventsOptions::print_events(const std::string& folder, const EventsReport& report) {
    Table table("events " + folder);
    const EventSettings& settings = report.settings;
    table.add({"frames", with_commas(report.intervals) +
                             (report.resumed > 0 ? fmt::format(" ({} kept from before)", report.resumed) : "")});
    table.add({"frames a second", fmt::format("{:g}", settings.rate)});
    table.add({"distance of begin, of end",
               fmt::format("{:g}, {:g} {}", settings.touch, settings.release, printable(report.unit))});
    table.add({"candidate pairs between frames", with_commas(report.counts.candidates)});
    table.add({"pairs that come near", with_commas(report.counts.near)});
    if (report.joined) {
        table.add({"events", with_commas(report.events)});
        table.add({"  that no frame shows", with_commas(report.between)});
        table.add({"  estimated bounces", with_commas(report.bounces)});
    }
    table.add({"impulses", to_string(settings.impulses)});
    table.add({"missing frames", with_commas(report.missing.size())});
    table.add({"seconds", fmt::format("{:.2f}, {:.2f} of them joining", report.seconds, report.seconds_join)});
    table.print();
    if (report.counts.failed != 0) {
        const auto [a, b] = report.counts.failed_pair;
        std::fprintf(stderr,
                     "warning: %s sweeps found no answer, and their pairs have no event there: the first is of bodies "
                     "%u and %u: %s\n",
                     with_commas(report.counts.failed).c_str(), a, b, to_string(report.counts.failure));
    }
    if (!report.missing.empty()) {
        std::fprintf(stderr, "lanefold: frames are missing: %s%s\n", frame_list(report.missing).c_str(),
                     report.joined ? "; contacts are cut there" : "; whoever makes the last of them joins the events");
    }
}

nlohmann::ordered_json EventsOptions::report_json(const EventsReport& report) {
    return {{"frames", report.intervals},
            {"resumed_frames", report.resumed},
            {"rate", report.settings.rate},
            {"candidates", report.counts.candidates},
            {"pieces", report.counts.near},
            {"failed", report.counts.failed},
            {"joined", report.joined},
            {"events", report.events},
            {"between_frames", report.between},
            {"bounces", report.bounces},
            {"impulses", to_string(report.settings.impulses)},
            {"missing", frame_list(report.missing)},
            {"seconds", report.seconds}};
}

}  // namespace lanefold::tools
