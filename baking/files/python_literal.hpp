// SPDX-License-Identifier: MIT
//
// Parses the Python literal in the header of a .npy file: a dictionary of strings, integers, booleans, tuples and
// lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanefold::tools {

struct PythonValue {
    enum class Type { string, integer, boolean, list, tuple, dictionary };

    Type type = Type::integer;
    std::string string;
    std::uint64_t integer = 0;
    bool boolean = false;
    std::vector<std::string> keys;   // of a dictionary; its values are the items
    std::vector<PythonValue> items;  // of a list, tuple or dictionary

    const PythonValue* find(std::string_view key) const;

    // The spelling of Python's repr(), independent of spacing and quotes of the source.
    std::string repr() const;
};

// False when `text` is not one such value followed by white space.
bool parse_python_literal(std::string_view text, PythonValue& out);

}  // namespace lanefold::tools
