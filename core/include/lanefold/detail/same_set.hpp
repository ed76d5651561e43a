// SPDX-License-Identifier: MIT
//
// Whether two hull sets are one, for code that keeps what it knows of the hulls from call to call.
#pragma once

#include <lanefold/hull_set.hpp>

namespace lanefold::detail {

// Whether two names are of one set, or of copies of it. A caller that compares later must hold one of them, because
// another set may get the address of one that is gone.
inline bool is_same_set(const HullSet& a, const HullSet& b) {
    return a.records() == b.records() && a.size() == b.size();
}

}  // namespace lanefold::detail
