# Runs the script of the vcpkg port where vcpkg is not to be had, with stand-ins for the functions of vcpkg that it
# calls: they build and install into CURRENT_PACKAGES_DIR, and refuse what vcpkg would refuse.
#   cmake -D PORT=.../vcpkg/lanefold/portfile.cmake -D CURRENT_PACKAGES_DIR=folder -D OPTIONS=-DX=Y;.. -P this

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The port's own options come first, so that OPTIONS can add, not replace.
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "vcpkg_cmake_configure does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${CURRENT_PACKAGES_DIR}-build -G Ninja -DCMAKE_BUILD_TYPE=Release
      -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib
      ${arg_OPTIONS} ${OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${CURRENT_PACKAGES_DIR}-build --target install)
endfunction()

# vcpkg moves the package of CMake to share/<name>.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
  set(from ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH})
  if(NOT EXISTS ${from}/${arg_PACKAGE_NAME}-config.cmake)
    message(FATAL_ERROR "the port names ${arg_CONFIG_PATH}, where there is no package ${arg_PACKAGE_NAME}")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB files ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc)
  if(NOT files)
    message(FATAL_ERROR "no files of pkg-config in lib/pkgconfig")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  foreach(file IN LISTS arg_FILE_LIST)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "there is no ${file}")
    endif()
  endforeach()
endfunction()

include(${PORT})
