// SPDX-License-Identifier: MIT
//
// Surfaces of any triangles: refused with a reason, or consistent, twice the same, and nothing lost without a report.
#include <cmath>
#include <vector>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/surface.hpp>

#include "fuzz/input.hpp"
#include "support/meshes.hpp"

namespace {

using namespace lanefold;

constexpr std::size_t kMostPoints = 60;
constexpr std::size_t kMostTriangles = 120;

// Raw bits, or small whole numbers, which make points on edges, coincident faces and flat triangles.
test::Mesh read_mesh(fuzz::Input& in, bool raw) {
    test::Mesh mesh;
    const std::size_t points = in.take<std::uint8_t>() % kMostPoints + 1;
    for (std::size_t i = 0; i < points; ++i) {
        if (raw) {
            mesh.points.push_back(in.take<Vec3f>());
            continue;
        }
        const auto bits = in.take<std::uint16_t>();
        mesh.points.push_back({static_cast<float>(bits % 7U) / 2.0F, static_cast<float>(bits / 7U % 7U) / 3.0F,
                               static_cast<float>(bits / 49U % 3U) / 2.0F});
    }
    while (in.left() >= 3 && mesh.triangles.size() < kMostTriangles) {
        const auto corner = [&] { return static_cast<std::uint32_t>(in.take<std::uint8_t>() % (points + 1)); };
        const std::uint32_t a = corner();
        const std::uint32_t b = corner();
        const std::uint32_t c = corner();
        // One index more than there are points, once in a while.
        if (!raw && (a == points || b == points || c == points)) continue;
        mesh.triangles.push_back({a, b, c});
    }
    return mesh;
}

void check_lost(const Surface& surface, std::size_t triangles) {
    std::vector<bool> kept(triangles, false);
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        fuzz::require(surface.input_triangle(t) < triangles, "a triangle that the input lacks");
        kept[surface.input_triangle(t)] = true;
    }
    std::size_t lost = 0;
    for (const bool k : kept) lost += k ? 0U : 1U;
    const SurfaceReport& r = surface.report();
    fuzz::require(lost <= r.degenerate.count + r.duplicate.count + r.opposite.count, "a triangle lost silently");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input in(data, size);
    const auto flags = in.take<std::uint8_t>();
    SurfaceOptions options;
    options.split_t_junctions = (flags & 1U) == 0;
    options.drop_opposite = (flags & 2U) == 0;
    options.origin = (flags & 4U) != 0 ? Origin::box_centre : Origin::input;
    if ((flags & 8U) != 0) options.weld_tolerance = (flags & 16U) != 0 ? 0 : 0.1;
    const test::Mesh mesh = read_mesh(in, (flags & 32U) != 0);
    const SurfaceResult built = build_surface(mesh.points, mesh.triangles, options);
    const SurfaceResult again = build_surface(mesh.points, mesh.triangles, options);
    fuzz::require(built.status.code == again.status.code, "built once, refused once");
    fuzz::require(built.surface.fingerprint() == again.surface.fingerprint(), "built twice, not alike");
    if (!built) {
        fuzz::require(built.status.code == Status::bad_argument && built.status.what[0] != '\0',
                      "refused without a reason");
        fuzz::require(built.surface.empty(), "refused and built");
        return 0;
    }
    const std::string fault = test::surface_fault(built.surface);
    fuzz::require(fault.empty(), fault.c_str());
    check_lost(built.surface, mesh.triangles.size());
    std::vector<std::uint32_t> out;
    built.surface.view().candidates(built.surface.bounds(), out);
    fuzz::require(out.size() == built.surface.triangle_count(), "a triangle that its own bounds do not find");
    return 0;
}
