// SPDX-License-Identifier: MIT
//
// Floating-point environments that a host may have: every rounding mode, denormals flushed.
#pragma once

#include <cfenv>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace lanefold::test {

// An environment that a host may have, set on the calling thread.
struct Mode {
    const char* name;
    std::function<void()> set;
};

inline std::vector<Mode> modes() {
    std::vector<Mode> all = {{"nearest", [] { std::fesetround(FE_TONEAREST); }},
                             {"upward", [] { std::fesetround(FE_UPWARD); }},
                             {"downward", [] { std::fesetround(FE_DOWNWARD); }},
                             {"towards zero", [] { std::fesetround(FE_TOWARDZERO); }}};
#if defined(__x86_64__)
    constexpr unsigned kMasked = 0x1F80;
    for (const auto& [name, bits] :
         {std::pair{"FTZ", 0x8000U}, std::pair{"DAZ", 0x0040U}, std::pair{"FTZ and DAZ, upward", 0x8040U | 0x4000U}}) {
        all.push_back({name, [bits = bits] { _mm_setcsr(kMasked | bits); }});
    }
#elif defined(__aarch64__)
    all.push_back({"flush to zero", [] { __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{1} << 24)); }});
#endif
    return all;
}

inline std::fenv_t current_environment() {
    std::fenv_t e{};
    std::fegetenv(&e);
    return e;
}

// The settings that a call must restore, without the flags that arithmetic raises.
inline unsigned control_of_host() {
#if defined(__x86_64__)
    return _mm_getcsr() & ~0x3FU;
#else
    return static_cast<unsigned>(std::fegetround());
#endif
}

}  // namespace lanefold::test
