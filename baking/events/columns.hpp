// SPDX-License-Identifier: MIT
//
// The columns of events as .npy files: one list of them for writing, reading and hashing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "events/event.hpp"

namespace lanefold::tools {

// Calls column(name, width, member) for each: member(event) is a std::span of `width` numbers of the event.
template <class E, class Column>
void for_each_column(const Column& column) {
    column("begin", 1, [](E& e) { return std::span(&e.begin, 1); });
    column("end", 1, [](E& e) { return std::span(&e.end, 1); });
    column("place", 3, [](E& e) { return std::span(&e.place.x, 3); });
    column("normal", 3, [](E& e) { return std::span(e.normal); });
    column("closing_speed", 1, [](E& e) { return std::span(&e.closing, 1); });
    column("sliding_speed", 1, [](E& e) { return std::span(&e.sliding, 1); });
    column("impulse", 1, [](E& e) { return std::span(&e.impulse, 1); });
    column("impulse_peak", 1, [](E& e) { return std::span(&e.impulse_peak, 1); });
    column("impulse_sum", 1, [](E& e) { return std::span(&e.impulse_sum, 1); });
    column("slip", 1, [](E& e) { return std::span(&e.slip, 1); });
    column("pair", 2, [](E& e) { return std::span(&e.pair.a, 2); });
    column("flags", 1, [](E& e) { return std::span(&e.flags, 1); });
}

}  // namespace lanefold::tools
