// SPDX-License-Identifier: MIT
//
// The helpers that fuzzing targets share: numbers from the fuzzer's bytes, a way to stop that the fuzzer sees, and a
// folder in memory for the readers of files. A target is a function of libFuzzer's name; with replay.cpp instead of
// libFuzzer it is a test that goes through the stored inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls this name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lanefold::fuzz {

// Numbers from the front of the input; zeros when it has ended.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    template <class T>
    T take() {
        static_assert(std::is_trivially_copyable_v<T>);
        T out{};
        const std::size_t n = sizeof(T) < left_ ? sizeof(T) : left_;
        if (n > 0) std::memcpy(&out, data_, n);
        data_ += n;
        left_ -= n;
        return out;
    }
    std::size_t left() const { return left_; }
    std::string_view rest() const { return {reinterpret_cast<const char*>(data_), left_}; }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

// Ends the program, so that the fuzzer keeps the input.
[[noreturn]] inline void stop(const char* what, const char* more = "") {
    std::fprintf(stderr, "fuzz: %s %s\n", what, more);
    std::abort();
}

inline void require(bool holds, const char* what) {
    if (!holds) stop(what);
}

}  // namespace lanefold::fuzz
