// SPDX-License-Identifier: MIT
//
// JSON files of scenes and contacts: parsed with a bound on their depth, and looked into without trusting their types.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lanefold::tools {

using Json = nlohmann::ordered_json;

// The object that `text` is. Throws Failure(bad_input) that names `name` when it is none, or nests deeper than any file
// of ours: the parser calls itself for each level.
Json parse_json_object(std::string_view text, const std::string& name);
Json read_json_object(const std::filesystem::path& path);

// A member of an object; null where there is none, or where `json` is no object.
const Json& member(const Json& json, std::string_view key);

}  // namespace lanefold::tools
