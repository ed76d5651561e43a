// SPDX-License-Identifier: MIT
//
// Hulls, half-spaces and compounds at other scales, each built once: shared by ScaledHulls, whose callers name the
// scales, and by the scales of bodies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/scaled_hulls.hpp>

namespace lanefold::detail {

// Why a hull has no such scale; `what` has static storage.
struct ScaleFault {
    std::size_t place = 0;  // in the list of those that were wanted
    const char* what = "";
};

// How hulls were added; without memory none was.
struct AddedScales {
    bool memory = true;
    std::vector<ScaleFault> faults;  // those that have no hull, ascending by place; all others were added
};

// A set and the scaled hulls that it has, by hull and bits of the scale.
class BakedScales {
public:
    BakedScales() = default;
    BakedScales(HullSet hulls, const BuildOptions& options) : hulls_(std::move(hulls)), options_(options) {}

    const HullSet& hulls() const { return hulls_; }
    std::size_t size() const { return known_.size(); }

    // The id of a scaled hull that the set has; kNone: it has none such. A scale of 1 is the hull itself.
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    std::uint32_t find(const HullScale& scale) const;

    // Adds those that the set does not have. Where the memory of lists runs out, std::bad_alloc passes through and
    // nothing was added either.
    AddedScales add(std::span<const HullScale> wanted);

private:
    using Key = std::array<std::uint32_t, 4>;
    struct Batch;

    static Key key_of(const HullScale& s);
    bool bake(Batch& batch, std::vector<ScaleFault>& faults);
    void forget_behind(const HullSet& before);
    void bake_compounds(Batch& batch, std::vector<ScaleFault>& faults);

    HullSet hulls_;
    BuildOptions options_;
    std::map<Key, std::uint32_t> known_;
};

}  // namespace lanefold::detail
