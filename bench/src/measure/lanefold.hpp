// SPDX-License-Identifier: MIT
//
// lanefold as one engine among the others: an instruction set, an output form, a number of threads. Poses go
// in as the caller's bodies and are prepared inside the timed call, which the peers' are not.
#pragma once

#include <memory>
#include <string>

#include <lanefold/options.hpp>

#include "peers/engine.hpp"

namespace lanefold::bench {

enum class OutputForm { dense, compact, distance, overlap };

const char* to_string(OutputForm form);
OutputForm parse_output_form(const std::string& name);  // throws for an unknown name

// What it keeps from one call to the next. hysteresis: the records of the frame before, so that features that are
// about equally good do not take turns (dense output, the same pairs in every call). unmoved: its records stand, and
// all bodies are marked as not having moved since the call before, if that was about the same pairs. cache: the pair
// cache, emptied by forget(), for the same pairs in every call.
enum class Memory { none, hysteresis, unmoved, cache };

struct LanefoldSettings {
    Isa isa = Isa::automatic;
    OutputForm output = OutputForm::dense;
    unsigned threads = 1;
    double face_preference = kDefaultFacePreference;
    double margin = kDefaultMargin;
    Memory memory = Memory::none;
    ContactMethod method = ContactMethod::clip;
    PointSelection points = PointSelection::all;
};

class LanefoldEngine : public Engine {
public:
    virtual const BatchResult& last() const = 0;
    virtual const LanefoldSettings& settings() const = 0;
    // Runs once more with the hash switched on; dense output only. Not timed.
    virtual std::uint64_t hash(std::span<const Pair> pairs) = 0;
};

// To be called before any thread is tied to a processor: the threads' library counts the processors at its first use,
// and would find one.
void start_threads();

std::unique_ptr<LanefoldEngine> make_lanefold(const LanefoldSettings& settings);

}  // namespace lanefold::bench
