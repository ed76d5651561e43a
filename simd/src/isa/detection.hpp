// SPDX-License-Identifier: MIT
//
// Detects what this machine and its operating system can run. The rules match the flags of the kernels
// (cmake/KernelIsa.cmake). They use CPUID and XGETBV directly: a processor may have AVX-512 while the system does not
// save its registers, and no single flag implies the others.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <lanefold/options.hpp>

namespace lanefold::detail {

// The registers that decide. They are a parameter of the rules so that tests can cover machines that are not at hand.
struct CpuLeaves {
    std::uint32_t max_leaf = 0;
    std::uint32_t leaf1_ecx = 0;
    std::uint32_t leaf1_edx = 0;
    std::uint32_t leaf7_ebx = 0;  // 0 when max_leaf < 7
    std::uint64_t xcr0 = 0;       // 0 unless OSXSAVE is set
};

// All zero on machines other than x86-64.
CpuLeaves read_cpu_leaves();

// Whether code compiled for `isa` runs on an x86-64 machine with these registers. scalar always does.
bool x86_can_run(Isa isa, const CpuLeaves& leaves);

// Whether this machine runs code compiled for `isa`.
bool machine_can_run(Isa isa);

}  // namespace lanefold::detail
