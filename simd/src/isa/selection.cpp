// SPDX-License-Identifier: MIT
//
// The list of instruction sets, their names, and the choice of one per call.
#include <array>
#include <cstdlib>

#include <lanefold/detail/chunk.hpp>
#include <lanefold/isa.hpp>

#include "isa/detection.hpp"
#include "isa/tables.hpp"

namespace lanefold {
namespace {

struct IsaName {
    Isa isa;
    const char* name;
};
constexpr IsaName kNames[] = {{Isa::scalar, "scalar"}, {Isa::sse2, "sse2"},     {Isa::sse4_2, "sse4.2"},
                              {Isa::avx2, "avx2"},     {Isa::avx512, "avx512"}, {Isa::neon, "neon"}};
static_assert(std::size(kNames) == kIsaCount);

// The kernels compiled into this build; null where there is none.
constexpr std::array<const detail::KernelTable*, kIsaCount> compiled() {
    std::array<const detail::KernelTable*, kIsaCount> all{};
    all[static_cast<std::size_t>(Isa::scalar)] = &detail::kernel_table_scalar;
#define LANEFOLD_EACH_ISA(name) all[static_cast<std::size_t>(Isa::name)] = &detail::kernel_table_##name;
#include <lanefold/detail/each_isa.inl>
    return all;
}
constexpr std::array<const detail::KernelTable*, kIsaCount> kCompiled = compiled();

// Facts about the process, computed once and constant afterwards. They include the error texts, because a CallStatus
// only points at its text.
struct IsaFacts {
    std::array<Isa, kIsaCount> available{};
    std::size_t count = 0;
    std::string names;
    Isa automatic = Isa::scalar;
    std::string environment_error;  // empty: LANEFOLD_ISA is unset or usable
    std::array<std::string, kIsaCount> not_available;
    std::string out_of_range;

    bool contains(Isa isa) const {
        for (std::size_t i = 0; i < count; ++i) {
            if (available[i] == isa) return true;
        }
        return false;
    }

    IsaFacts() {
        for (std::size_t i = 0; i < kIsaCount; ++i) {
            const Isa isa = static_cast<Isa>(i);
            if (kCompiled[i] == nullptr || !detail::machine_can_run(isa)) continue;
            available[count++] = isa;
            if (!names.empty()) names += ", ";
            names += to_string(isa);
        }
        for (std::size_t i = 0; i < kIsaCount; ++i) {
            not_available[i] =
                std::string("instruction set ") + kNames[i].name +
                (kCompiled[i] == nullptr ? " is not in this build" : " is not supported by this machine") +
                "; available: " + names;
        }
        out_of_range = "options.isa is not an instruction set; available: " + names;
        automatic = available[count - 1];
        read_environment();
    }

    void read_environment() {
        const char* value = std::getenv("LANEFOLD_ISA");  // NOLINT(concurrency-mt-unsafe): read once, never set
        if (value == nullptr || *value == '\0') return;
        const std::optional<Isa> isa = parse_isa(value);
        if (!isa) {
            environment_error = std::string("LANEFOLD_ISA is '") + value +
                                "', which is not the name of an instruction set; available: " + names;
        } else if (*isa != Isa::automatic && !contains(*isa)) {
            environment_error = "LANEFOLD_ISA: " + not_available[static_cast<std::size_t>(*isa)];
        } else if (*isa != Isa::automatic) {
            automatic = *isa;
        }
    }
};

const IsaFacts& facts() {
    static const IsaFacts instance;
    return instance;
}

}  // namespace

const char* to_string(Isa isa) {
    for (const IsaName& entry : kNames) {
        if (entry.isa == isa) return entry.name;
    }
    return isa == Isa::automatic ? "automatic" : "unknown";
}

std::optional<Isa> parse_isa(std::string_view name) {
    for (const IsaName& entry : kNames) {
        if (entry.name == name) return entry.isa;
    }
    if (name == "automatic" || name == "auto") return Isa::automatic;
    return std::nullopt;
}

std::span<const Isa> available_isas() { return {facts().available.data(), facts().count}; }

bool is_available(Isa isa) { return facts().contains(isa); }

std::string available_isa_names() { return facts().names; }

IsaChoice choose_isa(Isa requested) {
    const IsaFacts& f = facts();
    if (requested == Isa::automatic) {
        if (f.environment_error.empty()) return {{}, f.automatic};
        return {{Status::bad_argument, f.environment_error.c_str(), 0}, Isa::scalar};
    }
    if (f.contains(requested)) return {{}, requested};
    const auto number = static_cast<std::size_t>(requested);
    const std::string& what = number < kIsaCount ? f.not_available[number] : f.out_of_range;
    return {{Status::bad_argument, what.c_str(), number}, Isa::scalar};
}

unsigned isa_width(Isa isa) {
    const detail::KernelTable* table = detail::kernel_table(isa);
    return table == nullptr ? 0 : table->width;
}

namespace detail {

const KernelTable* kernel_table(Isa isa) {
    return is_available(isa) ? kCompiled[static_cast<std::size_t>(isa)] : nullptr;
}

}  // namespace detail

}  // namespace lanefold
