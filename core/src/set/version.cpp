// SPDX-License-Identifier: MIT
//
// The version that the library was compiled with.
#include <lanefold/version.hpp>

#define LANEFOLD_QUOTE_(x) #x
#define LANEFOLD_QUOTE(x) LANEFOLD_QUOTE_(x)

namespace lanefold {

const char* version() {
    return LANEFOLD_QUOTE(LANEFOLD_VERSION_MAJOR) "." LANEFOLD_QUOTE(LANEFOLD_VERSION_MINOR) "." LANEFOLD_QUOTE(
        LANEFOLD_VERSION_PATCH);
}

int version_number() { return LANEFOLD_VERSION_NUMBER; }

}  // namespace lanefold
