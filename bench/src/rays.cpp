// SPDX-License-Identifier: MIT
//
// lanefold_rays [bodies] [rays] [rounds]: first hits of rays in a cloud of rocks, by lanefold over a finder's tree and
// by Embree on the triangles of the same hulls, each on one thread, in turns. Their results are compared first: a ray
// that meets another body, or is further off than float32 explains, ends the program with 1.
#include <embree3/rtcore.h>

#include <cmath>
#include <limits>

#include <lanefold/scene_queries.hpp>

#include "between_scene.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::bench;

// All triangles in world axes; a geometry a body.
class EmbreeScene {
public:
    EmbreeScene(const HullSet& hulls, std::span<const BodyD> bodies)
        : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
        for (const BodyD& body : bodies) {
            const PoseD pose = pose_of(body);
            const std::vector<std::uint32_t> corners = triangles_of(hulls[body.hull]);
            const std::span<const Vec3f> vertices = hulls.vertices(body.hull);
            const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
            auto* const at = static_cast<float*>(rtcSetNewGeometryBuffer(
                geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f), vertices.size()));
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                const Vec3f p = to_float(transform(pose, to_double(vertices[i])));
                at[3 * i] = p.x;
                at[3 * i + 1] = p.y;
                at[3 * i + 2] = p.z;
            }
            auto* const list = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
                geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), corners.size() / 3));
            std::copy(corners.begin(), corners.end(), list);
            rtcCommitGeometry(geometry);
            rtcAttachGeometry(scene_, geometry);
            rtcReleaseGeometry(geometry);
            triangles_ += corners.size() / 3;
        }
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        rtcCommitScene(scene_);
    }
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;
    ~EmbreeScene() {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }

    std::size_t triangles() const { return triangles_; }

    void cast(std::span<const Ray> rays, std::span<RTCRayHit> out) const {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        for (std::size_t i = 0; i < rays.size(); ++i) {
            RTCRayHit& h = out[i];
            h = {};
            h.ray.org_x = static_cast<float>(rays[i].origin[0]);
            h.ray.org_y = static_cast<float>(rays[i].origin[1]);
            h.ray.org_z = static_cast<float>(rays[i].origin[2]);
            h.ray.dir_x = static_cast<float>(rays[i].direction[0]);
            h.ray.dir_y = static_cast<float>(rays[i].direction[1]);
            h.ray.dir_z = static_cast<float>(rays[i].direction[2]);
            h.ray.tfar = 1;
            h.ray.mask = 0xFFFFFFFFU;
            h.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene_, &context, &h);
        }
    }

private:
    RTCDevice device_;
    RTCScene scene_;
    std::size_t triangles_ = 0;
};

// The number of rays whose answers differ by more than float32 explains. A ray that starts in a body meets its surface
// from behind in Embree; such rays are left out.
std::size_t differences(std::span<const Ray> rays, std::span<const RayHit> mine, std::span<const RTCRayHit> theirs,
                        std::size_t& compared) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        if (mine[i].state == RayState::inside) continue;
        ++compared;
        const bool hit = mine[i].state == RayState::hit;
        const bool theirs_hit = theirs[i].hit.geomID != RTC_INVALID_GEOMETRY_ID;
        const double off = std::fabs(mine[i].fraction - static_cast<double>(theirs[i].ray.tfar));
        // A ray along a silhouette may pass for one and not for the other.
        if (hit != theirs_hit || off > 1e-4) ++wrong;
    }
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint32_t bodies = argument(argc, argv, 1, 2000);
    const std::uint32_t count = argument(argc, argv, 2, 200000);
    const int rounds = static_cast<int>(argument(argc, argv, 3, 7));
    const double side = 1.6 * std::cbrt(static_cast<double>(bodies));
    std::printf("| points a hull | triangles | compared | differ | lanefold, million rays/s | Embree | ratio |\n");
    std::printf("|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (const std::uint32_t points : {8U, 32U, 96U}) {
        Draw draw(points);
        const HullSet hulls = rocks(points, 64, points);
        std::vector<BodyD> list;
        for (std::uint32_t i = 0; i < bodies; ++i) {
            const Vec3d at{draw.uniform(0, side), draw.uniform(0, side), draw.uniform(0, side)};
            list.push_back(body_at(at, draw.index(64), draw));
        }
        std::vector<Ray> rays(count);
        for (Ray& ray : rays) {
            const Vec3d d = draw.direction() * side;
            for (double& x : ray.origin) x = static_cast<double>(static_cast<float>(draw.uniform(0, side)));
            ray.direction[0] = static_cast<double>(static_cast<float>(d.x));
            ray.direction[1] = static_cast<double>(static_cast<float>(d.y));
            ray.direction[2] = static_cast<double>(static_cast<float>(d.z));
        }
        PairFinder finder;
        const BodyView view{std::span<const BodyD>(list)};
        if (!finder.find(hulls, view).status) return 1;
        const EmbreeScene embree(hulls, list);
        std::vector<RayHit> mine(count);
        std::vector<RTCRayHit> theirs(count);
        QueryWorkspace workspace;
        QueryOptions options;
        options.threads = 1;
        const auto own = [&] { static_cast<void>(cast_rays(finder, rays, mine, workspace, {}, options)); };
        own();
        embree.cast(rays, theirs);
        std::size_t compared = 0;
        const std::size_t wrong = differences(rays, mine, theirs, compared);
        good = good && wrong <= compared / 10000 && compared > count / 2;
        Race race("rays", points, "embree", count);
        for (int r = 0; r < rounds; ++r) race.round([&](auto&) { own(); }, [&](auto&) { embree.cast(rays, theirs); });
        std::printf("| %u | %zu | %zu | %zu | %.2f | %.2f | %.2f |\n", points, embree.triangles(), compared, wrong,
                    1e3 / race.own.min(), 1e3 / race.other.min(), race.other.min() / race.own.min());
    }
    return good ? 0 : 1;
}
