// SPDX-License-Identifier: MIT
//
// The commands of the program. Each lives in its own cmd_<name>.cpp and adds itself, with its options and
// its callback, to the command line. A command that fails throws tools::Failure (console/failure.hpp).
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
void add_picture(CLI::App& app);
void add_show(CLI::App& app);
void add_simulate(CLI::App& app);
void add_verify(CLI::App& app);

}  // namespace lanefold::tools
