// SPDX-License-Identifier: MIT
//
// See the header.
#include "commands/info_events.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "console/printable.hpp"
#include "console/table.hpp"
#include "contacts/frame_range.hpp"
#include "events/folder.hpp"
#include "files/json.hpp"

namespace lanefold::tools {
namespace {

struct Counts {
    std::uint64_t events = 0;
    std::uint64_t by_flag[5] = {};  // the flags' bits
    double fastest = 0;             // closing speed
    double strongest = 0;           // impulse
    double slip = 0;                // of all
};

Counts count(std::span<const Event> events) {
    Counts c;
    c.events = events.size();
    for (const Event& e : events) {
        for (unsigned bit = 0; bit < 5; ++bit) c.by_flag[bit] += e.flags >> bit & 1U;
        c.fastest = std::max(c.fastest, static_cast<double>(e.closing));
        c.strongest = std::max(c.strongest, static_cast<double>(e.impulse_peak));
        c.slip += static_cast<double>(e.slip);
    }
    return c;
}

std::string body_name(const EventBodies& bodies, std::uint32_t body) {
    return bodies.names.empty() ? fmt::format("body {}", body) : printable(bodies.names[body]);
}

void print_table(const std::filesystem::path& path, const EventsFolder& folder, std::span<const Event> events) {
    const EventsDescription& d = folder.description();
    const Counts c = count(events);
    const std::string unit = printable(d.unit);
    Table table("events " + path.string());
    table.add({"of a scene of", fmt::format("{} frames, {} bodies", with_commas(d.frames), with_commas(d.bodies))});
    table.add({"frames a second", fmt::format("{:g}", d.settings.rate)});
    table.add({"distance of begin, of end", fmt::format("{:g}, {:g} {}", d.settings.touch, d.settings.release, unit)});
    table.add({"impulses", to_string(d.settings.impulses)});
    if (d.settings.moment > 0) table.add({"times are whole", fmt::format("{:.4g} s", d.settings.moment)});
    table.add({"events", with_commas(c.events)});
    table.add({"  touching in the first frame", with_commas(c.by_flag[0])});
    table.add({"  still touching in the last", with_commas(c.by_flag[1])});
    table.add({"  that no frame shows", with_commas(c.by_flag[2])});
    table.add({"  cut", with_commas(c.by_flag[3])});
    table.add({"  estimated bounces", with_commas(c.by_flag[4])});
    table.add({"fastest", fmt::format("{:.4g} {}/s", c.fastest, unit)});
    table.add({"largest impulse", fmt::format("{:.4g} kg {}/s", c.strongest, unit)});
    table.print();
    if (events.empty()) return;
    const auto hardest = std::max_element(
        events.begin(), events.end(), [](const Event& a, const Event& b) { return a.impulse_peak < b.impulse_peak; });
    std::printf("hardest: %s and %s, frame %s\n", body_name(folder.bodies(), hardest->pair.a).c_str(),
                body_name(folder.bodies(), hardest->pair.b).c_str(), fmt::format("{:.2f}", hardest->begin).c_str());
}

}  // namespace

void describe_events(const std::filesystem::path& path, bool json) {
    const EventsFolder folder(path);
    const std::vector<Event> events = folder.read_events();
    if (!json) {
        print_table(path, folder, events);
        return;
    }
    const EventsDescription& d = folder.description();
    const Counts c = count(events);
    const Json line{{"frames", d.frames},
                    {"bodies", d.bodies},
                    {"rate", d.settings.rate},
                    {"impulses", to_string(d.settings.impulses)},
                    {"events", c.events},
                    {"touched_before", c.by_flag[0]},
                    {"last", c.by_flag[1]},
                    {"between_frames", c.by_flag[2]},
                    {"cut", c.by_flag[3]},
                    {"bounces", c.by_flag[4]},
                    {"fastest", c.fastest},
                    {"largest_impulse", c.strongest},
                    {"missing_frames", folder.has_pieces() ? frame_list(folder.missing()) : ""}};
    fmt::print("{}\n", line.dump());
}

}  // namespace lanefold::tools
