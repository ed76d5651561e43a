// SPDX-License-Identifier: MIT
//
// The options of sweeps, which casts take, too.
#pragma once

#include <cstddef>

#include <lanefold_sweep.h>
#include <lanefold/serial_sweep.hpp>

namespace lanefold::c_api {

// False, with the reason in `refused`, for invalid options; null ones are the defaults. `bodies`: the number of spins.
// `from` must outlive the inputs.
bool sweep_options_of(const lanefold_sweep_options* from, std::size_t bodies, SweepOptions& to, SweepInputs& in,
                      lanefold_status& refused);

}  // namespace lanefold::c_api
