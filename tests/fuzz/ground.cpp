// SPDX-License-Identifier: MIT
//
// Contacts of any bodies with surfaces of any triangles: no crash, every number finite, no contact beyond the margin,
// twice the same bits, and the dense call has the deepest record on every instruction set.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <lanefold/collide_surface.hpp>
#include <lanefold/isa.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/surface_set.hpp>

#include "fuzz/contacts_of_bodies.hpp"
#include "fuzz/mesh.hpp"
#include "support/check.hpp"
#include "support/hulls.hpp"
#include "support/poses.hpp"

namespace {

using namespace lanefold;
using namespace lanefold::test;

const Library& library() {
    static const Library hulls = [] {
        Random random(41);
        const std::vector<Points> points{box_points(0.5, 0.4, 0.3),
                                         box_points(0.3, 0.4, 0.02),
                                         box_points(0.3, 0.4, 0.5),
                                         {{0, 0, 0}},
                                         {{-0.5F, 0, 0}, {0.5F, 0, 0}},
                                         make_points(Shape::debris, random),
                                         make_points(Shape::tetrahedron, random)};
        const std::vector<float> radii{0, 0, 0.2F, 0.6F, 0.25F, 0, 0.05F};
        return build_library(points, radii);
    }();
    return hulls;
}

// Raw bits, or small numbers, of which many are equal.
double number(fuzz::Input& in, bool raw) {
    return raw ? in.take<double>() : static_cast<double>(in.take<std::int8_t>()) / 32;
}

void take_turn(fuzz::Input& in, std::uint8_t flags, float (&q)[4]) {
    if ((flags & 4U) != 0) {
        for (float& x : q) x = in.take<float>();
        return;
    }
    double v[4];
    double squared = 0;
    for (double& x : v) {
        x = number(in, false);
        squared += x * x;
    }
    if (!(squared > 0)) v[3] = squared = 1;
    for (int k = 0; k < 4; ++k) q[k] = static_cast<float>(v[k] / std::sqrt(squared));
}

BodyD take_body(fuzz::Input& in) {
    BodyD b{};
    const auto flags = in.take<std::uint8_t>();
    b.hull = (flags & 1U) != 0 ? in.take<std::uint32_t>()
                               : in.take<std::uint8_t>() % static_cast<std::uint32_t>(library().size());
    for (double& x : b.position) x = number(in, (flags & 2U) != 0);
    take_turn(in, flags, b.orientation);
    return b;
}

void check_record(const Manifold4& m, const Options& options) {
    fuzz::check_numbers(m);
    if (m.status != Status::ok) return;
    fuzz::require(m.count > 0, "a contact without a point");
    fuzz::require(m.distance <= options.margin, "a contact beyond the margin");
}

// The first record of each pair of the batch call.
void check_dense(const Surface& surface, const SurfacePose& pose, std::vector<BodyD> bodies, Options options,
                 const SurfaceContacts& found) {
    const BuildResult ground = surface_set(std::span(&surface, 1));
    const HullSet hulls = library().hulls.append(ground.hulls);
    BodyD own{};
    own.hull = static_cast<std::uint32_t>(library().size());
    std::copy_n(pose.position, 3, own.position);
    std::copy_n(pose.orientation, 4, own.orientation);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        // A number that is no hull of the library may be the surface's.
        if (bodies[i].hull < library().size()) pairs.push_back({i, pose.index});
    }
    bodies.push_back(own);
    static Workspace workspace;
    for (const Isa isa : available_isas()) {
        options.isa = isa;
        std::vector<Manifold4> out(pairs.size());
        const BatchResult r = collide_serial(hulls, BodyView(std::span<const BodyD>(bodies)), pairs, options,
                                             std::span<Manifold4>(out), workspace, CallInputs{});
        fuzz::require(static_cast<bool>(r.status), "the batch call refuses what collide_surface takes");
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const std::uint64_t first = found.offsets[pairs[k].a];
            const bool none = first == found.offsets[pairs[k].a + 1];
            fuzz::require(none == (out[k].status == Status::ok && out[k].kind == ContactKind::none),
                          "a contact in one call, none in the other");
            if (none) continue;
            const std::string difference = bitwise_difference(found.records[first], out[k]);
            if (!difference.empty()) fuzz::stop("the dense call has other bits:", difference.c_str());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Input in(data, size);
    const auto flags = in.take<std::uint8_t>();
    SurfaceOptions making;
    making.drop_opposite = (flags & 1U) == 0;
    if ((flags & 2U) != 0) making.thickness = static_cast<float>(in.take<std::uint8_t>()) / 64.0F;
    const Options options = fuzz::take_options(in, in.take<std::uint8_t>());
    SurfacePose pose;
    if ((flags & 4U) != 0) {
        const auto kind = in.take<std::uint8_t>();
        for (double& x : pose.position) x = number(in, (kind & 2U) != 0);
        take_turn(in, kind, pose.orientation);
    }
    std::vector<BodyD> bodies(1 + in.take<std::uint8_t>() % 6U);
    for (BodyD& b : bodies) b = take_body(in);
    pose.index = static_cast<std::uint32_t>(bodies.size());
    const test::Mesh mesh = fuzz::read_mesh(in, (flags & 8U) != 0);
    const SurfaceResult built = build_surface(mesh.points, mesh.triangles, making);
    if (!built || built.surface.empty()) return 0;
    SurfaceContacts found;
    SurfaceContacts again;
    const CallStatus status = collide_surface(built.surface, pose, library().hulls, bodies, {}, options, found);
    const CallStatus twice = collide_surface(built.surface, pose, library().hulls, bodies, {}, options, again);
    fuzz::require(status.code == twice.code, "taken once, refused once");
    if (!status) {
        fuzz::require(status.what[0] != '\0', "refused without a reason");
        return 0;
    }
    fuzz::require(found.offsets == again.offsets && found.offsets.size() == bodies.size() + 1, "other records again");
    for (std::size_t i = 0; i < found.records.size(); ++i) {
        check_record(found.records[i], options);
        fuzz::require(bitwise_difference(found.records[i], again.records[i]).empty(), "other bits again");
    }
    check_dense(built.surface, pose, bodies, options, found);
    return 0;
}
