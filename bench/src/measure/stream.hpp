// SPDX-License-Identifier: MIT
//
// A ContactStream as an engine of the benchmark. Bodies are prepared inside the timed call.
#pragma once

#include <memory>

#include "peers/engine.hpp"

namespace lanefold::bench {

// `hysteresis`, `reuse`: as Options and StreamOptions have them; 0: off.
std::unique_ptr<Engine> make_stream_engine(double margin, float hysteresis, float reuse);

}  // namespace lanefold::bench
