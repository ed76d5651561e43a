// SPDX-License-Identifier: MIT
//
// Looks at the records of a bake, dense or compact, and captures those for which the condition holds.

#include "capture/recorder.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "contacts/summary.hpp"
#include "files/atomic_file.hpp"

namespace lanefold::tools {
namespace {

std::uint32_t hull_of(const BodyView& bodies, std::uint32_t i) {
    std::uint32_t hull = 0;
    std::memcpy(&hull, bodies.hull + bodies.hull_stride * i, sizeof hull);
    return hull;
}

// How many of the records, from the first on, are those of the pair: with compounds and surfaces several.
template <class M>
std::size_t count_of(std::span<const M> records, const Pair& pair) {
    if (records.empty() || records[0].pair[0] != pair.a || records[0].pair[1] != pair.b) return 0;
    std::size_t count = 1;
    while (count < records.size() && RecordCounter::continues(records[0], records[count - 1], records[count])) ++count;
    return count;
}

}  // namespace

CaptureRecorder::CaptureRecorder(const std::string& condition, std::uint64_t limit)
    : condition_(condition), limit_(limit) {
    if (limit == 0 || limit > kMaxCapturedPairs)
        throw bad_input("--capture-limit {}: expected 1 to {}", limit, kMaxCapturedPairs);
}

// The first record of a pair for which the condition holds, 0 for a pair without records; negative if it does not hold.
template <class M>
std::ptrdiff_t CaptureRecorder::find(ConditionInput& input, std::span<const M> records) const {
    Manifold4 head{};
    for (std::size_t k = 0; k < std::max<std::size_t>(records.size(), 1); ++k) {
        if (!records.empty()) std::memcpy(&head, &records[k], sizeof head);
        input.record = records.empty() ? nullptr : &head;
        if (condition_.holds(input)) return static_cast<std::ptrdiff_t>(k);
    }
    return -1;
}

template <class M>
void CaptureRecorder::watch(const CapturedCall& call, std::span<const M> records, bool dense) {
    ConditionInput input;
    input.frame = call.frame;
    M head{};
    std::size_t next = 0;  // record of a compact call
    for (std::size_t i = 0; i < call.pairs.size(); ++i) {
        const Pair& pair = call.pairs[i];
        std::span<const M> own = records.subspan(dense ? i : next);
        own = own.first(dense ? (is_reported(own[0]) ? 1 : 0) : count_of(own, pair));
        next += own.size();
        input.bodies = pair;
        input.hulls = {hull_of(call.bodies, pair.a), hull_of(call.bodies, pair.b)};
        input.hull_a = &call.hulls[input.hulls.a];
        input.hull_b = &call.hulls[input.hulls.b];
        const std::ptrdiff_t chosen = find(input, own);
        if (chosen < 0) continue;
        ++chosen_;
        if (kept() >= limit_) continue;
        const CallStatus added = capture_.add(call, i, own.empty() ? head : own[static_cast<std::size_t>(chosen)]);
        if (!added) {
            throw io_failure("frame {}, pair ({}, {}): cannot be captured: {} ({})", call.frame, pair.a, pair.b,
                             added.what, added.where);
        }
    }
    looked_at_ += call.pairs.size();
}

template void CaptureRecorder::watch(const CapturedCall&, std::span<const Manifold4>, bool);
template void CaptureRecorder::watch(const CapturedCall&, std::span<const Manifold16>, bool);

void CaptureRecorder::write(const std::filesystem::path& path, const std::string& scene) {
    const std::string name = std::filesystem::path(scene).lexically_normal().filename().string();
    capture_.note = fmt::format("pairs of {} with '{}': {} of {} for which it holds, of {} looked at", printable(name),
                                condition_.text(), kept(), chosen_, looked_at_);
    const std::vector<std::byte> bytes = capture_.bytes();
    write_output(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace lanefold::tools
