# Cross-compiles for Windows on an x86-64 Debian, by mingw-w64 with its pthreads; programs run under Wine. `./dev
# windows` does all of it, and installs what it needs.
#
# LANEFOLD_CROSS_ROOT, a variable of CMake or of the environment, is a folder with libraries for Windows
# (cmake/source_root). Packages that are headers only lie in the folder beside it whose name ends in -headers
# (cmake/package_root): those of the host are beside the headers of its C library, which must not be found.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triple x86_64-w64-mingw32)
set(CMAKE_CXX_COMPILER ${triple}-g++-posix)
set(CMAKE_C_COMPILER ${triple}-gcc-posix)
set(CMAKE_RC_COMPILER ${triple}-windres)
set(CMAKE_LIBRARY_ARCHITECTURE ${triple})

# Compiler checks run the toolchain file again, without the cache, so the variable must be passed on.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANEFOLD_CROSS_ROOT)
if(NOT LANEFOLD_CROSS_ROOT)
  set(LANEFOLD_CROSS_ROOT "$ENV{LANEFOLD_CROSS_ROOT}")
endif()
set(CMAKE_FIND_ROOT_PATH ${LANEFOLD_CROSS_ROOT} ${LANEFOLD_CROSS_ROOT}-headers)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The build does not start the tests, which need Wine and the folders of their libraries (tests/machines.sh).
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)
