# SPDX-License-Identifier: MIT
#
# Conan recipe: conan create cmake/packaging/conan. It builds the sources that it lies in, with oneTBB, xsimd and
# xxHash of the system: Debian's packages, which it names where they are missing.
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.system.package_manager import Apt

required_conan_version = ">=2.0"


class Lanefold(ConanFile):
    name = "lanefold"
    license = "MIT"
    description = "Data-oriented SIMD batch narrowphase for convex hulls"
    topics = ("collision detection", "contact manifold", "convex hull", "SIMD")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"isas": ["ANY"], "shared": [True, False]}
    default_options = {"isas": "all", "shared": False}

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "../../../core/include/lanefold/version.hpp"))
        lines = [line.split() for line in header.splitlines() if line.startswith("#define LANEFOLD_VERSION_")]
        self.version = ".".join(words[2] for words in lines if len(words) == 3 and words[2].isdigit())

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "../../..")
        for name in ("CMakeLists.txt", "LICENSE"):
            copy(self, name, root, self.export_sources_folder)
        for room in ("core", "simd", "parallel", "world", "bindings/c", "cmake"):
            copy(self, f"{room}/*", root, self.export_sources_folder)

    def system_requirements(self):
        Apt(self).check(["libtbb-dev", "libxsimd-dev", "libxxhash-dev"])

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("BUILD_TOOLS", "BUILD_TESTS", "WERROR"):
            toolchain.cache_variables[f"LANEFOLD_{name}"] = "OFF"
        toolchain.cache_variables["LANEFOLD_INSTALL"] = "ON"
        if str(self.options.isas) != "all":
            toolchain.cache_variables["LANEFOLD_ISAS"] = str(self.options.isas)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # lanefold brings its own CMake package, with a target for each component.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "lanefold"))
