// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/rows.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "files/atomic_file.hpp"
#include "files/json.hpp"

namespace lanefold::tools {
namespace {

constexpr std::uint64_t kMostNamesBytes = std::uint64_t{1} << 30U;
constexpr std::size_t kExamples = 3;

std::vector<std::string> from_json(std::string text, const std::string& file) {
    // The reader of lanefold's files takes objects; a bare list is one member of one.
    if (text.starts_with('[')) text = "{\"rows\": " + text + "}";
    const Json json = parse_json_object(text, file);
    const Json& list = member(json, "rows");
    if (!list.is_array()) throw bad_input("{}: expected a list of names", file);
    std::vector<std::string> names;
    for (const Json& name : list) {
        if (!name.is_string()) throw bad_input("{}: entry {} is no name: {}", file, names.size(), name.dump());
        names.push_back(name.get<std::string>());
    }
    return names;
}

std::vector<std::string> from_lines(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) names.push_back(printable(line));
    }
    return names;
}

// "'a', 'b', 'c' and 4 more"
std::string some(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kExamples); ++i) {
        out += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
    }
    if (names.size() > kExamples) out += fmt::format(" and {} more", names.size() - kExamples);
    return out;
}

std::vector<std::uint32_t> match_names(const Cast& cast, const std::vector<std::string>& names,
                                       const std::string& file) {
    std::unordered_map<std::string_view, std::uint32_t> row_of;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        if (!row_of.emplace(names[i], i).second) throw bad_input("{}: the name '{}' is there twice", file, names[i]);
    }
    std::vector<std::uint32_t> rows;
    std::vector<bool> used(names.size(), false);
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        const std::string& whole = cast.whole_names[cast.pieces[i].whole];
        auto at = row_of.find(whole);
        const std::string object = printable(cast.objects[cast.pieces[i].object]);
        if (at == row_of.end()) at = row_of.find(object);
        if (at == row_of.end()) {
            if (missing.empty() || missing.back() != whole) missing.push_back(whole);
            continue;
        }
        used[at->second] = true;
        rows.push_back(at->second);
    }
    std::vector<std::string> strange;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!used[i]) strange.push_back(names[i]);
    }
    if (!missing.empty()) {
        throw bad_input("{}: no row for {} of {} pieces: {}{}", file, missing.size(), cast.whole_names.size(),
                        some(missing), strange.empty() ? "" : "; names without a piece: " + some(strange));
    }
    if (!strange.empty()) throw bad_input("{}: no piece has the name {}", file, some(strange));
    return rows;
}

}  // namespace

std::vector<std::string> read_row_names(const std::filesystem::path& path) {
    const std::string text = read_file(path, kMostNamesBytes);
    const bool json = path.extension() == ".json";
    return json ? from_json(text, path.string()) : from_lines(text);
}

std::vector<std::uint32_t> match_rows(const Cast& cast, std::uint64_t rows, const std::vector<std::string>& names,
                                      const std::string& poses) {
    if (!names.empty()) return match_names(cast, names, poses);
    const bool by_object = rows != cast.whole_names.size();
    if (by_object && rows != cast.objects.size()) {
        throw bad_input("{}: poses of {} bodies, but the files have {} pieces in {} objects", poses, rows,
                        cast.whole_names.size(), cast.objects.size());
    }
    std::vector<std::uint32_t> out;
    for (const CastPiece& piece : cast.pieces) out.push_back(by_object ? piece.object : piece.whole);
    return out;
}

}  // namespace lanefold::tools
