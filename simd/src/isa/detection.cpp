// SPDX-License-Identifier: MIT
//
// Reads CPUID leaves 1 and 7 and XCR0 and checks the bits that each instruction set needs. Bit numbers: Intel Software
// Developer's Manual, volume 2A, CPUID; volume 1, chapter 13 for XCR0.
#include "isa/detection.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lanefold::detail {
namespace {

constexpr std::uint32_t bits(std::initializer_list<unsigned> numbers) {
    std::uint32_t mask = 0;
    for (const unsigned n : numbers) mask |= std::uint32_t{1} << n;
    return mask;
}

constexpr bool has_all(std::uint64_t value, std::uint64_t mask) { return (value & mask) == mask; }

constexpr std::uint32_t kSse2Edx = bits({25, 26});  // SSE, SSE2
// SSE3, SSSE3, SSE4.1, SSE4.2, POPCNT: -msse4.2 enables all of them.
constexpr std::uint32_t kSse42Ecx = bits({0, 9, 19, 20, 23});
constexpr std::uint32_t kOsxsaveEcx = bits({27});
constexpr std::uint32_t kAvxEcx = bits({28});
constexpr std::uint32_t kAvx2Ebx = bits({5});
// Clang's -mavx512f enables F16C and FMA; every machine with AVX-512F has them.
constexpr std::uint32_t kFmaF16cEcx = bits({12, 29});
constexpr std::uint32_t kAvx512Ebx = bits({16, 17, 28, 30, 31});  // F, DQ, CD, BW, VL
constexpr std::uint64_t kXcr0Avx = bits({1, 2});                  // XMM and YMM state
constexpr std::uint64_t kXcr0Avx512 = bits({1, 2, 5, 6, 7});      // also masks, upper halves, ZMM16-31

}  // namespace

CpuLeaves read_cpu_leaves() {
    CpuLeaves leaves;
#if defined(__x86_64__)
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    leaves.max_leaf = static_cast<std::uint32_t>(__get_cpuid_max(0, nullptr));
    if (leaves.max_leaf < 1) return leaves;
    __cpuid(1, eax, ebx, ecx, edx);
    leaves.leaf1_ecx = ecx;
    leaves.leaf1_edx = edx;
    if (leaves.max_leaf >= 7) {
        __cpuid_count(7, 0, eax, ebx, ecx, edx);
        leaves.leaf7_ebx = ebx;
    }
    if (has_all(leaves.leaf1_ecx, kOsxsaveEcx)) {
        // Inline assembly, because the intrinsic would need -mxsave for this file.
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        leaves.xcr0 = (std::uint64_t{high} << 32) | low;
    }
#endif
    return leaves;
}

bool x86_can_run(Isa isa, const CpuLeaves& leaves) {
    const bool sse2 = has_all(leaves.leaf1_edx, kSse2Edx);
    const bool sse4_2 = sse2 && has_all(leaves.leaf1_ecx, kSse42Ecx);
    const bool avx2 = sse4_2 && has_all(leaves.leaf1_ecx, kOsxsaveEcx | kAvxEcx) &&
                      has_all(leaves.leaf7_ebx, kAvx2Ebx) && has_all(leaves.xcr0, kXcr0Avx);
    const bool avx512 = avx2 && has_all(leaves.leaf1_ecx, kFmaF16cEcx) && has_all(leaves.leaf7_ebx, kAvx512Ebx) &&
                        has_all(leaves.xcr0, kXcr0Avx512);
    switch (isa) {
        case Isa::scalar:
            return true;
        case Isa::sse2:
            return sse2;
        case Isa::sse4_2:
            return sse4_2;
        case Isa::avx2:
            return avx2;
        case Isa::avx512:
            return avx512;
        case Isa::neon:
        case Isa::automatic:
            return false;
    }
    return false;
}

bool machine_can_run(Isa isa) {
#if defined(__aarch64__)
    return isa == Isa::scalar || isa == Isa::neon;  // Advanced SIMD is part of the AArch64 baseline
#elif defined(__x86_64__)
    return x86_can_run(isa, read_cpu_leaves());
#elif defined(__wasm__)
    return isa == Isa::scalar || isa == Isa::sse4_2;  // as the module is compiled; a browser without SIMD refuses it
#else
    return isa == Isa::scalar;
#endif
}

}  // namespace lanefold::detail
