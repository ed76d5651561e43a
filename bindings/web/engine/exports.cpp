// SPDX-License-Identifier: MIT
//
// The functions that JavaScript calls. Texts are UTF-8 with a zero at the end, arrays are in the module's memory.
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <emscripten/emscripten.h>

#include <lanefold/hash.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>

#include "engine/engine.hpp"

namespace lanefold::web {
namespace {

// The page has one engine, as it has one thread.
Engine& engine() {
    static Engine instance;
    return instance;
}

template <class M>
std::string hash_scene(const HullSet& hulls, std::span<const Body> bodies, std::span<const Pair> pairs,
                       const Options& options) {
    std::vector<M> out(pairs.size());
    Workspace workspace;
    const BatchResult r = collide_serial(hulls, BodyView(bodies), pairs, options, std::span<M>(out), workspace);
    if (!r.status) return r.status.what;
    return hash_string(mix_frame_hash(0, r.hash));
}

}  // namespace
}  // namespace lanefold::web

extern "C" {

// The answer lives until the next call.
EMSCRIPTEN_KEEPALIVE const char* lanefold_answer(const char* request) {
    static std::string answer;
    answer = lanefold::web::engine().answer(request);
    return answer.c_str();
}

// "FINGERPRINT HASH" of a scene's frame on one instruction set, or what went wrong. Bodies are 32 bytes each (Body).
EMSCRIPTEN_KEEPALIVE const char* lanefold_scene_hash(const lanefold::Vec3f* points, const std::uint64_t* offsets,
                                                     std::uint32_t hulls, const lanefold::Body* bodies,
                                                     std::uint32_t body_count, const lanefold::Pair* pairs,
                                                     std::uint32_t pair_count, float margin, float face_preference,
                                                     std::uint32_t capacity, const char* isa) {
    using namespace lanefold;
    static std::string answer;
    BuildOptions build;
    build.threads = 1;
    const BuildResult built =
        build_hulls({points, static_cast<std::size_t>(offsets[hulls])}, {offsets, std::size_t{hulls} + 1}, build);
    if (!built) return built.failures.front().what;
    Options options;
    options.margin = margin;
    options.face_preference = face_preference;
    options.isa = parse_isa(isa).value_or(Isa::automatic);
    options.hash = true;
    const std::span<const Body> all(bodies, body_count);
    const std::span<const Pair> list(pairs, pair_count);
    answer = hash_string(built.hulls.fingerprint()) + " " +
             (capacity == 4 ? web::hash_scene<Manifold4>(built.hulls, all, list, options)
                            : web::hash_scene<Manifold16>(built.hulls, all, list, options));
    return answer.c_str();
}

}  // extern "C"
