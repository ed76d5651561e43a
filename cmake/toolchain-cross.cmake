# The common part of the toolchain files of other architectures. They set CMAKE_SYSTEM_PROCESSOR and include this file.
#
# LANEFOLD_CROSS_ROOT, a variable of CMake or of the environment, is a folder with the libraries of that architecture
# (cmake/package_root, cmake/source_root). Without it they come from the system (a foreign architecture of dpkg).
# xxHash and xsimd are headers only, so those of the host do.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_CXX_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-g++)
set(CMAKE_C_COMPILER ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)

# Compiler checks run the toolchain file again, without the cache, so the variable must be passed on.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANEFOLD_CROSS_ROOT)
if(NOT LANEFOLD_CROSS_ROOT)
  set(LANEFOLD_CROSS_ROOT "$ENV{LANEFOLD_CROSS_ROOT}")
endif()

if(LANEFOLD_CROSS_ROOT)
  set(CMAKE_FIND_ROOT_PATH ${LANEFOLD_CROSS_ROOT} /)
else()
  set(CMAKE_FIND_ROOT_PATH /)
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR}-static -L /usr/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
