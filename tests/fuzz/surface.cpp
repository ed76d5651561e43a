// SPDX-License-Identifier: MIT
//
// Surfaces of any triangles: refused with a reason, or consistent, twice the same, and nothing lost without a report.
#include <vector>

#include <lanefold/detail/surface_view.hpp>
#include <lanefold/surface.hpp>

#include "fuzz/mesh.hpp"

namespace {

using namespace lanefold;

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
    const test::Mesh mesh = fuzz::read_mesh(in, (flags & 32U) != 0);
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
