// SPDX-License-Identifier: MIT
//
// Chooses pairs of a running bake by a condition and keeps them for a capture file: the first ones in the order of
// frames and pairs, up to a limit, and the number of all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <lanefold/capture.hpp>

#include "capture/condition.hpp"

namespace lanefold::tools {

class Scene;

class CaptureRecorder {
public:
    // Throws Failure(bad_input) for a condition that is none and for a limit of 0 or above kMaxCapturedPairs.
    CaptureRecorder(const std::string& condition, std::uint64_t limit);

    // Looks at the pairs of a call and its records. Dense: one record for each pair; otherwise those of the reported
    // pairs, in their order. Calls must come in the order of frames and pairs, one at a time. Of a pair with a compound
    // the first children are kept for which the condition holds. Throws Failure for such a pair without a contact: a
    // capture cannot have it.
    template <class M>
    void watch(const CapturedCall& call, std::span<const M> records, bool dense);

    // Writes the file; also when no pair was chosen, so that no older file is taken for this run's.
    void write(const std::filesystem::path& path, const std::string& scene);

    std::uint64_t looked_at() const { return looked_at_; }  // pairs
    std::uint64_t chosen() const { return chosen_; }        // for which the condition holds
    std::uint64_t kept() const { return capture_.pairs().size(); }
    const std::string& condition() const { return condition_.text(); }

private:
    template <class M>
    std::ptrdiff_t find(ConditionInput& input, std::span<const M> records) const;

    Condition condition_;
    std::uint64_t limit_;
    std::uint64_t looked_at_ = 0;
    std::uint64_t chosen_ = 0;
    Capture capture_;
};

extern template void CaptureRecorder::watch(const CapturedCall&, std::span<const Manifold4>, bool);
extern template void CaptureRecorder::watch(const CapturedCall&, std::span<const Manifold16>, bool);

}  // namespace lanefold::tools
