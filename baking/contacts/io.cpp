// SPDX-License-Identifier: MIT
//
// Reading and writing of contacts folders.

#include "contacts/io.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
constexpr const char* kDescriptionFile = "contacts.json";

// A summary that cannot be read, or goes while we read it, is another one.
bool is_text(const fs::path& path, const std::string& text) {
    try {
        return read_file(path) == text;
    } catch (const Failure&) {
        return false;
    }
}

}  // namespace

std::string contacts_dtype(std::uint32_t capacity) {
    return fmt::format(
        "[('pair', '<u4', (2,)), ('normal', '<f4', (3,)), ('distance', '<f4'), ('feature_a', '<u4'), "
        "('feature_b', '<u4'), ('total', '<u2'), ('count', '|u1'), ('kind', '|u1'), ('status', '|u1'), "
        "('reserved', '|u1', (11,)), ('points', [('position', '<f4', (3,)), ('separation', '<f4'), "
        "('feature', '<u4')], ({},)){}]",
        capacity, capacity == 16 ? ", ('padding', '|u1', (16,))" : "");
}

std::string frame_file_name(std::uint64_t frame, std::string_view extension) {
    return fmt::format("frame_{:06}{}", frame, extension);
}

ContactsWriter::ContactsWriter(const fs::path& folder, const std::string& description)
    : folder_(folder), settings_(parse_description(description, (folder / kDescriptionFile).string()).settings) {
    std::error_code error;
    if (is_there(folder) && !fs::is_directory(folder, error)) {
        throw bad_input("{}: exists and is no folder; choose another one", folder.string());
    }
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error)) {
        throw io_failure("{}: cannot create the folder: {}", folder.string(), error.message());
    }
    remove_stale_temporaries(folder);
    remove_stale_temporaries(folder / "log");
    const fs::path path = folder / kDescriptionFile;
    if (!is_there(path)) {
        // Files without contacts.json are not ours; we must not overwrite them.
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (name.front() == '.' || name == kDescriptionFile || name == "log") continue;
            if (is_there(path)) break;  // another process of the same job has written it
            throw bad_input("{}: holds {} but no {}; choose another folder", folder.string(), name, kDescriptionFile);
        }
        if (write_file_exclusive(path, description)) return;
    }
    if (const std::string there = read_file(path); there != description) {
        throw bad_input("{}: {}; give the options that it was made with, or choose another folder", path.string(),
                        difference(there, description, path.string()));
    }
}

std::optional<FrameSummary> ContactsWriter::finished(std::uint64_t frame, std::uint64_t input,
                                                     std::uint32_t capacity) const {
    const fs::path path = folder_ / frame_file_name(frame, ".json");
    if (!is_there(path)) return std::nullopt;
    try {
        const FrameSummary claimed = parse_summary(path, settings_.select);
        if (claimed.input != input || claimed.frame != frame) return std::nullopt;
        const RecordsReader records(records_path(frame), capacity);
        if (records.length() == claimed.records && recount(records, claimed, capacity) == claimed) return claimed;
    } catch (const Failure&) {
        // A damaged frame counts as absent.
    }
    return std::nullopt;
}

std::uint64_t ContactsWriter::count_frames(const fs::path& folder, std::span<const std::uint64_t> frames) {
    if (!is_there(folder / kDescriptionFile)) return 0;
    return static_cast<std::uint64_t>(std::count_if(frames.begin(), frames.end(), [&](std::uint64_t frame) {
        return is_there(folder / frame_file_name(frame, ".json"));
    }));
}

fs::path ContactsWriter::records_path(std::uint64_t frame) const {
    return folder_ / records_file_name(frame, settings_.compression);
}

RecordsWriter ContactsWriter::begin_frame(std::uint64_t frame, std::uint32_t capacity, Durability durability,
                                          bool cached) const {
    return {records_path(frame), capacity, settings_.compression, durability, cached};
}

double ContactsWriter::finish_frame(RecordsWriter& records, const FrameSummary& summary) const {
    const fs::path path = folder_ / frame_file_name(summary.frame, ".json");
    const std::string text = summary.json(settings_.select);
    // The same frame again, by another process or a second run: its summary stays, so that a finished frame is there at
    // every moment. Another summary must not vouch for new records.
    const bool stands = is_there(path) && is_text(path, text);
    std::error_code ignored;
    if (!stands) fs::remove(path, ignored);
    records.commit();
    if (stands) return records.sync_seconds();
    AtomicFile file(path);
    file.write(text);
    file.commit(records.durability());
    return records.sync_seconds() + file.sync_seconds();
}

void ContactsWriter::sync_frames(std::span<const std::uint64_t> frames) const {
    for (const std::uint64_t frame : frames) {
        sync_path(records_path(frame));
        sync_path(folder_ / frame_file_name(frame, ".json"));
    }
    sync_path(folder_);
}

void ContactsWriter::write_log(const fs::path& contacts, const std::string& json) {
    const fs::path folder = contacts / "log";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw io_failure("{}: cannot create the folder: {}", folder.string(), error.message());
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    for (std::int64_t i = microseconds;; ++i) {
        if (write_file_exclusive(folder / fmt::format("run_{}.json", i), json)) return;
    }
}

ContactsReader::ContactsReader(const fs::path& folder) : folder_(folder) {
    const fs::path path = folder / kDescriptionFile;
    // The folders of a command are easily swapped.
    if (!is_there(path) && is_there(folder / "scene.json")) {
        throw bad_input("{}: a scene where a contacts folder belongs (scene.json, but no {})", folder.string(),
                        kDescriptionFile);
    }
    if (!is_there(path) && is_there(folder / "events.json")) {
        throw bad_input("{}: holds events, not contacts (events.json, but no {}); export, info and view read events",
                        folder.string(), kDescriptionFile);
    }
    description_ = read_file(path);
    const Description described = parse_description(description_, path.string());
    settings_ = described.settings;
    frames_in_scene_ = described.frames;
    list_frames();
}

void ContactsReader::list_frames() {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        if (name == kDescriptionFile || name == "log") continue;
        const std::string stem = name.substr(0, name.find('.'));
        std::uint64_t frame = 0;
        const bool numbered = stem.starts_with("frame_") &&
                              std::from_chars(stem.data() + 6, stem.data() + stem.size(), frame).ec == std::errc{} &&
                              frame_file_name(frame, "") == stem && frame < frames_in_scene_;
        if (numbered && name == stem + ".json") {
            frames_.push_back(frame);
        } else if (!(numbered && name == records_file_name(frame, settings_.compression) &&
                     is_there(folder_ / frame_file_name(frame, ".json")))) {
            strangers_.push_back(name);
        }
    }
    std::sort(frames_.begin(), frames_.end());
    std::sort(strangers_.begin(), strangers_.end());
}

FrameSummary ContactsReader::summary(std::uint64_t frame) const {
    return reading_results([&] {
        const fs::path path = folder_ / frame_file_name(frame, ".json");
        FrameSummary summary = parse_summary(path, settings_.select);
        if (summary.frame != frame) throw bad_input("{}: \"frame\" is {}", path.string(), summary.frame);
        return summary;
    });
}

RecordsReader ContactsReader::open_records(std::uint64_t frame, const FrameSummary& summary) const {
    return reading_results([&] {
        const fs::path path = folder_ / records_file_name(frame, settings_.compression);
        RecordsReader records(path, settings_.capacity);
        if (records.length() != summary.records) {
            throw bad_input("{}: holds {} records, its summary says {}", path.string(), records.length(),
                            summary.records);
        }
        return records;
    });
}

}  // namespace lanefold::tools
