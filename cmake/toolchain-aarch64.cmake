# Cross-compiles for AArch64 (NEON) on an x86-64 Debian and runs the tests under qemu-user:
#
#   apt install g++-aarch64-linux-gnu qemu-user-static
#   cmake/package_root aarch64 build/aarch64-root arm64        (TBB, GoogleTest, xsimd)
#   LANEFOLD_CROSS_ROOT=$PWD/build/aarch64-root cmake -S . -B build/aarch64 -G Ninja -DCMAKE_BUILD_TYPE=Release \
#       -DCMAKE_TOOLCHAIN_FILE=cmake/toolchain-aarch64.cmake -DLANEFOLD_BUILD_TOOLS=OFF
#
# `./dev emulate` does all of it.

set(CMAKE_SYSTEM_PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-cross.cmake)
