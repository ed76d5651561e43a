// SPDX-License-Identifier: MIT
//
// See the header.
#include "round/rounded_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <lanefold/detail/round.hpp>

namespace lanefold::detail {
namespace {

// Sum of the radii, in sizes of the smaller rounded hull, up to which the record of a pair beyond the size ratio may
// come from lanes. Its distance of the cores is rounded to float32: an error of 6e-8 times the radii.
constexpr double kMostRadii = 4;

// Sizes that lanes of small cores take, in the caller's unit: squares of products of two lengths stay within float32.
constexpr double kLeastSize = 1e-6;
constexpr double kMostSize = 1e6;

struct Radii {
    double a;
    double b;

    double sum() const { return a + b; }
};

const HullRecord& hull_of(const ChunkJob& job, std::uint32_t frame) { return job.hulls[job.frames[frame].hull]; }

// The margin of the cores, rounded down, so that no distance exceeds the pair's margin by rounding.
float core_margin(float margin, double radii) {
    const double exact = static_cast<double>(margin) + radii;
    const auto nearest = static_cast<float>(std::min(exact, static_cast<double>(std::numeric_limits<float>::max())));
    return static_cast<double>(nearest) > exact ? std::nextafter(nearest, 0.0F) : nearest;
}

// The list whose lanes take the pair, or null: within the size ratio, sizes and centres good for float32, and the
// hulls not thin.
PairList* list_of(const HullRecord& a, const HullRecord& b, SmallLists& lists) {
    constexpr std::uint8_t kLeft = HullRecord::kFar | HullRecord::kThin | HullRecord::kWide | HullRecord::kOther;
    const auto flags = static_cast<std::uint8_t>(a.flags | b.flags);
    if ((flags & HullRecord::kSmall) == 0 || (flags & kLeft) != 0) return nullptr;
    const double size_a = unit_size(a);
    const double size_b = unit_size(b);
    if (!(std::min(size_a, size_b) >= kLeastSize && std::max(size_a, size_b) <= kMostSize)) return nullptr;
    if (is_far_larger(a, b) || is_far_larger(b, a)) return nullptr;
    if (is_small(a) && is_small(b)) return &lists.bars;
    if (is_small(b)) return a.is_box() ? &lists.box_a : &lists.hull_a;
    return b.is_box() ? &lists.box_b : &lists.hull_b;
}

void append(PairList& list, std::uint32_t i, const PairPlaces& places) {
    list.pair[list.count] = i;
    list.places[list.count++] = places;
}

// Repeats the last pair behind the end of a list, to fill the widest vector.
void pad(PairList& list) {
    const std::uint32_t last = list.count - 1;
    for (std::uint32_t k = list.count; list.count != 0 && k < list.count + kBlockLanes; ++k) {
        list.pair[k] = list.pair[last];
        list.places[k] = list.places[last];
    }
}

// Whether the bounds of the rounded hulls ask for more than the lanes give to their cores.
bool needs_precise(const HullRecord& a, const HullRecord& b, double radii) {
    if (is_small(a) || is_small(b)) return true;
    const double size_a = rounded_size(a);
    const double size_b = rounded_size(b);
    const double larger = std::max(size_a, size_b);
    const double smaller = std::min(size_a, size_b);
    constexpr auto kRatio = static_cast<double>(kPreciseSizeRatio);
    if (larger <= kRatio * smaller) return false;
    const bool cores_beyond = std::max(a.size, b.size) > kPreciseSizeRatio * std::min(a.size, b.size);
    return !cores_beyond || radii > kMostRadii * smaller;
}

float round_distance(float distance, double radii, float margin) {
    const auto rounded = static_cast<float>(static_cast<double>(distance) - radii);
    return std::min(rounded, margin) + 0.0F;
}

template <class Manifold>
void round_points(const Radii& radii, Manifold& m) {
    const double midway = 0.5 * (radii.a - radii.b);
    for (std::uint32_t k = 0; k < m.count; ++k) {
        ContactPoint& p = m.points[k];
        for (std::size_t i = 0; i < 3; ++i) {
            const double moved = static_cast<double>(p.position[i]) + static_cast<double>(m.normal[i]) * midway;
            p.position[i] = static_cast<float>(moved) + 0.0F;
        }
        p.separation = static_cast<float>(static_cast<double>(p.separation) - radii.sum()) + 0.0F;
    }
}

template <class Record>
void round_all(const ChunkJob& job, Record* records, ChunkTotals& totals) {
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        for (std::uint64_t bits = job.reported[w] & job.rounded->pairs[w]; bits != 0; bits &= bits - 1) {
            const std::uint32_t i = 64 * w + static_cast<std::uint32_t>(std::countr_zero(bits));
            Record& r = records[i];
            const Pair at = job.frame_pairs[i];
            const Radii radii = {static_cast<double>(hull_of(job, at.a).round_radius),
                                 static_cast<double>(hull_of(job, at.b).round_radius)};
            const bool cores_overlap = r.distance < 0.0F;
            r.distance = round_distance(r.distance, radii.sum(), job.margin_of(i));
            if (r.distance < 0.0F && !cores_overlap) {
                job.overlapping[w] |= bits & -bits;
                ++totals.overlapping;
            }
            if constexpr (requires { r.points; }) round_points(radii, r);
        }
    }
}

}  // namespace

bool find_rounded_pairs(const ChunkJob& job, RoundedPairs& out) {
    std::uint64_t any = 0;
    std::uint64_t read_again = 0;
    for (PairList* list : out.lists.all()) list->count = 0;
    for (std::uint32_t w = 0; w < kChunkWords; ++w) {
        std::uint64_t rounded = 0;
        std::uint64_t precise = 0;
        std::uint64_t small = 0;
        const std::uint64_t skip = job.skip != nullptr ? job.skip[w] : 0;
        const std::uint32_t first = 64 * w;
        const std::uint32_t last = std::min(job.count, first + 64);
        for (std::uint32_t i = first; i < last; ++i) {
            out.core_margins[i] = job.margin_of(i);
            const HullRecord* a = nullptr;
            const HullRecord* b = nullptr;
            if (!hulls_of(job, i, a, b) || (a->round_radius == 0 && b->round_radius == 0)) continue;
            const std::uint64_t bit = std::uint64_t{1} << (i - first);
            if (PairList* const list = list_of(*a, *b, out.lists); list != nullptr) {
                small |= bit;
                const Pair at = job.frame_pairs[i];
                if ((skip & bit) == 0) append(*list, i, {job.frames + at.a, job.frames + at.b, a, b});
                continue;
            }
            const double radii = static_cast<double>(a->round_radius) + static_cast<double>(b->round_radius);
            out.core_margins[i] = core_margin(job.margin_of(i), radii);
            rounded |= bit;
            if (needs_precise(*a, *b, radii)) precise |= bit;
        }
        out.pairs[w] = rounded;
        out.precise[w] = precise;
        out.small[w] = small;
        any |= rounded | small;
        read_again |= rounded & ~precise;
    }
    for (PairList* list : out.lists.all()) pad(*list);
    out.read_again = read_again != 0;
    return any != 0;
}

void round_records(const ChunkJob& job, PairDistance* records, ChunkTotals& totals) { round_all(job, records, totals); }

void round_records(const ChunkJob& job, Manifold4* records, ChunkTotals& totals) { round_all(job, records, totals); }

void round_records(const ChunkJob& job, Manifold16* records, ChunkTotals& totals) { round_all(job, records, totals); }

}  // namespace lanefold::detail
