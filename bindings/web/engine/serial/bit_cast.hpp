// SPDX-License-Identifier: MIT
//
// std::bit_cast for Debian's emscripten, whose C++ library is one version too old for it while its compiler is not.
// Included before every source of the WebAssembly build.
#pragma once

#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif
