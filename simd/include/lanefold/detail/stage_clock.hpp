// SPDX-License-Identifier: MIT
//
// Measures the time of each stage of a chunk. In the library the macros below expand to nothing. The benchmark compiles
// the kernels once more with LANEFOLD_STAGE_CLOCK (bench/src/measure/stages.cpp). Each LANEFOLD_STAGE_DONE then adds
// the time since the previous one to its stage, with the lanes used, the lanes offered and the operations counted
// since. For one thread only.
#pragma once

#include <cstdint>

namespace lanefold::detail {

enum class Stage : std::uint8_t {
    sort,           // pairs to their paths, and to scan classes
    small,          // spheres and capsules: poses, closest points, records
    floors,         // hulls and boxes on far larger boxes: height, contacts, records
    box_axes,       // boxes: pose and all 15 axes
    box_faces,      // boxes: face contacts and their records
    box_edges,      // boxes: edge contacts and their records
    pose,           // relative poses of general pairs
    centre_axis,    // supports along the axis between the centres
    faces,          // face searches of both hulls
    arcs,           // edges that may beat the best face
    edge_pairs,     // axes of the combinations of surviving edges
    decide,         // face or edge, apart or not
    face_contacts,  // clipping and records
    edge_contacts,  // closest points and records
    precise,        // float64 path and distance finishing
    clear,          // zeros for pairs that are not reported
};
inline constexpr int kStageCount = static_cast<int>(Stage::clear) + 1;

// The name of a stage in tables and plots. The compiler warns of a stage without a name.
constexpr const char* stage_name(Stage stage) {
    switch (stage) {
        case Stage::sort:
            return "sort";
        case Stage::small:
            return "spheres and capsules";
        case Stage::floors:
            return "floors";
        case Stage::box_axes:
            return "box axes";
        case Stage::box_faces:
            return "box faces";
        case Stage::box_edges:
            return "box edges";
        case Stage::pose:
            return "pose";
        case Stage::centre_axis:
            return "centre axis";
        case Stage::faces:
            return "faces";
        case Stage::arcs:
            return "edge arcs";
        case Stage::edge_pairs:
            return "edge pairs";
        case Stage::decide:
            return "decide";
        case Stage::face_contacts:
            return "face contacts";
        case Stage::edge_contacts:
            return "edge contacts";
        case Stage::precise:
            return "float64";
        case Stage::clear:
            return "clear";
    }
    return "";
}

struct StageClock {
    std::uint64_t last = 0;  // reading at the last LANEFOLD_STAGE_DONE
    std::uint64_t ticks[kStageCount] = {};
    std::uint64_t lanes[kStageCount] = {};    // in use
    std::uint64_t offered[kStageCount] = {};  // all lanes of the vectors in use
    std::uint64_t flops[kStageCount] = {};    // + - * / sqrt of lane types; counted only in kernels of width 1
    // Counts since the last LANEFOLD_STAGE_DONE.
    std::uint64_t lanes_since = 0;
    std::uint64_t offered_since = 0;
    std::uint64_t flops_since = 0;
};

// A clock that is cheap to read, in units of the processor.
static inline __attribute__((always_inline)) std::uint64_t stage_ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t t = 0;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#else
    return 0;
#endif
}

#ifdef LANEFOLD_STAGE_CLOCK

extern StageClock stage_clock;
extern void (*at_stage_done)(Stage);  // if not null, called at each LANEFOLD_STAGE_DONE: for other counters
static inline __attribute__((always_inline)) void stage_done(Stage stage) {
    const int i = static_cast<int>(stage);
    const std::uint64_t now = stage_ticks();
    stage_clock.ticks[i] += now - stage_clock.last;
    stage_clock.last = now;
    stage_clock.lanes[i] += stage_clock.lanes_since;
    stage_clock.offered[i] += stage_clock.offered_since;
    stage_clock.flops[i] += stage_clock.flops_since;
    stage_clock.lanes_since = stage_clock.offered_since = 0;
    stage_clock.flops_since = 0;
    if (at_stage_done != nullptr) at_stage_done(stage);
}

#define LANEFOLD_STAGE_DONE(stage) ::lanefold::detail::stage_done(::lanefold::detail::Stage::stage)
#define LANEFOLD_STAGE_LANES(used, offered) \
    (::lanefold::detail::stage_clock.lanes_since += (used), ::lanefold::detail::stage_clock.offered_since += (offered))
#define LANEFOLD_STAGE_FLOPS(n) (::lanefold::detail::stage_clock.flops_since += (n))

#else

#define LANEFOLD_STAGE_DONE(stage) static_cast<void>(0)
#define LANEFOLD_STAGE_LANES(used, offered) static_cast<void>(0)
#define LANEFOLD_STAGE_FLOPS(n) static_cast<void>(0)

#endif

}  // namespace lanefold::detail
