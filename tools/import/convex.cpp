// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/convex.hpp"

#include <algorithm>
#include <optional>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/diagnostics.hpp>

#include "console/failure.hpp"
#include "import/coarse_step.hpp"

namespace lanefold::tools {
namespace {

// Largest depth of a vertex or face inside its hull, relative to the hull's size. Rounding and tessellation stay below
// it; a group with a deeper one is not convex.
constexpr double kConvexTolerance = 0.01;

// Says where a piece that shall be is not convex: which vertices or middles of faces lie inside its hull. A list of
// points always means its hull.
std::optional<std::string> not_convex(const Cast& cast, std::size_t i, double scale) {
    const CastPiece& piece = cast.pieces[i];
    const SourcePiece& source = *piece.source;
    if (source.faces() == 0 || piece.is_surface) return std::nullopt;
    const HullRecord& record = cast.hull_of(i);
    const detail::HullView view(record);
    const PoseD frame = view.internal_to_input();
    const auto size = static_cast<double>(record.size);
    double deepest = 0;
    std::uint64_t line = 0;  // of the deepest
    const auto count_inside = [&](std::size_t all, const auto& point, const std::vector<std::uint64_t>& lines) {
        std::uint64_t count = 0;
        for (std::size_t k = 0; k < all; ++k) {
            const Vec3d p = transpose_times(frame.rotation, piece.to_hull(point(k) * scale) - frame.position);
            double outside = -size;
            for (std::uint32_t f = 0; f < record.face_count; ++f) {
                outside = std::max(outside, dot(view.normal(f), p) - static_cast<double>(view.offset(f)));
            }
            const double depth = -outside / size;
            if (depth <= kConvexTolerance) continue;
            ++count;
            if (depth <= deepest) continue;
            deepest = depth;
            line = k < lines.size() ? lines[k] : 0;
        }
        return count;
    };
    const auto vertex = [&](std::size_t k) { return source.points[k]; };
    const auto middle = [&](std::size_t k) { return source.face_centre(k); };
    const std::uint64_t vertices = count_inside(source.points.size(), vertex, source.point_lines);
    const std::uint64_t faces = count_inside(source.faces(), middle, source.face_lines);
    if (vertices + faces == 0) return std::nullopt;
    const std::string which = line == 0 ? std::string("the deepest") : fmt::format("the one of line {}", line);
    const std::string again = source.again == 0
                                  ? ""
                                  : fmt::format(
                                        " (its name opens again in line {}, with vertices of its own: are these two "
                                        "pieces, which need two names?)",
                                        source.again);
    return fmt::format(
        "{}: not convex: {} of {} vertices and {} of {} faces lie inside its hull, {} by {:.0f}% of its size{}",
        cast.describe(i), vertices, source.points.size(), faces, source.faces(), which, 100 * deepest, again);
}

// A file of float32 numbers far from the origin has lost what lies between them, before it was read.
void warn_of_coarse_vertices(const ImportRequest& request, const Cast& cast, ImportReport& report) {
    CoarseStep coarse;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        const CastPiece& piece = cast.pieces[i];
        if (!piece.file->float_numbers || piece.source->part != 0) continue;
        for (const Vec3d& p : piece.source->points) {
            coarse.add(p, request.scale, static_cast<double>(cast.hull_of(i).size), i);
        }
    }
    if (coarse.share <= CoarseStep::kCoarse) return;
    report.warnings.push_back(fmt::format(
        "{}: its float32 coordinates are as large as {:.6g}, where they have steps of {:.2g} {}, {:.2g} of the piece's "
        "size: what is finer was lost when the file was written; export pieces about origins of their own",
        cast.describe(coarse.piece), coarse.coordinate, coarse.step, request.info.unit, coarse.share));
}

}  // namespace

std::vector<std::size_t> concave_pieces(const ImportRequest& request, const Cast& cast) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (not_convex(cast, i, request.scale)) out.push_back(i);
    }
    return out;
}

void judge_pieces(const ImportRequest& request, const Cast& cast, ImportReport& report) {
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (const std::optional<std::string> text = not_convex(cast, i, request.scale)) {
            if (!request.accept_concave) {
                throw bad_input(
                    "{}. Split it into convex groups, let --decompose split it, take its hull with --accept-concave, "
                    "or, if it never moves, take it as it is with --surface",
                    *text);
            }
            report.warnings.push_back(*text + "; its hull was taken");
        } else if (!cast.pieces[i].is_surface && cast.pieces[i].source->again != 0 &&
                   cast.pieces[i].source->part == 0) {
            report.warnings.push_back(
                fmt::format("{}: its name opens again in line {}, with vertices of its own: both are one piece; give "
                            "them two names if they are two",
                            cast.describe(i), cast.pieces[i].source->again));
        }
    }
    warn_of_coarse_vertices(request, cast, report);
}

}  // namespace lanefold::tools
