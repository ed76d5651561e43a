// SPDX-License-Identifier: MIT
//
// --capture, --capture-to and --capture-limit of `collide`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include "bake/collide_job.hpp"
#include "capture/recorder.hpp"

namespace lanefold::tools {

class CaptureOptions {
public:
    void add_to(CLI::App& command);

    // None if --capture was not given. Throws Failure(bad_input) for a condition or a combination that makes no sense.
    std::optional<CaptureRecorder> recorder(const CollideRequest& request, bool several_processes) const;

    void write(CaptureRecorder& recorder, const std::string& scene) const;
    void print(const CaptureRecorder& recorder, std::uint64_t resumed_frames) const;
    nlohmann::ordered_json report_json(const CaptureRecorder& recorder) const;

private:
    std::string condition_;
    std::string file_ = "captured.lfp";
    std::uint64_t limit_ = 1000;
};

}  // namespace lanefold::tools
