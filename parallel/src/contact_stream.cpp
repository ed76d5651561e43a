// SPDX-License-Identifier: MIT
//
// See lanefold/contact_stream.hpp. The state that a step leaves to the next is there twice: a step reads one side and
// writes the other, and they change places once it has succeeded. So a refused step changes nothing.
#include <lanefold/contact_stream.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/detail/same_record.hpp>
#include <lanefold/detail/same_set.hpp>
#include <lanefold/detail/scaled_bodies.hpp>

#include "batch/batch.hpp"
#include "coherence/anchor_pool.hpp"
#include "coherence/certificate_pool.hpp"
#include "coherence/pair_carrier.hpp"
#include "stream_side.hpp"
#include "tasks/blocks.hpp"
#include "tbb_executor.hpp"

namespace lanefold {
namespace {

using detail::kNewPair;
using detail::kNoPreviousRecord;

// Whether pairs may have several records.
bool has_several(const HullSet& hulls) { return hulls.max_children() != 0 || hulls.has_surfaces(); }

// On bits: the host's thread may run with DAZ, where a comparison takes a denormal for zero.
bool reuses(const StreamOptions& stream, const HullSet& hulls) {
    return std::bit_cast<std::uint32_t>(stream.reuse) << 1U != 0 && detail::carries_pairs(hulls);
}

// 0 to kMaxReuse; -0 counts as 0.
bool is_reuse(float reuse) {
    const auto bits = std::bit_cast<std::uint32_t>(reuse);
    return bits <= std::bit_cast<std::uint32_t>(kMaxReuse) || bits << 1U == 0;
}

void add(StreamResult& to, const CompactResult& from) {
    to.status = from.status;
    to.isa = from.isa;
    to.pairs += from.pairs;
    detail::add_totals(to, from);
    to.hash += from.hash;
    to.next_pair = from.next_pair;
}

StreamResult refused(const char* what, std::uint64_t where = 0) {
    StreamResult r;
    r.status = {Status::bad_argument, what, where};
    return r;
}

}  // namespace

template <class Manifold>
struct ContactStream<Manifold>::State {
    Side<Manifold> sides[2];
    unsigned last = 0;  // the side of the last step
    PointMatching matching = PointMatching::on;
    Workspace workspace;
    detail::ScaledBodies scaled;
    detail::PairCarrier carrier;
    detail::CertificatePool certificates;
    detail::AnchorPool anchors;
    AlignedBuffer<std::uint32_t> previous_index;  // per pair: its record of the step before
    AlignedBuffer<RecordMatch<Manifold>> matches;
    bool has_matches = false;  // they are of the last step, whose step before is still there
    bool reusing = false;      // reuses() of this step
    detail::TbbExecutor executor;

    StreamResult step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs, const Options& options,
                      const StepInputs& inputs, const StreamOptions& stream);
    std::uint64_t carry(std::span<const Pair> pairs, unsigned slots, bool several);
    StreamResult compute(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                         const Options& options, const StepInputs& inputs, const StreamOptions& stream);
    std::pair<std::size_t, std::size_t> list_records(std::size_t begin, std::size_t end, std::size_t computed);
    std::uint32_t previous_of(std::size_t record) const;
    std::uint64_t match(std::size_t record);
    void conclude(StreamResult& result, unsigned slots);
};

// Pairs, caches and records of the step before for the pairs of this one; how many pairs are new.
template <class Manifold>
std::uint64_t ContactStream<Manifold>::State::carry(std::span<const Pair> pairs, unsigned slots, bool several) {
    const Side<Manifold>& from = sides[last];
    Side<Manifold>& to = sides[1 - last];
    to.reserve(pairs.size(), from.written, reusing, several);
    previous_index.reserve_grown(pairs.size());
    to.pair_count = pairs.size();
    // First where each pair was in the list of the step before, then its record there.
    to.order = carrier.locate({from.pairs.data(), from.pair_count}, from.order, pairs,
                              {previous_index.data(), pairs.size()}, executor, slots);
    to.placed = certificates.wanted() || reusing;
    if (to.placed) {
        const std::span<const std::uint32_t> places(from.places.data(), from.placed ? from.pair_count : 0);
        const std::span<const std::uint32_t> unplaced =
            certificates.place({previous_index.data(), pairs.size()}, places, {to.places.data(), pairs.size()},
                               to.order != detail::PairOrder::strictly_ascending, executor, slots);
        if (reusing) {
            anchors.reserve(certificates.places(), Manifold::kCapacity / detail::kAnchorBlock);
            for (const std::uint32_t pair : unplaced) anchors.forget(to.places[pair]);
        }
    }
    std::atomic<std::uint64_t> new_pairs = 0;
    detail::for_all_blocks(executor, slots, pairs.size(), [&](std::size_t begin, std::size_t end) {
        std::uint64_t mine = 0;
        std::copy(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.begin() + static_cast<std::ptrdiff_t>(end),
                  to.pairs.data() + begin);
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t at = previous_index[i];
            const bool listed = at != detail::kNotListed;
            previous_index[i] = listed ? from.record_of[at] : kNewPair;
            to.cache[i] = listed ? from.cache[at] : PairCache{};
            mine += listed ? 0 : 1;
        }
        new_pairs.fetch_add(mine, std::memory_order_relaxed);
    });
    return new_pairs;
}

// The records of this step. If there are more than expected, the rest follows in another call.
template <class Manifold>
StreamResult ContactStream<Manifold>::State::compute(const HullSet& hulls, const BodyView& bodies,
                                                     std::span<const Pair> pairs, const Options& options,
                                                     const StepInputs& inputs, const StreamOptions& stream) {
    const Side<Manifold>& from = sides[last];
    Side<Manifold>& to = sides[1 - last];
    Options mine = options;
    mine.count_required = false;
    CallInputs own{.pair_margins = inputs.pair_margins, .unmoved = inputs.unmoved, .stop = inputs.stop};
    own.cache = {to.cache.data(), pairs.size()};
    // If the set has changed, hulls of marked bodies may have come or gone.
    const bool comparable = from.shaping == Shaping::of(options, stream) && !from.own_margins &&
                            inputs.pair_margins.empty() && detail::is_same_set(from.hulls, hulls);
    // The patch method takes no previous records, so it has none to copy from either.
    if (options.method == ContactMethod::clip)
        own.previous = PreviousContacts::compact(std::span<const Manifold>(from.records.data(), from.written));
    if (!comparable || options.method != ContactMethod::clip) own.unmoved = {};
    StreamResult result;
    to.written = 0;
    for (;;) {
        const std::size_t room = std::min(to.records.size(), to.candidates.size());
        const std::span<Manifold> out(to.records.data() + to.written, room - to.written);
        detail::BatchArguments arguments = detail::arguments_of(hulls, bodies, pairs, mine, own, out, workspace);
        arguments.compact = true;
        arguments.candidates = to.candidates.data() + to.written;
        arguments.previous_index = previous_index.data();
        // A pair without a record was apart.
        static_assert(detail::CertificateTable::kAsk == kNoPreviousRecord);
        if (to.placed && certificates.wanted())
            arguments.certificates = certificates.table(to.places.data(), previous_index.data(), pairs.size());
        if (reusing) arguments.anchors = anchors.table(to.places.data(), stream.reuse);
        arguments.carried = &result.carried;
        arguments.anchored = &result.anchored;
        arguments.first_pair = result.next_pair;
        const CompactResult r = detail::run_compact(arguments, executor);
        add(result, r);
        to.written += r.written;
        if (r.status.code != Status::truncated) return result;
        // Room for the records of the next pair at least.
        const std::size_t least = to.written + (r.required - r.written);
        const std::size_t more = std::max(least, std::min(pairs.size(), 2 * room));
        grow(to.records, more, to.written);
        grow(to.candidates, more, to.written);
    }
}

// record_of of a block of this step's pairs, of which the first `computed` of all were computed. Returns the records of
// the block: the candidates ascend, so these are neighbours.
template <class Manifold>
std::pair<std::size_t, std::size_t> ContactStream<Manifold>::State::list_records(std::size_t begin, std::size_t end,
                                                                                 std::size_t computed) {
    Side<Manifold>& to = sides[1 - last];
    std::uint32_t* const record_of = to.record_of.data();
    const std::size_t middle = std::clamp(computed, begin, end);
    std::fill(record_of + begin, record_of + middle, kNoPreviousRecord);
    std::fill(record_of + middle, record_of + end, kNewPair);
    const std::uint32_t* const candidates = to.candidates.data();
    const auto first =
        static_cast<std::size_t>(std::lower_bound(candidates, candidates + to.written, begin) - candidates);
    std::size_t k = first;
    for (; k < to.written && candidates[k] < end; ++k) {
        // A pair with compounds may have several; this names the first.
        if (k == first || candidates[k] != candidates[k - 1]) record_of[candidates[k]] = static_cast<std::uint32_t>(k);
    }
    return {first, k};
}

// The record's own in the step before: that of its pair and children, of several the one of its normal;
// kNoPreviousRecord or kNewPair if there is none.
template <class Manifold>
std::uint32_t ContactStream<Manifold>::State::previous_of(std::size_t record) const {
    const Side<Manifold>& from = sides[last];
    const Side<Manifold>& to = sides[1 - last];
    const std::uint32_t first = previous_index[to.candidates[record]];
    if (first >= kNewPair) return first;
    std::size_t end = first;
    while (end < from.written && from.candidates[end] == from.candidates[first]) ++end;
    std::size_t own = record;
    while (own > 0 && to.candidates[own - 1] == to.candidates[record]) --own;
    std::size_t own_end = record + 1;
    while (own_end < to.written && to.candidates[own_end] == to.candidates[record]) ++own_end;
    const std::span<const Manifold> before(from.records.data() + first, end - first);
    const std::span<const Manifold> now(to.records.data() + own, own_end - own);
    const std::size_t at = detail::same_record(before, now, record - own);
    return at == before.size() ? kNoPreviousRecord : static_cast<std::uint32_t>(first + at);
}

// Matches the record with that of the step before, if there is one. Returns how many points are kept.
template <class Manifold>
std::uint64_t ContactStream<Manifold>::State::match(std::size_t record) {
    const std::uint32_t at = previous_of(record);
    RecordMatch<Manifold>& m = matches[record];
    std::memset(m.previous, kNewPoint, sizeof m.previous);
    m.record = kNoRecord;
    if (at >= kNewPair) return 0;
    m.record = at;
    const PointMatch<Manifold> points = match_contacts(sides[last].records[at], sides[1 - last].records[record]);
    std::memcpy(m.previous, points.previous, sizeof m.previous);
    std::uint64_t kept = 0;
    for (const std::uint8_t p : m.previous) kept += p != kNewPoint ? 1U : 0U;
    return kept;
}

// Collects what the next step needs of this one, and what this one kept of the step before.
template <class Manifold>
void ContactStream<Manifold>::State::conclude(StreamResult& result, unsigned slots) {
    const Side<Manifold>& from = sides[last];
    const Side<Manifold>& to = sides[1 - last];
    std::atomic<std::uint64_t> kept = 0;
    std::atomic<std::uint64_t> points_kept = 0;
    detail::for_all_blocks(executor, slots, to.pair_count, [&](std::size_t begin, std::size_t end) {
        std::uint64_t my_kept = 0;
        std::uint64_t my_points = 0;
        const auto [first, last_one] = list_records(begin, end, result.next_pair);
        for (std::size_t k = first; k < last_one; ++k) {
            my_kept += previous_of(k) < kNewPair ? 1U : 0U;
            if (matching == PointMatching::on) my_points += match(k);
        }
        kept.fetch_add(my_kept, std::memory_order_relaxed);
        points_kept.fetch_add(my_points, std::memory_order_relaxed);
    });
    result.kept = kept;
    result.begun = to.written - result.kept;
    // A pair that is listed twice is kept twice, by one record.
    result.ended = from.written - std::min<std::uint64_t>(from.written, result.kept);
    if (matching == PointMatching::off) return;
    result.points_kept = points_kept;
    result.points_new = result.points - std::min(result.points, result.points_kept);
    result.points_broken = from.points - std::min(from.points, result.points_kept);
}

template <class Manifold>
StreamResult ContactStream<Manifold>::State::step(const HullSet& hulls, const BodyView& bodies,
                                                  std::span<const Pair> pairs, const Options& options,
                                                  const StepInputs& inputs, const StreamOptions& stream) {
    if (!is_reuse(stream.reuse)) return refused("stream.reuse is negative, not a number or above kMaxReuse");
    // Also where the step does not need them.
    const std::span<const std::uint8_t> unmoved = inputs.unmoved;
    if (unmoved.data() == nullptr && !unmoved.empty())
        return refused("inputs.unmoved is null but has a length", unmoved.size());
    if (!unmoved.empty() && unmoved.size() != bodies.count)
        return refused("inputs.unmoved and bodies differ in length", unmoved.size());
    if (pairs.data() == nullptr && !pairs.empty()) return refused("pairs is null but has a length", pairs.size());
    if (pairs.size() > detail::kMostIndexedPairs) return refused("pairs: more than indices of 32 bits", pairs.size());
    const unsigned slots = detail::tasks_for(executor, options.threads, pairs.size());
    const Shaping shaping = Shaping::of(options, stream);
    const bool same_hulls = certificates.begin_step(hulls);
    if (!same_hulls || !shaping.same_but_margin(sides[last].shaping)) anchors.forget_all();
    reusing = reuses(stream, hulls);
    const std::uint64_t new_pairs = carry(pairs, slots, has_several(hulls));
    StreamResult result = compute(hulls, bodies, pairs, options, inputs, stream);
    if (!result.status && result.status.code != Status::cancelled) return result;
    Side<Manifold>& to = sides[1 - last];
    if (matching == PointMatching::on) matches.reserve_grown(to.records.size());
    result.new_pairs = new_pairs;
    conclude(result, slots);
    certificates.learn(result.counters, pairs.size(), result.carried);
    to.points = result.points;
    to.shaping = shaping;
    to.own_margins = !inputs.pair_margins.empty();
    if (!detail::is_same_set(to.hulls, hulls)) to.hulls = hulls;
    last = 1 - last;
    has_matches = matching == PointMatching::on;
    return result;
}

template <class Manifold>
ContactStream<Manifold>::ContactStream(PointMatching matching) : state_(std::make_unique<State>()) {
    state_->matching = matching;
}
template <class Manifold>
ContactStream<Manifold>::ContactStream(ContactStream&&) noexcept = default;
template <class Manifold>
ContactStream<Manifold>& ContactStream<Manifold>::operator=(ContactStream&&) noexcept = default;
template <class Manifold>
ContactStream<Manifold>::~ContactStream() = default;

template <class Manifold>
StreamResult ContactStream<Manifold>::step(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                                           const Options& options, const StepInputs& inputs,
                                           const StreamOptions& stream) {
    if (!state_) return refused("the stream was moved from");
    StreamResult r;
    try {
        r = detail::at_scale<StreamResult>(state_->scaled, hulls, bodies,
                                           [&](const HullSet& own, const BodyView& unscaled) {
                                               return state_->step(own, unscaled, pairs, options, inputs, stream);
                                           });
    } catch (...) {
        r.status = detail::failure_of_current_exception();
    }
    // The rest of a refused step on the other side is no step before.
    if (!r.status && r.status.code != Status::cancelled) {
        state_->sides[1 - state_->last].written = 0;
        state_->has_matches = false;
        // It may have given places away.
        state_->anchors.forget_all();
    }
    return r;
}

template <class Manifold>
std::span<const Manifold> ContactStream<Manifold>::contacts() const {
    if (!state_) return {};
    const Side<Manifold>& side = state_->sides[state_->last];
    return {side.records.data(), side.written};
}

template <class Manifold>
std::span<const std::uint32_t> ContactStream<Manifold>::candidates() const {
    if (!state_) return {};
    const Side<Manifold>& side = state_->sides[state_->last];
    return {side.candidates.data(), side.written};
}

template <class Manifold>
std::span<const RecordMatch<Manifold>> ContactStream<Manifold>::matches() const {
    if (!state_ || !state_->has_matches) return {};
    return {state_->matches.data(), state_->sides[state_->last].written};
}

template <class Manifold>
std::span<const Manifold> ContactStream<Manifold>::previous() const {
    if (!state_) return {};
    const Side<Manifold>& side = state_->sides[1 - state_->last];
    return {side.records.data(), side.written};
}

template <class Manifold>
void ContactStream<Manifold>::reset() {
    if (!state_) return;
    for (Side<Manifold>& side : state_->sides) side.pair_count = side.written = side.points = 0;
    state_->has_matches = false;
}

template class ContactStream<Manifold4>;
template class ContactStream<Manifold16>;

}  // namespace lanefold
