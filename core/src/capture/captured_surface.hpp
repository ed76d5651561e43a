// SPDX-License-Identifier: MIT
//
// Surfaces of a capture: all triangles, or all samples of a height field, as the bytes of a file and back.
#pragma once

#include <lanefold/capture.hpp>

#include "capture/bytes.hpp"

namespace lanefold::detail {

void put_surface(ByteList& out, const Surface& surface);

// Null if the surface was read; otherwise the reason. Only arrays that come out of the built surface as they went in
// are taken, so that the file can be written again.
const char* get_surface(ByteReader& in, Surface& surface);

}  // namespace lanefold::detail
