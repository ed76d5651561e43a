// SPDX-License-Identifier: MIT
//
// Little-endian bytes of a capture: a list that grows, and a reader that never leaves its span.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanefold::detail {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

class ByteList {
public:
    template <class T>
    void put(const T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(reinterpret_cast<const std::byte*>(values), count * sizeof(T));
    }
    template <class T>
    void put(const T& value) {
        put(&value, 1);
    }
    // Zeros up to a multiple of 8 bytes.
    void align() { bytes_.resize((bytes_.size() + 7) / 8 * 8); }

    const std::byte* data() const { return bytes_.data(); }
    std::size_t size() const { return bytes_.size(); }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    // Out of line: inlined, GCC 12 warns of bounds that it makes up.
    void append(const std::byte* bytes, std::size_t count);

    std::vector<std::byte> bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    // False, and nothing is read, if fewer bytes are left.
    template <class T>
    bool get(T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > left() / sizeof(T)) return false;
        if (count > 0) std::memcpy(values, bytes_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
        return true;
    }
    template <class T>
    bool get(T& value) {
        return get(&value, 1);
    }
    // Goes on at a multiple of 8 bytes; false if the file ends before or the bytes between are not zero.
    bool align() {
        const std::size_t next = (at_ + 7) / 8 * 8;
        if (next > bytes_.size()) return false;
        for (; at_ < next; ++at_) {
            if (bytes_[at_] != std::byte{0}) return false;
        }
        return true;
    }

    std::size_t at() const { return at_; }
    std::size_t left() const { return bytes_.size() - at_; }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

}  // namespace lanefold::detail
