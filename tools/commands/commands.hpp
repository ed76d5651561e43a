// SPDX-License-Identifier: MIT
//
// The commands of the program. Each function is in commands/<name>.cpp and adds its command, with options and
// callback, to the command line. A command that fails throws tools::Failure (console/failure.hpp).
#pragma once

#include <functional>
#include <optional>

#include <lanefold/stop.hpp>

namespace CLI {
class App;
}

namespace lanefold::tools {

struct CollideReport;
struct CollideRequest;

// Runs what `collide` was asked for, and gives the report to be printed; nothing where another process prints it.
using CollideRunner = std::function<std::optional<CollideReport>(CollideRequest&, const StopToken&)>;
void add_collide(CLI::App& app, const CollideRunner& runner = {});
void add_export(CLI::App& app);
void add_figures(CLI::App& app);
void add_generate(CLI::App& app);
void add_import(CLI::App& app);
void add_info(CLI::App& app);
void add_merge(CLI::App& app);
void add_picture(CLI::App& app);
void add_show(CLI::App& app);
void add_replay(CLI::App& app);
void add_respond(CLI::App& app);
void add_simulate(CLI::App& app);
void add_unpack(CLI::App& app);
void add_verify(CLI::App& app);
void add_view(CLI::App& app);

}  // namespace lanefold::tools
