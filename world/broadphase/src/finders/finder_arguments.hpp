// SPDX-License-Identifier: MIT
//
// Checks the arguments of PairFinder::find() and WindowFinder::find(), before anything is changed.
#pragma once

#include <span>

#include <lanefold/body.hpp>
#include <lanefold/broadphase.hpp>
#include <lanefold/status.hpp>

namespace lanefold::detail {

CallStatus check_finder_arguments(const BodyView& bodies, const PairFinderOptions& options);
CallStatus check_window_arguments(std::span<const BodyView> frames, const PairFinderOptions& options);

}  // namespace lanefold::detail
