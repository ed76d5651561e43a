// SPDX-License-Identifier: MIT
//
// XXH64 of bytes that arrive in pieces. The hash does not depend on how they are cut.
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

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanefold::tools
