// SPDX-License-Identifier: MIT
//
// Plain text tables for the end of a command. A column is as wide as its widest cell; the first is aligned to the left,
// the others to the right. Control characters in cells are escaped.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace lanefold::tools {

class Table {
public:
    explicit Table(const std::string& title, std::vector<std::string> columns = {});

    void add(std::vector<std::string> cells);

    std::string text() const;
    void print(std::FILE* file = stdout) const;

private:
    std::string title_;
    std::vector<std::vector<std::string>> rows_;  // row 0 are the column names, if any
    bool has_names_;
};

// 15539 -> "15,539".
std::string with_commas(std::uint64_t value);

}  // namespace lanefold::tools
