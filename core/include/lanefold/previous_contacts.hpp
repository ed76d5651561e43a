// SPDX-License-Identifier: MIT
//
// A view of the records of an earlier frame, for hysteresis and for bodies at rest. The caller owns the memory; the
// records have either capacity.
#pragma once

#include <cstddef>
#include <span>

#include <lanefold/manifold.hpp>

namespace lanefold {

// Records of an earlier frame, of either capacity. Empty by default.
struct PreviousContacts {
    const std::byte* records = nullptr;
    std::size_t count = 0;
    std::size_t stride = 0;     // sizeof(Manifold4) or sizeof(Manifold16)
    bool one_per_pair = false;  // records[i] belongs to pairs[i]; otherwise they ascend by pair

    // Whether there are none.
    bool empty() const { return count == 0; }

    // One record per pair of the call: records[i] belongs to pairs[i], as in dense outputs. A record of another pair
    // counts as none, and so does an unreported one.
    static PreviousContacts dense(std::span<const Manifold4> r) { return of(r.data(), r.size(), true); }
    static PreviousContacts dense(std::span<const Manifold16> r) { return of(r.data(), r.size(), true); }

    // Any number of records, ascending by (pair[0], pair[1]), as in compact outputs if their candidate pairs ascend.
    // The pairs of the call need no order, but are found fastest if they ascend too. The first of several records of a
    // pair counts. A call checks the order of all records; pass a subspan if a call has a small part of the pairs.
    static PreviousContacts compact(std::span<const Manifold4> r) { return of(r.data(), r.size(), false); }
    static PreviousContacts compact(std::span<const Manifold16> r) { return of(r.data(), r.size(), false); }

private:
    template <class M>
    static PreviousContacts of(const M* records, std::size_t count, bool one_per_pair) {
        return {reinterpret_cast<const std::byte*>(records), count, sizeof(M), one_per_pair};
    }
};

}  // namespace lanefold
