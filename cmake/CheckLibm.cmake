# Refuses libraries that call a function of libm whose rounding differs from one C library to the next, because their
# results must have the same bits everywhere: a test runs
#   cmake -D NM=nm -D LIBRARIES=a;b -D CONTROL=c -P CheckLibm.cmake
# CONTROL is a library that calls such functions (the oracle and the published methods). They must be found there.

set(rounding "(a?(sin|cos|tan)h?|atan2|sincos|exp(2|10|m1)?|log(2|10|1p)?|pow|cbrt|hypot|erfc?|[lt]?gamma)[fl]?")

# calls(output library): those that the library calls.
function(calls output library)
  execute_process(COMMAND ${NM} -u ${library} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " U ${rounding}(@[^\n]*)?\n" found "${text}")
  string(REGEX REPLACE "[ \n]|U " "" found "${found}")
  set(${output} "${found}" PARENT_SCOPE)
endfunction()

calls(found ${CONTROL})
if(NOT found)
  message(FATAL_ERROR "the check sees nothing: no call in ${CONTROL}")
endif()
foreach(library IN LISTS LIBRARIES)
  calls(found ${library})
  if(found)
    message(FATAL_ERROR "${library} calls ${found}, which no two C libraries need round alike")
  endif()
endforeach()
