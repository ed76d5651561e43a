// SPDX-License-Identifier: MIT
//
// Counting of records, and the JSON of a frame.

#include "contacts/summary.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <lanefold/hash.hpp>

#include "console/failure.hpp"
#include "files/content_hash.hpp"
#include "files/json.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kBlockRecords = 65536;  // 8 or 24 MiB of records

// The name of the hash before its digits, so that a folder with sums of another kind does not count as damaged.
constexpr std::string_view kContentPrefix = "xxh3-";

std::uint64_t parse_hash(const Json& json, const char* key, const std::string& name, std::string_view prefix = {}) {
    const Json& value = member(json, key);
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        if (text.starts_with(prefix) && text.size() == prefix.size() + 16) {
            const char* const digits = text.data() + prefix.size();
            std::uint64_t hash = 0;
            const auto [end, error] = std::from_chars(digits, digits + 16, hash, 16);
            if (error == std::errc{} && end == digits + 16) return hash;
        }
    }
    const std::string begin = prefix.empty() ? "" : fmt::format("\"{}\" and ", prefix);
    throw bad_input("{}: \"{}\" is not {}16 hexadecimal digits", name, key, begin);
}

template <class M>
FrameSummary recount_as(const RecordsReader& records, const FrameSummary& claimed) {
    FrameSummary found;
    found.frame = claimed.frame;
    found.pairs = claimed.pairs;
    found.input = claimed.input;
    found.left_out = claimed.left_out;
    RecordCounter counter(found);
    ContentHash content;
    std::vector<M> block;
    for (std::uint64_t first = 0; first < records.length(); first += block.size()) {
        block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlockRecords, records.length() - first)));
        records.read(first, std::span(block));
        for (const M& record : block) counter.add(record);
        found.hash += sum_of_hashes(std::span<const M>(block));
        content.add(std::as_bytes(std::span(block)));
    }
    found.content = content.value();
    complete_counts(found);
    return found;
}

}  // namespace

void complete_counts(FrameSummary& summary) {
    std::uint64_t touching = 0;
    for (std::size_t i = 1; i < kContactKindCount; ++i) touching += summary.by_kind[i];
    summary.by_kind[0] = summary.pairs - std::min(summary.pairs, touching);
    std::uint64_t bad = 0;
    for (std::size_t i = 1; i < kStatusCount; ++i) bad += summary.by_status[i];
    summary.by_status[0] = summary.pairs - std::min(summary.pairs, bad);
}

FrameSummary parse_summary(const fs::path& path, bool selected) {
    const std::string name = path.string();
    const Json json = read_json_object(path);
    FrameSummary summary;
    summary.frame = parse_count(json, "frame", name);
    summary.pairs = parse_count(json, "pairs", name);
    summary.touching = parse_count(json, "touching", name);
    summary.overlapping = parse_count(json, "overlapping", name);
    summary.points = parse_count(json, "points", name);
    summary.records = parse_count(json, "records", name);
    if (selected) summary.left_out = parse_count(json, "left_out", name);
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
    summary.content = parse_hash(json, "content", name, kContentPrefix);
    return summary;
}

void FrameSummary::add(const BatchResult& result) { add_counts(*this, result); }

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

template <class M>
bool RecordCounter::continues(const M& first, const M& before, const M& record) {
    if (record.pair[0] != before.pair[0] || record.pair[1] != before.pair[1] || record.status != Status::ok ||
        before.status != Status::ok)
        return false;
    const auto children = [](const M& m) { return std::pair(m.child_a, m.child_b); };
    if (children(before) != children(record)) return children(before) < children(record);
    // Contacts of a body or child with a surface differ in their normals.
    const auto other_normal = [&](const M& m) {
        return !std::equal(std::begin(m.normal), std::end(m.normal), std::begin(record.normal));
    };
    const bool began = children(first) == children(record);
    return before.distance <= record.distance && other_normal(before) && (!began || other_normal(first));
}
template bool RecordCounter::continues(const Manifold4&, const Manifold4&, const Manifold4&);
template bool RecordCounter::continues(const Manifold16&, const Manifold16&, const Manifold16&);

template <class M>
void RecordCounter::add(const M& record) {
    Manifold4 head;
    std::memcpy(&head, &record, sizeof head);
    const auto kind = static_cast<std::size_t>(record.kind);
    if (any_ && continues(first_, before_, head)) {
        ++summary_.records;
        summary_.points += record.count;
        if (record.distance < deepest_) {
            if (deepest_ >= 0.0F && record.distance < 0.0F) ++summary_.overlapping;
            if (kind_ < kContactKindCount) --summary_.by_kind[kind_];
            if (kind < kContactKindCount) ++summary_.by_kind[kind];
            deepest_ = record.distance;
            kind_ = kind;
        }
    } else {
        summary_.add_record(record);
        deepest_ = record.distance;
        kind_ = kind;
        first_ = head;
    }
    before_ = head;
    any_ = true;
}
template void RecordCounter::add(const Manifold4&);
template void RecordCounter::add(const Manifold16&);

void FrameSummary::add(const FrameSummary& other) {
    add_counts(*this, other);
    records += other.records;
    left_out += other.left_out;
    hash += other.hash;
}

std::string FrameSummary::json(bool selected) const {
    Json status = Json::object();
    for (std::size_t i = 0; i < kStatusCount; ++i) status[to_string(static_cast<Status>(i))] = by_status[i];
    Json kind = Json::object();
    for (std::size_t i = 0; i < kContactKindCount; ++i) kind[to_string(static_cast<ContactKind>(i))] = by_kind[i];
    Json json{{"frame", frame},   {"pairs", pairs},    {"touching", touching}, {"overlapping", overlapping},
              {"points", points}, {"records", records}};
    if (selected) json["left_out"] = left_out;
    json["status"] = status;
    json["kind"] = kind;
    json["input"] = hash_string(input);
    json["hash"] = hash_string(hash);
    json["content"] = std::string(kContentPrefix) + hash_string(content);
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

FrameSummary recount(const RecordsReader& records, const FrameSummary& claimed, std::uint32_t capacity) {
    return capacity == 4 ? recount_as<Manifold4>(records, claimed) : recount_as<Manifold16>(records, claimed);
}

}  // namespace lanefold::tools
