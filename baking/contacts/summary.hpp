// SPDX-License-Identifier: MIT
//
// The counts of a frame: its small JSON beside the records, which vouches for them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

#include "contacts/records_file.hpp"

namespace lanefold::tools {

// Adds the counts that summaries of frames and results of calls share.
template <class To, class From>
void add_counts(To& to, const From& from) {
    to.pairs += from.pairs;
    to.touching += from.touching;
    to.overlapping += from.overlapping;
    to.points += from.points;
    for (std::size_t i = 0; i < kStatusCount; ++i) to.by_status[i] += from.by_status[i];
    for (std::size_t i = 0; i < kContactKindCount; ++i) to.by_kind[i] += from.by_kind[i];
}

// Counts over one frame's pairs; the frame's JSON.
struct FrameSummary {
    std::uint64_t frame = 0;
    std::uint64_t pairs = 0;
    std::uint64_t touching = 0;
    std::uint64_t overlapping = 0;
    std::uint64_t points = 0;
    std::uint64_t records = 0;
    // Touching pairs whose records --select left out; touching, overlapping, points, kind and hash are of those kept.
    std::uint64_t left_out = 0;
    std::uint64_t by_status[kStatusCount] = {};
    std::uint64_t by_kind[kContactKindCount] = {};
    std::uint64_t input = 0;    // Scene::frame_hash of what the frame was made from
    std::uint64_t hash = 0;     // sum over the records, hash.hpp
    std::uint64_t content = 0;  // ContentHash of all records in their order: finds any damage

    friend bool operator==(const FrameSummary&, const FrameSummary&) = default;

    void add(const BatchResult& result);
    // Counts a record, the only one of its pair. The caller adds the pairs that are not reported.
    template <class M>
    void add_record(const M& record);
    void add(const FrameSummary& other);  // all counts and `hash`
    // `selected`: with the number of those left out.
    std::string json(bool selected = false) const;
};

// Counts the records of a frame in their order. Those of one pair of bodies are neighbours, in the order of their
// children, and of equal ones, where a surface is met, deepest first; such a pair counts once, with the kind of its
// deepest record.
class RecordCounter {
public:
    explicit RecordCounter(FrameSummary& summary) : summary_(summary) {}

    // Whether `record` is another one of the pair of the record before, whose first is `first`. A candidate pair that
    // is there twice begins again.
    template <class M>
    static bool continues(const M& first, const M& before, const M& record);

    template <class M>
    void add(const M& record);

private:
    FrameSummary& summary_;
    Manifold4 before_{};  // the head of the latest record
    Manifold4 first_{};   // the same of the first of its pair
    bool any_ = false;
    float deepest_ = 0;  // of its pair
    std::size_t kind_ = 0;
};

// Adds the counts that records do not tell: pairs without a record have kind none, and status ok.
void complete_counts(FrameSummary& summary);

// Reads the JSON. Throws Failure(bad_input) that names the file.
FrameSummary parse_summary(const std::filesystem::path& path, bool selected = false);

// Sum of the hashes of all reported records, in parallel.
template <class M>
std::uint64_t sum_of_hashes(std::span<const M> records);

// Reads a frame's records block by block and counts them: the summary as it should be, except `pairs`,
// `input`, `left_out` and the pairs with status ok, which the records do not tell and are taken from `claimed`.
FrameSummary recount(const RecordsReader& records, const FrameSummary& claimed, std::uint32_t capacity);

}  // namespace lanefold::tools
