// SPDX-License-Identifier: MIT
//
// The kernels of one instruction set. This file is compiled once per set (cmake/KernelIsa.cmake) and exports only its
// table.

#include "chunk/pipeline.hpp"
#include "chunk/reuse.hpp"
#include "isa/tables.hpp"

namespace lanefold::detail {

// The name is that of the namespace, which is the instruction set's name except in the builds of benchmark and tests.
const KernelTable LANEFOLD_ISA_PASTE(kernel_table_, LANEFOLD_KERNEL_NAMESPACE) = {
    Isa::LANEFOLD_KERNEL_ISA,
    LANEFOLD_KERNEL_NAMESPACE::kWidth,
    LANEFOLD_KERNEL_NAMESPACE::prepare_bodies,
    LANEFOLD_KERNEL_NAMESPACE::collide_chunk,
    LANEFOLD_KERNEL_NAMESPACE::carry_chunk,
    LANEFOLD_KERNEL_NAMESPACE::anchor_chunk};

}  // namespace lanefold::detail
