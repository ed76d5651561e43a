// SPDX-License-Identifier: MIT
//
// lanefold as an engine: an instruction set, an output form, a number of threads. Bodies are prepared inside the timed
// call; the peers prepare theirs before it.
#pragma once

#include <memory>
#include <string>

#include <lanefold/manifold.hpp>
#include <lanefold/options.hpp>

#include "peers/engine.hpp"

namespace lanefold::bench {

// A record as that of any engine.
PeerManifold peer_manifold(const Manifold4& m);

enum class OutputForm { dense, compact, distance, overlap };

const char* to_string(OutputForm form);
OutputForm parse_output_form(const std::string& name);  // throws for an unknown name

// The state that it keeps from one call to the next:
// - hysteresis: the records of the frame before, against flicker of features (dense output: the same pairs in every
//   call);
// - unmoved: the records stay (compact output: are copied), and all bodies are marked as unmoved, if the call before
//   had the same pairs;
// - cache: the pair cache, for the same pairs in every call. forget() empties it.
enum class Memory { none, hysteresis, unmoved, cache };
const char* to_string(Memory memory);

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
    // Runs again with the hash; dense output only. Not timed.
    virtual std::uint64_t hash(std::span<const Pair> pairs) = 0;
};

// Call it before any thread is tied to a processor: oneTBB counts the processors at its first use, and would find one.
void start_threads();

std::unique_ptr<LanefoldEngine> make_lanefold(const LanefoldSettings& settings);

}  // namespace lanefold::bench
