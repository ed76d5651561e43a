// SPDX-License-Identifier: MIT
//
// See the header.
#include "files/large_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace lanefold::tools {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20U;  // of x86-64, and of ARM with pages of 4 KiB

}  // namespace

LargeMemory::LargeMemory(std::size_t bytes) {
    const std::size_t alignment = bytes < kHugePage ? kPage : kHugePage;
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, size)));
    if (data_ == nullptr) throw std::bad_alloc();
    // Only whole huge pages, so that no more memory is taken than was asked for. A kernel without them says no.
    const std::size_t huge = bytes / kHugePage * kHugePage;
    if (huge > 0) ::madvise(data_.get(), huge, MADV_HUGEPAGE);
}

}  // namespace lanefold::tools
