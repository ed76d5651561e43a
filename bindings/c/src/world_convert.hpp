// SPDX-License-Identifier: MIT
//
// Converts between the structures of lanefold_world.h and those of the C++ headers; worlds and batches of them use it.
#pragma once

#include <memory>
#include <vector>

#include <lanefold_world.h>
#include <lanefold/rigid_body.hpp>
#include <lanefold/world.hpp>

#include "convert.hpp"

struct lanefold_world {
    std::unique_ptr<lanefold::World> mine;  // null: a batch has it
    lanefold::World& own;
    std::vector<std::byte> saved;  // of the last lanefold_world_save()
};

namespace lanefold::c_api {

lanefold_world_settings settings_of(const WorldSettings& s);
// False for an instruction set that is not a known name.
bool take_settings(const lanefold_world_settings& from, WorldSettings& s);
RigidBody body_of(const lanefold_rigid_body& from);
// A body of an array with its scale; null: all have 1.
struct ScaledBody {
    const lanefold_rigid_body* bodies;
    const float* scales;

    RigidBody operator()(const lanefold_rigid_body& from) const {
        RigidBody to = body_of(from);
        if (scales != nullptr) to.scale = scales[&from - bodies];
        return to;
    }
};
BodyLink link_of(const lanefold_body_link& from);
lanefold_step_result result_of(const StepResult& r);

}  // namespace lanefold::c_api
