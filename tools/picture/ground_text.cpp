// SPDX-License-Identifier: MIT
//
// See the header. Triangles are examined by brute force, without the engine.

#include "picture/ground_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <lanefold/feature.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/surface_judge.hpp>

#include "console/failure.hpp"
#include "console/table.hpp"
#include "contacts/judge_ground.hpp"
#include "contacts/whole_output.hpp"
#include "picture/pair_text.hpp"
#include "scene/other_shapes.hpp"

namespace lanefold::tools {
namespace {

// Directions that differ by less are one.
constexpr double kSame = 1e-6;

FeatureCounts counts_of(const HullSet& hulls, std::uint32_t id) {
    const Surface* const surface = hulls.surface(id);
    return surface != nullptr ? surface->feature_counts() : hulls[id].feature_counts();
}

std::string feature_of(const HullSet& hulls, std::uint32_t id, const Feature& f) {
    if (hulls.surface(id) == nullptr || f.type == FeatureType::vertex) return feature_text(f);
    return f.type == FeatureType::face ? fmt::format("triangle {}", f.index)
                                       : fmt::format("edge {} of triangle {}", f.index % 3, f.index / 3);
}

std::string body_text(char name, std::uint32_t index, const BodyD& body, const HullSet& hulls) {
    const double* const p = body.position;
    const float* const q = body.orientation;
    std::string out = fmt::format("  {}: body {}, hull {}: ", name, index, body.hull);
    if (const Surface* const surface = hulls.surface(body.hull)) {
        out += fmt::format("{} of {} triangles, size {:.6g}", surface->is_height_field() ? "height field" : "surface",
                           with_commas(surface->triangle_count()), surface->size());
        if (std::isfinite(surface->thickness())) out += fmt::format(", thickness {:.6g}", surface->thickness());
    } else {
        out += hull_text(hulls[body.hull]);
    }
    return fmt::format("{}\n{}", out, place_text({p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}));
}

// A triangle near the body, as the oracle sees it.
struct Near {
    std::uint32_t number = 0;  // of the surface
    std::array<std::uint32_t, 3> corners{};
    Vec3d normal;  // in the world
    Vec3d way;     // from the surface to the body, in the world
    double separation = 0;
};

class Ground {
public:
    Ground(const HullSet& hulls, const BodyD& a, const BodyD& b, const StoryRequest& request)
        : hulls_(hulls), a_(a), b_(b), request_(request) {
        const bool first = hulls.surface(a.hull) != nullptr;
        const BodyD& ground = first ? a : b;
        const BodyD& body = first ? b : a;
        const std::uint32_t index = first ? request.pair.b : request.pair.a;
        const ShapeKind kind = hulls[body.hull].shape;
        if (kind != ShapeKind::hull) {
            throw bad_input("body {} is a {}: the contacts with a surface are told of a hull", index, to_string(kind));
        }
        if (is_reference(request.method))
            throw bad_input("--method {}: it knows no half-spaces, compounds and surfaces", to_string(request.method));
        const Surface& surface = *hulls.surface(ground.hull);
        arrays_ = surface_arrays(surface);
        shapes_.hulls.resize(hulls.size());
        shapes_.hulls[body.hull] = reference::make_oracle_hull(hulls, body.hull);
        reference::OracleSurface& oracle = shapes_.surfaces[ground.hull];
        oracle = reference::make_oracle_surface(arrays_.vertices, arrays_.triangles);
        oracle.thickness = static_cast<double>(surface.thickness());
        input_.surface = &oracle;
        input_.surface_pose = reference::oracle_pose(ground.position, ground.orientation);
        input_.body = &shapes_.hulls[body.hull];
        input_.body_pose = reference::oracle_pose(body.position, body.orientation);
        input_.margin = static_cast<double>(request.margin);
    }

    std::string triangles() {
        const reference::SurfaceExaminer examiner(*input_.surface, input_.surface_pose, *input_.body, input_.body_pose,
                                                  input_.margin);
        const std::vector<std::uint32_t> near = triangles_near(input_);
        for (const std::uint32_t t : near) sort_in(t, examiner);
        std::string out = fmt::format(
            "\nTriangles, by the oracle in float64 ({} are near; the normal points out of the surface)\n", near.size());
        out += list("met by the body; the way out of each", met_);
        out += list("apart, within the margin, and the nearest: no neighbour is nearer", apart_);
        return out + list("apart, within the margin, but a neighbour is nearer or has the contact", refused_);
    }

    std::string records() {
        Options options;
        options.margin = request_.margin;
        options.face_preference = request_.face_preference;
        options.points = request_.points;
        const BodyD bodies[] = {a_, b_};
        const Pair pairs[] = {{0, 1}};
        Workspace workspace;
        std::vector<Manifold16> found(4);
        const CompactResult done = whole_output(found, [&](std::span<Manifold16> records) {
            return collide_compact_serial(hulls_, BodyView(std::span<const BodyD>(bodies)),
                                          std::span<const Pair>(pairs), options, records, workspace);
        });
        if (!done.status) throw bad_input("{} ({})", done.status.what, to_string(done.status.code));
        if (!found.empty() && found[0].status != Status::ok) {
            throw bad_input("--pair {},{}: {}", request_.pair.a, request_.pair.b, to_string(found[0].status));
        }
        std::string out = fmt::format("\nRecords: {}{}\n", found.size(),
                                      found.size() > 1 ? ", one for each normal, the deepest first" : "");
        for (std::size_t k = 0; k < found.size(); ++k) out += record(k, found[k]);
        return out + verdict(found);
    }

private:
    void sort_in(std::uint32_t t, const reference::SurfaceExaminer& examiner) {
        const reference::OracleTriangle lies = examiner.examine(t);
        // Touching exactly, they have no direction between closest points.
        const bool meets = lies.axes < 0 || !(lies.distance > 0);
        const double radius = examiner.radius();
        if (!meets && lies.distance - radius > input_.margin) return;
        const Mat3d& turn = input_.surface_pose.rotation;
        Near out{arrays_.numbers[t], arrays_.triangles[t], turn * input_.surface->normals[t], {}, 0};
        out.way = turn * (meets ? lies.way : lies.direction);
        out.separation = (meets ? lies.best : lies.distance) - radius;
        // As far as the judge lets a direction be off (1e-6, an angle).
        const bool allowed = meets || inadmissibility(*input_.surface, t, lies.direction) <= kSame;
        (meets ? met_ : allowed ? apart_ : refused_).push_back(out);
    }

    std::string list(const char* title, std::vector<Near>& all) const {
        std::string out = fmt::format("  {}: {}\n", title, all.size());
        std::stable_sort(all.begin(), all.end(),
                         [](const Near& x, const Near& y) { return x.separation < y.separation; });
        for (std::size_t k = 0; k < std::min(all.size(), request_.best); ++k) {
            const Near& n = all[k];
            if (!std::isfinite(n.separation)) {
                out += fmt::format("    triangle {:<9} no direction of it leads out: a neighbour's does\n", n.number);
                continue;
            }
            const bool face = length(n.way - n.normal) <= kSame;
            out += fmt::format(
                "    triangle {:<9} separation {:>12.6g} along {}, {}\n", n.number, n.separation, vector_text(n.way),
                face ? "its normal" : fmt::format("an edge or a corner; its normal {}", vector_text(n.normal)));
        }
        if (all.size() > request_.best) out += fmt::format("    and {} more (--axes)\n", all.size() - request_.best);
        return out;
    }

    std::string record(std::size_t number, const Manifold16& m) const {
        std::string out =
            fmt::format("  {}: {}, distance {:.9g}, normal {}, {} points\n", number, to_string(m.kind), m.distance,
                        vector_text(to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]})), m.total);
        for (std::size_t k = 0; k < m.count; ++k) {
            const ContactPoint& p = m.points[k];
            const std::optional<FeaturePair> features =
                decode_feature(counts_of(hulls_, a_.hull), counts_of(hulls_, b_.hull), p.feature);
            out += fmt::format("     {:<40} separation {:>12.6g}   {}\n",
                               vector_text(to_double(Vec3f{p.position[0], p.position[1], p.position[2]})), p.separation,
                               features ? fmt::format("{} of a, {} of b", feature_of(hulls_, a_.hull, features->a),
                                                      feature_of(hulls_, b_.hull, features->b))
                                        : "not decodable");
        }
        return out;
    }

    std::string verdict(const std::vector<Manifold16>& found) const {
        PairSettings how;
        how.margin = how.margin_unreported = request_.margin;
        how.face_preference = request_.face_preference;
        how.points = request_.points;
        const reference::Judgement judged =
            judge_with_surface(hulls_, shapes_, a_, b_, Pair{0, 1}, how, std::span(found));
        std::string out = judged.right() ? "  right by the oracle" : "  WRONG by the oracle: " + judged.what;
        // The oracle has none where rounding decides whether a triangle touches.
        if (judged.touching && std::isfinite(judged.distance))
            out += fmt::format("; its distance {:.9g}", judged.distance);
        return out + "\n";
    }

    const HullSet& hulls_;
    const BodyD& a_;
    const BodyD& b_;
    const StoryRequest& request_;
    SurfaceArrays arrays_;
    JudgedShapes shapes_;
    reference::JudgedGround input_;
    std::vector<Near> met_;
    std::vector<Near> apart_;
    std::vector<Near> refused_;
};

}  // namespace

bool has_surface(const HullSet& hulls, const BodyD& a, const BodyD& b) {
    return hulls.surface(a.hull) != nullptr || hulls.surface(b.hull) != nullptr;
}

std::string tell_ground(const HullSet& hulls, const BodyD& a, const BodyD& b, const StoryRequest& request) {
    Ground ground(hulls, a, b, request);
    std::string out = body_text('a', request.pair.a, a, hulls) + body_text('b', request.pair.b, b, hulls);
    out += fmt::format("  margin {}, face preference {} of the body's size\n", request.margin, request.face_preference);
    out += ground.triangles();
    return out + ground.records();
}

}  // namespace lanefold::tools
