# Lanefold's own build refuses these, at once and with the remedy: another compiler, and the installation of a build
# that lacks libraries, as ./dev demo leaves it. CMakeLists.txt runs it.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(configure ${CMAKE_COMMAND} -S ${SOURCE} -G ${GENERATOR} -D LANEFOLD_BUILD_TOOLS=OFF -D LANEFOLD_BUILD_TESTS=OFF
              -D LANEFOLD_ISAS=scalar -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${CONFIG})

# refused(REGEX COMMAND...): the command must fail and say so.
function(refused regex)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  string(REGEX REPLACE "[ \n]+" " " err "${err}") # CMake breaks lines
  if(code EQUAL 0 OR NOT err MATCHES "${regex}")
    message(FATAL_ERROR "not refused as expected (${code}): ${ARGN}\n${out}\n${err}")
  endif()
endfunction()

# Any compiler with the variable that CMake sets for MSVC.
refused("cannot be compiled with MSVC" ${configure} -B ${WORK}/msvc -D MSVC=1)

execute_process(COMMAND ${configure} -B ${WORK}/empty OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
refused("is not there: this build is not whole. cmake --build .*/empty makes the rest" ${CMAKE_COMMAND} --install
        ${WORK}/empty --prefix ${WORK}/prefix)
if(EXISTS ${WORK}/prefix)
  message(FATAL_ERROR "a build that is not whole was installed in part")
endif()
