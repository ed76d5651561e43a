// SPDX-License-Identifier: MIT
//
// Layout of tables.

#include "console/table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "console/printable.hpp"

namespace lanefold::tools {

Table::Table(const std::string& title, std::vector<std::string> columns)
    : title_(printable(title)), has_names_(!columns.empty()) {
    if (has_names_) rows_.push_back(std::move(columns));
}

void Table::add(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = printable(cell);
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text = title_.empty() ? "" : title_ + "\n";
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::string line = " ";
        for (std::size_t i = 0; i < rows_[r].size(); ++i) {
            line += i == 0 ? fmt::format(" {:<{}}", rows_[r][i], widths[i])
                           : fmt::format("  {:>{}}", rows_[r][i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        if (r == 0 && has_names_) {
            std::size_t total = 0;
            for (const std::size_t width : widths) total += width + 2;
            text += "  " + std::string(total - 2, '-') + "\n";
        }
    }
    return text;
}

void Table::print(std::FILE* file) const { std::fputs(text().c_str(), file); }

std::string with_commas(std::uint64_t value) {
    const std::string digits = std::to_string(value);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

}  // namespace lanefold::tools
