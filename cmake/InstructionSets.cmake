# LANEFOLD_KERNEL_ISAS: the instruction sets for which kernels are compiled. An architecture without SIMD kernels of its
# own, such as RISC-V, has the scalar ones, whose lanes have width 1.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(LANEFOLD_KERNEL_ISAS scalar sse2 sse4_2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(LANEFOLD_KERNEL_ISAS scalar neon)
else()
  set(LANEFOLD_KERNEL_ISAS scalar)
endif()

set(LANEFOLD_ISAS "" CACHE STRING "Compile only these kernels, and scalar; empty: all of this architecture")
if(LANEFOLD_ISAS)
  foreach(isa IN LISTS LANEFOLD_ISAS)
    if(NOT isa IN_LIST LANEFOLD_KERNEL_ISAS)
      message(FATAL_ERROR "LANEFOLD_ISAS: ${isa} is none of ${LANEFOLD_KERNEL_ISAS}")
    endif()
  endforeach()
  set(LANEFOLD_KERNEL_ISAS ${LANEFOLD_ISAS})
  list(PREPEND LANEFOLD_KERNEL_ISAS scalar)
  list(REMOVE_DUPLICATES LANEFOLD_KERNEL_ISAS)
endif()
