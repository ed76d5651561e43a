# An overlay port (vcpkg install lanefold --overlay-ports=cmake/packaging/vcpkg): it builds the sources that it lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DLANEFOLD_BUILD_TOOLS=OFF -DLANEFOLD_BUILD_TESTS=OFF -DLANEFOLD_INSTALL=ON -DLANEFOLD_WERROR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME lanefold CONFIG_PATH lib/cmake/lanefold)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
