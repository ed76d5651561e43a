// SPDX-License-Identifier: MIT
//
// The names that a condition can use: fields of a pair, and the values of kind and status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capture/condition.hpp"

namespace lanefold::tools {

enum class FieldType : std::uint8_t { number, kind, status };

struct Field {
    std::string_view name;
    FieldType type;
    double (*value)(const ConditionInput&);  // NaN: unknown
};

// The index of the field, or none.
std::optional<std::uint32_t> find_field(std::string_view name);
const Field& field_at(std::uint32_t index);
std::size_t field_count();

// The number of a name of kind or status; none if it is not one.
std::optional<double> find_value(FieldType type, std::string_view name);
// "none, face_a, ..."
std::string value_names(FieldType type);

}  // namespace lanefold::tools
