// SPDX-License-Identifier: MIT
//
// The functions that lanefold.mjs calls. Arrays are in the module's memory and belong to JavaScript, but for sets of
// hulls. A text that comes back is "" or says the fault, and lives until the next call.
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <utility>

#include <emscripten/emscripten.h>

#include <lanefold/half_space.hpp>
#include <lanefold/hash.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/serial.hpp>

namespace lanefold::web {
namespace {

std::string& fault() {
    static std::string text;
    return text;
}

// The set on the heap, or null with the fault of the first hull that was refused.
HullSet* keep(BuildResult&& built) {
    if (!built) {
        const HullReport& report = built.failures.front();
        fault() = "hull " + std::to_string(report.hull) + ": " + report.what;
        return nullptr;
    }
    HullSet* const kept = new (std::nothrow) HullSet(std::move(built.hulls));
    if (kept == nullptr) fault() = "out of memory";
    return kept;
}

const char* told(const CallStatus& status) {
    fault().clear();
    if (!status) fault() = std::string(status.what) + " (at " + std::to_string(status.where) + ")";
    return fault().c_str();
}

// The module has one thread, so one workspace serves all calls.
Workspace& workspace() {
    static Workspace instance;
    return instance;
}

// Compact output, and sums as float64 for JavaScript: records, touching, overlapping, points, the halves of the hash
// and of that of a scene with this frame alone.
template <class Record>
const char* collide(const HullSet& hulls, std::span<const Body> bodies, std::span<const Pair> pairs,
                    const Options& options, void* out, std::uint32_t* candidates, double* sums) {
    const std::span<Record> records(static_cast<Record*>(out), pairs.size());
    const CompactResult result = collide_compact_serial(hulls, BodyView(bodies), pairs, options, records, workspace(),
                                                        {}, 0, {candidates, pairs.size()});
    sums[0] = static_cast<double>(result.written);
    sums[1] = static_cast<double>(result.touching);
    sums[2] = static_cast<double>(result.overlapping);
    sums[3] = static_cast<double>(result.points);
    const std::uint64_t hashes[] = {result.hash, mix_frame_hash(0, result.hash)};
    for (std::size_t i = 0; i < 2; ++i) {
        sums[4 + 2 * i] = static_cast<double>(hashes[i] >> 32);
        sums[5 + 2 * i] = static_cast<double>(hashes[i] & 0xFFFFFFFFU);
    }
    return told(result.status);
}

}  // namespace
}  // namespace lanefold::web

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* lanefold_fault() { return lanefold::web::fault().c_str(); }

// A set of `hulls` hulls: hull i has the points offsets[i] to offsets[i + 1], and radii[i]. Null: lanefold_fault().
EMSCRIPTEN_KEEPALIVE lanefold::HullSet* lanefold_build(const lanefold::Vec3f* points, const std::uint64_t* offsets,
                                                       std::uint32_t hulls, const float* radii) {
    lanefold::BuildOptions options;
    options.threads = 1;
    options.radii = {radii, hulls};
    return lanefold::web::keep(lanefold::build_hulls({points, static_cast<std::size_t>(offsets[hulls])},
                                                     {offsets, std::size_t{hulls} + 1}, options));
}

// Half-spaces of four floats each: normal and offset.
EMSCRIPTEN_KEEPALIVE lanefold::HullSet* lanefold_build_half_spaces(const lanefold::HalfSpace* planes,
                                                                   std::uint32_t count) {
    return lanefold::web::keep(lanefold::build_half_spaces({planes, count}));
}

// A new set: the hulls of both, which it shares with them.
EMSCRIPTEN_KEEPALIVE lanefold::HullSet* lanefold_append(const lanefold::HullSet* hulls, const lanefold::HullSet* more) {
    return new (std::nothrow) lanefold::HullSet(hulls->append(*more));
}

EMSCRIPTEN_KEEPALIVE void lanefold_free(lanefold::HullSet* hulls) { delete hulls; }

EMSCRIPTEN_KEEPALIVE std::uint32_t lanefold_size(const lanefold::HullSet* hulls) {
    return static_cast<std::uint32_t>(hulls->size());
}

EMSCRIPTEN_KEEPALIVE const char* lanefold_fingerprint(const lanefold::HullSet* hulls) {
    static std::string text;
    text = lanefold::hash_string(hulls->fingerprint());
    return text.c_str();
}

// The records of the pairs that touch, and the index of each one's pair. Bodies are 32 bytes each (Body); `capacity` is
// 4, 16, or 0 for distances; `out` and `candidates` have room for all pairs, `sums` for eight numbers. The hash is that
// of all pairs.
EMSCRIPTEN_KEEPALIVE const char* lanefold_collide(const lanefold::HullSet* hulls, const lanefold::Body* bodies,
                                                  std::uint32_t body_count, const lanefold::Pair* pairs,
                                                  std::uint32_t pair_count, float margin, float face_preference,
                                                  std::uint32_t capacity, void* out, std::uint32_t* candidates,
                                                  double* sums) {
    using namespace lanefold;
    Options options;
    options.margin = margin;
    options.face_preference = face_preference;
    options.hash = true;
    const std::span<const Body> all(bodies, body_count);
    const std::span<const Pair> list(pairs, pair_count);
    if (capacity == 4) return web::collide<Manifold4>(*hulls, all, list, options, out, candidates, sums);
    if (capacity == 16) return web::collide<Manifold16>(*hulls, all, list, options, out, candidates, sums);
    return web::collide<PairDistance>(*hulls, all, list, options, out, candidates, sums);
}

}  // extern "C"
