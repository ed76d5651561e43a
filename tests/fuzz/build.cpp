// SPDX-License-Identifier: MIT
//
// Hull building of any floats: a typed error, or a closed hull about all of its points, twice the same.
#include <algorithm>
#include <cmath>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>

#include "fuzz/input.hpp"

namespace {

using namespace lanefold;

constexpr std::size_t kMostPoints = 200;

void check_hull(const HullRecord& record, const std::vector<Vec3f>& points, bool whole) {
    fuzz::require(record.vertex_count >= 4 && record.face_count >= 4, "a hull of fewer than 4 vertices or faces");
    fuzz::require(record.vertex_count + record.face_count == record.edge_count + 2u, "Euler's formula does not hold");
    const detail::HullView view(record);
    const auto size = static_cast<double>(record.size);
    for (std::uint32_t f = 0; f < record.face_count; ++f) {
        const Vec3d n = view.normal(f);
        fuzz::require(std::fabs(length(n) - 1.0) < 1e-5, "a normal that is not of unit length");
        double top = -1e300;
        for (std::uint32_t v = 0; v < record.vertex_count; ++v) top = std::max(top, dot(n, view.vertex(v)));
        const std::uint32_t first = view.face_vertex[view.face_first[f]];
        // The corners of a face are where it is highest.
        fuzz::require(dot(n, view.vertex(first)) >= top - 4e-6 * size, "a vertex outside of a face");
        if (!whole) continue;
        const PoseD to_input = view.internal_to_input();
        const Vec3d world = to_input.rotation * n;
        const double limit = top + dot(world, to_input.position);
        double furthest = 0;
        for (const Vec3f& p : points) {
            furthest = std::max(furthest, dot(world, to_double(p)) - limit);
        }
        const double scale = size + length(to_input.position);
        fuzz::require(furthest <= 4e-6 * scale, "a point outside of its hull");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input in(data, size);
    const auto flags = in.take<std::uint8_t>();
    BuildOptions options;
    options.merge_coplanar = (flags & 1U) == 0;
    options.recognize_boxes = (flags & 2U) == 0;
    options.origin = (flags & 4U) != 0 ? Origin::centre_of_mass : Origin::input;
    options.max_vertices = (flags & 8U) != 0 ? 4 + in.take<std::uint8_t>() : 0;
    options.threads = 1;
    // Raw bits, or small whole numbers, which make coplanar points and doubles.
    const bool raw = (flags & 16U) != 0;
    std::vector<Vec3f> points;
    while (in.left() >= 3 && points.size() < kMostPoints) {
        if (raw) {
            points.push_back(in.take<Vec3f>());
        } else {
            const auto x = in.take<std::int8_t>();
            const auto y = in.take<std::int8_t>();
            const auto z = in.take<std::int8_t>();
            points.push_back(
                {static_cast<float>(x) / 8.0F, static_cast<float>(y) / 8.0F, static_cast<float>(z) / 8.0F});
        }
    }
    const BuildResult built = build_hull(points, options);
    const BuildResult again = build_hull(points, options);
    fuzz::require(static_cast<bool>(built) == static_cast<bool>(again), "built once, refused once");
    fuzz::require(built.hulls.fingerprint() == again.hulls.fingerprint(), "built twice, not alike");
    if (!built) {
        const HullReport& r = built.failures.at(0);
        fuzz::require(r.error != HullError::ok && r.what[0] != '\0', "a failure without a reason");
        fuzz::require(r.error != HullError::internal, "an internal failure");
        fuzz::require(r.culprit < points.size() || points.empty(), "a culprit that is no point");
        return 0;
    }
    fuzz::require(built.hulls.size() == 1 && built.frames.size() == 1, "one hull was asked for");
    check_hull(built.hulls[0], points, options.max_vertices == 0 && options.origin == Origin::input);
    return 0;
}
