# Cross-compiles for AArch64 (NEON) on an x86-64 Debian and runs the tests under qemu-user:
#
#   apt install g++-aarch64-linux-gnu qemu-user-static
#   cmake/aarch64_root build/aarch64-root        (Qhull, TBB, GoogleTest, xsimd for arm64; no root, nothing installed)
#   LANEFOLD_AARCH64_ROOT=$PWD/build/aarch64-root cmake -S . -B build/aarch64 -G Ninja -DCMAKE_BUILD_TYPE=Release \
#       -DCMAKE_TOOLCHAIN_FILE=cmake/toolchain-aarch64.cmake -DLANEFOLD_BUILD_TOOLS=OFF
#
# `./dev emulate` does all of it. Without LANEFOLD_AARCH64_ROOT the libraries come from the system (an arm64 foreign
# architecture). xxHash is one header, which comes from the host.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Compiler checks run this file again, without the cache, so the variable must be passed on.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANEFOLD_AARCH64_ROOT)
if(NOT LANEFOLD_AARCH64_ROOT)
  set(LANEFOLD_AARCH64_ROOT "$ENV{LANEFOLD_AARCH64_ROOT}")
endif()

if(LANEFOLD_AARCH64_ROOT)
  set(CMAKE_FIND_ROOT_PATH ${LANEFOLD_AARCH64_ROOT} /)
else()
  set(CMAKE_FIND_ROOT_PATH /)
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)
