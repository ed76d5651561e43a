// SPDX-License-Identifier: MIT
//
// See anchored_pairs.hpp. A step reads one side and writes the other.
#include "anchored_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "batch/batch.hpp"
#include "coherence/previous_records.hpp"
#include "tasks/blocks.hpp"
#include "tbb_executor.hpp"

namespace lanefold::detail {
namespace {

std::uint64_t key_of(const Manifold4& m) { return detail::key_of(Pair{m.pair[0], m.pair[1]}); }

bool all_finite(const float* x, std::size_t n) {
    return std::all_of(x, x + n, [](float value) { return std::isfinite(value); });
}

bool has_contact(const AnchorState& state) { return state.what == kFreshAnchor || state.what == kCarriedAnchor; }

// A pair without one is as if it had never been there.
bool has_state(const AnchorState& state) { return state.what != kNoAnchor || state.vain != 0 || state.rest != 0; }

// One word of the anchor's points has the counts and the kind of its record (record/lane_record.hpp).
bool counts_fit(std::uint32_t counts) {
    const std::uint32_t total = counts & 0xFFFFU;
    const std::uint32_t count = counts >> 16U & 0xFFU;
    const std::uint32_t kind = counts >> 24U;
    return count >= 1 && count <= Manifold4::kCapacity && total >= count && kind < kContactKindCount &&
           static_cast<ContactKind>(kind) != ContactKind::none;
}

bool anchor_fits(const SavedAnchor& a) {
    if (a.state.what > kPlainPair || a.state.vain > kMostVainAnchors || a.state.rest >= 1U << kMostVainAnchors)
        return false;
    if (!has_contact(a.state)) return true;
    return counts_fit(a.points.counts) && std::isfinite(a.state.offset) && std::isfinite(a.pose.margin) &&
           all_finite(a.pose.pose, 12) && all_finite(a.points.normal, 3) &&
           all_finite(&a.points.on_a[0][0], 3 * std::size_t{kAnchorBlock}) &&
           all_finite(&a.points.on_b[0][0], 3 * std::size_t{kAnchorBlock});
}

}  // namespace

void AnchoredPairs::Side::reserve(std::size_t n) {
    pairs.reserve_grown(n);
    places.reserve_grown(n);
    cache.reserve_grown(n);
}

// Places, caches and previous records of this step's pairs.
void AnchoredPairs::carry(std::span<const Pair> pairs, std::span<const Manifold4> last, Executor& executor,
                          unsigned slots) {
    const Side& from = sides_[last_];
    Side& to = sides_[1 - last_];
    to.reserve(pairs.size());
    to.count = pairs.size();
    previous_index_.reserve_grown(pairs.size());
    const std::span<std::uint32_t> index(previous_index_.data(), pairs.size());
    carrier_.locate({from.pairs.data(), from.count}, PairOrder::strictly_ascending, pairs, index, executor, slots);
    const std::span<const std::uint32_t> unplaced = certificates_.place(
        index, {from.places.data(), from.count}, {to.places.data(), pairs.size()}, false, executor, slots);
    anchors_.reserve(certificates_.places(), 1);
    for (const std::uint32_t pair : unplaced) anchors_.forget(to.places[pair]);
    for_all_blocks(executor, slots, pairs.size(), [&](std::size_t begin, std::size_t end) {
        const auto before = [](const Manifold4& m, std::uint64_t key) { return key_of(m) < key; };
        auto record = std::lower_bound(last.begin(), last.end(), detail::key_of(pairs[begin]), before);
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint64_t key = detail::key_of(pairs[i]);
            to.pairs[i] = pairs[i];
            const std::uint32_t at = index[i];
            to.cache[i] = at == kNotListed ? PairCache{} : from.cache[at];
            while (record != last.end() && key_of(*record) < key) ++record;
            const bool recorded = record != last.end() && key_of(*record) == key;
            index[i] = recorded ? static_cast<std::uint32_t>(record - last.begin())
                                : (at == kNotListed ? kNewPair : kNoPreviousRecord);
        }
    });
}

CompactResult AnchoredPairs::step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                  const Options& options, const CallInputs& inputs, float reuse,
                                  std::span<const Manifold4> last, std::span<Manifold4> out, Workspace& workspace) {
    TbbExecutor executor;
    const unsigned slots = tasks_for(executor, options.threads, pairs.size());
    if (!certificates_.begin_step(hulls)) anchors_.forget_all();
    carry(pairs, last, executor, slots);
    Side& to = sides_[1 - last_];
    CallInputs own = inputs;
    own.cache = {to.cache.data(), pairs.size()};
    BatchArguments arguments = arguments_of(hulls, bodies, pairs, options, own, out, workspace);
    arguments.compact = true;
    arguments.previous_index = previous_index_.data();
    // A pair without a record was apart.
    static_assert(CertificateTable::kAsk == kNoPreviousRecord);
    if (certificates_.wanted())
        arguments.certificates = certificates_.table(to.places.data(), previous_index_.data(), pairs.size());
    arguments.anchors = anchors_.table(to.places.data(), reuse);
    std::uint64_t anchored = 0;
    carried_ = 0;
    arguments.carried = &carried_;
    arguments.anchored = &anchored;
    const CompactResult result = run_compact(arguments, executor);
    if (!result.status) return result;
    certificates_.learn(result.counters, pairs.size(), carried_);
    last_ = 1 - last_;
    return result;
}

void AnchoredPairs::forget() {
    for (Side& side : sides_) side.count = 0;
    anchors_.forget_all();
}

void AnchoredPairs::save(std::vector<SavedAnchor>& out) const {
    const Side& side = sides_[last_];
    for (std::size_t i = 0; i < side.count; ++i) {
        const std::uint32_t place = side.places[i];
        const AnchorState& state = anchors_.state(place);
        if (!has_state(state)) continue;
        SavedAnchor& saved = out.emplace_back();
        std::memset(static_cast<void*>(&saved), 0, sizeof saved);
        saved.pair[0] = side.pairs[i].a;
        saved.pair[1] = side.pairs[i].b;
        saved.state.what = state.what;
        saved.state.vain = state.vain;
        saved.state.rest = state.rest;
        if (!has_contact(state)) continue;
        saved.state = state;
        saved.pose = anchors_.pose(place);
        saved.points = anchors_.points(place);
    }
}

void AnchoredPairs::restore(const HullSet& hulls, std::span<const SavedAnchor> anchors) {
    forget();
    TbbExecutor executor;
    certificates_.begin_step(hulls);
    Side& side = sides_[last_];
    side.reserve(anchors.size());
    previous_index_.reserve_grown(anchors.size());
    const std::span<std::uint32_t> index(previous_index_.data(), anchors.size());
    std::fill(index.begin(), index.end(), kNotListed);
    certificates_.place(index, {}, {side.places.data(), anchors.size()}, false, executor, 1);
    anchors_.reserve(certificates_.places(), 1);
    for (std::size_t i = 0; i < anchors.size(); ++i) {
        const SavedAnchor& a = anchors[i];
        side.pairs[i] = {a.pair[0], a.pair[1]};
        side.cache[i] = {};
        anchors_.set(side.places[i], a.state, a.pose, a.points);
    }
    side.count = anchors.size();
}

bool AnchoredPairs::fits(std::size_t bodies, std::span<const SavedAnchor> anchors) {
    for (std::size_t i = 0; i < anchors.size(); ++i) {
        const SavedAnchor& a = anchors[i];
        const Pair pair{a.pair[0], a.pair[1]};
        if (pair.a >= bodies || pair.b >= bodies || pair.a == pair.b || !anchor_fits(a)) return false;
        if (i != 0 && !(Pair{anchors[i - 1].pair[0], anchors[i - 1].pair[1]} < pair)) return false;
    }
    return true;
}

}  // namespace lanefold::detail
