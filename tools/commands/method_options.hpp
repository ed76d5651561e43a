// SPDX-License-Identifier: MIT
//
// --method and what belongs to it, of every command that computes contacts.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "contacts/io.hpp"

namespace lanefold::tools {

struct MethodOptions {
    std::string method = "clip";
    std::string points;  // as given; empty: what the method has
    std::optional<float> band;
    std::optional<float> feature_angle;

    // Adds --method, --points, --band and --feature-angle. This object must outlive the parsing.
    void add_to(CLI::App& command);
    // Method, points, band and angle, and the margin and face preference that the method asks for. Throws bad_input for
    // what the method does not have: silently ignored it would be taken for granted.
    void apply(ContactsSettings& settings) const;
};

}  // namespace lanefold::tools
