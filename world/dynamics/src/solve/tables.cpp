// SPDX-License-Identifier: MIT
//
// Which of the solver's tables are in this build.
#include <cassert>

#include "solve/solver_job.hpp"

namespace lanefold::detail {

const SolverTable& solver_table(Isa isa) {
    switch (isa) {
#define LANEFOLD_EACH_ISA(name) \
    case Isa::name:             \
        return solver_table_##name;
#include <lanefold/detail/each_isa.inl>
        default:
            assert(isa == Isa::scalar);
            return solver_table_scalar;
    }
}

}  // namespace lanefold::detail
