// SPDX-License-Identifier: MIT
//
// The calls that Jolt wants before any other, once in a process.
#pragma once

#include <string>

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/RegisterTypes.h>

namespace lanefold::bench {

inline void start_jolt() {
    static const bool started = [] {
        JPH::RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory();
        JPH::RegisterTypes();
        return true;
    }();
    static_cast<void>(started);
}

inline std::string jolt_version_text() {
    return std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
           std::to_string(JPH_VERSION_PATCH);
}

}  // namespace lanefold::bench
