// SPDX-License-Identifier: MIT
//
// Events folders: events.json with the settings, a file of pieces for each frame below pieces/, and, once they are
// joined, a .npy for each column of the events. All bytes depend on scene and settings alone. docs/formats.md describes
// the files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "events/event.hpp"
#include "events/event_settings.hpp"
#include "events/interval.hpp"

namespace lanefold::tools {

inline constexpr const char* kEventsFile = "events.json";

// A frame's pieces in short.
struct PiecesSummary {
    std::uint64_t frame = 0;
    std::uint64_t input = 0;    // hash of the poses that they come from
    std::uint64_t content = 0;  // of their bytes
    IntervalCounts counts;

    friend bool operator==(const PiecesSummary& a, const PiecesSummary& b) {
        return a.frame == b.frame && a.input == b.input && a.content == b.content;
    }
};

// The bodies, for people and filters.
struct EventBodies {
    std::vector<std::string> names;     // empty: none
    std::vector<std::uint32_t> group;   // empty: none
    std::vector<std::uint8_t> movable;  // one a body
};
EventBodies bodies_of(const Scene& scene);

// A folder that is being filled. Several processes may write the pieces of different frames into one.
class EventsFolder {
public:
    // Creates the folder, events.json and bodies.json, or checks that they are these. Throws Failure.
    EventsFolder(std::filesystem::path path, const std::string& description, const EventBodies& bodies);
    // Throws what that would throw about a folder that is there, and writes nothing.
    static void check(const std::filesystem::path& path, const std::string& description);
    // An existing one.
    explicit EventsFolder(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    const std::string& text() const { return text_; }
    const EventsDescription& description() const { return description_; }
    const EventBodies& bodies() const { return bodies_; }

    // Pieces of a frame that are there and whole.
    std::optional<PiecesSummary> whole(std::uint64_t frame) const;
    void write_pieces(const PiecesSummary& summary, std::span<const EventPiece> pieces) const;
    // Frames whose pieces are there, ascending.
    std::vector<std::uint64_t> frames() const;
    // Throws Failure(violation) when they are damaged.
    PiecesSummary read_pieces(std::uint64_t frame, std::vector<EventPiece>& out) const;
    // Frames before the last of the scene whose pieces are not there.
    std::vector<std::uint64_t> missing() const;

    // Removes the joined columns: pieces are about to change.
    void forget_events() const;
    // Joins all pieces that are there and writes the columns. Returns the events.
    std::vector<Event> join(IntervalCounts& counts, const std::function<void(std::uint64_t)>& progress) const;
    // Writes the columns of events that need no joining, those of a simulation, filtered. Returns the events.
    std::vector<Event> write(std::vector<Event> events) const;
    // Whether the events are joined from pieces.
    bool has_pieces() const { return description_.settings.impulses != ImpulseSource::solver; }
    // The joined events. Throws Failure(bad_input) when there are none, Failure(violation) when they are damaged.
    std::vector<Event> read_events() const;

private:
    std::filesystem::path pieces_file(std::uint64_t frame, const char* extension) const;
    void write_columns(std::span<const Event> events, std::span<const std::uint64_t> frames) const;

    std::filesystem::path path_;
    std::string text_;
    EventsDescription description_;
    EventBodies bodies_;
};

}  // namespace lanefold::tools
