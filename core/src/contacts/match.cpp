// SPDX-License-Identifier: MIT
//
// Matches contact points by their ids: the points of two records, and two sorted frames in one merge.

#include <lanefold/match_contacts.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include <lanefold/detail/same_record.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold {
namespace {

template <class Manifold>
std::uint32_t point_count(const Manifold& m) {
    return std::min<std::uint32_t>(m.count, Manifold::kCapacity);
}

// Fills `previous` and returns the bits of the broken points.
template <class Manifold>
std::uint16_t match_points(const Manifold& from, const Manifold& to, std::uint8_t* previous) {
    const std::uint32_t old_count = point_count(from);
    const std::uint32_t new_count = point_count(to);
    std::uint32_t broken = (1U << old_count) - 1U;
    std::memset(previous, kNewPoint, Manifold::kCapacity);
    for (std::uint32_t i = 0; i < new_count; ++i) {
        // Ids are unique within a record that lanefold wrote. In any other record the lowest remaining point wins, so
        // that no point is the predecessor of two.
        for (std::uint32_t rest = broken; rest != 0; rest &= rest - 1) {
            const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (from.points[k].feature != to.points[i].feature) continue;
            previous[i] = static_cast<std::uint8_t>(k);
            broken &= ~(1U << k);
            break;
        }
    }
    return static_cast<std::uint16_t>(broken);
}

template <class Manifold>
PointMatch<Manifold> match_pair(const Manifold& previous, const Manifold& current) {
    PointMatch<Manifold> r;
    r.broken = match_points(previous, current, r.previous);
    return r;
}

template <class Manifold>
Pair pair_of(const Manifold& m) {
    return {m.pair[0], m.pair[1]};
}

// Whether record i is not before its predecessor.
template <class Manifold>
bool ascends(std::span<const Manifold> records, std::size_t i) {
    return i == 0 || pair_of(records[i - 1]) <= pair_of(records[i]);
}

// A call gives no pair two records of one normal and the same children. So a second one begins when the list of
// candidates names the pair again, whose records are then all repeated.
template <class Manifold>
bool is_repeated(const Manifold& first, const Manifold& m) {
    return first.child_a == m.child_a && first.child_b == m.child_b &&
           std::memcmp(first.normal, m.normal, sizeof m.normal) == 0;
}

// The records from `first` on that a pair has by one place in the list of candidates.
template <class Manifold>
std::span<const Manifold> records_of_pair(std::span<const Manifold> all, std::size_t first) {
    std::size_t end = first + 1;
    while (end < all.size() && pair_of(all[end]) == pair_of(all[first]) && !is_repeated(all[first], all[end])) ++end;
    return all.subspan(first, end - first);
}

constexpr const char* kPreviousOrder = "previous does not ascend by pair";
constexpr const char* kCurrentOrder = "current does not ascend by pair";

template <class Manifold>
class FrameMatch {
public:
    FrameMatch(std::span<const Manifold> previous, std::span<const Manifold> current,
               std::span<RecordMatch<Manifold>> matches, std::span<RecordFate> fates)
        : previous_(previous), current_(current), matches_(matches), fates_(fates) {}

    MatchResult run() {
        result_.status = check();
        if (!result_.status) return result_;
        const FpEnvironmentGuard environment;  // nearest normals
        std::size_t i = 0;
        std::size_t k = 0;
        while (i < current_.size() || k < previous_.size()) {
            if (i < current_.size() && !ascends(current_, i)) return refused(kCurrentOrder, i);
            if (k < previous_.size() && !ascends(previous_, k)) return refused(kPreviousOrder, k);
            const bool only_old = i == current_.size();
            const bool only_new = k == previous_.size();
            if (only_new || (!only_old && pair_of(current_[i]) < pair_of(previous_[k]))) {
                begin(i++);
            } else if (only_old || pair_of(previous_[k]) < pair_of(current_[i])) {
                end(k++);
            } else {
                const auto now = records_of_pair(current_, i);
                const auto before = records_of_pair(previous_, k);
                match_pair_of_bodies(now, i, before, k);
                i += now.size();
                k += before.size();
            }
        }
        return result_;
    }

private:
    CallStatus check() const {
        if (matches_.size() != current_.size()) {
            return {Status::bad_argument, "matches and current differ in length", matches_.size()};
        }
        if (!fates_.empty() && fates_.size() != previous_.size()) {
            return {Status::bad_argument, "fates and previous differ in length", fates_.size()};
        }
        if (previous_.size() >= kNoRecord) return {Status::bad_argument, "too many records", previous_.size()};
        if (current_.size() >= kNoRecord) return {Status::bad_argument, "too many records", current_.size()};
        return {};
    }

    MatchResult refused(const char* what, std::size_t where) const {
        MatchResult r;
        r.status = {Status::bad_argument, what, where};
        return r;
    }

    // The records of one pair: now from i on, and before from k on. A compound's stand in the order of its children, of
    // which others may touch now, and a surface's in that of their depths.
    void match_pair_of_bodies(std::span<const Manifold> now, std::size_t i, std::span<const Manifold> before,
                              std::size_t k) {
        for (std::size_t n = 0; n < now.size(); ++n) {
            const std::size_t at = detail::same_record(before, now, n);
            if (at == before.size()) {
                begin(i + n);
            } else {
                keep(i + n, k + at);
            }
        }
        for (std::size_t n = 0; n < before.size(); ++n)
            if (detail::same_record(now, before, n) == now.size()) end(k + n);
    }

    void begin(std::size_t i) {
        matches_[i].record = kNoRecord;
        std::memset(matches_[i].previous, kNewPoint, Manifold::kCapacity);
        ++result_.begun;
        result_.points_new += point_count(current_[i]);
    }

    void end(std::size_t k) {
        const std::uint32_t points = point_count(previous_[k]);
        if (!fates_.empty()) fates_[k] = {kNoRecord, static_cast<std::uint16_t>((1U << points) - 1U), 0};
        ++result_.ended;
        result_.points_broken += points;
    }

    void keep(std::size_t i, std::size_t k) {
        matches_[i].record = static_cast<std::uint32_t>(k);
        const std::uint16_t broken = match_points(previous_[k], current_[i], matches_[i].previous);
        if (!fates_.empty()) fates_[k] = {static_cast<std::uint32_t>(i), broken, 0};
        const auto lost = static_cast<std::uint32_t>(std::popcount(broken));
        const std::uint32_t kept = point_count(previous_[k]) - lost;
        ++result_.kept;
        result_.points_kept += kept;
        result_.points_broken += lost;
        result_.points_new += point_count(current_[i]) - kept;
    }

    std::span<const Manifold> previous_;
    std::span<const Manifold> current_;
    std::span<RecordMatch<Manifold>> matches_;
    std::span<RecordFate> fates_;
    MatchResult result_;
};

}  // namespace

PointMatch<Manifold4> match_contacts(const Manifold4& previous, const Manifold4& current) {
    return match_pair(previous, current);
}

PointMatch<Manifold16> match_contacts(const Manifold16& previous, const Manifold16& current) {
    return match_pair(previous, current);
}

MatchResult match_contacts(std::span<const Manifold4> previous, std::span<const Manifold4> current,
                           std::span<RecordMatch<Manifold4>> matches, std::span<RecordFate> fates) {
    return FrameMatch<Manifold4>(previous, current, matches, fates).run();
}

MatchResult match_contacts(std::span<const Manifold16> previous, std::span<const Manifold16> current,
                           std::span<RecordMatch<Manifold16>> matches, std::span<RecordFate> fates) {
    return FrameMatch<Manifold16>(previous, current, matches, fates).run();
}

}  // namespace lanefold
