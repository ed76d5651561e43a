// SPDX-License-Identifier: MIT
//
// The version of the headers as macros, and the version of the library that a program is linked with. CMakeLists.txt
// reads the project's version from here.
#pragma once

#include <lanefold/export.hpp>

// The version of these headers, by parts: a major version may change everything.
#define LANEFOLD_VERSION_MAJOR 0
// A minor version adds; before 1.0 it may change everything, too.
#define LANEFOLD_VERSION_MINOR 1
// A patch mends.
#define LANEFOLD_VERSION_PATCH 0

// One number that grows with every version: 1.2.3 is 1002003.
#define LANEFOLD_VERSION_NUMBER \
    (LANEFOLD_VERSION_MAJOR * 1000000 + LANEFOLD_VERSION_MINOR * 1000 + LANEFOLD_VERSION_PATCH)

namespace lanefold {

// "0.1.0". Static storage.
LANEFOLD_EXPORT const char* version();

// LANEFOLD_VERSION_NUMBER of the library, to compare with that of the headers.
LANEFOLD_EXPORT int version_number();

}  // namespace lanefold
