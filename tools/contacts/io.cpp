// SPDX-License-Identifier: MIT
//
// Reading and writing of contacts folders.

#include "contacts/io.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <lanefold/hash.hpp>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/content_hash.hpp"
#include "files/input_file.hpp"
#include "files/json.hpp"
#include "files/json_number.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
constexpr const char* kFormat = "lanefold-contacts";
constexpr int kVersion = 1;
constexpr const char* kDescriptionFile = "contacts.json";
constexpr std::size_t kBlockRecords = 65536;  // 8 or 24 MiB of records

std::uint64_t parse_hash(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        std::uint64_t hash = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
        if (error == std::errc{} && end == text.data() + text.size() && text.size() == 16) return hash;
    }
    throw bad_input("{}: \"{}\" is not 16 hexadecimal digits", name, key);
}

std::uint64_t parse_count(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_number_unsigned()) throw bad_input("{}: \"{}\" is not a count", name, key);
    return value.get<std::uint64_t>();
}

float parse_float(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_number()) throw bad_input("{}: \"{}\" is not a number", name, key);
    // Checked as float32: a double beyond its range becomes infinite here and is refused.
    const auto number = static_cast<float>(value.get<double>());
    if (!std::isfinite(number) || number < 0) throw bad_input("{}: \"{}\" is {}", name, key, value.dump());
    return number;
}

std::string parse_string(const Json& json, const char* key, const std::string& name) {
    const Json& value = member(json, key);
    if (!value.is_string()) throw bad_input("{}: \"{}\" is not a string", name, key);
    return value.get<std::string>();
}

FrameSummary parse_summary(const fs::path& path) {
    const std::string name = path.string();
    const Json json = read_json_object(path);
    FrameSummary summary;
    summary.frame = parse_count(json, "frame", name);
    summary.pairs = parse_count(json, "pairs", name);
    summary.touching = parse_count(json, "touching", name);
    summary.overlapping = parse_count(json, "overlapping", name);
    summary.points = parse_count(json, "points", name);
    summary.records = parse_count(json, "records", name);
    const Json& status = member(json, "status");
    for (std::size_t i = 0; i < kStatusCount; ++i) {
        summary.by_status[i] = parse_count(status, to_string(static_cast<Status>(i)), name);
    }
    const Json& kind = member(json, "kind");
    for (std::size_t i = 0; i < kContactKindCount; ++i) {
        summary.by_kind[i] = parse_count(kind, to_string(static_cast<ContactKind>(i)), name);
    }
    summary.input = parse_hash(json, "input", name);
    summary.hash = parse_hash(json, "hash", name);
    summary.content = parse_hash(json, "content", name);
    return summary;
}

template <class M>
FrameSummary recount_as(const NpyReader& records, const FrameSummary& claimed) {
    FrameSummary found;
    found.frame = claimed.frame;
    found.pairs = claimed.pairs;
    found.input = claimed.input;
    ContentHash content;
    std::vector<M> block;
    for (std::uint64_t first = 0; first < records.length(); first += block.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlockRecords, records.length() - first)));
        records.read(first, std::span(block));
        for (const M& record : block) found.add_record(record);
        found.hash += sum_of_hashes(std::span<const M>(block));
        content.add(std::as_bytes(std::span(block)));
    }
    found.content = content.value();
    // Pairs without a record were not reported: their kind is none, their status ok.
    found.by_kind[0] += claimed.pairs - std::min(claimed.pairs, found.records);
    std::uint64_t bad = 0;
    for (std::size_t i = 1; i < kStatusCount; ++i) bad += found.by_status[i];
    found.by_status[0] = claimed.pairs - std::min(claimed.pairs, bad);
    return found;
}

// Says for a person how two descriptions differ: in the settings if these differ, otherwise in the inputs.
std::string difference(const std::string& there, const std::string& here, const std::string& name) {
    const Json a = parse_json_object(there, name);
    const Json b = parse_json_object(here, name);
    for (const char* part : {"settings", "inputs"}) {
        const Json& old = member(a, part);
        const Json& now = member(b, part);
        for (const auto& item : now.items()) {
            const std::string value = member(old, item.key()).dump();
            if (value == item.value().dump()) continue;
            return fmt::format("was made {} {} {}, not {}", *part == 's' ? "with" : "from another scene:", item.key(),
                               value, item.value().dump());
        }
    }
    return "was made by another version of this program or edited";
}

}  // namespace

std::string contacts_description(const Scene& scene, const HullSet& hulls, const ContactsSettings& settings) {
    Json inputs{{"unit", scene.info().unit},
                {"frames", scene.frames()},
                {"bodies", scene.bodies()},
                {"hulls", scene.hulls()},
                {"positions", scene.positions_are_double() ? "float64" : "float32"},
                {"hull_fingerprint", hash_string(hulls.fingerprint())},
                {"body_hull", hash_string(scene.body_hull_hash())}};
    if (settings.find_pairs) {
        // Which pairs are found depends on masses and groups.
        if (!scene.inverse_mass().empty()) inputs["body_inverse_mass"] = hash_string(scene.inverse_mass_hash());
        if (!scene.group().empty()) inputs["body_group"] = hash_string(scene.group_hash());
    }
    Json shaping{{"margin", as_decimal(settings.margin)},
                 {"face_preference", as_decimal(settings.face_preference)},
                 {"capacity", settings.capacity},
                 {"method", to_string(settings.method)},
                 {"points", to_string(settings.points)}};
    // A setting of one method is recorded with that method only.
    if (settings.method == Method::patch) shaping["band"] = as_decimal(settings.band);
    if (settings.method == Method::features) shaping["feature_angle"] = as_decimal(settings.feature_angle);
    shaping["pairs"] = settings.find_pairs ? "found" : "stored";
    const Json json{{"format", kFormat}, {"version", kVersion}, {"inputs", inputs}, {"settings", shaping}};
    return json.dump(2) + "\n";
}

void FrameSummary::add(const BatchResult& result) {
    pairs += result.pairs;
    touching += result.touching;
    overlapping += result.overlapping;
    points += result.points;
    for (std::size_t i = 0; i < kStatusCount; ++i) by_status[i] += result.by_status[i];
    for (std::size_t i = 0; i < kContactKindCount; ++i) by_kind[i] += result.by_kind[i];
}

template <class M>
void FrameSummary::add_record(const M& record) {
    ++records;
    const auto status = static_cast<std::size_t>(record.status);
    const auto kind = static_cast<std::size_t>(record.kind);
    if (status < kStatusCount) ++by_status[status];
    if (kind < kContactKindCount) ++by_kind[kind];
    if (record.status != Status::ok) return;
    ++touching;
    if (record.distance < 0.0F) ++overlapping;
    points += record.count;
}
template void FrameSummary::add_record(const Manifold4&);
template void FrameSummary::add_record(const Manifold16&);

std::string FrameSummary::json() const {
    Json status = Json::object();
    for (std::size_t i = 0; i < kStatusCount; ++i) status[to_string(static_cast<Status>(i))] = by_status[i];
    Json kind = Json::object();
    for (std::size_t i = 0; i < kContactKindCount; ++i) kind[to_string(static_cast<ContactKind>(i))] = by_kind[i];
    const Json json{{"frame", frame},
                    {"pairs", pairs},
                    {"touching", touching},
                    {"overlapping", overlapping},
                    {"points", points},
                    {"records", records},
                    {"status", status},
                    {"kind", kind},
                    {"input", hash_string(input)},
                    {"hash", hash_string(hash)},
                    {"content", hash_string(content)}};
    return json.dump(2) + "\n";
}

template <class M>
std::uint64_t sum_of_hashes(std::span<const M> records) {
    using Range = oneapi::tbb::blocked_range<std::size_t>;
    return oneapi::tbb::parallel_reduce(
        Range(0, records.size(), 1024), std::uint64_t{0},
        [records](const Range& range, std::uint64_t sum) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
                if (is_reported(records[i])) sum += hash_record(records[i]);
            }
            return sum;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}
template std::uint64_t sum_of_hashes(std::span<const Manifold4>);
template std::uint64_t sum_of_hashes(std::span<const Manifold16>);

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

ContactsWriter::ContactsWriter(const fs::path& folder, const std::string& description) : folder_(folder) {
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
        throw bad_input("{}: {}; choose another folder", path.string(), difference(there, description, path.string()));
    }
}

std::optional<FrameSummary> ContactsWriter::finished(std::uint64_t frame, std::uint64_t input,
                                                     std::uint32_t capacity) const {
    const fs::path path = folder_ / frame_file_name(frame, ".json");
    if (!is_there(path)) return std::nullopt;
    try {
        const FrameSummary claimed = parse_summary(path);
        if (claimed.input != input || claimed.frame != frame) return std::nullopt;
        const NpyReader records(folder_ / frame_file_name(frame, ".npy"));
        records.expect_shape({claimed.records});
        records.expect_dtype(contacts_dtype(capacity), capacity == 4 ? sizeof(Manifold4) : sizeof(Manifold16));
        if (recount(records, claimed, capacity) == claimed) return claimed;
    } catch (const Failure&) {
        // A damaged frame counts as absent.
    }
    return std::nullopt;
}

NpyWriter ContactsWriter::begin_frame(std::uint64_t frame, std::uint32_t capacity) const {
    return {folder_ / frame_file_name(frame, ".npy"), contacts_dtype(capacity),
            capacity == 4 ? sizeof(Manifold4) : sizeof(Manifold16), std::vector<std::uint64_t>{}};
}

void ContactsWriter::finish_frame(NpyWriter& records, const FrameSummary& summary) const {
    const fs::path path = folder_ / frame_file_name(summary.frame, ".json");
    // Removes an old summary: it must not stand beside new records.
    std::error_code ignored;
    fs::remove(path, ignored);
    records.commit();
    write_file(path, summary.json());
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
    const std::string name = path.string();
    description_ = read_file(path);
    const Json json = parse_json_object(description_, name);
    if (member(json, "format") != kFormat) {
        throw bad_input("{}: \"format\" is not \"{}\": this is no contacts folder", name, kFormat);
    }
    if (const Json& version = member(json, "version"); version != kVersion) {
        throw bad_input("{}: \"version\" is {}; this program reads version {}", name, version.dump(), kVersion);
    }
    frames_in_scene_ = parse_count(member(json, "inputs"), "frames", name);
    const Json& settings = member(json, "settings");
    settings_.margin = parse_float(settings, "margin", name);
    settings_.face_preference = parse_float(settings, "face_preference", name);
    settings_.method = parse_method(parse_string(settings, "method", name), name + ": \"method\"");
    settings_.points = parse_point_selection(parse_string(settings, "points", name), name + ": \"points\"");
    if (settings_.method == Method::patch) settings_.band = parse_float(settings, "band", name);
    if (settings_.method == Method::features) settings_.feature_angle = parse_float(settings, "feature_angle", name);
    settings_.capacity = static_cast<std::uint32_t>(parse_count(settings, "capacity", name));
    if (settings_.capacity != 4 && settings_.capacity != 16) {
        throw bad_input("{}: \"capacity\" is {}, expected 4 or 16", name, settings_.capacity);
    }
    const Json& pairs = member(settings, "pairs");
    if (pairs != "stored" && pairs != "found") throw bad_input("{}: \"pairs\" is neither stored nor found", name);
    settings_.find_pairs = pairs == "found";
    list_frames();
}

void ContactsReader::list_frames() {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        if (name == kDescriptionFile || name == "log") continue;
        const std::string stem = entry.path().stem().string();
        const std::string extension = entry.path().extension().string();
        std::uint64_t frame = 0;
        const bool numbered = stem.starts_with("frame_") &&
                              std::from_chars(stem.data() + 6, stem.data() + stem.size(), frame).ec == std::errc{} &&
                              frame_file_name(frame, "") == stem;
        if (numbered && frame < frames_in_scene_ && extension == ".json") {
            frames_.push_back(frame);
        } else if (!(numbered && extension == ".npy" && is_there(folder_ / frame_file_name(frame, ".json")))) {
            strangers_.push_back(name);
        }
    }
    std::sort(frames_.begin(), frames_.end());
    std::sort(strangers_.begin(), strangers_.end());
}

FrameSummary ContactsReader::summary(std::uint64_t frame) const {
    const fs::path path = folder_ / frame_file_name(frame, ".json");
    const FrameSummary summary = parse_summary(path);
    if (summary.frame != frame) throw bad_input("{}: \"frame\" is {}", path.string(), summary.frame);
    return summary;
}

NpyReader ContactsReader::open_records(std::uint64_t frame, const FrameSummary& summary) const {
    NpyReader records(folder_ / frame_file_name(frame, ".npy"));
    records.expect_shape({summary.records});
    records.expect_dtype(contacts_dtype(settings_.capacity),
                         settings_.capacity == 4 ? sizeof(Manifold4) : sizeof(Manifold16));
    return records;
}

FrameSummary recount(const NpyReader& records, const FrameSummary& claimed, std::uint32_t capacity) {
    return capacity == 4 ? recount_as<Manifold4>(records, claimed) : recount_as<Manifold16>(records, claimed);
}

}  // namespace lanefold::tools
