# Headers that nearly every file of a target includes, compiled once for all of them: they are a third of the time that
# a file takes to compile. A header with much code that is not a template (CLI11) does not belong here: g++ 12 looks
# through all of it for every file, which takes five seconds. ccache keeps no object that was made with one, so a
# launcher turns this off. A cross build turns it off, too: it compiles a few tests, and the one that owns the headers
# may not be among them; so does a project that has lanefold inside it. Files name all headers that they use, which
# cmake/check_headers.py holds (./dev lint).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
   AND PROJECT_IS_TOP_LEVEL
   AND NOT CMAKE_CXX_COMPILER_LAUNCHER
   AND NOT CMAKE_CROSSCOMPILING)
  set(precompile ON)
else()
  set(precompile OFF)
endif()
option(LANEFOLD_PRECOMPILE "Compile headers of libraries and tests once" ${precompile})

# lanefold_precompile(TARGET OWNER HEADER...): TARGET reads the headers that were compiled for OWNER, which may be
# itself. Both have the same options of the compiler.
function(lanefold_precompile target owner)
  if(NOT LANEFOLD_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# lanefold_precompile_strings(TARGET OWNER HEADER...): the same for a target with many strings. At -O3 g++ 12 wrongly
# finds more in them, because it forgets that a header that was compiled beforehand is the system's.
function(lanefold_precompile_strings target)
  lanefold_precompile(${target} ${ARGN})
  if(LANEFOLD_PRECOMPILE)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                             -Wno-stringop-overread)
  endif()
endfunction()

# lanefold_precompile_room(TARGET [STRINGS] [HEADER...]): those of the standard library and these, for a library, in
# release builds: what others are for, sanitizers for example, would have to be told of more that g++ finds wrongly.
function(lanefold_precompile_room target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRINGS" "" "")
  if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|MinSizeRel)$")
    return()
  endif()
  set(headers <algorithm> <array> <bit> <cmath> <cstdint> <cstring> <functional> <limits> <memory> <numeric> <optional>
              <span> <string> <utility> <vector> ${arg_UNPARSED_ARGUMENTS})
  if(arg_STRINGS)
    lanefold_precompile_strings(${target} ${target} ${headers})
  else()
    lanefold_precompile(${target} ${target} ${headers})
  endif()
endfunction()
