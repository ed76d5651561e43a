# Precompiles headers of the standard library for the libraries: -DCMAKE_PROJECT_INCLUDE=cmake/PrecompileRooms.cmake.
# With -O1 a source of core then takes 0.7 seconds of a processor instead of 1.9. Not for the usual build: a source
# would compile without a header that it needs.
function(lanefold_precompile_rooms)
  foreach(room core reference simd parallel broadphase dynamics c shared test_support_objects)
    if(TARGET lanefold_${room})
      target_precompile_headers(
        lanefold_${room} PRIVATE <vector> <span> <string> <algorithm> <array> <optional> <memory> <cmath> <cstdint>
                                 <limits> <functional> <atomic> <utility> <numeric> <bit>)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL lanefold_precompile_rooms)
