# Headers that nearly every file of a target includes, compiled once for all of them: GoogleTest's alone are a third of
# the time that a test takes to compile. ccache keeps no object that was made with one, so a launcher turns this off.
# Files name all headers that they use; builds without precompiled headers find the one that is missing.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(LANEFOLD_PRECOMPILE "Compile headers of tests and tools once" ${precompile})

# lanefold_precompile(TARGET OWNER HEADER...): TARGET reads the headers that were compiled for OWNER, which may be
# itself. Both have the same options of the compiler.
function(lanefold_precompile target owner)
  if(NOT LANEFOLD_PRECOMPILE)
    return()
  endif()
  # g++ 12 forgets that a precompiled header is the system's, and reports what it wrongly finds in std::string.
  target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
