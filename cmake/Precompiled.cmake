# Headers that nearly every file of a target includes, compiled once for all of them: GoogleTest's alone are a third of
# the time that a test takes to compile. ccache keeps no object that was made with one, so a launcher turns this off.
# A cross build turns it off, too: it compiles a few tests, and the one that owns the headers may not be among them.
# Files name all headers that they use; builds without precompiled headers find the one that is missing. Tests only: at
# -O3 g++ 12 wrongly finds more in what it inlines than these warnings, because it forgets that a precompiled header is
# the system's.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
   AND NOT CMAKE_CXX_COMPILER_LAUNCHER
   AND NOT CMAKE_CROSSCOMPILING)
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(LANEFOLD_PRECOMPILE "Compile headers of tests once" ${precompile})

# lanefold_precompile(TARGET OWNER HEADER...): TARGET reads the headers that were compiled for OWNER, which may be
# itself. Both have the same options of the compiler.
function(lanefold_precompile target owner)
  if(NOT LANEFOLD_PRECOMPILE)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                           -Wno-stringop-overread)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
