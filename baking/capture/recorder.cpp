// SPDX-License-Identifier: MIT
//
// Looks at the records of a bake, dense or compact, and captures those for which the condition holds.

#include "capture/recorder.hpp"

#include <cstring>

#include <fmt/format.h>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "files/atomic_file.hpp"

namespace lanefold::tools {
namespace {

std::uint32_t hull_of(const BodyView& bodies, std::uint32_t i) {
    std::uint32_t hull = 0;
    std::memcpy(&hull, bodies.hull + bodies.hull_stride * i, sizeof hull);
    return hull;
}

template <class M>
bool is_record_of(const M& record, const Pair& pair) {
    return record.pair[0] == pair.a && record.pair[1] == pair.b;
}

}  // namespace

CaptureRecorder::CaptureRecorder(const std::string& condition, std::uint64_t limit)
    : condition_(condition), limit_(limit) {
    if (limit == 0 || limit > kMaxCapturedPairs)
        throw bad_input("--capture-limit {}: expected 1 to {}", limit, kMaxCapturedPairs);
}

template <class M>
void CaptureRecorder::watch(const CapturedCall& call, std::span<const M> records, bool dense) {
    ConditionInput input;
    input.frame = call.frame;
    M head{};
    std::size_t next = 0;  // record of a compact call
    for (std::size_t i = 0; i < call.pairs.size(); ++i) {
        const Pair& pair = call.pairs[i];
        const M* record = nullptr;
        if (dense) {
            if (is_reported(records[i])) record = &records[i];
        } else if (next < records.size() && is_record_of(records[next], pair)) {
            record = &records[next++];
        }
        input.bodies = pair;
        input.hulls = {hull_of(call.bodies, pair.a), hull_of(call.bodies, pair.b)};
        input.hull_a = &call.hulls[input.hulls.a];
        input.hull_b = &call.hulls[input.hulls.b];
        Manifold4 first{};
        if (record != nullptr) std::memcpy(&first, record, sizeof first);
        input.record = record != nullptr ? &first : nullptr;
        if (!condition_.holds(input)) continue;
        ++chosen_;
        if (kept() >= limit_) continue;
        const CallStatus added = capture_.add(call, i, record != nullptr ? *record : head);
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
