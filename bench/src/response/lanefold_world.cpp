// SPDX-License-Identifier: MIT
//
// lanefold's own world as an engine of the response benchmark.

#include <cstdio>
#include <cstdlib>

#include "response/world.hpp"

namespace lanefold::bench {
namespace {

void or_end(const CallStatus& status) {
    if (status) return;
    std::fprintf(stderr, "lanefold refuses: %s at %llu\n", status.what, static_cast<unsigned long long>(status.where));
    std::exit(1);
}

class OwnWorld : public ResponseWorld {
public:
    OwnWorld(const test::StandingScene& scene, const WorldSettings& settings) : world_(scene.hulls) {
        or_end(world_.set_settings(settings));
        or_end(world_.add_bodies(scene.bodies));
        or_end(world_.add_links(scene.links));
    }
    void step(double dt) override { or_end(world_.step(dt).status); }
    Vec3d position(std::size_t body) const override {
        const double* p = world_.bodies()[body].position;
        return {p[0], p[1], p[2]};
    }
    Quat orientation(std::size_t body) const override {
        Quat q;
        normalize(world_.bodies()[body].orientation, q);
        return q;
    }
    Vec3d velocity(std::size_t body) const override { return to_double(world_.velocity(body)); }
    Vec3d spin(std::size_t body) const override { return to_double(world_.spin(body)); }

private:
    World world_;
};

}  // namespace

std::unique_ptr<ResponseWorld> make_lanefold_world(const test::StandingScene& scene, const WorldSettings& settings) {
    return std::make_unique<OwnWorld>(scene, settings);
}

}  // namespace lanefold::bench
