// SPDX-License-Identifier: MIT
//
// See the header.
#include "simulate/events_output.hpp"

#include <algorithm>

#include "console/failure.hpp"
#include "events/folder.hpp"
#include "events/job.hpp"
#include "files/input_file.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

}  // namespace

void check_events_folder(const SimulateRequest& request) {
    const fs::path& folder = request.events;
    std::error_code error;
    if (fs::weakly_canonical(folder, error) == fs::weakly_canonical(request.output, error))
        throw bad_input("--events {}: is the scene to write; choose another folder", folder.string());
    if (!is_there(folder)) return;
    if (!is_events_folder(folder)) {
        if (fs::is_directory(folder, error) && fs::is_empty(folder, error)) return;
        throw bad_input("{}: exists and holds no events; choose another folder", folder.string());
    }
    if (EventsFolder(folder).has_pieces())
        throw bad_input("{}: holds events of `lanefold collide`; choose another folder", folder.string());
    if (!request.replace && !request.resume)
        throw bad_input("{}: holds events; --replace replaces them", folder.string());
}

EventSettings simulated_events(const SimulateRequest& request) {
    const WorldSettings& s = request.settings;
    return choose_simulated_events(request.asked, static_cast<double>(s.unit), request.rate / request.every,
                                   1 / (request.rate * s.substeps), static_cast<double>(s.margin * s.unit));
}

void write_events(const SimulateRequest& request, const fs::path& written, const HullSet& hulls,
                  const EventSettings& settings, const PushEvents& events, SimulateReport& report) {
    if (request.replace && is_there(request.events)) fs::remove_all(request.events);
    const Scene scene(written);
    const EventsFolder folder(request.events, events_description(scene, hulls, settings), bodies_of(scene));
    const std::vector<Event> kept = folder.write(events.finish(request.steps));
    report.events = kept.size();
    report.between = static_cast<std::uint64_t>(
        std::count_if(kept.begin(), kept.end(), [](const Event& e) { return (e.flags & kEventBetween) != 0; }));
}

}  // namespace lanefold::tools
