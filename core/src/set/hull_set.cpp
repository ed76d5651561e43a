// SPDX-License-Identifier: MIT
//
// HullSet: shared segments behind one contiguous table of records. See hull_set.hpp.
#include <lanefold/hull_set.hpp>

#include <algorithm>
#include <vector>

#include <xxhash.h>

#include "set/store.hpp"

namespace lanefold {

struct HullSet::State {
    std::vector<std::shared_ptr<const Segment>> segments;
    std::vector<std::size_t> segment_first;  // id of each segment's first hull, and the total
    std::vector<HullRecord> records;
    std::uint64_t fingerprint = 0;
    std::size_t hot_bytes = 0;
    std::uint32_t max_vertices = 0;
    std::uint32_t max_faces = 0;
    std::uint32_t max_edges = 0;

    void add(const std::shared_ptr<const Segment>& segment) {
        if (segment->records.empty()) return;
        segment_first.push_back(records.size());
        segments.push_back(segment);
        records.insert(records.end(), segment->records.begin(), segment->records.end());
        hot_bytes += segment->blocks.size();
    }

    void finish() {
        segment_first.push_back(records.size());
        hot_bytes += records.size() * sizeof(HullRecord);
        for (const HullRecord& r : records) {
            max_vertices = std::max(max_vertices, r.vertex_count);
            max_faces = std::max(max_faces, r.face_count);
            max_edges = std::max(max_edges, r.edge_count);
        }
        // Over the hulls' hashes in order: how they are spread over segments does not show.
        XXH64_state_t hash;
        XXH64_reset(&hash, 0);
        for (const auto& s : segments) XXH64_update(&hash, s->hash.data(), s->hash.size() * sizeof(std::uint64_t));
        fingerprint = XXH64_digest(&hash);
    }

    struct Place {
        const Segment& segment;
        std::size_t local;
    };

    Place find(std::size_t id) const {
        const auto after = std::upper_bound(segment_first.begin(), segment_first.end(), id);
        const auto s = static_cast<std::size_t>(after - segment_first.begin()) - 1;
        return {*segments[s], id - segment_first[s]};
    }
};

HullSet::HullSet() = default;
HullSet::HullSet(const HullSet&) = default;
HullSet::HullSet(HullSet&&) noexcept = default;
HullSet& HullSet::operator=(const HullSet&) = default;
HullSet& HullSet::operator=(HullSet&&) noexcept = default;
HullSet::~HullSet() = default;

// NOLINTNEXTLINE(performance-unnecessary-value-param): takes ownership; the name on the outside says so
HullSet::HullSet(std::shared_ptr<const Segment> segment) {
    auto state = std::make_shared<State>();
    state->add(segment);
    state->finish();
    state_ = std::move(state);
}

std::size_t HullSet::size() const { return state_ ? state_->records.size() : 0; }

const HullRecord* HullSet::records() const { return state_ ? state_->records.data() : nullptr; }

std::span<const Vec3f> HullSet::vertices(std::size_t id) const {
    const HullRecord& r = state_->records[id];
    static_assert(sizeof(Vec3f) == 3 * sizeof(float));
    return {reinterpret_cast<const Vec3f*>(r.block + detail::hull_layout(r).input_vertex), r.vertex_count};
}

std::span<const std::uint32_t> HullSet::input_index(std::size_t id) const {
    const State::Place p = state_->find(id);
    const std::size_t first = p.segment.index_first[p.local];
    return std::span(p.segment.input_index).subspan(first, p.segment.index_first[p.local + 1] - first);
}

const HullInfo& HullSet::info(std::size_t id) const {
    const State::Place p = state_->find(id);
    return p.segment.info[p.local];
}

HullSet HullSet::append(const HullSet& more) const {
    if (more.empty()) return *this;
    if (empty()) return more;
    auto state = std::make_shared<State>();
    for (const auto& s : state_->segments) state->add(s);
    for (const auto& s : more.state_->segments) state->add(s);
    state->finish();
    HullSet joined;
    joined.state_ = std::move(state);
    return joined;
}

std::uint64_t HullSet::fingerprint() const { return state_ ? state_->fingerprint : XXH64(nullptr, 0, 0); }

std::size_t HullSet::hot_bytes() const { return state_ ? state_->hot_bytes : 0; }

std::uint32_t HullSet::max_vertices() const { return state_ ? state_->max_vertices : 0; }

std::uint32_t HullSet::max_faces() const { return state_ ? state_->max_faces : 0; }

std::uint32_t HullSet::max_edges() const { return state_ ? state_->max_edges : 0; }

}  // namespace lanefold
