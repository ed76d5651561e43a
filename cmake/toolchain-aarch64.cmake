# Cross-compiles for AArch64 (NEON) on an x86-64 Debian and runs the tests under qemu-user:
#
#   apt install g++-aarch64-linux-gnu qemu-user-static
#   dpkg --add-architecture arm64 && apt update
#   apt install libqhull-dev:arm64 libtbb-dev:arm64 libgtest-dev:arm64 libxsimd-dev:arm64
#   cmake -S . -B build-arm -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/toolchain-aarch64.cmake -DLANEFOLD_BUILD_TOOLS=OFF
#
# Where adding an architecture to the system is not wanted: `apt download` those packages and libqhull-r8.0,
# libtbb12 for arm64, unpack each with `dpkg -x PACKAGE ROOT`, and set LANEFOLD_AARCH64_ROOT=ROOT. xxHash is
# one header, taken from the host. The tests that start programs need
# LANEFOLD_TEST_EMULATOR="qemu-aarch64-static -L /usr/aarch64-linux-gnu" in the environment of ctest.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Compiler checks run this file again, without the cache: hand the variable on.
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
