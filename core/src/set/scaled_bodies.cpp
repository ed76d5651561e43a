// SPDX-License-Identifier: MIT
//
// See the header.
#include <lanefold/detail/scaled_bodies.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/same_set.hpp>
#include <lanefold/fp_environment.hpp>

#include "set/baked_scales.hpp"

namespace lanefold::detail {
namespace {

constexpr std::uint32_t kOneBits = 0x3F800000U;
constexpr std::uint32_t kNoHull = 0xFFFFFFFFU;  // of ids that the caller's set does not have

// Scaled hulls that may be kept beyond twice those that a call wants, before all others are forgotten. It bounds what
// scales that change in every frame leave behind.
constexpr std::size_t kKeptScales = 1024;

// Positive, normal and finite; on bits, because a host may take denormals for zeros.
constexpr bool is_scale(std::uint32_t bits) {
    constexpr std::uint32_t kSmallest = 0x00800000U;
    constexpr std::uint32_t kInfinite = 0x7F800000U;
    return bits >= kSmallest && bits < kInfinite;
}

std::uint32_t word(const std::byte* base, std::size_t stride, std::size_t i) {
    std::uint32_t w = 0;
    std::memcpy(&w, base + i * stride, sizeof w);
    return w;
}

CallStatus check_scale(const BodyView& bodies) {
    if (bodies.count > (std::uint64_t{1} << 32)) return refuse("bodies: more than 2^32", bodies.count);
    Bytes fields[3];
    BodyView others = bodies;
    others.scale = nullptr;
    const CallStatus status = check_body_view(others, fields);
    if (!status || bodies.scale == nullptr || bodies.count == 0) return status;
    if (reinterpret_cast<std::uintptr_t>(bodies.scale) % sizeof(float) != 0 || bodies.scale_stride % sizeof(float) != 0)
        return refuse("bodies.scale: its address or stride is not aligned");
    Bytes scale;
    if (!make_bytes(bodies.scale, bodies.count, bodies.scale_stride, sizeof(float), scale))
        return refuse("bodies.scale: count times stride exceeds the address space", bodies.count);
    return {};
}

bool all_one(const BodyView& bodies) {
    if (bodies.scale == nullptr) return true;
    for (std::size_t i = 0; i < bodies.count; ++i)
        if (word(bodies.scale, bodies.scale_stride, i) != kOneBits) return false;
    return true;
}

// The bodies of a view. What they asked for and what they got is kept, because most ask for the same again.
struct Column {
    std::vector<std::uint32_t> hull;   // as asked for
    std::vector<std::uint32_t> scale;  // bits
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> bad;
    std::vector<float> orientation;  // only if a scale is bad
    BodyView view;
};

}  // namespace

struct ScaledBodies::State {
    HullSet base;
    std::size_t limit = 0;  // of the ids that bodies may name
    BakedScales baked;
    HullSet set;  // of the call
    std::uint64_t generation = 0;
    std::vector<Column> columns;
    std::vector<HullScale> wanted;

    bool take(const HullSet& hulls, std::span<const BodyView> views, std::size_t most);
    bool make(std::span<const BodyView> views);
    void begin(const HullSet& hulls, std::size_t most);
    void restart();
    void fill_all(std::span<const BodyView> views);
    void fill(Column& column, const BodyView& bodies);
    bool bake();
    void settle(Column& column) const;
    static void finish(Column& column, const BodyView& bodies);
};

void ScaledBodies::State::restart() {
    BuildOptions options;
    options.threads = 1;  // a serial call has no thread but the caller's
    baked = BakedScales(base, options);
    ++generation;
}

void ScaledBodies::State::begin(const HullSet& hulls, std::size_t most) {
    const std::size_t next = std::min(hulls.size(), most);
    if (is_same_set(base, hulls) && next == limit) return;
    for (Column& column : columns) column.hull.clear();
    base = hulls;
    limit = next;
    restart();
}

// Asks for the hull of each body; those that are not known are wanted.
void ScaledBodies::State::fill(Column& column, const BodyView& bodies) {
    const std::size_t known = std::min(column.hull.size(), bodies.count);
    column.hull.resize(bodies.count);
    column.scale.resize(bodies.count);
    column.id.resize(bodies.count);
    column.bad.resize(bodies.count);
    for (std::size_t i = 0; i < bodies.count; ++i) {
        const std::uint32_t hull = word(bodies.hull, bodies.hull_stride, i);
        const std::uint32_t scale = bodies.scale == nullptr ? kOneBits : word(bodies.scale, bodies.scale_stride, i);
        if (i < known && column.hull[i] == hull && column.scale[i] == scale) continue;
        column.hull[i] = hull;
        column.scale[i] = scale;
        column.id[i] = hull < limit ? hull : kNoHull;
        const bool exists = hull < limit && base.contains(hull);
        column.bad[i] = exists && !is_scale(scale) ? 1 : 0;
        if (!exists || !is_scale(scale) || scale == kOneBits) continue;
        const auto s = std::bit_cast<float>(scale);
        column.id[i] = baked.find({hull, {s, s, s}});
        if (column.id[i] == BakedScales::kNone) wanted.push_back({hull, {s, s, s}});
    }
}

void ScaledBodies::State::fill_all(std::span<const BodyView> views) {
    wanted.clear();
    for (std::size_t k = 0; k < views.size(); ++k) fill(columns[k], views[k]);
}

// False: there is no memory.
bool ScaledBodies::State::bake() {
    const auto key = [](const HullScale& s) { return std::pair(s.hull, std::bit_cast<std::uint32_t>(s.scale.x)); };
    const auto before = [&](const HullScale& a, const HullScale& b) { return key(a) < key(b); };
    const auto same = [&](const HullScale& a, const HullScale& b) { return key(a) == key(b); };
    std::sort(wanted.begin(), wanted.end(), before);
    wanted.erase(std::unique(wanted.begin(), wanted.end(), same), wanted.end());
    // Faults are found by the bodies that ask for what was refused.
    return baked.add(wanted).memory;
}

// Gives bodies that wait for a hull the one that was made. If none was, their hull cannot have the scale.
void ScaledBodies::State::settle(Column& column) const {
    for (std::size_t i = 0; i < column.id.size(); ++i) {
        if (column.id[i] != BakedScales::kNone || column.hull[i] >= limit) continue;
        const auto s = std::bit_cast<float>(column.scale[i]);
        column.id[i] = baked.find({column.hull[i], {s, s, s}});
        if (column.id[i] != BakedScales::kNone) continue;
        column.bad[i] = 1;
        column.id[i] = column.hull[i];
    }
}

// A body with a bad scale is one with a bad pose: its orientation is no quaternion.
void ScaledBodies::State::finish(Column& column, const BodyView& bodies) {
    column.view = bodies;
    column.view.scale = nullptr;
    column.view.scale_stride = 0;
    column.view.hull = reinterpret_cast<const std::byte*>(column.id.data());
    column.view.hull_stride = sizeof(std::uint32_t);
    if (std::find(column.bad.begin(), column.bad.end(), std::uint8_t{1}) == column.bad.end()) return;
    column.orientation.assign(4 * bodies.count, 0.0F);
    for (std::size_t i = 0; i < bodies.count; ++i) {
        if (column.bad[i] != 0) continue;
        std::memcpy(column.orientation.data() + 4 * i, bodies.orientation + i * bodies.orientation_stride,
                    4 * sizeof(float));
    }
    column.view.orientation = reinterpret_cast<const std::byte*>(column.orientation.data());
    column.view.orientation_stride = 4 * sizeof(float);
}

// The views' bodies at their scales. False: there is no memory.
bool ScaledBodies::State::make(std::span<const BodyView> views) {
    fill_all(views);
    std::size_t bodies = 0;
    for (const BodyView& v : views) bodies += v.count;
    if (!wanted.empty() && baked.size() > 2 * bodies + kKeptScales) {
        for (Column& column : columns) column.hull.clear();
        restart();
        fill_all(views);
    }
    if (!wanted.empty()) {
        if (!in_default_environment([&] { return bake(); })) return false;
        for (std::size_t k = 0; k < views.size(); ++k) settle(columns[k]);
    }
    for (std::size_t k = 0; k < views.size(); ++k) finish(columns[k], views[k]);
    return true;
}

bool ScaledBodies::State::take(const HullSet& hulls, std::span<const BodyView> views, std::size_t most) {
    if (columns.size() < views.size()) columns.resize(views.size());
    const bool plain = most >= hulls.size() && std::all_of(views.begin(), views.end(), all_one);
    // A set that has scaled hulls stays, so that what a caller keeps of the bodies that have them stays true.
    if (plain && (baked.size() == 0 || !is_same_set(base, hulls))) {
        if (baked.size() != 0) begin(hulls, most);
        set = hulls;
        for (std::size_t k = 0; k < views.size(); ++k) {
            columns[k].view = views[k];
            columns[k].view.scale = nullptr;
        }
        return true;
    }
    begin(hulls, most);
    bool made = false;
    try {
        made = make(views);
    } catch (const std::bad_alloc&) {
        made = false;
    }
    if (!made) {
        for (Column& column : columns) column.hull.clear();
        return false;
    }
    if (!is_same_set(set, baked.hulls())) set = baked.hulls();
    return true;
}

ScaledBodies::ScaledBodies() = default;
ScaledBodies::ScaledBodies(ScaledBodies&& other) noexcept : state_(std::move(other.state_)) {}
ScaledBodies& ScaledBodies::operator=(ScaledBodies&& other) noexcept {
    state_ = std::move(other.state_);
    return *this;
}
ScaledBodies::~ScaledBodies() = default;

CallStatus ScaledBodies::take(const HullSet& hulls, std::span<const BodyView> views, std::size_t base) {
    for (const BodyView& v : views) {
        const CallStatus status = check_scale(v);
        if (!status) return status;
    }
    if (in_use_.exchange(1, std::memory_order_acquire) != 0) return refuse("workspace is in use by another call");
    bool made = false;
    try {
        if (state_ == nullptr) state_ = std::make_unique<State>();
        made = state_->take(hulls, views, base);
    } catch (const std::bad_alloc&) {
        made = false;
    }
    if (made) return {};
    release();
    return {Status::out_of_memory, "bodies.scale: not enough memory for the scaled hulls", 0};
}

const HullSet& ScaledBodies::hulls() const { return state_->set; }
const BodyView& ScaledBodies::view(std::size_t i) const { return state_->columns[i].view; }
std::uint64_t ScaledBodies::generation() const { return state_ == nullptr ? 0 : state_->generation; }

}  // namespace lanefold::detail
