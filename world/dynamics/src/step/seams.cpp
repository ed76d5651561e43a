// SPDX-License-Identifier: MIT
//
// See the header.
#include "step/seams.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

#include <lanefold/broadphase.hpp>
#include <lanefold/compound.hpp>
#include <lanefold/detail/disjoint_sets.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/detail/read_body.hpp>
#include <lanefold/detail/surface_view.hpp>
#include <lanefold/detail/swapped_kind.hpp>

#include "step/margins.hpp"
#include "step/most_of_pairs.hpp"

namespace lanefold::detail {
namespace {

// Pieces whose boxes are nearer than this, relative to their sizes, may share a face; welding decides.
constexpr double kNear = 2e-5;
// A face of which less than this is left has a neighbour. Rounding of its corners leaves out less than 1e-5 of it.
constexpr double kWhole = 1 - 1e-4;
// Sine of the angle between a piece's outer face and the normal of a contact with it, up to which the contact is the
// face's: its share of a push along the face is then below the 1e-5 of speed that a seam may cost.
constexpr double kFlush = 1e-5;
// Sine of the angle up to which two contacts are those of level faces, which share what one surface would bear.
constexpr double kLevel = 1e-3;

// A body of a world has an orientation.
Quat unit(const float q[4]) {
    Quat out;
    normalize(q, out);
    return out;
}

Vec3d world_normal(const HullSet& hulls, const BodyD& piece, const PoseD& pose, std::uint32_t face, double& area) {
    const HullView view(hulls[piece.hull]);
    const std::span<const Vec3f> vertices = hulls.vertices(piece.hull);
    const std::uint32_t first = view.face_first[face];
    const Vec3d origin = to_double(vertices[view.face_vertex[first]]);
    Vec3d sum;
    for (std::uint32_t k = first + 2; k < view.face_first[face + 1]; ++k) {
        const Vec3d u = to_double(vertices[view.face_vertex[k - 1]]) - origin;
        const Vec3d v = to_double(vertices[view.face_vertex[k]]) - origin;
        sum = sum + cross(u, v);
    }
    const double twice = length(sum);
    area = 0.5 * twice;
    return pose.rotation * (sum * (1.0 / twice));
}

Vec3d point_of(const HullSet& hulls, const BodyD& piece, const PoseD& pose, std::uint32_t face) {
    const HullView view(hulls[piece.hull]);
    return transform(pose, to_double(hulls.vertices(piece.hull)[view.face_vertex[view.face_first[face]]]));
}

// Whether level triangles of two pieces share an edge.
bool has_seam(const Surface& surface) {
    const SurfaceView& view = surface.view();
    for (std::uint32_t t = 0; t < view.triangle_count(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t other = surface.neighbour(t, k);
            if (other != Surface::kBorder && surface.input_triangle(other) != surface.input_triangle(t) &&
                view.edge_kind(t, k) == EdgeKind::flat) {
                return true;
            }
        }
    }
    return false;
}

// The triangle of a record's feature on the surface, or kBorder for a vertex, which has none of its own.
std::uint32_t triangle_of(const Manifold4& m) {
    const bool edge = m.kind == ContactKind::edge_edge || m.kind == ContactKind::vertex_edge;
    if (edge) return m.feature_b / 3;
    return m.kind == ContactKind::face_a || m.kind == ContactKind::face_b ? m.feature_b : Surface::kBorder;
}

bool pair_before(const Manifold4& a, const Manifold4& b) {
    return Pair{a.pair[0], a.pair[1]} < Pair{b.pair[0], b.pair[1]};
}

}  // namespace

bool Seams::same_pieces(const WorldState& world) {
    const Bodies& bodies = world.bodies;
    now_.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (bodies.kind(i) != BodyKind::fixed || bodies.lost(i)) continue;
        const HullRecord& hull = world.hulls[bodies.hull(i)];
        if (hull.shape != ShapeKind::hull || hull.round_radius > 0) continue;
        const FilterArrays filters = bodies.filters();
        now_.push_back({i, filters.category[i], filters.collides_with[i], filters.group[i], bodies.poses()[i]});
    }
    const auto same = [](const Fixed& a, const Fixed& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
    return group_.size() == bodies.size() && std::equal(now_.begin(), now_.end(), fixed_.begin(), fixed_.end(), same);
}

CallStatus Seams::update(const WorldState& world) {
    if (same_pieces(world)) return {};
    groups_.clear();
    faces_.assign(world.bodies.size(), {});
    group_.assign(world.bodies.size(), kNone);
    fixed_.clear();
    const CallStatus status = build_groups(world);
    if (status) fixed_ = now_;
    return status;
}

// Pieces whose boxes meet are tried as one surface, in the order of their lowest body.
CallStatus Seams::build_groups(const WorldState& world) {
    const std::size_t count = now_.size();
    std::vector<WorldBox> boxes(count);
    for (std::size_t i = 0; i < count; ++i) {
        const BodyD& pose = now_[i].pose;
        const double near = kNear * static_cast<double>(world.hulls[pose.hull].size);
        boxes[i] = world_box(world.hulls.vertices(pose.hull), pose_of(pose), near);
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return boxes[a].lower.x != boxes[b].lower.x ? boxes[a].lower.x < boxes[b].lower.x : a < b;
    });
    std::vector<std::uint32_t> parent(count);
    std::iota(parent.begin(), parent.end(), 0U);
    for (std::size_t i = 0; i < count; ++i) {
        const Fixed& a = now_[order[i]];
        for (std::size_t j = i + 1; j < count && boxes[order[j]].lower.x <= boxes[order[i]].upper.x; ++j) {
            const Fixed& b = now_[order[j]];
            const bool alike = a.category == b.category && a.collides_with == b.collides_with && a.group == b.group;
            if (!alike || !overlap(boxes[order[i]], boxes[order[j]])) continue;
            unite(parent, order[i], order[j]);
        }
    }
    std::vector<std::vector<std::uint32_t>> members(count);
    for (std::uint32_t i = 0; i < count; ++i) members[find_root(parent, i)].push_back(now_[i].body);
    for (std::vector<std::uint32_t>& pieces : members) {
        if (pieces.size() < 2) continue;
        const CallStatus status = add_group(world, std::move(pieces));
        if (!status) return status;
    }
    return {};
}

// Makes a group of pieces that have a seam.
CallStatus Seams::add_group(const WorldState& world, std::vector<std::uint32_t> pieces) {
    std::vector<SurfacePiece> parts;
    for (const std::uint32_t i : pieces) {
        const BodyD& body = world.bodies.poses()[i];
        parts.push_back({body.hull, position_of(body), unit(body.orientation), 0});
    }
    SurfaceOptions options;
    options.origin = Origin::box_centre;
    SurfaceResult built = surface_of_hulls(world.hulls, parts, options);
    if (built.status.code == Status::out_of_memory) return built.status;
    // Pieces that no surface can be made of, and pieces without a seam, stay single hulls.
    if (!built || !has_seam(built.surface)) return {};
    const auto number = static_cast<std::uint32_t>(groups_.size());
    for (const std::uint32_t i : pieces) group_[i] = number;
    groups_.push_back({std::move(pieces), built.surface, built.surface.shift(),
                       4 * (built.surface.report().weld_tolerance + built.surface.rounding())});
    find_faces(world, groups_.back());
    return {};
}

// Finds the triangles that are left of each face of a group's pieces.
void Seams::find_faces(const WorldState& world, const Group& group) {
    for (const std::uint32_t i : group.pieces) {
        const BodyD& body = world.bodies.poses()[i];
        const PoseD pose = pose_of(body);
        faces_[i].resize(world.hulls[body.hull].face_count);
        for (std::uint32_t f = 0; f < faces_[i].size(); ++f) {
            PieceFace& face = faces_[i][f];
            face.normal = world_normal(world.hulls, body, pose, f, face.area);
            face.point = point_of(world.hulls, body, pose, f);
        }
    }
    for (std::uint32_t t = 0; t < group.surface.triangle_count(); ++t) {
        const Triangle corner = triangle(group, t);
        const Vec3d twice = cross(corner[1] - corner[0], corner[2] - corner[0]);
        for (PieceFace& face : faces_[group.pieces[group.surface.input_triangle(t)]]) {
            double height = 0;
            for (const Vec3d& p : corner) height = std::max(height, std::fabs(dot(face.normal, p - face.point)));
            if (height > group.tolerance || !(dot(face.normal, twice) > 0)) continue;
            face.left.push_back(t);
            face.area_left += 0.5 * length(twice);
        }
    }
}

Seams::Triangle Seams::triangle(const Group& group, std::uint32_t t) {
    const std::array<std::uint32_t, 3> v = group.surface.triangle(t);
    const auto corner = [&](std::size_t k) { return to_double(group.surface.vertex(v[k])) + group.position; };
    return {corner(0), corner(1), corner(2)};
}

// Whether all points of a contact are over what is left of the face.
bool Seams::is_outside(const Group& group, const PieceFace& face, const Manifold4& m, const BodyD& a) {
    if (face.area_left >= kWhole * face.area) return true;
    for (std::uint32_t i = 0; i < m.count; ++i) {
        const float* const offset = m.points[i].position;
        const Vec3d p{a.position[0] + static_cast<double>(offset[0]), a.position[1] + static_cast<double>(offset[1]),
                      a.position[2] + static_cast<double>(offset[2])};
        const bool over = std::any_of(face.left.begin(), face.left.end(), [&](std::uint32_t t) {
            const Triangle corner = triangle(group, t);
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d along = corner[(k + 1) % 3] - corner[k];
                const double inside = dot(cross(face.normal, along), p - corner[k]);
                if (inside < -group.tolerance * length(along)) return false;
            }
            return true;
        });
        if (!over) return false;
    }
    return m.count != 0;
}

// Whether a contact is that of the outer part of a face of the piece. `normal`: of the contact, out of the piece.
bool Seams::stands(const WorldState& world, const Manifold4& m, bool piece_is_a, const Vec3d& normal) const {
    if (m.kind != ContactKind::face_a && m.kind != ContactKind::face_b) return false;
    const std::uint32_t piece = m.pair[piece_is_a ? 0 : 1];
    const std::uint32_t number = piece_is_a ? m.feature_a : m.feature_b;
    if (number >= faces_[piece].size()) return false;
    const PieceFace& face = faces_[piece][number];
    if (!is_outside(groups_[group_[piece]], face, m, world.bodies.poses()[m.pair[0]])) return false;
    return (m.kind == ContactKind::face_a) == piece_is_a || length(cross(face.normal, normal)) <= kFlush;
}

// Lists the bodies whose contacts with a group are computed again, ascending, each with its groups: where one of them
// does not stand, and where several have one normal, which one surface would hold by fewer and other points.
void Seams::collect(const WorldState& world) {
    touches_.clear();
    for (const Manifold4& m : world.contacts.found()) {
        const bool a = group_[m.pair[0]] != kNone;
        if (a == (group_[m.pair[1]] != kNone) || m.status != Status::ok) continue;
        const std::uint32_t piece = m.pair[a ? 0 : 1];
        const double sign = a ? 1 : -1;
        const Vec3d normal{sign * static_cast<double>(m.normal[0]), sign * static_cast<double>(m.normal[1]),
                           sign * static_cast<double>(m.normal[2])};
        touches_.push_back(
            {m.pair[a ? 1 : 0], a ? m.child_b : m.child_a, group_[piece], piece, stands(world, m, a, normal), normal});
    }
    std::sort(touches_.begin(), touches_.end(), [](const Touch& s, const Touch& t) {
        return std::tuple(s.body, s.child, s.group, s.piece) < std::tuple(t.body, t.child, t.group, t.piece);
    });
    task_count_ = 0;
    for (std::size_t i = 0; i < touches_.size();) {
        std::size_t end = i + 1;
        const auto same = [&](const Touch& s, const Touch& t) {
            return s.body == t.body && s.child == t.child && s.group == t.group;
        };
        while (end < touches_.size() && same(touches_[end], touches_[i])) ++end;
        if (must_mend({touches_.data() + i, end - i})) {
            if (task_count_ == tasks_.size()) tasks_.emplace_back();
            Task& task = tasks_[task_count_++];
            task.body = touches_[i].body;
            task.child = touches_[i].child;
            task.group = touches_[i].group;
            task.piece = touches_[i].piece;
        }
        i = end;
    }
}

bool Seams::must_mend(std::span<const Touch> touches) {
    for (std::size_t i = 0; i < touches.size(); ++i) {
        if (!touches[i].stands) return true;
        for (std::size_t k = 0; k < i; ++k) {
            if (dot(touches[i].normal, touches[k].normal) > 0 &&
                length(cross(touches[i].normal, touches[k].normal)) <= kLevel) {
                return true;
            }
        }
    }
    return false;
}

// The body of a task, or its child as a body of its own.
BodyD Seams::part_of(const WorldState& world, const Task& task) {
    const BodyD& body = world.bodies.poses()[task.body];
    return world.bodies.children(task.body) == 0 ? body : child_body(world.hulls, body, task.child);
}

void Seams::solve(const WorldState& world, Task& task, float dt) const {
    const Group& group = groups_[task.group];
    Options options;
    options.margin = margin_of(world, {std::min(task.body, task.piece), std::max(task.body, task.piece)}, dt);
    options.face_preference = world.settings.face_preference;
    SurfacePose pose;
    pose.position[0] = group.position.x;
    pose.position[1] = group.position.y;
    pose.position[2] = group.position.z;
    pose.index = task.piece;
    const BodyD part = part_of(world, task);
    const CallStatus status =
        collide_surface(group.surface, pose, world.hulls, BodyView(std::span(&part, 1)), {}, options, task.contacts);
    assert(status);  // the settings of a world are in range
    static_cast<void>(status);
}

// A record of the surface as one of the body and the piece that it touches; the lower body first.
Manifold4 Seams::record_of(const WorldState& world, const Task& task, Manifold4 m) const {
    const Group& group = groups_[task.group];
    const std::uint32_t t = triangle_of(m);
    const std::uint32_t piece =
        t < group.surface.triangle_count() ? group.pieces[group.surface.input_triangle(t)] : task.piece;
    const bool first = task.body < piece;
    m.pair[0] = first ? task.body : piece;
    m.pair[1] = first ? piece : task.body;
    (first ? m.child_a : m.child_b) = task.child;
    if (!first) {
        std::swap(m.feature_a, m.feature_b);
        m.kind = swapped(m.kind);
        for (float& x : m.normal) x = -x;
    }
    // The points are offsets from the body or its child.
    const BodyD& from = world.bodies.poses()[m.pair[0]];
    if (first && world.bodies.children(task.body) == 0) return m;
    const BodyD part = part_of(world, task);
    for (int k = 0; k < 3; ++k) {
        const double shift = part.position[k] - from.position[k];
        for (std::uint32_t i = 0; i < m.count; ++i) {
            m.points[i].position[k] = static_cast<float>(static_cast<double>(m.points[i].position[k]) + shift);
        }
    }
    return m;
}

void Seams::mend(WorldState& world, float dt, Loops& loops) {
    if (empty()) return;
    collect(world);
    if (task_count_ == 0) return;
    loops.each(task_count_, [&](std::size_t i) { solve(world, tasks_[i], dt); });
    const auto tasks = std::span(tasks_).first(task_count_);
    merged_.clear();
    for (const Task& task : tasks) {
        const std::size_t count = std::min(task.contacts.records.size(), kMostOfPair);
        for (std::size_t i = 0; i < count; ++i) merged_.push_back(record_of(world, task, task.contacts.records[i]));
    }
    std::stable_sort(merged_.begin(), merged_.end(), pair_before);
    const auto mended = static_cast<std::ptrdiff_t>(merged_.size());
    const auto replaced = [&](const Manifold4& m) {
        const bool a = group_[m.pair[0]] != kNone;
        if (a == (group_[m.pair[1]] != kNone)) return false;
        const std::tuple key(m.pair[a ? 1 : 0], a ? m.child_b : m.child_a, group_[m.pair[a ? 0 : 1]]);
        const auto key_of = [](const Task& t) { return std::tuple(t.body, t.child, t.group); };
        const auto at = std::lower_bound(tasks.begin(), tasks.end(), key,
                                         [&](const Task& t, const auto& k) { return key_of(t) < k; });
        return at != tasks.end() && key_of(*at) == key;
    };
    for (const Manifold4& m : world.contacts.found()) {
        if (!replaced(m)) merged_.push_back(m);
    }
    std::inplace_merge(merged_.begin(), merged_.begin() + mended, merged_.end(), pair_before);
    const std::size_t left = keep_most_of_pairs(merged_);
    const std::span<Manifold4> room = world.contacts.room_for_found(left);
    std::copy_n(merged_.begin(), left, room.begin());
    world.contacts.set_found(left);
}

}  // namespace lanefold::detail
