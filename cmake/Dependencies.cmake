# Third-party packages of the libraries. xxHash is for core, xsimd is for simd, TBB is for parallel and the rooms above
# it.

find_package(TBB REQUIRED)
find_package(Threads REQUIRED)

# Only the include directory and the version of xsimd are used: Debian's xsimd 8.1 refuses a version range (same-major
# rule), and its target links xtl. Lanes of width 1 do without.
add_library(lanefold_xsimd INTERFACE)
if(NOT LANEFOLD_KERNEL_ISAS STREQUAL "scalar")
  find_package(xsimd REQUIRED)
  if(xsimd_VERSION VERSION_LESS 8.1)
    message(FATAL_ERROR "lanefold needs xsimd 8.1 or newer, found ${xsimd_VERSION}")
  endif()
  find_path(LANEFOLD_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp HINTS ${xsimd_INCLUDE_DIRS} REQUIRED)
  target_include_directories(lanefold_xsimd SYSTEM INTERFACE ${LANEFOLD_XSIMD_INCLUDE_DIR})
endif()

find_path(LANEFOLD_XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(lanefold_xxhash INTERFACE)
target_include_directories(lanefold_xxhash SYSTEM INTERFACE ${LANEFOLD_XXHASH_INCLUDE_DIR})
# Memory is read by memcpy everywhere. On some machines (RISC-V) xxHash would read aligned memory as 64-bit integers,
# which GCC may do before floats are written there.
target_compile_definitions(lanefold_xxhash INTERFACE XXH_INLINE_ALL XXH_FORCE_MEMORY_ACCESS=0 XXH_FORCE_ALIGN_CHECK=0)
