// SPDX-License-Identifier: MIT
//
// See the header.

#include "contacts/judge_ground.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <lanefold/compound.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/surface_judge.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

using reference::GroundJudgement;
using reference::JudgedGround;
using reference::Judgement;
using reference::Violation;

// The record as one whose body a is the hull.
template <class M>
M with_hull_first(M record) {
    for (float& x : record.normal) x = -x;
    return record;
}

// The kind of a violation that judge_ground() puts into words.
Violation kind_of(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    if (has("but no record has its contact")) return Violation::missed;
    if (has("but there are records")) return Violation::invented;
    if (has("normal is")) return Violation::normal;
    if (has("is off")) return Violation::off_surface;
    return has("has no points") ? Violation::points : Violation::distance;
}

void add(const GroundJudgement& one, std::uint32_t child, bool compound, Judgement& all) {
    all.distance = std::min(all.distance, one.distance);
    all.touching |= one.touching;
    all.overlapping |= one.overlapping;
    all.in_band |= one.in_band;
    all.distance_error = std::max(all.distance_error, one.worst_distance);
    all.surface_error = std::max(all.surface_error, one.worst_surface);
    for (const std::string& text : one.violations) {
        const Violation kind = one.missed && text.starts_with("distance") ? Violation::missed : kind_of(text);
        all.violate(kind, compound ? fmt::format("child {}: {}", child, text) : text);
    }
}

// A record names the pair and, of a compound, the child; the surface has none.
template <class M>
bool names_pair(const M& record, const Pair& pair, std::uint32_t child, bool surface_first) {
    const std::uint32_t other = surface_first ? record.child_a : record.child_b;
    return record.status == Status::ok && record.pair[0] == pair.a && record.pair[1] == pair.b && other == 0 &&
           (surface_first ? record.child_b : record.child_a) == child;
}

}  // namespace

JudgedShapes make_judged_shapes(const HullSet& hulls, std::span<const std::uint64_t> offsets,
                                std::span<const Vec3f> vertices, std::span<const Vec3d> numbers) {
    JudgedShapes out;
    out.hulls.resize(hulls.size());
    for (std::size_t i = 0; i < hulls.size(); ++i)
        if (hulls.surface(i) != nullptr) out.surfaces[i] = {};
    oneapi::tbb::parallel_for(std::size_t{0}, hulls.size(), [&](std::size_t i) {
        const ShapeKind kind = hulls[i].shape;
        if (kind == ShapeKind::compound) return;
        if (kind == ShapeKind::surface) {
            const SurfaceArrays arrays = surface_arrays(*hulls.surface(i));
            reference::OracleSurface& surface = out.surfaces.at(i);
            surface = reference::make_oracle_surface(arrays.vertices, arrays.triangles);
            surface.thickness = static_cast<double>(hulls.surface(i)->thickness());
        } else if (numbers.empty() || kind != ShapeKind::hull) {
            out.hulls[i] = reference::make_oracle_hull(hulls, i);
        } else {
            const std::uint64_t count = offsets[i + 1] - offsets[i];
            out.hulls[i] =
                reference::make_oracle_hull(vertices.subspan(offsets[i], count), numbers.subspan(offsets[i], count));
        }
    });
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        if (hulls[i].shape == ShapeKind::hull && out.hulls[i].vertices.empty())
            throw io_failure("the oracle cannot build hull {}", i);
    }
    return out;
}

template <class M>
Judgement judge_with_surface(const HullSet& hulls, const JudgedShapes& shapes, const BodyD& a, const BodyD& b,
                             const Pair& pair, const PairSettings& how, std::span<const M> records) {
    const bool surface_first = hulls[a.hull].shape == ShapeKind::surface;
    const BodyD& ground = surface_first ? a : b;
    const BodyD& body = surface_first ? b : a;
    const ShapeKind kind = hulls[body.hull].shape;
    Judgement all;
    all.distance = HUGE_VAL;
    std::size_t next = 0;
    if (kind == ShapeKind::hull || kind == ShapeKind::compound) {
        const reference::OracleSurface& surface = shapes.surfaces.at(ground.hull);
        const std::size_t children = hulls.child_count(body.hull);
        for (std::uint32_t k = 0; k < std::max<std::size_t>(children, 1); ++k) {
            const std::size_t first = next;
            while (next < records.size() && names_pair(records[next], pair, k, surface_first)) ++next;
            std::vector<M> own(records.begin() + static_cast<std::ptrdiff_t>(first),
                               records.begin() + static_cast<std::ptrdiff_t>(next));
            const BodyD part = children == 0 ? body : child_body(hulls, body, k);
            JudgedGround input;
            input.surface = &surface;
            input.surface_pose = reference::oracle_pose(ground.position, ground.orientation);
            input.body = &shapes.hulls[part.hull];
            input.body_pose = reference::oracle_pose(part.position, part.orientation);
            input.margin = static_cast<double>(how.margin);
            input.preference = static_cast<double>(how.face_preference);
            input.origin = Vec3d{a.position[0], a.position[1], a.position[2]} - input.body_pose.position;
            input.complete = how.complete;
            const std::vector<std::uint32_t> near = triangles_near(input);
            if (near.empty() && own.empty()) continue;
            input.near = near;
            if (surface_first) std::transform(own.begin(), own.end(), own.begin(), with_hull_first<M>);
            GroundJudgement one = judge_ground(input, std::span<const M>(own));
            // A child that --select leaves out does not count.
            if (own.empty() && one.distance > static_cast<double>(how.margin_unreported))
                one.touching = one.overlapping = false;
            // Records that are not refused are contacts; rounding may hide them from the oracle's own list.
            for (const M& record : own) {
                one.touching = true;
                one.overlapping = one.overlapping || record.distance < 0;
            }
            add(one, k, children != 0, all);
        }
    }
    if (next < records.size()) {
        all.violate(next == 0 ? Violation::invented : Violation::feature,
                    fmt::format("record {} of the pair, of children {} and {}, is out of order or of no such pair",
                                next, records[next].child_a, records[next].child_b));
    }
    return all;
}

template Judgement judge_with_surface(const HullSet&, const JudgedShapes&, const BodyD&, const BodyD&, const Pair&,
                                      const PairSettings&, std::span<const Manifold4>);
template Judgement judge_with_surface(const HullSet&, const JudgedShapes&, const BodyD&, const BodyD&, const Pair&,
                                      const PairSettings&, std::span<const Manifold16>);

}  // namespace lanefold::tools
