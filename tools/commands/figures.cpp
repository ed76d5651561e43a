// SPDX-License-Identifier: MIT
//
// `lanefold figures FOLDER`: the drawings of docs/methods.md, each made from the result of the method that it shows.

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/contact_features.hpp>
#include <lanefold/contact_response.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/published.hpp>
#include <lanefold/serial.hpp>
#include <lanefold/sutherland_hodgman.hpp>

#include "commands/commands.hpp"
#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "picture/figure.hpp"

namespace lanefold::tools {
namespace {

using published::Polyhedron;
using Points = std::vector<Vec3f>;

constexpr const char* kColourA = "#4a5f80";
constexpr const char* kColourB = "#b06a1c";
constexpr const char* kRed = "#d9241c";
constexpr const char* kBlue = "#1f6fd6";
constexpr const char* kGreen = "#2b8a3e";

double degrees(double d) { return d * std::numbers::pi / 180.0; }

Quat about(const Vec3d& axis, double angle) {
    const Vec3d n = normalized(axis) * std::sin(angle / 2);
    return {n.x, n.y, n.z, std::cos(angle / 2)};
}

Points box(double x, double y, double z) {
    Points p;
    for (int k = 0; k < 8; ++k) {
        p.push_back(to_float(Vec3d{(k & 1) != 0 ? x : -x, (k & 2) != 0 ? y : -y, (k & 4) != 0 ? z : -z}));
    }
    return p;
}

Points prism(int sides, double radius, double half_height) {
    Points p;
    for (int k = 0; k < 2 * sides; ++k) {
        const double angle = 2 * std::numbers::pi * (k % sides) / sides;
        p.push_back(to_float(
            Vec3d{radius * std::cos(angle), radius * std::sin(angle), k < sides ? -half_height : half_height}));
    }
    return p;
}

HullSet build(const std::vector<Points>& hulls) {
    Points all;
    std::vector<std::uint64_t> offsets{0};
    for (const Points& p : hulls) {
        all.insert(all.end(), p.begin(), p.end());
        offsets.push_back(all.size());
    }
    BuildResult built = build_hulls(all, offsets);
    if (!built) throw io_failure("a figure's hull cannot be built: {}", built.failures[0].what);
    return std::move(built.hulls);
}

Polyhedron placed(const Points& points, const PoseD& pose) {
    return published::make_polyhedron(build({points})[0], pose);
}

FigurePoint plan(const Vec3d& v) { return {v.x, v.y}; }
FigurePoint side(const Vec3d& v) { return {v.x, v.z}; }
// Seen from the front, a little from the right and from above.
FigurePoint space(const Vec3d& v) { return {v.x + 0.35 * v.y, v.z + 0.30 * v.y}; }

template <class Project>
void outline(Figure& figure, const Polyhedron& h, std::uint32_t face, const Project& project,
             const Figure::Stroke& stroke) {
    std::vector<FigurePoint> corners;
    for (const std::uint32_t v : published::cyclic_face(h, face)) corners.push_back(project(h.positions[v]));
    figure.polygon(corners, stroke);
}

template <class Project>
void wire(Figure& figure, const Polyhedron& h, const Project& project, const Figure::Stroke& stroke) {
    for (const auto& [v, w] : h.edges) figure.line({project(h.positions[v]), project(h.positions[w])}, stroke);
}

std::string draw_axes() {
    const Quat on_edge_x = about({1, 0, 0}, degrees(45)), on_edge_y = about({0, 1, 0}, degrees(45));
    const Polyhedron a = placed(box(1.6, 0.5, 0.5), {rotation(on_edge_x), {}});
    Polyhedron b = placed(box(0.5, 1.6, 0.5), {rotation(on_edge_y), {0.2, 0.1, 1.15}});
    const published::Collision c = published::collide(a, b);
    Figure figure(-2.6, 3.2, -1.2, 3.15, 560);
    wire(figure, a, space, {kColourA, 1.4});
    wire(figure, b, space, {kColourB, 1.4});
    if (c.info.type == published::Type::edges) {
        const auto [p, q] = a.edges[c.info.index[0]];
        const auto [r, s] = b.edges[c.info.index[1]];
        figure.line({space(a.positions[p]), space(a.positions[q])}, {kRed, 3});
        figure.line({space(b.positions[r]), space(b.positions[s])}, {kRed, 3});
        figure.dot(space(c.point), kRed, 5);
    }
    for (Vec3d& p : b.positions) p = p + c.mtv;
    wire(figure, b, space, {kColourB, 0.8, "none", true});
    figure.arrow(space(c.point), space(c.point + c.info.normal * 0.9), {kGreen, 2});
    figure.text({-2.5, 2.95}, fmt::format("two edges, separation {:.4f}", c.info.separation));
    figure.text({-2.5, 2.7}, "green: normal from A to B; dashed: B moved by the mtv");
    figure.text({-2.5, -1.05}, "A", kColourA);
    figure.text({-2.3, -1.05}, "B", kColourB);
    return figure.svg(
        "Separating axis of two crossed beams: the pair of edges, the normal, the translation that parts them");
}

std::string draw_published() {
    const Polyhedron a = placed(prism(6, 1.0, 0.5), {});
    const Polyhedron b = placed(box(0.9, 0.65, 0.5), {rotation(about({0, 0, 1}, degrees(28))), {0.55, 0.2, 0.95}});
    const published::Collision c = published::collide(a, b);
    const published::ClipManifold m = published::clip_on_collision_plane(a, b, c);
    Figure figure(-1.4, 2.4, -1.3, 1.6, 560);
    outline(figure, a, m.reference_face, plan, {kColourA, 1.6, kColourA, false, 0.08});
    outline(figure, b, m.incident_face, plan, {kColourB, 1.6, kColourB, false, 0.10});
    const char* const colours[] = {kColourB, kColourA, kRed, kRed};
    for (const published::ClipPoint& p : m.points) {
        figure.dot(plan(p.position), colours[static_cast<std::size_t>(p.source)], 5);
    }
    figure.text({-1.35, 1.45}, "reference face and its vertices inside the other", kColourA);
    figure.text({-1.35, 1.30}, "incident face and its vertices inside the other", kColourB);
    figure.text({-1.35, 1.15}, "crossings of the two outlines", kRed);
    return figure.svg("Points by clipping on the collision plane, from three sources");
}

std::string draw_sutherland_hodgman() {
    const Quat tilt = about({0, 1, 0}, degrees(14));
    const Polyhedron slab = placed(box(2, 1, 0.4), {rotation(tilt), {}});
    const Polyhedron top = placed(box(0.7, 0.7, 0.5), {rotation(tilt), {0.25, 0, 0.65}});
    published::FaceClipSettings rough;
    rough.depth = published::Depth::furthest_vertex;
    const auto exact = published::clip_significant_faces(slab, top, {0, 0, 1});
    const auto published_depth = published::clip_significant_faces(slab, top, {0, 0, 1}, rough);
    Figure figure(-2.7, 2.7, -1.1, 1.95, 640);
    const double highest = slab.positions[exact.a.vertex].z;
    figure.line({{-2.6, highest}, {2.6, highest}}, {"#8a8f98", 1, "none", true});
    wire(figure, slab, side, {kColourA, 1.4});
    wire(figure, top, side, {kColourB, 1.4});
    for (std::size_t k = 0; k < exact.points.size(); ++k) {
        const FigurePoint p = side(exact.points[k].on_incident);
        const FigurePoint far{p.x + 0.035, p.y - published_depth.points[k].separation};
        figure.line({{p.x + 0.035, p.y}, far}, {kRed, 1.8});
        figure.line({p, side(exact.points[k].on_reference)}, {kGreen, 3});
        figure.dot(p, kColourB, 4);
    }
    figure.text({-2.6, 1.78}, "green: depth to the reference face along the normal (exact)", kGreen);
    figure.text({-2.6, 1.58}, "red: to the height of its furthest vertex (as published)", kRed);
    return figure.svg("Depth of clipped points: plane and ray against furthest vertex");
}

Body body_at(std::uint32_t hull, const Vec3d& p, const Quat& q) {
    Body body{};
    const Vec3f at = to_float(p);
    body.position[0] = at.x;
    body.position[1] = at.y;
    body.position[2] = at.z;
    body.hull = hull;
    const std::array<double, 4> parts{q.x, q.y, q.z, q.w};
    for (std::size_t k = 0; k < 4; ++k) body.orientation[k] = static_cast<float>(parts[k]);
    return body;
}

template <class M>
M contact(const HullSet& hulls, const Body& a, const Body& b, const Options& options) {
    Workspace workspace;
    M m{};
    const BatchResult r = collide_pair(hulls, a, b, options, m, workspace);
    if (!r.status) throw io_failure("a figure's pair was refused: {}", r.status.what);
    return m;
}

FigurePoint on_plan(const ContactPoint& c) {
    return {static_cast<double>(c.position[0]), static_cast<double>(c.position[1])};
}

std::string draw_clip() {
    const HullSet hulls = build({box(1, 1, 1), box(1, 1, 1)});
    const Quat yaw = about({0, 0, 1}, degrees(45));
    const Body a = body_at(0, {}, {}), b = body_at(1, {0, 0, 1.95}, yaw);
    const auto all = contact<Manifold16>(hulls, a, b, {});
    const auto kept = contact<Manifold4>(hulls, a, b, {});
    Figure figure(-1.6, 2.4, -1.5, 1.5, 560);
    const std::vector<FigurePoint> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const double r = std::sqrt(2.0);
    figure.polygon(square, {kColourA, 1.6, kColourA, false, 0.08});
    figure.polygon({{r, 0}, {0, r}, {-r, 0}, {0, -r}}, {kColourB, 1.6, kColourB, false, 0.10});
    for (std::uint32_t i = 0; i < all.count; ++i) figure.dot(on_plan(all.points[i]), kRed, 4);
    for (std::uint32_t i = 0; i < kept.count; ++i) figure.ring(on_plan(kept.points[i]), kBlue, 8);
    figure.text({1.05, 1.3}, fmt::format("{} points", all.total), kRed);
    figure.text({1.05, 1.1}, fmt::format("{} kept", kept.count), kBlue);
    return figure.svg("Cube on cube, turned by 45 degrees: eight points, four of them kept");
}

// A lid of 48 corners that bulges and ripples by a few ten-thousandths of its radius.
Points rippled_lid() {
    Points p;
    for (int k = 0; k < 48; ++k) {
        const double angle = 2 * std::numbers::pi * k / 48;
        for (const double r : {1.0, 0.75, 0.45}) {
            if (r < 1 && k % 3 != 0) continue;
            const double ripple = 1.5e-4 * std::sin(7.0 * k) + 4e-4 * (1 - r * r);
            p.push_back(to_float(Vec3d{r * std::cos(angle), r * std::sin(angle), -0.3 - ripple}));
        }
        p.push_back(to_float(Vec3d{std::cos(angle), std::sin(angle), 0.3}));
    }
    return p;
}

std::string draw_patch() {
    const HullSet hulls = build({box(2, 2, 0.5), rippled_lid()});
    const Quat tilt = about({1, 0.4, 0}, 6e-4);
    const Body a = body_at(0, {0, 0, -0.5}, {}), b = body_at(1, {0, 0, 0.2995}, tilt);
    Options options;
    options.margin = 0.005F;
    const auto clip = contact<Manifold16>(hulls, a, b, options);
    options.method = ContactMethod::patch;
    const auto patch = contact<Manifold16>(hulls, a, b, options);
    const Polyhedron lid = published::make_polyhedron(hulls[1], {rotation(tilt), {}});
    Figure figure(-1.3, 2.1, -1.15, 1.3, 600);
    for (std::uint32_t f = 0; f < lid.faces.size(); ++f) {
        if (lid.normals[f].z < -0.9) outline(figure, lid, f, plan, {"#9aa3b0", 0.7});
    }
    const auto points = [&](const Manifold16& m, const char* colour, double radius) {
        for (std::uint32_t i = 0; i < m.count; ++i) figure.dot(on_plan(m.points[i]), colour, radius);
    };
    points(patch, kBlue, 5);
    if (clip.kind == ContactKind::face_a || clip.kind == ContactKind::face_b) {
        outline(figure, lid, clip.kind == ContactKind::face_a ? clip.feature_b : clip.feature_a, plan,
                {kRed, 1.6, kRed, false, 0.25});
    }
    points(clip, kRed, 4);
    figure.text({-1.25, 1.17}, fmt::format("patch: {} points, {} kept", patch.total, patch.count), kBlue);
    figure.text({0.55, 1.17}, fmt::format("clip: {} points, on one of {} faces", clip.total, lid.faces.size()), kRed);
    return figure.svg("A rippled lid on a floor: points of the support patch, and of face clipping");
}

std::string draw_features() {
    const Points brick = box(0.9, 0.6, 0.35);
    const double alpha = degrees(10);
    const std::pair<Quat, const char*> tilts[] = {{about({1, 0.6, 0}, degrees(25)), "vertex"},
                                                  {about({0, 1, 0}, degrees(25)), "edge"},
                                                  {about({0, 1, 0}, degrees(7)), "face"}};
    Figure figure(-1.5, 6.6, -1.1, 1.3, 720);
    double x = 0;
    for (const auto& [tilt, name] : tilts) {
        const Polyhedron h = placed(brick, {rotation(tilt), {x, 0, 0}});
        const published::ContactFeature f = published::contact_feature(h, {0, 0, -1}, alpha);
        if (f.type == FeatureType::face) outline(figure, h, f.index, space, {kRed, 2.5, kRed, false, 0.2});
        wire(figure, h, space, {kColourA, 1.3});
        if (f.type == FeatureType::edge) {
            figure.line({space(h.positions[f.vertices[0]]), space(h.positions[f.vertices[1]])}, {kRed, 4});
        }
        figure.dot(space(h.positions[f.vertex]), kRed, 5);
        static constexpr const char* kKinds[] = {"face", "edge", "vertex"};
        figure.text({x, -1.0}, fmt::format("{}", kKinds[static_cast<std::size_t>(f.type)]), kRed, "middle");
        static_cast<void>(name);
        x += 2.5;
    }
    figure.text({-1.4, 1.15}, "What a brick rests on, tolerance angle 10 degrees");
    return figure.svg("Contact features: vertex, edge and face, as the brick levels");
}

// Heights over time: a ball that bounces to rest, and one on a cable.
std::string draw_response() {
    const double step = 1.0 / 240, g = 9.81;
    std::vector<Vec3d> position{{0, 0, 1.5}, {1, 0, 1.9}, {1, 0, 2.2}}, velocity(3);
    const std::vector<double> inverse_mass{1, 1, 0};
    const std::vector<Vec3d> acceleration{{0, 0, -g}, {0, 0, -g}, {}};
    const ResponseBodies bodies{position, velocity, inverse_mass, acceleration};
    ResponseSettings settings;
    settings.step = step;
    ResponseWorkspace workspace;
    std::vector<FigurePoint> ball, hung;
    std::vector<ResponseContact> contacts;
    Link cable;
    cable.a = 1;
    cable.b = 2;
    cable.length = 1.2;
    cable.restitution = 0.5;
    for (int i = 0; i < 840; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
            velocity[k] = velocity[k] + acceleration[k] * step;
            position[k] = position[k] + velocity[k] * step;
        }
        contacts.clear();
        if (position[0].z < 0.1) {
            ResponseContact floor;
            floor.b = 0;
            floor.normal = {0, 0, 1};
            floor.penetration = 0.1 - position[0].z;
            floor.restitution = 0.75;
            contacts.push_back(floor);
        }
        if (!append_cables({&cable, 1}, bodies, contacts)) throw io_failure("cable refused");
        if (!resolve_contacts(contacts, bodies, settings, workspace).status) throw io_failure("response refused");
        ball.push_back({i * step, position[0].z});
        hung.push_back({i * step, position[1].z});
    }
    Figure figure(-0.35, 3.7, -0.25, 2.35, 700);
    figure.line({{0, 2.2}, {0, 0}, {3.6, 0}}, {"#20242c", 1});
    figure.line({{0, 1.0}, {3.6, 1.0}}, {"#8a8f98", 1, "none", true});
    figure.line(ball, {kBlue, 1.8});
    figure.line(hung, {kColourB, 1.8});
    figure.text({2.1, 0.55}, "ball on a floor, restitution 0.75", kBlue);
    figure.text({2.1, 1.12}, "ball on a cable of 1.2 from 2.2", kColourB);
    figure.text({3.5, -0.18}, "3.5 s", "#20242c", "end");
    figure.text({0.05, 2.2}, "height");
    return figure.svg("Contact response: a ball that bounces to rest and one that falls into its cable");
}

void run(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw bad_input("{}: cannot create the folder: {}", folder, error.message());
    const std::pair<const char*, std::string (*)()> figures[] = {
        {"separating_axis", draw_axes},      {"published_clipping", draw_published},
        {"face_clipping", draw_clip},        {"sutherland_hodgman", draw_sutherland_hodgman},
        {"contact_features", draw_features}, {"support_patch", draw_patch},
        {"contact_response", draw_response}};
    for (const auto& [name, draw] : figures) {
        const std::filesystem::path path = std::filesystem::path(folder) / fmt::format("{}.svg", name);
        write_output(path, draw());
        fmt::print("{}\n", path.string());
    }
}

}  // namespace

void add_figures(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("figures", "Draw the figures of docs/methods.md from real results");
    auto folder = std::make_shared<std::string>();
    command->add_option("folder", *folder, "Folder to write the SVG files to")->required()->type_name("FOLDER");
    command->callback([folder] { run(*folder); });
}

}  // namespace lanefold::tools
