// SPDX-License-Identifier: MIT
//
// See the header. A summary is written after its pieces, events_summary.json after the columns: what vouches comes
// last.
#include "events/folder.hpp"

#include <algorithm>
#include <charconv>
#include <type_traits>

#include <fmt/format.h>

#include <lanefold/hash.hpp>

#include "console/failure.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/io.hpp"
#include "events/columns.hpp"
#include "events/join.hpp"
#include "files/atomic_file.hpp"
#include "files/content_hash.hpp"
#include "files/input_file.hpp"
#include "files/json.hpp"
#include "files/npy.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
constexpr const char* kBodiesFile = "bodies.json";
constexpr const char* kSummaryFile = "events_summary.json";

std::uint64_t parse_hash(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    std::uint64_t hash = 0;
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
        if (text.size() == 16 && error == std::errc{} && end == text.data() + 16) return hash;
    }
    throw bad_input("{}: \"{}\" is not 16 hexadecimal digits", name, key);
}

std::string bodies_text(const EventBodies& bodies) {
    Json json{{"movable", bodies.movable}};
    if (!bodies.group.empty()) json["group"] = bodies.group;
    if (!bodies.names.empty()) json["names"] = bodies.names;
    return json.dump() + "\n";
}

EventBodies parse_bodies(const fs::path& path, std::uint64_t count) {
    const std::string text = read_file(path, std::uint64_t{1} << 32U);
    const Json json = parse_json_object(text, path.string());
    EventBodies out;
    try {
        out.movable = member(json, "movable").get<std::vector<std::uint8_t>>();
        if (json.contains("group")) out.group = json["group"].get<std::vector<std::uint32_t>>();
        if (json.contains("names")) out.names = json["names"].get<std::vector<std::string>>();
    } catch (const nlohmann::json::exception&) {
        throw bad_input("{}: a list is not of numbers or names", path.string());
    }
    const auto fits = [&](std::size_t n) { return n == 0 || n == count; };
    if (out.movable.size() != count || !fits(out.group.size()) || !fits(out.names.size())) {
        throw bad_input("{}: a list has not one element for each of the {} bodies", path.string(), count);
    }
    return out;
}

PiecesSummary parse_pieces_summary(const fs::path& path) {
    const Json json = read_json_object(path);
    const std::string name = path.string();
    PiecesSummary out;
    out.frame = parse_count(json, "frame", name);
    out.counts.candidates = parse_count(json, "candidates", name);
    out.counts.near = parse_count(json, "pieces", name);
    out.counts.failed = parse_count(json, "failed", name);
    if (out.counts.failed != 0) {
        const Json& pair = member(json, "failed_pair");
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_unsigned() || !pair[1].is_number_unsigned()) {
            throw bad_input("{}: \"failed_pair\" is no pair", name);
        }
        out.counts.failed_pair = {pair[0].get<std::uint32_t>(), pair[1].get<std::uint32_t>()};
        out.counts.failure = static_cast<SweepFailure>(parse_count(json, "failure", name));
    }
    out.input = parse_hash(json, "input", name);
    out.content = parse_hash(json, "content", name);
    return out;
}

std::string summary_text(const PiecesSummary& summary) {
    const IntervalCounts& counts = summary.counts;
    Json json{{"frame", summary.frame},
              {"candidates", counts.candidates},
              {"pieces", counts.near},
              {"failed", counts.failed}};
    if (counts.failed != 0) {
        json["failed_pair"] = {counts.failed_pair.a, counts.failed_pair.b};
        json["failure"] = static_cast<int>(counts.failure);
    }
    json["input"] = hash_string(summary.input);
    json["content"] = hash_string(summary.content);
    return json.dump() + "\n";
}

// One column of all events, as they are in the file.
template <class T, class Member>
std::vector<T> column_of(std::span<const Event> events, std::size_t width, const Member& of) {
    std::vector<T> column;
    column.reserve(events.size() * width);
    for (const Event& event : events) {
        const auto values = of(event);
        column.insert(column.end(), values.begin(), values.end());
    }
    return column;
}

template <class Member, class E>
using NumberOf = std::remove_cv_t<typename std::invoke_result_t<Member, E&>::element_type>;

std::vector<std::uint64_t> shape_of(std::uint64_t rows, std::size_t width) {
    return width == 1 ? std::vector<std::uint64_t>{rows} : std::vector<std::uint64_t>{rows, width};
}

std::vector<std::uint32_t> groups_of(std::span<const Event> events, const EventBodies& bodies) {
    std::vector<std::uint32_t> out;
    for (const Event& event : events) {
        for (const std::uint32_t body : {event.pair.a, event.pair.b}) {
            out.push_back(bodies.group.empty() ? 0 : bodies.group[body]);
        }
    }
    return out;
}

}  // namespace

EventBodies bodies_of(const Scene& scene) {
    EventBodies out;
    out.names.assign(scene.names().begin(), scene.names().end());
    out.group.assign(scene.group().begin(), scene.group().end());
    for (std::size_t i = 0; i < scene.bodies(); ++i) {
        out.movable.push_back(scene.inverse_mass().empty() || scene.inverse_mass()[i] > 0 ? 1 : 0);
    }
    return out;
}

EventsFolder::EventsFolder(fs::path path, const std::string& description, const EventBodies& bodies)
    : path_(std::move(path)),
      text_(description),
      description_(parse_events_description(description, (path_ / kEventsFile).string())),
      bodies_(bodies) {
    check(path_, text_);
    std::error_code error;
    const fs::path innermost = has_pieces() ? path_ / "pieces" : path_;
    fs::create_directories(innermost, error);
    if (error) throw io_failure("{}: cannot create the folder: {}", path_.string(), error.message());
    remove_stale_temporaries(path_);
    if (has_pieces()) remove_stale_temporaries(innermost);
    // Several processes write the same.
    write_file(path_ / kBodiesFile, bodies_text(bodies));
    if (!is_there(path_ / kEventsFile) && write_file_exclusive(path_ / kEventsFile, description)) return;
    check(path_, text_);
}

void EventsFolder::check(const fs::path& path, const std::string& description) {
    std::error_code error;
    const fs::path file = path / kEventsFile;
    if (!is_there(path)) return;
    if (!fs::is_directory(path, error)) {
        throw bad_input("{}: exists and is no folder; choose another one", path.string());
    }
    if (!is_there(file)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
            const std::string name = entry.path().filename().string();
            if (name.front() == '.' || name == "pieces" || name == kBodiesFile || is_there(file)) continue;
            throw bad_input("{}: holds {} but no {}; choose another folder", path.string(), name, kEventsFile);
        }
        if (!is_there(file)) return;
    }
    if (const std::string there = read_file(file); there != description) {
        throw bad_input("{}: {}; give the options that it was made with, or choose another folder", file.string(),
                        difference(there, description, file.string()));
    }
}

EventsFolder::EventsFolder(fs::path path) : path_(std::move(path)) {
    const fs::path file = path_ / kEventsFile;
    text_ = read_file(file);
    description_ = parse_events_description(text_, file.string());
    bodies_ = parse_bodies(path_ / kBodiesFile, description_.bodies);
}

fs::path EventsFolder::pieces_file(std::uint64_t frame, const char* extension) const {
    return path_ / "pieces" / frame_file_name(frame, extension);
}

std::optional<PiecesSummary> EventsFolder::whole(std::uint64_t frame) const {
    if (!is_there(pieces_file(frame, ".json"))) return std::nullopt;
    try {
        std::vector<EventPiece> pieces;
        return read_pieces(frame, pieces);
    } catch (const Failure&) {
        return std::nullopt;  // damaged ones count as absent
    }
}

void EventsFolder::write_pieces(const PiecesSummary& summary, std::span<const EventPiece> pieces) const {
    const fs::path vouches = pieces_file(summary.frame, ".json");
    std::error_code ignored;
    fs::remove(vouches, ignored);
    NpyWriter file(pieces_file(summary.frame, ".npy"), kPieceDtype, sizeof(EventPiece), {});
    file.append_bytes(std::as_bytes(pieces));
    file.commit();
    write_file(vouches, summary_text(summary));
}

std::vector<std::uint64_t> EventsFolder::frames() const {
    std::vector<std::uint64_t> out;
    for (std::uint64_t f = 0; f + 1 < description_.frames; ++f) {
        if (is_there(pieces_file(f, ".json"))) out.push_back(f);
    }
    return out;
}

std::vector<std::uint64_t> EventsFolder::missing() const {
    std::vector<std::uint64_t> out;
    for (std::uint64_t f = 0; f + 1 < description_.frames; ++f) {
        if (!is_there(pieces_file(f, ".json"))) out.push_back(f);
    }
    return out;
}

PiecesSummary EventsFolder::read_pieces(std::uint64_t frame, std::vector<EventPiece>& out) const {
    return reading_results([&] {
        const PiecesSummary summary = parse_pieces_summary(pieces_file(frame, ".json"));
        const fs::path path = pieces_file(frame, ".npy");
        const NpyReader file(path);
        file.expect_dtype(kPieceDtype, sizeof(EventPiece));
        file.expect_shape({kAnyLength});
        out.resize(static_cast<std::size_t>(file.length()));
        file.read(0, std::span(out));
        const auto known = [&](const EventPiece& p) { return p.pair.a < p.pair.b && p.pair.b < description_.bodies; };
        if (summary.frame != frame || ContentHash::of(std::as_bytes(std::span(out))) != summary.content ||
            !std::all_of(out.begin(), out.end(), known)) {
            throw bad_input("{}: damaged: not what its summary says", path.string());
        }
        return summary;
    });
}

void EventsFolder::forget_events() const {
    std::error_code ignored;
    fs::remove(path_ / kSummaryFile, ignored);
}

std::vector<Event> EventsFolder::join(IntervalCounts& counts,
                                      const std::function<void(std::uint64_t)>& progress) const {
    EventJoin join;
    std::vector<EventPiece> pieces;
    const std::vector<std::uint64_t> there = frames();
    for (std::size_t i = 0; i < there.size(); ++i) {
        counts.add(read_pieces(there[i], pieces).counts);
        join.add(there[i], pieces);
        progress(i + 1);
    }
    std::vector<Event> events = join.finish();
    apply_filter(description_.settings.filter, bodies_.movable, events);
    write_columns(events, there);
    return events;
}

std::vector<Event> EventsFolder::write(std::vector<Event> events) const {
    apply_filter(description_.settings.filter, bodies_.movable, events);
    std::vector<std::uint64_t> all;
    for (std::uint64_t f = 0; f < description_.frames; ++f) all.push_back(f);
    write_columns(events, all);
    return events;
}

void EventsFolder::write_columns(std::span<const Event> events, std::span<const std::uint64_t> frames) const {
    forget_events();
    ContentHash content;
    const auto write = [&]<class T>(const std::string& name, std::size_t width, const std::vector<T>& column) {
        write_npy(path_ / (name + ".npy"), std::span<const T>(column), shape_of(events.size(), width));
        content.add(std::as_bytes(std::span(column)));
    };
    for_each_column<const Event>([&](const char* name, std::size_t width, const auto& of) {
        using T = NumberOf<decltype(of), const Event>;
        write(name, width, column_of<T>(events, width, of));
    });
    write("group", 2, groups_of(events, bodies_));
    const Json json{{"events", events.size()},
                    {"frames", frame_list(frames)},
                    {"impulses", to_string(description_.settings.impulses)},
                    {"content", hash_string(content.value())}};
    write_file(path_ / kSummaryFile, json.dump(2) + "\n");
}

std::vector<Event> EventsFolder::read_events() const {
    const fs::path vouches = path_ / kSummaryFile;
    if (!is_there(vouches) && !has_pieces()) {
        throw bad_input("{}: not finished; `lanefold simulate --events` writes it", path_.string());
    }
    if (!is_there(vouches)) {
        const std::vector<std::uint64_t> gone = missing();
        if (gone.empty()) {
            throw bad_input("{}: not joined yet; `lanefold merge {} -o FOLDER` joins", path_.string(), path_.string());
        }
        throw bad_input("{}: not whole: frames {} are missing; make them with --frames {} --resume", path_.string(),
                        frame_list(gone), frame_list(gone));
    }
    return reading_results([&] {
        const Json json = read_json_object(vouches);
        std::vector<Event> events(static_cast<std::size_t>(parse_count(json, "events", vouches.string())));
        ContentHash content;
        const auto read = [&]<class T>(const std::string& name, std::size_t width, T) {
            const NpyReader file(path_ / (name + ".npy"));
            std::vector<T> column = file.read_all<T>();
            if (column.size() != events.size() * width) throw bad_input("{}: not as long as said", name);
            content.add(std::as_bytes(std::span(column)));
            return column;
        };
        for_each_column<Event>([&](const char* name, std::size_t width, const auto& of) {
            using T = NumberOf<decltype(of), Event>;
            const std::vector<T> column = read(name, width, T{});
            for (std::size_t i = 0; i < events.size(); ++i) {
                std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(i * width), width, of(events[i]).begin());
            }
        });
        static_cast<void>(read("group", 2, std::uint32_t{}));
        if (content.value() != parse_hash(json, "content", vouches.string())) {
            throw bad_input("{}: damaged: columns are not what {} says", path_.string(), kSummaryFile);
        }
        for (const Event& event : events) {
            if (event.pair.a >= description_.bodies || event.pair.b >= description_.bodies) {
                throw bad_input("{}: damaged: a body that does not exist", path_.string());
            }
        }
        return events;
    });
}

}  // namespace lanefold::tools
