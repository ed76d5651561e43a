// SPDX-License-Identifier: MIT
//
// The floating-point environment in which every result is computed: round to nearest, denormals kept (no FTZ, no DAZ),
// traps masked. A host may change any of these on its threads (audio and game code set FTZ and DAZ), which would change
// bits.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace lanefold {

// Sets that environment for its lifetime on the calling thread, then restores the host's, including its exception
// flags. It takes a few nanoseconds if nothing has to change. The guarded work must be a call that the compiler cannot
// inline (the kernels are called through a table). Otherwise the compiler may move arithmetic across the change.
class FpEnvironmentGuard {
public:
    FpEnvironmentGuard() { set_default(); }
    FpEnvironmentGuard(const FpEnvironmentGuard&) = delete;
    FpEnvironmentGuard& operator=(const FpEnvironmentGuard&) = delete;
    ~FpEnvironmentGuard() { restore(); }

private:
#if defined(__x86_64__)
    // MXCSR after reset: all exceptions masked (bits 7-12), nearest (13-14 = 0), FTZ (15) and DAZ (6) off.
    static constexpr unsigned kDefault = 0x1F80;

    void set_default() {
        saved_ = _mm_getcsr();
        if (saved_ != kDefault) _mm_setcsr(kDefault);
    }
    // Unconditional, because the work raised flags (inexact, at least) that the host did not.
    void restore() const { _mm_setcsr(saved_); }

    unsigned saved_ = 0;
#elif defined(__aarch64__)
    // FPCR 0: nearest, FZ, DN, FZ16 and FIZ off, no traps. FPSR holds the cumulative flags.
    void set_default() {
        __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(saved_), "=r"(flags_));
        if (saved_ != 0) __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}) : "memory");
    }
    void restore() const {
        if (saved_ != 0) __asm__ volatile("msr fpcr, %0" : : "r"(saved_) : "memory");
        __asm__ volatile("msr fpsr, %0" : : "r"(flags_) : "memory");
    }

    std::uint64_t saved_ = 0;
    std::uint64_t flags_ = 0;
#else
    // Standard C++ has no FTZ or DAZ; FE_DFL_ENV is the environment in which a program starts.
    void set_default() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    void restore() const { std::fesetenv(&saved_); }

    std::fenv_t saved_{};
#endif
};

namespace detail {

// Not inlined, and with a memory barrier, so that arithmetic stays between the changes of the environment even if
// arguments and results are numbers in registers.
template <class Work>
__attribute__((noinline)) auto call_out_of_line(Work& work) {
    __asm__ volatile("" : : : "memory");
    return work();
}

}  // namespace detail

// Runs work() in that environment, for calls whose arithmetic is in the same source.
template <class Work>
auto in_default_environment(Work&& work) {
    const FpEnvironmentGuard environment;
    return detail::call_out_of_line(work);
}

}  // namespace lanefold
