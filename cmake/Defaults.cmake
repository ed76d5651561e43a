# Options of every target of this project.
#
# -ffp-contract=off: without it GCC and Clang may fuse a multiplication and an addition, even of intrinsics, wherever
# the instruction set has FMA. A fused operation rounds once instead of twice, so results would depend on the
# instruction set and the compiler. lanefold promises the same bits everywhere (DESIGN.md).

if(CMAKE_SIZEOF_VOID_P LESS 8 AND NOT EMSCRIPTEN)
  math(EXPR lanefold_bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR "lanefold needs a 64-bit machine; this compiler makes code of ${lanefold_bits} bits")
endif()
if(MSVC) # clang-cl, too
  message(FATAL_ERROR "lanefold cannot be compiled with MSVC: it uses vector types, attributes and built-in functions "
                      "of GCC and Clang, and GNU ld and objcopy (docs/packages.md)")
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
elseif(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  message(WARNING "lanefold is compiled without optimisation, which makes it tens of times slower: CMAKE_BUILD_TYPE is "
                  "empty")
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(lanefold_defaults INTERFACE)
target_compile_features(lanefold_defaults INTERFACE cxx_std_20)
target_compile_options(lanefold_defaults INTERFACE -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic
                                                   -Wshadow -Wconversion -Wsign-conversion -Wno-psabi)
# At -O2 and above the basic-block vectoriser of g++ 12 drops the rounding of float64 numbers that are converted to
# float32 and back in pairs: to_double(to_float(v)) is v in two of three components. tests/bits/rounding_test.cpp tests
# it.
target_compile_options(lanefold_defaults INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
# libstdc++ 12's stable_sort uses std::get_temporary_buffer, which newer versions of Clang report at our calls.
target_compile_options(lanefold_defaults INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(LANEFOLD_WERROR)
  target_compile_options(lanefold_defaults INTERFACE -Werror)
endif()
if(LANEFOLD_SANITIZE STREQUAL "thread")
  # std::thread instead of oneTBB, whose library is not compiled with the sanitizer.
  target_compile_options(lanefold_defaults INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(lanefold_defaults INTERFACE -fsanitize=thread)
  target_include_directories(lanefold_defaults BEFORE INTERFACE ${PROJECT_SOURCE_DIR}/tests/threads)
elseif(LANEFOLD_SANITIZE)
  target_compile_options(lanefold_defaults INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                     -fno-omit-frame-pointer)
  target_link_options(lanefold_defaults INTERFACE -fsanitize=address,undefined)
endif()

if(LANEFOLD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT LANEFOLD_SANITIZE)
    message(FATAL_ERROR "LANEFOLD_FUZZ wants Clang and LANEFOLD_SANITIZE=ON: cmake --preset fuzz")
  endif()
  target_compile_options(lanefold_defaults INTERFACE -fsanitize=fuzzer-no-link)
endif()

# lanefold_library(name [STATIC] FILES...) makes a library with its public include directory, the defaults, and
# position-independent code (a shared object can contain it). It is static, or shared with BUILD_SHARED_LIBS unless
# STATIC is given. Symbols are hidden but for those that headers mark with LANEFOLD_EXPORT. `name` begins with
# "lanefold_", because all targets of a program share one namespace; others link it as lanefold::<rest of the name>.
function(lanefold_library name)
  add_library(${name} ${ARGN})
  string(REGEX REPLACE "^lanefold_" "" short ${name})
  add_library(lanefold::${short} ALIAS ${name})
  # Before 1.0 every minor version may change the interface.
  set_target_properties(
    ${name}
    PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
               VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               WINDOWS_EXPORT_ALL_SYMBOLS ON)
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    target_compile_definitions(${name} PUBLIC LANEFOLD_SHARED_LIBRARIES=1)
    # Installed side by side, so that they find each other wherever that is.
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
    if(NOT APPLE)
      # Calls inside of a library stay inside.
      target_link_options(${name} PRIVATE LINKER:-Bsymbolic-functions)
      if(NOT LANEFOLD_SANITIZE)
        target_link_options(${name} PRIVATE LINKER:--no-undefined)
      endif()
    endif()
  endif()
  target_include_directories(
    ${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:lanefold_defaults>)
endfunction()
