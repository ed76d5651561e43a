// SPDX-License-Identifier: MIT
//
// The reference for a step of a stream or a call with certificates: the compact call that knows nothing of earlier
// ones but, with hysteresis, its previous records.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "support/batch_scene.hpp"

namespace lanefold::test {

template <class M>
bool same_bytes(std::span<const M> a, std::span<const M> b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

// `previous`: used only where options.hysteresis is on.
template <class M>
std::vector<M> cold_call(const BatchScene& scene, const Options& options, std::span<const M> previous,
                         CompactResult& result) {
    CallInputs inputs;
    if (options.hysteresis > 0) inputs.previous = PreviousContacts::compact(previous);
    std::vector<M> out(scene.pairs.size());
    Workspace workspace;
    result = collide_compact(scene.hulls, scene.view(), scene.pairs, options, std::span<M>(out), workspace, inputs);
    EXPECT_TRUE(result.status) << result.status.what;
    out.resize(result.written);
    return out;
}

}  // namespace lanefold::test
