# Cross-compiles by the compiler of PyPI's package ziglang, a Clang with the C libraries of many systems:
#
#   x86_64-linux-gnu.2.17   Linux with a glibc as old as that (./dev wheel --portable)
#   aarch64-macos           macOS on Apple's processors (./dev macos)
#
# LANEFOLD_ZIG, a variable of CMake or of the environment, is the folder that zig_compiler (cmake/zig.sh) makes for the
# target. LANEFOLD_CROSS_ROOT is a folder with libraries for it (cmake/source_root); packages that are headers only lie
# in the folder beside it whose name ends in -headers (cmake/package_root).

# Compiler checks run the toolchain file again, without the cache, so variables must be passed on.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANEFOLD_CROSS_ROOT LANEFOLD_ZIG)
foreach(variable IN ITEMS LANEFOLD_CROSS_ROOT LANEFOLD_ZIG)
  if(NOT ${variable})
    set(${variable} "$ENV{${variable}}")
  endif()
endforeach()
get_filename_component(target ${LANEFOLD_ZIG} NAME)

string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${target})
if(target MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_SYSTEM_PROCESSOR arm64)
  # math.h of macOS asks float.h for a part of it, and libc++ then shows no more of it to later readers. So all of it
  # comes first, with INFINITY, which strict C++ lacks there.
  set(CMAKE_CXX_FLAGS_INIT "-U__STRICT_ANSI__ -include cfloat")
else()
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  find_program(CMAKE_STRIP ${CMAKE_LIBRARY_ARCHITECTURE}-strip REQUIRED)
endif()
foreach(tool IN ITEMS ar ranlib)
  string(TOUPPER ${tool} variable)
  set(CMAKE_${variable} ${LANEFOLD_ZIG}/${tool} CACHE FILEPATH "" FORCE)
  set(CMAKE_C_COMPILER_${variable} ${LANEFOLD_ZIG}/${tool})
  set(CMAKE_CXX_COMPILER_${variable} ${LANEFOLD_ZIG}/${tool})
endforeach()
set(CMAKE_CXX_COMPILER ${LANEFOLD_ZIG}/clang++)
set(CMAKE_C_COMPILER ${LANEFOLD_ZIG}/clang)

set(CMAKE_FIND_ROOT_PATH ${LANEFOLD_CROSS_ROOT} ${LANEFOLD_CROSS_ROOT}-headers)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
