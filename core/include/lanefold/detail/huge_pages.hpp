// SPDX-License-Identifier: MIT
//
// Large arrays on large pages. Hulls and bodies are read in the order of the pairs, which is no order in memory: on
// pages of 4 KiB many a pair of a large scene waits for address translations (docs/history/optimisation.md has the
// figures).
#pragma once

#include <cstddef>

namespace lanefold::detail {

// Asks the system to back what lies wholly inside [memory, memory + bytes) by huge pages; for memory that was not
// written yet. A hint: it changes no contents and takes no more memory than the range has. Where the system has no such
// pages, or refuses, nothing happens.
void advise_huge_pages(void* memory, std::size_t bytes);

}  // namespace lanefold::detail
