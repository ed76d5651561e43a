// SPDX-License-Identifier: MIT
//
// Large arrays on huge pages. Pairs read hulls and bodies in no order of memory, so with pages of 4 KiB many pairs of a
// large scene wait for address translations (figures: docs/history/optimisation.md).
#pragma once

#include <cstddef>

#include <lanefold/export.hpp>

namespace lanefold::detail {

// Bytes of a huge page of x86-64, and of AArch64 with pages of 4 KiB. If they are larger, less is on huge pages.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// Asks the system for huge pages for the part of [memory, memory + bytes) that they can cover; for memory that was not
// written yet. It is a hint: it changes no contents and takes no more memory than the range. If the system has no such
// pages or refuses, nothing happens.
LANEFOLD_EXPORT void advise_huge_pages(void* memory, std::size_t bytes);

}  // namespace lanefold::detail
