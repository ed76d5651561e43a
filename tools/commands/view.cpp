// SPDX-License-Identifier: MIT
//
// `lanefold view`: frames of a scene and of its contacts as one live page.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "contacts/chosen_frames.hpp"
#include "contacts/io.hpp"
#include "events/folder.hpp"
#include "files/input_file.hpp"
#include "picture/live_page.hpp"
#include "scene/drawn_hulls.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string scene;
    std::string contacts;
    std::string events;
    std::string output;
    std::string frames;
    std::string page;
    std::string up;
    double max_size = 128;
};

void check(const Arguments& arguments) {
    if (!arguments.up.empty()) static_cast<void>(parse_axis(arguments.up, "--up"));
    if (!(arguments.max_size > 0 && arguments.max_size <= 1024)) {
        throw bad_input("--max-size {}: expected megabytes, up to 1024", arguments.max_size);
    }
    if (fs::path(arguments.output).extension() != ".html") {
        throw bad_input("{}: the page must end in .html", arguments.output);
    }
    static_cast<void>(output_file(arguments.output));  // refuses what is no file before the work begins
}

void run(const Arguments& arguments) {
    check(arguments);
    const fs::path page = find_live_page(arguments.page);
    const Scene scene(arguments.scene);
    std::optional<ContactsReader> contacts;
    if (!arguments.contacts.empty()) {
        contacts.emplace(arguments.contacts);
        if (contacts->frames_in_scene() != scene.frames()) {
            throw bad_input("{}: made from a scene of {} frames, {} has {}", arguments.contacts,
                            contacts->frames_in_scene(), arguments.scene, scene.frames());
        }
    }
    LivePageInput input;
    if (!arguments.events.empty()) {
        const EventsFolder events(arguments.events);
        if (events.description().frames != scene.frames() || events.description().bodies != scene.bodies()) {
            throw bad_input("{}: made from a scene of {} frames and {} bodies, {} has {} and {}", arguments.events,
                            events.description().frames, events.description().bodies, arguments.scene, scene.frames(),
                            scene.bodies());
        }
        input.events = events.read_events();
        input.has_events = true;
    }
    input.scene = &scene;
    input.contacts = contacts ? &*contacts : nullptr;
    input.frames = choose_frames(arguments.frames, scene.frames(), input.contacts);
    if (input.frames.empty()) throw bad_input("{}: there are no frames to show", arguments.scene);
    const HullSet hulls = drawn_hulls(scene, scene.build_hulls(), input.frames.front());
    input.hulls = &hulls;
    const fs::path folder = fs::path(arguments.scene).lexically_normal();
    input.name = printable((folder.has_filename() ? folder : folder.parent_path()).filename().string());
    input.up = arguments.up.empty() ? scene.info().up_axis() : parse_axis(arguments.up, "--up");
    input.max_bytes = static_cast<std::uint64_t>(arguments.max_size * 1e6);
    const LivePageReport report = write_live_page(input, page, arguments.output);

    const std::string poses = report.position_error > 0      ? fmt::format("poses of 16 bits: positions to {:.2g} {}",
                                                                           report.position_error, scene.info().unit)
                              : scene.positions_are_double() ? std::string("poses rounded to float32")
                                                             : std::string("poses exact");
    std::printf("%s: %s frames, %s bodies, %s contacts, %.1f MB; %s\n", printable(arguments.output).c_str(),
                with_commas(input.frames.size()).c_str(), with_commas(scene.bodies()).c_str(),
                with_commas(report.records).c_str(), static_cast<double>(report.bytes) / 1e6, poses.c_str());
    if (input.has_events)
        std::printf("%s of %s events begin in these frames\n", with_commas(report.events).c_str(),
                    with_commas(input.events.size()).c_str());
    if (scene.info().is_left_handed()) std::printf("the axes of this scene are left-handed: it is drawn mirrored\n");
    if (report.without_kind > 0) {
        std::printf("%s records of pairs with a bad status have nothing to show and were left out\n",
                    with_commas(report.without_kind).c_str());
    }
    const std::string missing = left_out(arguments.frames, input.frames.size(), scene.frames());
    if (!missing.empty()) std::printf("%s\n", missing.c_str());
    if (contacts && report.records == 0) std::printf("there is no contact in these frames\n");
}

}  // namespace

void add_view(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("view", "A live page of frames and contacts: turn, play, pick a pair, look into it");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command->add_option("contacts", a.contacts, "Contacts folder; without it only the bodies are shown")
        ->type_name("CONTACTS");
    command
        ->add_option("--events", a.events,
                     "Events folder of the scene: marks on the time line, and a list of each frame's events")
        ->type_name("EVENTS");
    command->add_option("-o,--output", a.output, "File to write, .html: opens from disk, without a network")
        ->required()
        ->type_name("FILE");
    command->add_option("--frames", a.frames, "Frames a up to, not including, b; either may be left out; or one frame");
    command->add_option("--up", a.up, "Axis that points up: x, y or z; unless given, that of the scene, else y");
    command
        ->add_option("--max-size", a.max_size,
                     "Megabytes of the page. Poses are rounded to 16 bits where they would not fit otherwise")
        ->capture_default_str();
    command->add_option("--page", a.page, "The page without data, made by ./dev page")->type_name("FILE");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
