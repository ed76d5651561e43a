// SPDX-License-Identifier: MIT
//
// Bodies of every size, speed and mass beside other engines: drops, bounces, stacks, loads, shards, chains, seams.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "response/world.hpp"

namespace lanefold::bench {

// An engine as the pages of response name it.
struct Engine {
    const char* name;
    std::function<std::unique_ptr<ResponseWorld>(const test::StandingScene&, bool sleep)> make;
};

// A table for each kind: its name, columns, and for each engine a value a column, or two; null: the engine cannot.
nlohmann::ordered_json measure_sizes(const std::vector<Engine>& engines, bool quick);

}  // namespace lanefold::bench
