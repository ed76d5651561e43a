// SPDX-License-Identifier: MIT
//
// Which instruction sets this build has and this machine can run, and how one is chosen. The names, used
// everywhere (API, LANEFOLD_ISA, --isa, JSON): scalar, sse2, sse4.2, avx2, avx512, neon.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lanefold/options.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// "avx2", ...; "automatic" for Isa::automatic.
const char* to_string(Isa isa);

// Nothing for an unknown name. "automatic" (and "auto") are known.
std::optional<Isa> parse_isa(std::string_view name);

// Instruction sets that are compiled in AND that this machine and its operating system can run (CPUID and
// XCR0), weakest first. Never empty: scalar is always there.
std::span<const Isa> available_isas();

bool is_available(Isa isa);

// "scalar, sse2, sse4.2, avx2": for error messages.
std::string available_isa_names();

// What a call with Options::isa == requested runs: `requested`; or for automatic the value of LANEFOLD_ISA
// (read once per process), or the best available. bad_argument when it is unknown or unavailable.
struct IsaChoice {
    CallStatus status;
    Isa isa = Isa::scalar;
};
IsaChoice choose_isa(Isa requested);

// Lanes of a float vector; 0 when the set is not available.
unsigned isa_width(Isa isa);

}  // namespace lanefold
