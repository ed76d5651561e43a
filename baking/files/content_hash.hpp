// SPDX-License-Identifier: MIT
//
// XXH3 (64 bits, seed 0) of bytes that arrive in pieces. The hash does not depend on how they are cut. It takes little
// more than reading them: all records of a bake go through it on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lanefold::tools {

class ContentHash {
public:
    ContentHash();
    ContentHash(ContentHash&&) noexcept;
    ContentHash& operator=(ContentHash&&) noexcept;
    ~ContentHash();

    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;

    static std::uint64_t of(std::span<const std::byte> bytes);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The bytes of an object, which has no padding.
template <class T>
std::span<const std::byte> bytes_of(const T& x) {
    return std::as_bytes(std::span(&x, 1));
}

}  // namespace lanefold::tools
