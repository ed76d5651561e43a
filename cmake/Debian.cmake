# Three Debian packages of an installation below /usr, made by `cpack -G DEB` (./dev package):
#
#   liblanefold0.1    the shared library for C; its name has the SONAME, so that two versions can be installed together
#   liblanefold-dev   headers, static libraries, packages of CMake and files of pkg-config, for C++ and C
#   lanefold          the program
#
# Depends of shared libraries come from dpkg-shlibdeps.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  message(FATAL_ERROR "LANEFOLD_DEBIAN: configure with -DCMAKE_INSTALL_PREFIX=/usr")
endif()
get_target_property(lanefold_soversion lanefold_shared SOVERSION)
set(CPACK_PACKAGE_NAME lanefold)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The lanefold authors <maintainers@lanefold.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime library program)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# debian_package(COMPONENT name NAME package SECTION section SUMMARY line TEXT text CONTAINS package...): CONTAINS names
# the packages whose headers became part of the binaries. With SHLIBS the dependencies come from dpkg-shlibdeps.
function(debian_package component)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHLIBS" "NAME;SECTION;DEPENDS;SUMMARY;TEXT" "CONTAINS")
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${arg_NAME} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${arg_SECTION} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${arg_DEPENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ${arg_SHLIBS} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${arg_SUMMARY}\n${arg_TEXT}" PARENT_SCOPE)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${arg_NAME})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/packaging/debian/copyright DESTINATION ${doc} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${doc} RENAME changelog.gz COMPONENT ${component})
  # Their licences ask that the notices go with binaries: the files that Debian has of them, whole.
  foreach(package IN LISTS arg_CONTAINS)
    set(notice /usr/share/doc/${package}/copyright)
    if(NOT EXISTS ${notice})
      message(FATAL_ERROR "${notice} is missing, and the package ${arg_NAME} needs it")
    endif()
    install(FILES ${notice} DESTINATION ${doc}/contains RENAME ${package} COMPONENT ${component})
  endforeach()
endfunction()

find_program(LANEFOLD_GZIP gzip REQUIRED)
execute_process(COMMAND ${LANEFOLD_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md
                OUTPUT_FILE ${PROJECT_BINARY_DIR}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
debian_package(
  runtime SHLIBS
  NAME liblanefold${lanefold_soversion}
  CONTAINS libxsimd-dev libxxhash-dev
  SECTION libs
  SUMMARY "contact manifolds of convex hulls, shared library for C"
  TEXT "Candidate pairs of convex hulls in, exact distances, normals and contact points out, the same bits everywhere.")
debian_package(
  library
  NAME liblanefold-dev
  CONTAINS libxsimd-dev libxxhash-dev
  SECTION libdevel
  DEPENDS "liblanefold${lanefold_soversion} (= ${PROJECT_VERSION}-1), libtbb-dev, libc6-dev"
  SUMMARY "contact manifolds of convex hulls, for development"
  TEXT "Headers, static libraries of the C++ interface, packages of CMake and files of pkg-config.")
debian_package(
  program SHLIBS
  NAME lanefold
  CONTAINS libxsimd-dev libxxhash-dev libcli11-dev libfmt-dev nlohmann-json3-dev libtinyobjloader-dev
  SECTION science
  SUMMARY "contact manifolds of convex hulls, command-line program"
  TEXT "Makes, simulates, collides, verifies and draws scenes of convex hulls.")

# Programs that use the shared library get a dependency on this version or newer of the same SONAME.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
include(CPack)
