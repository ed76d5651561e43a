// SPDX-License-Identifier: MIT
//
// The data of one call: memory of the caller that belongs to its pairs and bodies, and the token that stops it. Options
// has the settings, which are the same from call to call.
#pragma once

#include <cstdint>
#include <span>

#include <lanefold/pair_cache.hpp>
#include <lanefold/previous_contacts.hpp>
#include <lanefold/stop.hpp>

namespace lanefold {

// The data of a batch call, all of it borrowed for the call. The defaults are none: each pair is decided by its hulls,
// poses and options alone, as a bake needs.
struct CallInputs {
    // Margins per pair, instead of Options::margin: empty, or one for each pair. Each >= 0.
    std::span<const float> pair_margins = {};
    // Contacts of the previous frame, against flicker between features that are about equally good
    // (Options::hysteresis). Not with ContactMethod::patch. Must not overlap `out`.
    PreviousContacts previous = {};
    // Bodies that did not move and kept hull and scale since the records of the last call, made with the same
    // options. Empty, or one byte per body: not 0 means unmoved. Pairs of two such bodies are not computed. In a dense
    // call their out[i] is not written. In a compact call their record, if there is one, is copied from `previous`,
    // which must be complete and of the capacity of `out`. The sums and the hash count these records, so the call gives
    // what it would give without marks. Not for level overlap, which has no records.
    std::span<const std::uint8_t> unmoved = {};
    // The entries that the previous call stored about the pairs: empty, or one entry per pair; read and written. They
    // save time on pairs of general hulls in coherent frames and never change a bit of a result. Only one call at a
    // time may use an entry. Must not overlap any other argument. carry_over() moves entries to a new list of pairs.
    std::span<PairCache> cache = {};
    // A StopFlag, a function or a std::stop_token, checked once per chunk. Pairs that are not computed have the status
    // cancelled.
    StopToken stop = {};
};

// The data of a step of a ContactStream, which has previous records and caches of its own.
struct StepInputs {
    // As in CallInputs.
    std::span<const float> pair_margins = {};
    // Bodies that kept pose, hull and scale since the last step. Empty, or a byte per body: not 0 means unmoved. Pairs
    // that the step before did not have are computed all the same. Where margin, pair_margins or other options that
    // shape the records change, or the hulls are another set (append(), remove()), nobody counts as unmoved.
    std::span<const std::uint8_t> unmoved = {};
    // As in CallInputs.
    StopToken stop = {};
};

}  // namespace lanefold
