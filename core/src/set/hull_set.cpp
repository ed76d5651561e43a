// SPDX-License-Identifier: MIT
//
// HullSet: shared segments and one contiguous table of records. See hull_set.hpp.
#include <lanefold/hull_set.hpp>

#include <algorithm>
#include <vector>

#include <xxhash.h>

#include <lanefold/detail/compound_block.hpp>

#include "set/store.hpp"

namespace lanefold {

struct HullSet::State {
    std::vector<std::shared_ptr<const Segment>> segments;  // null if all of its hulls are removed
    std::vector<std::size_t> segment_first;                // id of each segment's first hull, then the number of hulls
    std::vector<HullRecord> records;
    std::uint64_t fingerprint = 0;
    std::size_t hot_bytes = 0;
    std::size_t removed = 0;
    bool rounded = false;
    std::uint32_t max_vertices = 0;
    std::uint32_t max_faces = 0;
    std::uint32_t max_edges = 0;
    std::uint32_t max_children = 0;
    bool surfaces = false;

    // Adds a segment with its records in some set; the records of removed hulls have kRemoved.
    void add(const std::shared_ptr<const Segment>& segment, std::span<const HullRecord> of_segment) {
        if (of_segment.empty()) return;
        segment_first.push_back(records.size());
        segments.push_back(segment);
        records.insert(records.end(), of_segment.begin(), of_segment.end());
    }

    void add(const State& other) {
        for (std::size_t s = 0; s < other.segments.size(); ++s) add(other.segments[s], other.records_of(s));
    }

    std::span<const HullRecord> records_of(std::size_t s) const {
        return std::span(records).subspan(segment_first[s], segment_first[s + 1] - segment_first[s]);
    }

    void finish() {
        segment_first.push_back(records.size());
        hot_bytes = records.size() * sizeof(HullRecord);
        for (const HullRecord& r : records) {
            max_vertices = std::max(max_vertices, r.vertex_count);
            max_faces = std::max(max_faces, r.face_count);
            max_edges = std::max(max_edges, r.edge_count);
            removed += is_removed(r) ? 1U : 0U;
            rounded = rounded || r.round_radius > 0;
            if (detail::is_compound(r)) max_children = std::max(max_children, r.loops);
            surfaces = surfaces || detail::is_surface(r);
        }
        // The hash of the hulls' hashes in order, so it does not depend on how hulls are spread over segments.
        std::vector<std::uint64_t> hashes;
        hashes.reserve(records.size());
        for (std::size_t s = 0; s < segments.size(); ++s) {
            if (segments[s]) hot_bytes += segments[s]->blocks.size();
            const std::span<const HullRecord> own = records_of(s);
            for (std::size_t i = 0; i < own.size(); ++i) {
                hashes.push_back(is_removed(own[i]) ? 0 : segments[s]->hash[i]);
            }
        }
        fingerprint = XXH64(hashes.data(), hashes.size() * sizeof(std::uint64_t), 0);
    }

    static bool is_removed(const HullRecord& r) { return (r.flags & HullRecord::kRemoved) != 0; }

    struct Place {
        const Segment& segment;
        std::size_t local;
    };

    // The segment and place of a hull that is not removed.
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
    state->add(segment, segment->records);
    state->finish();
    state_ = std::move(state);
}

std::size_t HullSet::size() const { return state_ ? state_->records.size() : 0; }

const HullRecord* HullSet::records() const { return state_ ? state_->records.data() : nullptr; }

std::span<const Vec3f> HullSet::vertices(std::size_t id) const {
    const HullRecord& r = state_->records[id];
    if (r.vertex_count == 0) return {};
    static_assert(sizeof(Vec3f) == 3 * sizeof(float));
    return {reinterpret_cast<const Vec3f*>(r.block + detail::hull_layout(r).input_vertex), r.vertex_count};
}

std::span<const std::uint32_t> HullSet::input_index(std::size_t id) const {
    if (State::is_removed(state_->records[id])) return {};
    const State::Place p = state_->find(id);
    const std::size_t first = p.segment.index_first[p.local];
    return std::span(p.segment.input_index).subspan(first, p.segment.index_first[p.local + 1] - first);
}

const HullInfo& HullSet::info(std::size_t id) const {
    static const HullInfo nothing;
    if (State::is_removed(state_->records[id])) return nothing;
    const State::Place p = state_->find(id);
    return p.segment.info[p.local];
}

std::size_t HullSet::child_count(std::size_t id) const {
    const HullRecord& r = state_->records[id];
    return detail::is_compound(r) ? r.loops : 0;
}

CompoundChild HullSet::child(std::size_t id, std::size_t k) const {
    const detail::StoredChild& stored = detail::children_of(state_->records[id])[k];
    CompoundChild child;
    std::copy_n(stored.position, 3, child.position);
    std::copy_n(stored.orientation, 4, child.orientation);
    child.hull = static_cast<std::uint32_t>(id) - stored.back;
    return child;
}

const Surface* HullSet::surface(std::size_t id) const {
    if (!contains(id) || !detail::is_surface(state_->records[id])) return nullptr;
    const State::Place p = state_->find(id);
    return &p.segment.surfaces[p.local];
}

HullSet HullSet::append(const HullSet& more) const {
    if (more.empty()) return *this;
    if (empty()) return more;
    auto state = std::make_shared<State>();
    state->add(*state_);
    state->add(*more.state_);
    state->finish();
    HullSet joined;
    joined.state_ = std::move(state);
    return joined;
}

namespace {

void take_out(HullRecord& record) {
    record = {};
    record.flags = HullRecord::kRemoved;
}

}  // namespace

HullSet HullSet::remove(std::span<const std::uint32_t> ids) const {
    if (std::none_of(ids.begin(), ids.end(), [this](std::uint32_t id) { return contains(id); })) return *this;
    std::vector<HullRecord> records = state_->records;
    for (const std::uint32_t id : ids) {
        if (!contains(id)) continue;
        take_out(records[id]);
    }
    // Children stand before their compounds.
    for (std::size_t id = 0; id < records.size(); ++id) {
        if (!detail::is_compound(records[id])) continue;
        const detail::StoredChild* const children = detail::children_of(records[id]);
        const bool whole = std::none_of(children, children + records[id].loops, [&](const detail::StoredChild& child) {
            return State::is_removed(records[id - child.back]);
        });
        if (!whole) take_out(records[id]);
    }
    auto state = std::make_shared<State>();
    for (std::size_t s = 0; s < state_->segments.size(); ++s) {
        const std::size_t first = state_->segment_first[s];
        const auto own = std::span(records).subspan(first, state_->segment_first[s + 1] - first);
        const bool alive =
            std::any_of(own.begin(), own.end(), [](const HullRecord& r) { return !State::is_removed(r); });
        state->add(alive ? state_->segments[s] : nullptr, own);
    }
    state->finish();
    HullSet rest;
    rest.state_ = std::move(state);
    return rest;
}

bool HullSet::contains(std::size_t id) const { return id < size() && !State::is_removed(state_->records[id]); }

std::size_t HullSet::removed() const { return state_ ? state_->removed : 0; }

std::uint64_t HullSet::fingerprint() const { return state_ ? state_->fingerprint : XXH64(nullptr, 0, 0); }

std::size_t HullSet::hot_bytes() const { return state_ ? state_->hot_bytes : 0; }

bool HullSet::rounded() const { return state_ && state_->rounded; }

std::uint32_t HullSet::max_children() const { return state_ ? state_->max_children : 0; }

bool HullSet::has_surfaces() const { return state_ && state_->surfaces; }

std::uint32_t HullSet::max_vertices() const { return state_ ? state_->max_vertices : 0; }

std::uint32_t HullSet::max_faces() const { return state_ ? state_->max_faces : 0; }

std::uint32_t HullSet::max_edges() const { return state_ ? state_->max_edges : 0; }

}  // namespace lanefold
