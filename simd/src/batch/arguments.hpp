// SPDX-License-Identifier: MIT
//
// The arguments of a batch call and their checks, which run before any pair is computed. The serial and the parallel
// calls share them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanefold/body.hpp>
#include <lanefold/call_inputs.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/detail/chunk.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>
#include <lanefold/workspace.hpp>

#include "coherence/anchor.hpp"
#include "coherence/certificate.hpp"

namespace lanefold::detail {

struct PreviousOfWorlds;  // batch/world_previous.hpp

struct BatchArguments {
    const HullSet* hulls = nullptr;
    const BodyView* bodies = nullptr;
    std::span<const Pair> pairs;
    const Options* options = nullptr;
    CallInputs inputs;
    Workspace* workspace = nullptr;
    OutputLevel level = OutputLevel::manifold4;
    void* out = nullptr;
    std::size_t out_count = 0;  // elements: records, or words at level overlap
    bool compact = false;       // compact output: any out_count is valid
    // Compact output: the index in `pairs` of each record; as many as out_count, or null.
    std::uint32_t* candidates = nullptr;
    // Per pair the index of its record in inputs.previous, kNoPreviousRecord or kNewPair. Null: records are looked up
    // by pair.
    const std::uint32_t* previous_index = nullptr;
    // The call makes that index itself, from the records of these worlds. Null: it does not.
    const PreviousOfWorlds* previous_of_worlds = nullptr;
    // Certificates of motion: `of` and `ask` have one entry per pair. See coherence/certificate.hpp.
    CertificateTable certificates;
    // Anchors of reuse, for compact calls of records whose output has room for every pair: `of` has one entry per pair;
    // they need previous_index. Null states: none. See coherence/anchor.hpp.
    AnchorTable anchors;
    // With anchors: adds how many pairs were carried, and how many got an anchor.
    std::uint64_t* carried = nullptr;
    std::uint64_t* anchored = nullptr;
    std::uint64_t first_pair = 0;
};

// The level whose output has such elements.
constexpr OutputLevel level_of(const std::uint64_t*) { return OutputLevel::overlap; }
constexpr OutputLevel level_of(const PairDistance*) { return OutputLevel::distance; }
constexpr OutputLevel level_of(const Manifold4*) { return OutputLevel::manifold4; }
constexpr OutputLevel level_of(const Manifold16*) { return OutputLevel::manifold16; }

// Calls f<Record>() with the type of a level's records. Level overlap has none.
template <class F>
void with_record(OutputLevel level, F f) {
    if (level == OutputLevel::distance) f.template operator()<PairDistance>();
    if (level == OutputLevel::manifold4) f.template operator()<Manifold4>();
    if (level == OutputLevel::manifold16) f.template operator()<Manifold16>();
}

// The arguments of a dense call.
template <class Element>
BatchArguments arguments_of(const HullSet& hulls, const BodyView& bodies, std::span<const Pair> pairs,
                            const Options& options, const CallInputs& inputs, std::span<Element> out,
                            Workspace& workspace) {
    BatchArguments arguments;
    arguments.hulls = &hulls;
    arguments.bodies = &bodies;
    arguments.pairs = pairs;
    arguments.options = &options;
    arguments.inputs = inputs;
    arguments.workspace = &workspace;
    arguments.level = level_of(out.data());
    arguments.out = out.data();
    arguments.out_count = out.size();
    return arguments;
}

// Indices of pairs and records are below this, so that some are left for what is none.
inline constexpr std::size_t kMostIndexedPairs = 0xFFFFFFF0U;

// Bytes of one output element of a level.
std::size_t element_bytes(OutputLevel level);

// Bytes to which `out` must be aligned.
std::size_t element_alignment(OutputLevel level);

// Number of elements of a dense output of n pairs.
std::size_t dense_elements(OutputLevel level, std::size_t n);

inline constexpr std::uint32_t kMinusZero = 0x80000000U;

// Whether a number is finite and not negative; -0 counts as 0. The test is on bits, because on a host thread that runs
// with DAZ a comparison takes a negative denormal for zero.
inline bool is_length(float x) {
    constexpr std::uint32_t kLargestFinite = 0x7F7FFFFFU;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return bits <= kLargestFinite || bits == kMinusZero;
}

// Checks everything but the values of pair_margins, in constant time.
CallStatus check_arguments(const BatchArguments& arguments);

// Limits an accepted face preference to kLargestPreference.
float limited_preference(float preference);

// Index of the first margin that is negative or not finite; margins.size() when all are good.
std::size_t first_bad_margin(std::span<const float> margins);

inline constexpr const char* kPreviousOrder = "inputs.previous does not ascend by pair";
inline constexpr const char* kPreviousWorldOrder = "inputs.previous: the records of a world do not ascend by pair";
inline constexpr const char* kBadPairMargin = "inputs.pair_margins: a margin is negative or not finite";

}  // namespace lanefold::detail
