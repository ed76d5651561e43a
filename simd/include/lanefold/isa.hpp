// SPDX-License-Identifier: MIT
//
// The instruction sets that this build has and this machine can run, and the choice of one. The names are the same
// everywhere (API, LANEFOLD_ISA, --isa, JSON): scalar, sse2, sse4.2, avx2, avx512, neon.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lanefold/export.hpp>
#include <lanefold/options.hpp>
#include <lanefold/status.hpp>

namespace lanefold {

// "avx2", ...; "automatic" for Isa::automatic.
LANEFOLD_EXPORT const char* to_string(Isa isa);

// nullopt for an unknown name. "automatic" and "auto" are known.
LANEFOLD_EXPORT std::optional<Isa> parse_isa(std::string_view name);

// Instruction sets that are compiled in and that this machine and its operating system can run (by CPUID and XCR0),
// weakest first. Never empty: scalar is always available.
LANEFOLD_EXPORT std::span<const Isa> available_isas();

// Whether it is among available_isas().
LANEFOLD_EXPORT bool is_available(Isa isa);

// The available names as one text for error messages, such as "scalar, sse2, sse4.2, avx2".
LANEFOLD_EXPORT std::string available_isa_names();

// The instruction set that a call with Options::isa == requested runs: `requested`, or for `automatic` the value of
// LANEFOLD_ISA (read once per process) or else the best available set. status is bad_argument when the set is unknown
// or unavailable; status.what then lists the available names.
struct [[nodiscard]] IsaChoice {
    CallStatus status;
    Isa isa = Isa::scalar;
};
LANEFOLD_EXPORT IsaChoice choose_isa(Isa requested);

// Number of lanes of a float32 vector; 0 if the set is not available.
LANEFOLD_EXPORT unsigned isa_width(Isa isa);

}  // namespace lanefold
