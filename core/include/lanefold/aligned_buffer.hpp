// SPDX-License-Identifier: MIT
//
// A growing array of trivial elements on a 64-byte boundary, as SIMD loads need and std::vector does not promise.
// Growth discards the contents: the array is scratch memory that is sized before use.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include <lanefold/export.hpp>

namespace lanefold {

namespace detail {
LANEFOLD_EXPORT void advise_huge_pages(void* memory, std::size_t bytes);  // core/src/set/huge_pages.cpp
}

// An array of trivial elements on a 64-byte boundary. It only grows, and asks for huge pages where it is large.
template <class T>
class AlignedBuffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    static constexpr std::size_t kAlignment = 64;

    AlignedBuffer() = default;

    // Makes room for n elements, zeroed if newly allocated. Allocates only if n exceeds size(). Throws std::bad_alloc
    // if memory runs out.
    void reserve(std::size_t n) {
        if (n <= size_) return;
        const std::size_t bytes = (n * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
        void* p = ::operator new (bytes, std::align_val_t{kAlignment});
        detail::advise_huge_pages(p, bytes);
        std::memset(p, 0, bytes);
        data_.reset(static_cast<T*>(p));
        size_ = n;
    }

    // The same with a quarter more, for sizes that grow a little again and again.
    void reserve_grown(std::size_t n) {
        if (n > size_) reserve(n + n / 4);
    }

    // Elements that there is room for. The memory is null before the first reserve().
    std::size_t size() const { return size_; }
    // The first element.
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }

    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }

private:
    struct Free {
        void operator()(T* p) const { ::operator delete (static_cast<void*>(p), std::align_val_t{kAlignment}); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

}  // namespace lanefold
