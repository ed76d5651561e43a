// SPDX-License-Identifier: MIT
//
// Reads two bodies of a scene's frame for their story.

#include <algorithm>

#include "console/failure.hpp"
#include "picture/pair_story.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

BodyD body_of(const SceneFrame& frame, const Scene& scene, std::uint32_t i) {
    BodyD out{};
    out.hull = scene.body_hull()[i];
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = std::size_t{i} * 3 + k;
        out.position[k] = frame.position.empty() ? frame.position_double[at] : static_cast<double>(frame.position[at]);
    }
    std::copy_n(frame.orientation.begin() + std::ptrdiff_t{i} * 4, 4, out.orientation);
    return out;
}

void require_pair(const Scene& scene, const SceneFrame& frame, const Pair& pair) {
    for (const std::uint32_t body : {pair.a, pair.b}) {
        if (body >= scene.bodies()) {
            throw bad_input("{}: no body {}, there are {}", scene.folder().string(), body, scene.bodies());
        }
        if (!frame.is_there(body)) {
            throw bad_input("{}: {} is not there in frame {}", scene.folder().string(), scene.describe(body),
                            frame.index);
        }
    }
    if (pair.a == pair.b) throw bad_input("--pair {0},{0}: a body does not meet itself", pair.a);
}

PairStory tell_pair(const Scene& scene, const HullSet& hulls, const SceneFrame& frame, const StoryRequest& request) {
    require_pair(scene, frame, request.pair);
    return tell_pair(hulls, body_of(frame, scene, request.pair.a), body_of(frame, scene, request.pair.b), request);
}

}  // namespace lanefold::tools
