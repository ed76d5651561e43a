# Cross-compiles for 64-bit RISC-V, where lanes have width 1, on an x86-64 Debian and runs the tests under qemu-user:
#
#   apt install g++-riscv64-linux-gnu qemu-user-static dpkg-dev
#   cmake/source_root build/riscv64-root "onetbb googletest" \
#       -DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchain-riscv64.cmake -DCMAKE_CXX_STANDARD_LIBRARIES=-latomic
#       (Debian 12 has no packages for RISC-V)
#   LANEFOLD_CROSS_ROOT=$PWD/build/riscv64-root cmake -S . -B build/riscv64 -G Ninja -DCMAKE_BUILD_TYPE=Release \
#       -DCMAKE_TOOLCHAIN_FILE=cmake/toolchain-riscv64.cmake -DLANEFOLD_BUILD_TOOLS=OFF
#
# `./dev emulate` does all of it.

set(CMAKE_SYSTEM_PROCESSOR riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/toolchain-cross.cmake)
