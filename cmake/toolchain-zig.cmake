# Cross-compiles with the C and C++ compiler of the `ziglang` package of PyPI, which has libc++ and the headers of any
# glibc, of Windows and of macOS. Three variables, of CMake or of the environment:
#
#   LANEFOLD_ZIG_TARGET  what for, as zig names it: x86_64-linux-gnu.2.17, aarch64-linux-gnu.2.17, x86_64-windows-gnu,
#                        aarch64-macos
#   LANEFOLD_ZIG_BIN     folder of the programs cc, c++, ar and ranlib for it (bindings/python/portable.sh makes them)
#   LANEFOLD_CROSS_ROOT  folders with the libraries and headers of that system (cmake/package_root, cmake/source_root)
#
# `./dev wheel --portable` does all of it.

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANEFOLD_ZIG_TARGET LANEFOLD_ZIG_BIN LANEFOLD_CROSS_ROOT)
foreach(variable IN ITEMS LANEFOLD_ZIG_TARGET LANEFOLD_ZIG_BIN LANEFOLD_CROSS_ROOT)
  if(NOT ${variable})
    set(${variable} "$ENV{${variable}}")
  endif()
endforeach()

string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${LANEFOLD_ZIG_TARGET}")
if(LANEFOLD_ZIG_TARGET MATCHES "-linux-")
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
elseif(LANEFOLD_ZIG_TARGET MATCHES "-windows-")
  set(CMAKE_SYSTEM_NAME Windows)
elseif(LANEFOLD_ZIG_TARGET MATCHES "-macos")
  set(CMAKE_SYSTEM_NAME Darwin)
else()
  message(FATAL_ERROR "LANEFOLD_ZIG_TARGET is '${LANEFOLD_ZIG_TARGET}', expected x86_64-linux-gnu.2.17 or the like")
endif()
set(CMAKE_C_COMPILER ${LANEFOLD_ZIG_BIN}/cc)
set(CMAKE_CXX_COMPILER ${LANEFOLD_ZIG_BIN}/c++)
set(CMAKE_AR ${LANEFOLD_ZIG_BIN}/ar)
set(CMAKE_RANLIB ${LANEFOLD_ZIG_BIN}/ranlib)

# Nothing of this system but programs: its headers would hide those of the older glibc.
set(CMAKE_FIND_ROOT_PATH ${LANEFOLD_CROSS_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
