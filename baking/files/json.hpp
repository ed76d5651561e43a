// SPDX-License-Identifier: MIT
//
// Reads JSON files of scenes and contacts: bounds their depth, and gives members whose types the caller must check.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lanefold::tools {

using Json = nlohmann::ordered_json;

// Files of lanefold nest three levels.
inline constexpr int kMostJsonLevels = 32;

// Parses `text` as an object. Throws Failure(bad_input) that names `name` when it is none, or nests deeper than
// `most_levels`: the parser is recursive, so depth costs stack.
Json parse_json_object(std::string_view text, const std::string& name, int most_levels = kMostJsonLevels);
Json read_json_object(const std::filesystem::path& path);

// A member of an object; null if there is none, or if `json` is no object.
const Json& member(const Json& json, std::string_view key);

// A member that counts something. Throws Failure(bad_input) that names the file `name` when it is no whole number >= 0.
std::uint64_t parse_count(const Json& json, const char* key, const std::string& name);

}  // namespace lanefold::tools
