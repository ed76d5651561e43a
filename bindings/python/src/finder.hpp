// SPDX-License-Identifier: MIT
//
// A finder as Python holds it.
#pragma once

#include <lanefold/broadphase.hpp>

namespace lanefold::python {

// A finder, and whether a call on some thread works on it: calls release the interpreter lock.
template <class Finder>
struct Shared {
    Finder finder;
    bool busy = false;  // read and written with the interpreter lock held
};
using SharedFinder = Shared<PairFinder>;

inline constexpr const char* kFinderInUse = "the pair finder is in use by a call on another thread";

}  // namespace lanefold::python
