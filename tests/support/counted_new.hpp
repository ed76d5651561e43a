// SPDX-License-Identifier: MIT
//
// Replaces operator new by one that counts, and that fails when it is told to. For one source of a program.
//
// Allocations of TBB itself are neither counted nor refused. Its tasks come from its own pools, but it calls operator
// new for a mask of processors whenever one of its threads starts another. On a busy machine that can be long after the
// call that needed the thread.
#pragma once

#include <link.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::uint64_t> allocations = 0;
std::atomic<std::uint64_t> allocated_bytes = 0;        // by all of them, freed or not
std::atomic<std::uint64_t> limit = ~std::uint64_t{0};  // the allocation of this number, and all later ones, fail
std::atomic<void (*)()> at_failure = nullptr;          // called before an allocation fails

// The address range of TBB's code. It is empty before static initialisation, and if TBB is linked statically.
struct CodeRange {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    bool holds(const void* address) const {
        const auto a = reinterpret_cast<std::uintptr_t>(address);
        return a >= begin && a < end;
    }
};

int find_tbb(dl_phdr_info* object, std::size_t, void* range) {
    if (object->dlpi_name == nullptr || std::strstr(object->dlpi_name, "libtbb.so") == nullptr) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        *static_cast<CodeRange*>(range) = {begin, begin + segment.p_memsz};
    }
    return 1;
}

const CodeRange tbb_code = [] {
    CodeRange range;
    dl_iterate_phdr(find_tbb, &range);
    return range;
}();

// More than any machine has. A sanitizer ends a program that asks for it.
constexpr std::size_t kMostBytes = std::size_t{1} << 40U;

// Null if it fails.
void* try_counted(std::size_t size, std::size_t alignment, const void* caller) {
    const bool ours = !tbb_code.holds(caller);
    if (ours) allocated_bytes.fetch_add(size, std::memory_order_relaxed);
    if (ours && allocations.fetch_add(1, std::memory_order_relaxed) >= limit.load(std::memory_order_relaxed)) {
        if (void (*const call)() = at_failure.load(std::memory_order_relaxed)) call();
        return nullptr;
    }
    if (size > kMostBytes) return nullptr;
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* counted(std::size_t size, std::size_t alignment, const void* caller) {
    void* const p = try_counted(size, alignment, caller);
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

// Not inlined: if a sanitizer keeps counted() out of line, g++ 12 would warn of free() for memory of operator new.
[[gnu::noinline]] void release(void* p) { std::free(p); }

}  // namespace

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t), __builtin_return_address(0)); }
void* operator new[](std::size_t size) { return counted(size, alignof(std::max_align_t), __builtin_return_address(0)); }
// The buffers of std::stable_sort. Without these AddressSanitizer gives its own, which release() may not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return try_counted(size, alignof(std::max_align_t), __builtin_return_address(0));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return try_counted(size, alignof(std::max_align_t), __builtin_return_address(0));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
