// SPDX-License-Identifier: MIT
//
// The commands of the program. Each function is in commands/<name>.cpp and adds its command, with options and
// callback, to the command line. A command that fails throws tools::Failure (console/failure.hpp).
#pragma once

namespace CLI {
class App;
}

namespace lanefold::tools {

void add_collide(CLI::App& app);
void add_figures(CLI::App& app);
void add_generate(CLI::App& app);
void add_import(CLI::App& app);
void add_info(CLI::App& app);
void add_merge(CLI::App& app);
void add_picture(CLI::App& app);
void add_show(CLI::App& app);
void add_simulate(CLI::App& app);
void add_unpack(CLI::App& app);
void add_verify(CLI::App& app);
void add_view(CLI::App& app);

}  // namespace lanefold::tools
