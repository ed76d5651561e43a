// SPDX-License-Identifier: MIT
//
// Checks the arguments of PairFinder::find(), before anything is changed.
#pragma once

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/status.hpp>

namespace lanefold::detail {

CallStatus check_finder_arguments(const BodyView& bodies, const PairFinderOptions& options);

}  // namespace lanefold::detail
