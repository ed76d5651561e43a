// SPDX-License-Identifier: MIT
//
// Checks the depth, then calls nlohmann's parser.

#include "files/json.hpp"

#include <algorithm>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"

namespace lanefold::tools {
namespace {

// The deepest nesting of brackets outside of strings.
int levels(std::string_view text) {
    int deepest = 0;
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
        if (c == ']' || c == '}') --depth;
    }
    return deepest;
}

}  // namespace

Json parse_json_object(std::string_view text, const std::string& name, int most_levels) {
    if (levels(text) > most_levels) {
        throw bad_input("{}: brackets nest deeper than {} levels: no file that is read here does", name, most_levels);
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        throw bad_input(
            "{}: the file is empty: a program was ended, or the disk was full, while it was written; make it again, or "
            "remove it",
            name);
    }
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
        const std::string_view what = error.what();
        const std::size_t at = what.find("] ");
        throw bad_input("{}: not a JSON text: {}", name, what.substr(at == std::string_view::npos ? 0 : at + 2));
    }
    if (!json.is_object()) throw bad_input("{}: not a JSON object", name);
    return json;
}

Json read_json_object(const std::filesystem::path& path) { return parse_json_object(read_file(path), path.string()); }

const Json& member(const Json& json, std::string_view key) {
    static const Json nothing;
    if (!json.is_object()) return nothing;
    const auto at = json.find(std::string(key));
    return at == json.end() ? nothing : *at;
}

std::uint64_t parse_count(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_number_unsigned()) throw bad_input("{}: \"{}\" is not a count", name, key);
    return value.get<std::uint64_t>();
}

}  // namespace lanefold::tools
