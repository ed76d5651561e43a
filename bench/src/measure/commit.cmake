# Writes commit.hpp with the commit of the source tree. It runs at every build and writes only when the commit changes.
# cmake -DSOURCE=... -DOUTPUT=... -P commit.cmake
set(commit "unknown")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(commit "unknown")
  else()
    # Everything that is compiled or makes a scene; not documents and results.
    execute_process(
      COMMAND ${git} -C ${SOURCE} status --porcelain --untracked-files=all -- . :!docs :!bench/results :!*.md
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit "+changes")
    endif()
  endif()
endif()
set(text "#pragma once\n#define LANEFOLD_COMMIT \"${commit}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
