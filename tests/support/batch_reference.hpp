// SPDX-License-Identifier: MIT
//
// A scene with bad bodies, and its records from the dense serial call, with which tests of the batch calls compare.
#pragma once

#include "support/batch_scene.hpp"

namespace lanefold::test {

// More than one chunk of 1024, and no multiple of a vector width.
inline constexpr std::uint32_t kBodies = 611;
inline constexpr std::uint32_t kPairs = 20011;

inline const BatchScene& scene() {
    static const BatchScene instance = make_bad_batch_scene(20, kBodies, kPairs);
    return instance;
}

// Dense, serial, automatic instruction set.
template <class Record>
const std::vector<Record>& reference() {
    static const std::vector<Record> instance = dense_reference<Record>(scene(), scene().options());
    return instance;
}

inline BatchResult reference_result() {
    static const BatchResult instance = [] {
        BatchResult r;
        dense_reference<Manifold4>(scene(), scene().options(), &r);
        return r;
    }();
    return instance;
}

}  // namespace lanefold::test
