// SPDX-License-Identifier: MIT
//
// --method and the options that depend on it. Every command that computes contacts has them.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "contacts/io.hpp"

namespace lanefold::tools {

struct MethodOptions {
    std::string method = "clip";
    std::string points;  // as given; empty: the method's default
    std::optional<float> band;
    std::optional<float> feature_angle;

    // Adds --method, --points, --band and --feature-angle. This object must outlive the parsing.
    void add_to(CLI::App& command);
    // Writes method, points, band and angle, and the margin and face preference that the method asks for. Throws
    // bad_input for an option that the method does not have: a user would believe that an ignored option had an effect.
    void apply(ContactsSettings& settings) const;
};

}  // namespace lanefold::tools
