// SPDX-License-Identifier: MIT
//
// How much larger a world box is than the exact one.
#pragma once

namespace lanefold::detail {

// Bound of the rounding of one placed coordinate, relative to the magnitudes that enter it. The rotation's entries have
// errors of a few units in the last place, then come three products and three additions. 16 units (2^-52) are three
// times the sum of these; the excess adds hardly any candidates.
inline constexpr double kWorldBoxRounding = 0x1p-48;

}  // namespace lanefold::detail
