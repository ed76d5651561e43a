// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/order.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace lanefold::tools {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The run of digits at the start of `text`, without leading zeros; `text` goes on behind it.
std::string_view take_number(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

// The name with each run of digits as one 0.
std::string stem(std::string_view name) {
    std::string out;
    while (!name.empty()) {
        if (is_digit(name.front())) {
            take_number(name);
            out += '0';
        } else {
            out += name.front();
            name.remove_prefix(1);
        }
    }
    return out;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a;
    const std::string_view whole_b = b;
    while (!a.empty() && !b.empty()) {
        if (is_digit(a.front()) && is_digit(b.front())) {
            const std::string_view x = take_number(a);
            const std::string_view y = take_number(b);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
            continue;
        }
        if (a.front() != b.front()) return a.front() < b.front();
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty()) return a.empty();
    return whole_a < whole_b;  // "1" and "01"
}

std::vector<std::uint32_t> natural_order(std::span<const std::string> names) {
    std::map<std::string, std::vector<std::uint32_t>> families;
    for (std::uint32_t i = 0; i < names.size(); ++i) families[stem(names[i])].push_back(i);
    std::vector<std::uint32_t> order(names.size());
    for (auto& [name, places] : families) {
        std::vector<std::uint32_t> sorted = places;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return natural_less(names[a], names[b]); });
        for (std::size_t k = 0; k < places.size(); ++k) order[places[k]] = sorted[k];
    }
    return order;
}

void make_unique(std::vector<std::string>& names) {
    std::unordered_set<std::string> taken(names.begin(), names.end());
    std::unordered_set<std::string> seen;
    std::unordered_map<std::string, std::uint64_t> latest;
    for (std::string& name : names) {
        if (seen.insert(name).second) continue;
        std::uint64_t& number = latest.emplace(name, 1).first->second;
        std::string other;
        do other = fmt::format("{}#{}", name, ++number);
        while (!taken.insert(other).second);
        name = other;
        seen.insert(name);
    }
}

}  // namespace lanefold::tools
