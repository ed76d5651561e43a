// SPDX-License-Identifier: MIT
//
// The solver's kernels of one instruction set. This file is compiled once per set (cmake/KernelIsa.cmake) and exports
// nothing but its table.

#include "solve/move_bodies.hpp"
#include "solve/solve_contacts.hpp"
#include "solve/solve_links.hpp"

namespace lanefold::detail {

const SolverTable LANEFOLD_ISA_PASTE(solver_table_, LANEFOLD_KERNEL_ISA) = {Isa::LANEFOLD_KERNEL_ISA,
                                                                            LANEFOLD_KERNEL_NAMESPACE::kWidth,
                                                                            LANEFOLD_KERNEL_NAMESPACE::begin_bodies,
                                                                            LANEFOLD_KERNEL_NAMESPACE::accelerate,
                                                                            LANEFOLD_KERNEL_NAMESPACE::move,
                                                                            LANEFOLD_KERNEL_NAMESPACE::prepare_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::warm_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::solve_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::tighten_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::relax_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::find_strikes,
                                                                            LANEFOLD_KERNEL_NAMESPACE::strike_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::store_contacts,
                                                                            LANEFOLD_KERNEL_NAMESPACE::prepare_links,
                                                                            LANEFOLD_KERNEL_NAMESPACE::warm_links,
                                                                            LANEFOLD_KERNEL_NAMESPACE::solve_links,
                                                                            LANEFOLD_KERNEL_NAMESPACE::relax_links,
                                                                            LANEFOLD_KERNEL_NAMESPACE::bounce_links,
                                                                            LANEFOLD_KERNEL_NAMESPACE::store_links};

}  // namespace lanefold::detail
