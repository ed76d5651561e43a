// SPDX-License-Identifier: MIT
//
// --events of `collide` and `simulate`, and the options that go with it.
#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include "bake/collide_job.hpp"
#include "events/job.hpp"

namespace lanefold::tools {

class EventsOptions {
public:
    void add_to(CLI::App& command);
    // The options of `simulate`, which knows times, masses and impulses.
    void add_to_simulation(CLI::App& command);

    // Throws Failure(bad_input) for options of events without --events.
    bool asked() const;
    bool asked_of_simulation() const;
    // Scene, frames, threads and the like are those of the request. check() refuses before other work begins.
    void check(const CollideRequest& request) const;
    EventsReport run(const CollideRequest& request, const StopToken& stop) const {
        return run_events(request_of(request), stop);
    }
    void print(const EventsReport& report) const { print_events(folder_, report); }
    const std::string& folder() const { return folder_; }
    const AskedEvents& options() const { return options_; }

    static void print_events(const std::string& folder, const EventsReport& report);
    static nlohmann::ordered_json report_json(const EventsReport& report);

private:
    EventsRequest request_of(const CollideRequest& request) const;
    void add_release(CLI::App& command);
    void add_filters(CLI::App& command);
    bool filters() const {
        return options_.filter.closing_above || options_.filter.first_only || options_.filter.window;
    }

    std::string folder_;
    AskedEvents options_;
    bool no_impulses_ = false;
    bool no_bounces_ = false;
};

}  // namespace lanefold::tools
