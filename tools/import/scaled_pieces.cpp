// SPDX-License-Identifier: MIT
//
// See the header. Checks and masses are of the pieces as they are in the world, which the cast has; only the hulls that
// are written become fewer.
#include "import/scaled_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <lanefold/hull_builder.hpp>

#include "console/failure.hpp"
#include "files/npy.hpp"
#include "import/hull_library.hpp"
#include "import/rows.hpp"

namespace lanefold::tools {
namespace {

// The vertices of a piece's hull before its scale, and their numbers.
struct Shape {
    std::vector<Vec3f> points;
    std::vector<Vec3d> numbers;
};

Shape scaled_shape(const Cast& cast, std::size_t i) {
    const std::uint64_t first = cast.offsets[cast.body_hull[i]];
    const std::uint64_t count = cast.offsets[cast.body_hull[i] + 1] - first;
    const auto points = std::span(cast.vertices).subspan(first, count);
    const auto numbers = std::span(cast.source_vertices).subspan(first, count);
    return {{points.begin(), points.end()}, {numbers.begin(), numbers.end()}};
}

Shape unscaled_shape(const ImportRequest& request, const Cast& cast, std::size_t i) {
    const CastPiece& piece = cast.pieces[i];
    const double scale = piece.source->scale;
    if (scale == 1) return scaled_shape(cast, i);
    Shape out;
    for (const Vec3d& p : piece.source->unscaled) {
        out.numbers.push_back(p * request.scale - piece.centre * (1 / scale));
        out.points.push_back(to_float(out.numbers.back()));
    }
    const bool finite = std::all_of(out.points.begin(), out.points.end(), [](const Vec3f& p) { return is_finite(p); });
    return finite ? out : Shape{};
}

// The largest distance of a vertex that a scaled hull has from its number.
double rounding_of(const Shape& shape, float scale, const Shape& scaled) {
    double out = 0;
    for (std::size_t k = 0; k < shape.points.size(); ++k) {
        const Vec3f& p = shape.points[k];
        out = std::max(out, length(to_double(Vec3f{p.x * scale, p.y * scale, p.z * scale}) - scaled.numbers[k]));
    }
    return out;
}

// Pieces whose shape is there at several scales.
std::vector<bool> choose(const ImportRequest& request, const Cast& cast) {
    HullLibrary shapes;
    std::vector<std::uint32_t> shape_of;
    std::vector<std::set<float>> scales;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        const Shape shape = unscaled_shape(request, cast, i);
        shape_of.push_back(shapes.add(shape.points, shape.numbers));
        scales.resize(shapes.size());
        if (!shape.points.empty()) scales[shape_of.back()].insert(static_cast<float>(cast.pieces[i].source->scale));
    }
    std::vector<bool> out;
    for (const std::uint32_t shape : shape_of) out.push_back(scales[shape].size() > 1);
    return out;
}

std::vector<double> read_scales(const NpyReader& file) {
    file.expect_shape({kAnyLength});
    if (file.header().dtype == npy_dtype<float>()) {
        const std::vector<float> numbers = file.read_all<float>();
        return {numbers.begin(), numbers.end()};
    }
    file.expect_dtype<double>();
    return file.read_all<double>();
}

}  // namespace

void take_scales(const ImportRequest& request, Cast& cast) {
    if (request.scales.empty()) return;
    const std::string name = request.scales.string();
    const std::vector<double> scales = read_scales(NpyReader(request.scales));
    for (std::size_t row = 0; row < scales.size(); ++row) {
        const double scale = scales[row];
        if (scale > 0 && std::isnormal(static_cast<float>(scale))) continue;
        throw bad_input("{}: row {}: scale {} is no finite number above 0 of float32", name, row, scale);
    }
    std::vector<std::string> names;
    if (!request.pose_names.empty()) names = read_row_names(request.pose_names);
    if (!names.empty() && names.size() != scales.size()) {
        throw bad_input("{}: {} names, but {} has {} rows", request.pose_names.string(), names.size(), name,
                        scales.size());
    }
    const std::vector<std::uint32_t> rows = match_rows(cast, scales.size(), names, name);
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        const double scale = scales[rows[i]];
        if (std::fabs(scale - 1) <= kUniformTolerance) continue;
        const CastPiece& piece = cast.pieces[i];
        SourcePiece& source = cast.files[piece.file_number].pieces[piece.number];
        source.scale = scale;
        source.unscaled = source.points;
        for (Vec3d& p : source.points) p = p * scale;
    }
}

void share_scaled(const ImportRequest& request, const Cast& cast, ImportBodies& bodies, ImportReport& report) {
    const bool any = std::any_of(cast.pieces.begin(), cast.pieces.end(),
                                 [](const CastPiece& piece) { return piece.source->scale != 1; });
    if (!any || request.compounds || request.at_rest() || !cast.built_surfaces.empty()) return;
    const std::vector<bool> shared = choose(request, cast);
    if (std::find(shared.begin(), shared.end(), true) == shared.end()) return;
    HullLibrary hulls;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        const Shape shape = shared[i] ? unscaled_shape(request, cast, i) : scaled_shape(cast, i);
        bodies.scale.push_back(shared[i] ? static_cast<float>(cast.pieces[i].source->scale) : 1.0F);
        bodies.hull[i] = hulls.add(shape.points, shape.numbers);
        if (bodies.scale[i] == 1) continue;
        ++report.scaled_bodies;
        const double rounding = rounding_of(shape, bodies.scale[i], scaled_shape(cast, i));
        report.vertex_rounding = std::max(report.vertex_rounding, rounding);
    }
    report.hulls = hulls.size();
    bodies.offsets = std::move(hulls.offsets);
    bodies.vertices = std::move(hulls.vertices);
    bodies.source_vertices = std::move(hulls.numbers);
    BuildOptions options;
    options.threads = request.threads;
    BuildResult built = build_hulls(bodies.vertices, bodies.offsets, options);
    if (!built) throw bad_input("a piece cannot be built before its scale: {}", built.failures.front().what);
    bodies.hulls = std::move(built.hulls);
}

}  // namespace lanefold::tools
