// SPDX-License-Identifier: MIT
//
// Implementation of huge_pages.hpp for Linux; elsewhere it does nothing.
#include <lanefold/detail/huge_pages.hpp>

#include <cerrno>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lanefold::detail {

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (begin + (kHugePage - 1)) / kHugePage * kHugePage;
    const std::uintptr_t last = (begin + bytes) / kHugePage * kHugePage;
    if (first >= last) return;
    const int before = errno;
    ::madvise(static_cast<std::byte*>(memory) + (first - begin), last - first, MADV_HUGEPAGE);
    errno = before;
#endif
}

}  // namespace lanefold::detail
