// SPDX-License-Identifier: MIT
//
// Calls whose bytes must not depend on the floating-point environment: those of core/reference here, those of the
// engine in bits/fp_environment_test.cpp; and the scene that both work on.
#pragma once

#include <functional>
#include <vector>

#include <lanefold/manifold.hpp>

#include "support/batch_scene.hpp"
#include "support/bytes.hpp"

namespace lanefold::test {

struct Call {
    const char* name;
    std::function<void(Bytes&)> run;
};

// Bodies of many shapes, some at denormal positions; made, like its contacts, in the environment of the first call.
const BatchScene& fp_scene();
const std::vector<Manifold4>& fp_contacts();

// Oracle, published methods, contact response.
void add_reference_calls(std::vector<Call>& calls);

}  // namespace lanefold::test
