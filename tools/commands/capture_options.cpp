// SPDX-License-Identifier: MIT
//
// The capture options' texts, what they exclude, and what `collide` says about its capture.

#include "commands/capture_options.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/table.hpp"
#include "files/input_file.hpp"

namespace lanefold::tools {

void CaptureOptions::add_to(CLI::App& command) {
    CLI::Option* const condition =
        command
            .add_option(
                "--capture", condition_,
                "Keep the pairs for which this holds, such as 'depth > 0.1 * smaller and kind == edge_edge', in a\n"
                "small file that `lanefold replay` repeats. Fields: " +
                    Condition::field_names())
            ->type_name("CONDITION");
    command.add_option("--capture-to", file_, "That file (default captured.lfp)")->needs(condition)->type_name("FILE");
    command
        .add_option("--capture-limit", limit_, "The most pairs to keep, the first ones (default 1000, at most 4096)")
        ->check(whole_number())
        ->needs(condition)
        ->type_name("N");
}

std::optional<CaptureRecorder> CaptureOptions::recorder(const CollideRequest& request, bool several_processes) const {
    if (condition_.empty()) return std::nullopt;
    CaptureRecorder recorder(condition_, limit_);
    if (is_reference(request.settings.method)) {
        throw bad_input("--capture: records of the methods clip and patch can be captured, not of {}",
                        to_string(request.settings.method));
    }
    if (request.repeat > 0) throw bad_input("--capture and --repeat exclude each other: looking at pairs takes time");
    if (several_processes) throw bad_input("--capture is for one process: use `lanefold collide` for these frames");
    static_cast<void>(output_file(file_));  // refuses what is no file before the work begins
    return recorder;
}

void CaptureOptions::write(CaptureRecorder& recorder, const std::string& scene) const { recorder.write(file_, scene); }

void CaptureOptions::print(const CaptureRecorder& recorder, std::uint64_t resumed_frames) const {
    const std::uint64_t left_out = recorder.chosen() - recorder.kept();
    fmt::print("captured {} pairs with '{}' in {}{}{}\n", with_commas(recorder.kept()), printable(recorder.condition()),
               printable(file_),
               recorder.chosen() == 0
                   ? fmt::format("; it holds for none of the {} that were looked at", with_commas(recorder.looked_at()))
               : left_out > 0 ? fmt::format("; {} more are left out (--capture-limit)", with_commas(left_out))
                              : "",
               resumed_frames > 0
                   ? fmt::format("; {} frames that were there before were not looked at", with_commas(resumed_frames))
                   : "");
}

nlohmann::ordered_json CaptureOptions::report_json(const CaptureRecorder& recorder) const {
    return {{"file", printable(file_)},
            {"condition", printable(recorder.condition())},
            {"looked_at", recorder.looked_at()},
            {"chosen", recorder.chosen()},
            {"captured", recorder.kept()}};
}

}  // namespace lanefold::tools
