// SPDX-License-Identifier: MIT
//
// See the header.
#include "capture/bytes.hpp"

namespace lanefold::detail {

void ByteList::append(const std::byte* bytes, std::size_t count) { bytes_.insert(bytes_.end(), bytes, bytes + count); }

}  // namespace lanefold::detail
