// SPDX-License-Identifier: MIT
//
// See the header.
#include "files/large_memory.hpp"

#include <lanefold/detail/huge_pages.hpp>

namespace lanefold::tools {
namespace {

constexpr std::size_t kPage = 4096;

}  // namespace

LargeMemory::LargeMemory(std::size_t bytes) {
    const std::size_t alignment = bytes < detail::kHugePage ? kPage : detail::kHugePage;
    const std::size_t size = (bytes + alignment - 1) / alignment * alignment;
    const Free free{std::align_val_t{alignment}};
    data_ = {static_cast<std::byte*>(::operator new(size, free.alignment)), free};
    detail::advise_huge_pages(data_.get(), bytes);
}

}  // namespace lanefold::tools
