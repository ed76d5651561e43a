// SPDX-License-Identifier: MIT
//
// The certificates of motion of a stream's pairs (coherence/certificate.hpp). A pair keeps its place from step to
// step, so certificates that still hold are only read. Places of pairs that are gone go to new pairs with whatever they
// hold: a certificate names hulls and a relative pose, so it is true for every pair.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/aligned_buffer.hpp>
#include <lanefold/export.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/options.hpp>

#include "coherence/certificate.hpp"
#include "tasks/executor.hpp"

namespace lanefold::detail {

class LANEFOLD_EXPORT CertificatePool {
public:
    // Begins a step with these hulls. Certificates are forgotten unless every hull that the last step had is the same:
    // the same id, and the same bytes of its block. (Removed hulls may go and new ones come.) The pool holds the set,
    // so that no other block gets the address of one that a certificate was made from. Returns whether they are kept.
    bool begin_step(const HullSet& hulls);

    // Gives each pair its place in `to`. `before`: per pair its index in the list of the step before, or kNotListed;
    // `from`: the places of that step; empty if it had none. No two pairs get the same place, also where a pair is
    // listed twice, which leaves its place to its first one; `twice`: whether that may be. Returns the pairs without a
    // place of the step before, in any order, as valid as `to`.
    std::span<const std::uint32_t> place(std::span<const std::uint32_t> before, std::span<const std::uint32_t> from,
                                         std::span<std::uint32_t> to, bool twice, Executor& executor, unsigned slots);

    // Whether the next step should use certificates: learn() says after each step what it counted.
    bool wanted() const { return resting_ == 0; }
    // `carried`: of the pairs, those that were not computed.
    void learn(const Counters& counters, std::size_t pairs, std::size_t carried = 0);
    // Places are below this.
    std::size_t places() const { return places_; }

    // The certificates of a step's pairs, as kernels take them. Certificates of best faces are used for all pairs if
    // they pay, for few to see whether they would, or for none.
    CertificateTable table(const std::uint32_t* of, const std::uint32_t* ask, std::size_t pairs);

private:
    bool learn_of_optima(const Counters& counters, std::uint64_t held);
    void begin_probe(std::uint32_t rest);
    std::uint32_t probed_blocks(std::size_t pairs) const;
    void forget();
    void grow(std::size_t n);
    // Gives free places to the first so many of unplaced_.
    void fill_free_places(std::size_t unplaced, std::span<std::uint32_t> to, Executor& executor, unsigned slots);

    HullSet hulls_;
    std::uint32_t step_ = 0;
    std::uint32_t resting_ = 0;         // steps that go without
    std::uint32_t vain_steps_ = 0;      // steps in a row that certificates spared too little
    std::uint32_t optima_resting_ = 0;  // steps without certificates of best faces
    std::uint32_t vain_optima_ = 0;     // steps in a row in which these did not pay
    std::uint32_t probes_ = 0;          // attempts with few pairs so far
    bool probing_ = false;              // such an attempt is going on
    AlignedBuffer<Certificate> certificates_;
    AlignedBuffer<CertifiedOptimum> optima_;
    AlignedBuffer<CertifiedSingle> singles_;
    AlignedBuffer<std::uint64_t> owner_;  // per place: step and index of the pair that has it
    AlignedBuffer<std::uint32_t> unplaced_;
    std::size_t places_ = 0;
};

}  // namespace lanefold::detail
