// SPDX-License-Identifier: MIT
//
// Bytes as text (RFC 4648, with padding).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanefold::tools {

std::string base64(std::span<const std::byte> bytes);

// The bytes of a text; false if it is none of base64. Padding may be missing.
bool from_base64(std::string_view text, std::vector<std::byte>& out);

}  // namespace lanefold::tools
