// SPDX-License-Identifier: MIT
//
// One bin in a World of our own. Bodies at rest sleep, so a pile costs less and less.
#include <algorithm>
#include <cmath>
#include <vector>

#include <lanefold/hull_builder.hpp>
#include <lanefold/world.hpp>

#include "console/failure.hpp"
#include "generate/fall.hpp"

namespace lanefold::tools {
namespace {

// World's damping is a rate: what is left after a second is 1 / e^rate. -ln(1 - 0.75) and -ln(1 - 0.5).
constexpr float kLinearRate = 1.3862944F;
constexpr float kAngularRate = 0.6931472F;
// As long as World's are at 60 steps a second: twice as many looks at the contacts, so that light bodies under heavy
// ones that fall are not pressed in by more than 4 cm, for a third more time.
constexpr std::uint32_t kSubsteps = 5;

void or_fail(const CallStatus& status) {
    if (!status) throw Failure(ExitCode::interrupted, std::string("the solver refuses: ") + status.what);
}

HullSet slab_hulls(const Bin& bin) {
    std::vector<Vec3f> vertices;
    std::vector<std::uint64_t> offsets{0};
    for (const Slab& slab : bin.slabs) {
        const Vec3f h = to_float(slab.half);
        for (unsigned c = 0; c < 8; ++c)
            vertices.push_back({(c & 1U) != 0 ? h.x : -h.x, (c & 2U) != 0 ? h.y : -h.y, (c & 4U) != 0 ? h.z : -h.z});
        offsets.push_back(vertices.size());
    }
    const BuildResult built = build_hulls(vertices, offsets);
    if (!built) throw Failure(ExitCode::interrupted, "the walls of a bin are no hulls");
    return built.hulls;
}

class OwnWorld : public FallWorld {
public:
    explicit OwnWorld(const FallRequest& request)
        : world_(request.hulls.append(slab_hulls(request.bin))), bodies_(request.bin.start.size()) {
        WorldSettings settings;
        settings.gravity = {0, -static_cast<float>(kGravity), 0};
        settings.linear_damping = kLinearRate;
        settings.angular_damping = kAngularRate;
        settings.substeps = kSubsteps;
        settings.threads = request.threads;
        settings.isa = request.isa;
        or_fail(world_.set_settings(settings));
        std::vector<RigidBody> bodies;
        for (std::size_t i = 0; i < bodies_; ++i) bodies.push_back(mover(request.bin.start[i], request.body_hull[i]));
        auto hull = static_cast<std::uint32_t>(request.hulls.size());
        for (const Slab& slab : request.bin.slabs) {
            RigidBody body;
            body.hull = hull++;
            body.kind = BodyKind::fixed;
            body.friction = kFriction;
            std::copy_n(&slab.centre.x, 3, body.position);
            bodies.push_back(body);
        }
        or_fail(world_.add_bodies(bodies));
    }

    void step() override { or_fail(world_.step(kStep).status); }

    double fastest() const override {
        double most = 0;
        for (std::size_t i = 0; i < bodies_; ++i) most = std::max(most, length(to_double(world_.velocity(i))));
        return most;
    }

    Pose pose(std::size_t body) const override {
        const BodyD& b = world_.bodies()[body];
        Quat q;
        normalize(b.orientation, q);
        return {{b.position[0], b.position[1], b.position[2]}, q};
    }

private:
    static RigidBody mover(const StartPose& start, std::uint32_t hull) {
        RigidBody body;
        body.hull = hull;
        body.density = static_cast<float>(kDensity);
        body.friction = kFriction;
        const Quat& q = start.orientation;
        const float orientation[4] = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                                      static_cast<float>(q.w)};
        const Vec3f velocity = to_float(start.velocity);
        const Vec3f spin = to_float(start.spin);
        std::copy_n(&start.position.x, 3, body.position);
        std::copy_n(orientation, 4, body.orientation);
        std::copy_n(&velocity.x, 3, body.velocity);
        std::copy_n(&spin.x, 3, body.spin);
        return body;
    }

    World world_;
    std::size_t bodies_;
};

}  // namespace

std::unique_ptr<FallWorld> make_lanefold_world(const FallRequest& request) {
    return std::make_unique<OwnWorld>(request);
}

}  // namespace lanefold::tools
