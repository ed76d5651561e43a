// SPDX-License-Identifier: MIT
//
// Names of pieces and the order of their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanefold::tools {

// True when `a` comes before `b` with every run of digits read as a number: "piece_2" before "piece_10".
bool natural_less(std::string_view a, std::string_view b);

// The indices of the names in their new order. Names that differ in their numbers only ("piece_1", "piece_10",
// "piece_2") change places among themselves until their numbers ascend; all others stay where they are.
std::vector<std::uint32_t> natural_order(std::span<const std::string> names);

// Makes all names different from one another: a name that is there already gets "#2", "#3" and so on.
void make_unique(std::vector<std::string>& names);

}  // namespace lanefold::tools
