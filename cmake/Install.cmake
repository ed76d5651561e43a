# Installing lanefold, and the two ways in which an installed lanefold is found: find_package(lanefold) and
# pkg-config. The third, add_subdirectory, needs nothing from here. tests/consumer tries all three.
#
# The libraries are static, so whoever links them also links what they keep private (Qhull, TBB, threads);
# only include directories and compile options stay private.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(lanefold_core PROPERTIES EXPORT_NAME core)
set_target_properties(lanefold_simd PROPERTIES EXPORT_NAME simd)
set_target_properties(lanefold_parallel PROPERTIES EXPORT_NAME parallel)

install(
  TARGETS lanefold_core lanefold_simd lanefold_parallel
  EXPORT lanefold
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# lanefold/detail is for the rooms among themselves; no public header includes it.
install(
  DIRECTORY core/include/ simd/include/ parallel/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "detail" EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lanefold)
install(EXPORT lanefold FILE lanefold-targets.cmake NAMESPACE lanefold:: DESTINATION ${package_dir} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/lanefold-config.cmake.in
                              ${PROJECT_BINARY_DIR}/lanefold-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lanefold-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lanefold-config.cmake ${PROJECT_BINARY_DIR}/lanefold-config-version.cmake
        DESTINATION ${package_dir} COMPONENT library)

# lanefold.pc finds the prefix from its own place, so that an installation can be moved: one step up for
# "pkgconfig", one for every part of the library directory (lib, or lib/x86_64-linux-gnu).
string(REGEX REPLACE "[^/]+" ".." LANEFOLD_PC_TO_PREFIX "${CMAKE_INSTALL_LIBDIR}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/lanefold.pc.in ${PROJECT_BINARY_DIR}/lanefold.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lanefold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

if(TARGET lanefold)
  install(TARGETS lanefold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
