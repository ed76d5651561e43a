// SPDX-License-Identifier: MIT
//
// Bytes as text (RFC 4648, with padding).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lanefold::tools {

std::string base64(std::span<const std::byte> bytes);

}  // namespace lanefold::tools
