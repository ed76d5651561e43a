// SPDX-License-Identifier: MIT
//
// The reader of events folders of lanefold_events.h. docs/formats.md describes the files.
// baking/events/folder.cpp reads them for the program, by its JSON library, which the C library does without.
#include <lanefold_events.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "convert.hpp"
#include "json_text.hpp"
#include "npy_column.hpp"

struct lanefold_events {
    lanefold_events_info info;
    std::string unit;
    std::vector<lanefold_event> events;
    std::vector<std::string> names;  // empty: none
    std::vector<std::uint8_t> movable;
};

namespace {

using namespace lanefold;
using namespace lanefold::c_api;

static_assert(sizeof(lanefold_event) == 96);

// A file that holds one field of every event.
struct Column {
    const char* file;
    const char* dtype;
    std::uint32_t width;  // numbers a row
    std::uint32_t bytes;  // a row
    std::size_t offset;   // in lanefold_event
};
constexpr Column kColumns[] = {
    {"begin.npy", "<f8", 1, 8, offsetof(lanefold_event, begin)},
    {"end.npy", "<f8", 1, 8, offsetof(lanefold_event, end)},
    {"place.npy", "<f8", 3, 24, offsetof(lanefold_event, place)},
    {"normal.npy", "<f4", 3, 12, offsetof(lanefold_event, normal)},
    {"closing_speed.npy", "<f4", 1, 4, offsetof(lanefold_event, closing_speed)},
    {"sliding_speed.npy", "<f4", 1, 4, offsetof(lanefold_event, sliding_speed)},
    {"impulse.npy", "<f4", 1, 4, offsetof(lanefold_event, impulse)},
    {"impulse_peak.npy", "<f4", 1, 4, offsetof(lanefold_event, impulse_peak)},
    {"impulse_sum.npy", "<f4", 1, 4, offsetof(lanefold_event, impulse_sum)},
    {"slip.npy", "<f4", 1, 4, offsetof(lanefold_event, slip)},
    {"pair.npy", "<u4", 2, 8, offsetof(lanefold_event, pair)},
    {"group.npy", "<u4", 2, 8, offsetof(lanefold_event, group)},
    {"flags.npy", "|u1", 1, 1, offsetof(lanefold_event, flags)},
};
constexpr std::size_t kMostRowBytes = 24;
constexpr std::size_t kBlockRows = 4096;  // read at a time: they fit the first cache with the events they go to

// The files by the `where` of a refusal: these, then the columns.
constexpr const char* kTexts[] = {"events.json", "events_summary.json", "bodies.json"};
constexpr std::uint64_t kSettings = 0;
constexpr std::uint64_t kSummary = 1;
constexpr std::uint64_t kBodies = 2;
constexpr std::uint64_t kFirstColumn = 3;

constexpr const char* kImpulses[] = {"none", "estimate by masses", "exact, of the solver"};

bool read_text(const std::string& path, std::string& out) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) return false;
    out = std::move(text).str();
    return true;
}

// Members of an object that were there, a bit each.
class Known {
public:
    // `done`: whether the member's value was one.
    bool take(std::uint32_t bit, bool done) {
        bits_ |= bit;
        return done;
    }
    bool are(std::uint32_t bits) const { return bits_ == bits; }

private:
    std::uint32_t bits_ = 0;
};

bool take_impulses(JsonText& json, std::uint8_t& out) {
    std::string text;
    if (!json.string(text)) return false;
    const auto* const found = std::find(std::begin(kImpulses), std::end(kImpulses), text);
    out = static_cast<std::uint8_t>(found - kImpulses);
    return found != std::end(kImpulses);
}

// The settings in events.json.
bool take_settings(JsonText& json, lanefold_events_info& out) {
    bool bounces = false;
    Known known;
    const bool taken = json.object([&](std::string_view key) {
        if (key == "rate") return known.take(1, json.number(out.rate));
        if (key == "touch") return known.take(2, json.number(out.touch));
        if (key == "release") return known.take(4, json.number(out.release));
        if (key == "bounces") return known.take(8, json.boolean(bounces));
        if (key == "impulses") return known.take(16, take_impulses(json, out.impulses));
        return key == "moment" ? json.number(out.moment) : json.skip();
    });
    out.bounces = bounces ? 1 : 0;
    return taken && known.are(31) && out.rate > 0;
}

bool take_inputs(JsonText& json, lanefold_events& out) {
    Known known;
    const bool taken = json.object([&](std::string_view key) {
        if (key == "frames") return known.take(1, json.count(out.info.frames));
        if (key == "bodies") return known.take(2, json.count(out.info.bodies));
        return key == "unit" ? known.take(4, json.string(out.unit)) : json.skip();
    });
    return taken && known.are(7);
}

bool take_description(std::string_view text, lanefold_events& out) {
    JsonText json(text);
    std::string format;
    std::uint64_t version = 0;
    Known known;
    const bool taken = json.object([&](std::string_view key) {
        if (key == "format") return known.take(1, json.string(format));
        if (key == "version") return known.take(2, json.count(version));
        if (key == "settings") return known.take(4, take_settings(json, out.info));
        return key == "inputs" ? known.take(8, take_inputs(json, out)) : json.skip();
    });
    return taken && json.ended() && known.are(15) && format == "lanefold-events" && version == 1;
}

bool take_summary(std::string_view text, std::uint64_t& events) {
    JsonText json(text);
    bool known = false;
    const bool taken = json.object([&](std::string_view key) {
        if (key != "events") return json.skip();
        known = json.count(events);
        return known;
    });
    return taken && known && json.ended();
}

// The names and what can move, one a body each.
bool take_bodies(std::string_view text, lanefold_events& out) {
    JsonText json(text);
    const bool taken = json.object([&](std::string_view key) {
        if (key == "names") return json.array([&] { return json.string(out.names.emplace_back()); });
        if (key != "movable") return json.skip();
        return json.array([&] {
            std::uint64_t can = 0;
            if (!json.count(can) || can > 1) return false;
            out.movable.push_back(static_cast<std::uint8_t>(can));
            return true;
        });
    });
    const std::uint64_t bodies = out.info.bodies;
    return taken && json.ended() && out.movable.size() == bodies && (out.names.empty() || out.names.size() == bodies);
}

// Null, or why the column is refused.
const char* take_column(const std::string& folder, const Column& column, std::uint64_t rows,
                        std::vector<lanefold_event>& events) {
    NpyColumn file(folder + column.file, column.dtype, rows, column.width, column.bytes);
    if (!file.valid()) return file.what();
    events.resize(rows);
    std::vector<std::byte> block(kBlockRows * kMostRowBytes);
    for (std::uint64_t first = 0; first < rows; first += kBlockRows) {
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlockRows, rows - first));
        if (!file.read({block.data(), count * column.bytes})) return "a column cannot be read to its end";
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(reinterpret_cast<std::byte*>(&events[first + i]) + column.offset,
                        block.data() + i * column.bytes, column.bytes);
        }
    }
    return nullptr;
}

lanefold_status read_folder(const std::string& folder, lanefold_events& out) {
    std::string text[3];
    for (std::uint64_t k = 0; k < 3; ++k) {
        if (read_text(folder + kTexts[k], text[k])) continue;
        if (k == kSummary) return refuse("the events are not joined yet: lanefold merge joins them", k);
        return refuse("a file of the events folder is missing or cannot be read", k);
    }
    out.info = LANEFOLD_EVENTS_INFO_INIT;
    if (!take_description(text[kSettings], out)) return refuse("not a lanefold-events of version 1", kSettings);
    if (!take_summary(text[kSummary], out.info.events))
        return refuse("does not say how many events there are", kSummary);
    if (!take_bodies(text[kBodies], out)) return refuse("a list has not one element for each body", kBodies);
    for (std::size_t c = 0; c < std::size(kColumns); ++c) {
        const char* const wrong = take_column(folder, kColumns[c], out.info.events, out.events);
        if (wrong != nullptr) return refuse(wrong, kFirstColumn + c);
    }
    const auto known = [&](const lanefold_event& e) { return e.pair[0] < e.pair[1] && e.pair[1] < out.info.bodies; };
    if (!std::all_of(out.events.begin(), out.events.end(), known)) {
        constexpr std::string_view kPair = "pair.npy";
        const auto* const at = std::find_if(std::begin(kColumns), std::end(kColumns),
                                            [&](const Column& column) { return column.file == kPair; });
        return refuse("an event has a body that does not exist",
                      kFirstColumn + static_cast<std::uint64_t>(at - kColumns));
    }
    out.info.unit = out.unit.c_str();
    return status_of({});
}

}  // namespace

extern "C" {

lanefold_status lanefold_events_read(const char* folder, lanefold_events** events) {
    if (events == nullptr) return refuse("events is null");
    *events = nullptr;
    if (folder == nullptr) return refuse("folder is null");
    return guarded([&] {
        auto made = std::make_unique<lanefold_events>();
        const lanefold_status status = read_folder(std::string(folder) + "/", *made);
        if (status.code == LANEFOLD_OK) *events = made.release();
        return status;
    });
}

void lanefold_events_free(lanefold_events* events) { delete events; }

const char* lanefold_events_file_name(uint64_t where) {
    if (where < kFirstColumn) return kTexts[where];
    const std::uint64_t column = where - kFirstColumn;
    return column < std::size(kColumns) ? kColumns[column].file : "unknown";
}

const lanefold_event* lanefold_events_data(const lanefold_events* events, uint64_t* count) {
    if (count != nullptr) *count = events == nullptr ? 0 : events->events.size();
    return events == nullptr ? nullptr : events->events.data();
}

lanefold_status lanefold_events_get_info(const lanefold_events* events, lanefold_events_info* info) {
    if (events == nullptr) return refuse("events is null");
    if (info == nullptr) return refuse("info is null");
    if (!write_versioned(events->info, info)) {
        return refuse("info.struct_size is not set: begin with LANEFOLD_EVENTS_INFO_INIT");
    }
    return status_of({});
}

const char* lanefold_events_body_name(const lanefold_events* events, uint32_t body) {
    if (events == nullptr || body >= events->names.size()) return nullptr;
    return events->names[body].c_str();
}

int32_t lanefold_events_movable(const lanefold_events* events, uint32_t body) {
    return events != nullptr && body < events->movable.size() ? events->movable[body] : 0;
}

}  // extern "C"
