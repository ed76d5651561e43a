// SPDX-License-Identifier: MIT
//
// Sets of shapes that are no hulls: all of them or none, with the reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <lanefold/fp_environment.hpp>
#include <lanefold/hull_builder.hpp>

#include "set/store.hpp"

namespace lanefold {

inline HullReport refuse_shape(HullError error, std::size_t index, const char* what) {
    HullReport r;
    r.error = error;
    r.hull = static_cast<std::uint32_t>(index);
    r.what = what;
    return r;
}

// The set of `count` shapes. check(i) is the report of shape i; make() gives the segment, and is called if all are
// good.
template <class Check, class Make>
BuildResult build_whole_set(std::size_t count, const Check& check, const Make& make) {
    BuildResult result;
    result.failures.reserve(1);  // so that running out of memory can be told
    try {
        in_default_environment([&] {
            for (std::size_t i = 0; i < count; ++i) {
                const HullReport report = check(i);
                if (!report) result.failures.push_back(report);
            }
            if (!result.failures.empty() || count == 0) return;
            HullSet built(make());
            result.frames.resize(count);
            result.hulls = std::move(built);
        });
    } catch (const std::bad_alloc&) {
        result.hulls = {};
        result.frames.clear();
        result.failures.assign(1, refuse_shape(HullError::internal, 0, "out of memory"));
    }
    return result;
}

}  // namespace lanefold
