# Installs lanefold for find_package(lanefold) and pkg-config. add_subdirectory needs nothing from here. tests/consumer
# tries all three ways.
#
# Every library room is a component: a library, its headers, a package of targets that looks only for the room's own
# dependencies, and a file for pkg-config. So find_package(lanefold COMPONENTS reference) never looks for TBB; without
# COMPONENTS it gives all. With static libraries a program also links their private dependencies (TBB, threads);
# only include directories and compile options stay private. Shared libraries (BUILD_SHARED_LIBS) have theirs inside, so
# the packages neither look for them nor name them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lanefold)
# lanefold.pc finds the prefix relative to itself, so that an installation can be moved: one step up for "pkgconfig",
# and one for every part of the library directory (lib, or lib/x86_64-linux-gnu).
string(REGEX REPLACE "[^/]+" ".." LANEFOLD_PC_TO_PREFIX "${CMAKE_INSTALL_LIBDIR}")

# Before anything is copied: a build of single targets (./dev demo makes the program alone) lacks libraries, and CMake
# would stop in the middle. The components `library` and `runtime` need no program, `program` needs nothing else.
set(library_files "")
set(program_files "")
foreach(name IN ITEMS core reference simd parallel broadphase dynamics c shared)
  list(APPEND library_files $<TARGET_FILE:lanefold_${name}>)
endforeach()
if(TARGET lanefold)
  set(program_files $<TARGET_FILE:lanefold>)
endif()
install(CODE "
  if(NOT CMAKE_INSTALL_COMPONENT STREQUAL \"program\")
    set(libraries \"${library_files}\")
  endif()
  if(NOT CMAKE_INSTALL_COMPONENT MATCHES \"^(library|runtime|baking)$\")
    set(programs \"${program_files}\")
  endif()
  foreach(file IN LISTS libraries programs)
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"\${file} is not there: this build is not whole. cmake --build ${PROJECT_BINARY_DIR} \"
                          \"makes the rest; --component program installs the program alone.\")
    endif()
  endforeach()" ALL_COMPONENTS)

# install_component(NAME FOLDER folder DESCRIPTION text [NEEDS component...] [PACKAGES cmake-package...]
# [PKG_CONFIG module...]): the target lanefold_NAME with the public headers in FOLDER/include. Components come
# in the order of their dependencies.
function(install_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;DESCRIPTION;LIBS;CFLAGS" "NEEDS;PACKAGES;PKG_CONFIG")
  set_target_properties(lanefold_${name} PROPERTIES EXPORT_NAME ${name})
  install(
    TARGETS lanefold_${name}
    EXPORT lanefold-${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT library
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # Only the rooms share lanefold/detail; no public header includes it.
  install(
    DIRECTORY ${arg_FOLDER}/include/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT library
    FILES_MATCHING
    PATTERN "*.hpp"
    PATTERN "*.h"
    PATTERN "detail" EXCLUDE)
  install(EXPORT lanefold-${name} FILE lanefold-${name}-targets.cmake NAMESPACE lanefold:: DESTINATION ${package_dir}
          COMPONENT library)

  get_target_property(type lanefold_${name} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND BUILD_SHARED_LIBS)
    set(arg_PACKAGES "")
    set(arg_PKG_CONFIG "")
    if(NOT arg_CFLAGS)
      set(arg_CFLAGS -DLANEFOLD_SHARED_LIBRARIES=1)
    endif()
  endif()
  string(APPEND config "set(lanefold_${name}_NEEDS ${arg_NEEDS})\nset(lanefold_${name}_PACKAGES ${arg_PACKAGES})\n")
  set(LANEFOLD_COMPONENT_SETTINGS "${LANEFOLD_COMPONENT_SETTINGS}${config}" PARENT_SCOPE)
  set(LANEFOLD_COMPONENTS ${LANEFOLD_COMPONENTS} ${name} PARENT_SCOPE)

  list(TRANSFORM arg_NEEDS PREPEND lanefold-)
  list(JOIN arg_NEEDS " " needs)
  list(JOIN arg_PKG_CONFIG " " modules)
  set(LANEFOLD_PC_NAME lanefold-${name})
  set(LANEFOLD_PC_DESCRIPTION ${arg_DESCRIPTION})
  set(LANEFOLD_PC_REQUIRES "${needs} ${modules}")
  if(NOT arg_LIBS)
    set(arg_LIBS "-llanefold_${name} -pthread")
  endif()
  set(LANEFOLD_PC_LIBS "-L\${libdir} ${arg_LIBS}")
  set(LANEFOLD_PC_CFLAGS "${arg_CFLAGS}")
  install_pkg_config()
endfunction()

macro(install_pkg_config)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/lanefold.pc.in ${PROJECT_BINARY_DIR}/${LANEFOLD_PC_NAME}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${LANEFOLD_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT library)
endmacro()

install_component(
  core
  FOLDER core
  DESCRIPTION "Hulls, poses, options and results of lanefold"
  PACKAGES Threads)
install_component(
  reference
  FOLDER core/reference
  DESCRIPTION "Float64 oracle, published methods and contact response of lanefold"
  NEEDS core)
install_component(
  simd
  FOLDER simd
  DESCRIPTION "Narrowphase of lanefold without threads"
  NEEDS core)
install_component(
  parallel
  FOLDER parallel
  DESCRIPTION "Narrowphase of lanefold on all cores"
  NEEDS simd core
  PACKAGES TBB
  PKG_CONFIG tbb)

install_component(
  broadphase
  FOLDER world/broadphase
  DESCRIPTION "Candidate pairs and queries of scenes for lanefold"
  NEEDS parallel simd core
  PACKAGES TBB
  PKG_CONFIG tbb)

install_component(
  dynamics
  FOLDER world/dynamics
  DESCRIPTION "Rigid bodies in motion on lanefold's contacts"
  NEEDS broadphase parallel simd core
  PACKAGES TBB
  PKG_CONFIG tbb)

# pkg-config --libs lanefold gives all C++ libraries.
set(LANEFOLD_PC_NAME lanefold)
set(LANEFOLD_PC_DESCRIPTION "${PROJECT_DESCRIPTION}")
list(TRANSFORM LANEFOLD_COMPONENTS PREPEND lanefold- OUTPUT_VARIABLE modules)
list(JOIN modules " " LANEFOLD_PC_REQUIRES)
set(LANEFOLD_PC_LIBS "")
set(LANEFOLD_PC_CFLAGS "")
install_pkg_config()

install_component(
  c
  FOLDER bindings/c
  DESCRIPTION "lanefold for C, static: link with the C++ compiler"
  NEEDS dynamics parallel broadphase simd core)
set(inside "")
if(BUILD_SHARED_LIBS)
  set(inside dynamics parallel broadphase simd core) # which a linker looks for
endif()
install_component(
  shared
  FOLDER bindings/c
  DESCRIPTION "lanefold for C, shared: one library"
  NEEDS ${inside}
  LIBS "-llanefold"
  CFLAGS "-DLANEFOLD_SHARED=1")

# The module of the wheel links the bake (bindings/python/CMakeLists.txt). Its headers are no interface, so no package
# has it, and only its own component installs it.
if(TARGET lanefold_baking)
  set_target_properties(lanefold_baking PROPERTIES EXPORT_NAME baking)
  install(
    TARGETS lanefold_baking
    EXPORT lanefold-baking
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT baking EXCLUDE_FROM_ALL
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanefold-baking)
  install(DIRECTORY baking/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanefold-baking COMPONENT baking EXCLUDE_FROM_ALL
          FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT lanefold-baking FILE lanefold-baking-targets.cmake NAMESPACE lanefold:: DESTINATION ${package_dir}
          COMPONENT baking EXCLUDE_FROM_ALL)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/lanefold-config.cmake.in
                              ${PROJECT_BINARY_DIR}/lanefold-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lanefold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lanefold-config.cmake ${PROJECT_BINARY_DIR}/lanefold-config-version.cmake
        DESTINATION ${package_dir} COMPONENT library)

if(TARGET lanefold)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(lanefold PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
  endif()
  install(TARGETS lanefold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # If ./dev page has made it, `lanefold view` finds it there.
  install(FILES ${PROJECT_SOURCE_DIR}/build/page/lanefold.html DESTINATION ${CMAKE_INSTALL_DATADIR}/lanefold
          RENAME page.html COMPONENT program OPTIONAL)
endif()
if(LANEFOLD_DEBIAN)
  include(Debian) # which has its own way with licences
else()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
endif()
