// SPDX-License-Identifier: MIT
//
// Steps a world with the bodies of one bin until the last frame, and records their poses.

#include "generate/fall.hpp"

#include <cmath>

namespace lanefold::tools {
namespace {

void record(const FallWorld& world, const Bin& bin, Fall& out) {
    for (std::size_t i = 0; i < bin.start.size(); ++i) {
        const FallWorld::Pose pose = world.pose(i);
        const Vec3f p = to_float(pose.position + bin.position);
        const Quat& q = pose.orientation;
        out.position.insert(out.position.end(), {p.x, p.y, p.z});
        out.orientation.insert(out.orientation.end(), {static_cast<float>(q.x), static_cast<float>(q.y),
                                                       static_cast<float>(q.z), static_cast<float>(q.w)});
        const bool inside = std::fabs(pose.position.x) < bin.half_width &&
                            std::fabs(pose.position.z) < bin.half_width && pose.position.y > 0 &&
                            pose.position.y < bin.height;
        if (!inside) ++out.escaped;
    }
}

}  // namespace

std::optional<FallEngine> parse_fall_engine(std::string_view name) {
    if (name == "lanefold") return FallEngine::lanefold;
    if (name == "bullet") return FallEngine::bullet;
    return std::nullopt;
}

const char* to_string(FallEngine engine) { return engine == FallEngine::bullet ? "bullet" : "lanefold"; }

double settling_time(double height) {
    // Free fall first, then about 7 m/s; four seconds more for the heap to come to rest.
    return std::sqrt(2 * height / kGravity) + height / 14 + 4;
}

Fall fall(FallEngine engine, const FallRequest& request) {
    constexpr std::uint64_t kReportEvery = 4;
    const std::unique_ptr<FallWorld> world =
        engine == FallEngine::bullet ? make_bullet_world(request) : make_lanefold_world(request);
    const FrameSchedule& schedule = request.schedule;
    Fall out;
    out.position.reserve(request.bin.start.size() * schedule.frames * 3);
    out.orientation.reserve(request.bin.start.size() * schedule.frames * 4);
    std::uint64_t step = 0;
    std::uint64_t told = 0;
    for (std::uint32_t frame = 0; frame < schedule.frames; ++frame) {
        for (; step < schedule.step_of(frame); ++step) {
            if (step - told >= kReportEvery) {
                if (!request.advance(step - told)) return out;
                told = step;
            }
            world->step();
        }
        record(*world, request.bin, out);
    }
    request.advance(step - told);
    out.fastest_at_end = world->fastest();
    return out;
}

}  // namespace lanefold::tools
