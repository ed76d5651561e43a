// SPDX-License-Identifier: MIT
//
// Seams between fixed hulls: faces on which a neighbour's face lies give no contact. Fixed hulls side by side with
// level faces (tiles, bricks, pieces of a wall) become one surface. The narrowphase treats each piece for itself. Where
// its contact is that of an outer part of a face of a piece, it stands. Any other contact of a body with such a piece
// may be one with an inner face or with an edge that is none, and contacts with level pieces share what one surface
// would bear. Then the body's contacts with all pieces are computed again, with the surface (collide_surface.hpp).
// inner_contacts.hpp has the children of compounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/collide_surface.hpp>
#include <lanefold/manifold.hpp>
#include <lanefold/surface.hpp>

#include "solve/loops.hpp"
#include "state/world_state.hpp"

namespace lanefold::detail {

// Working memory; all of it follows from the fixed bodies of the world.
class Seams {
public:
    // Looks for seams again if a fixed body came, went or moved. Refused: out of memory, as a status or std::bad_alloc.
    CallStatus update(const WorldState& world);
    // Whether no fixed hulls have a seam.
    bool empty() const { return groups_.empty(); }
    // Whether a body is a piece of a surface.
    bool is_piece(std::size_t body) const { return group_[body] != kNone; }
    // Puts contacts with surfaces in the place of the found ones with pieces, where these may be wrong. The found
    // manifolds still ascend; a pair may then have several. Throws std::bad_alloc.
    void mend(WorldState& world, float dt, Loops& loops);

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    struct Group {
        std::vector<std::uint32_t> pieces;  // bodies, ascending
        Surface surface;
        Vec3d position;    // of the surface's coordinates
        double tolerance;  // by which welding and rounding may have moved a corner
    };
    // A face of a piece, in the world.
    struct PieceFace {
        Vec3d normal;  // unit, outward
        Vec3d point;
        double area = 0;
        double area_left = 0;             // on which no neighbour lies
        std::vector<std::uint32_t> left;  // the surface's triangles there
    };
    using Triangle = std::array<Vec3d, 3>;
    // A contact of a body with a piece.
    struct Touch {
        std::uint32_t body, child, group, piece;
        bool stands;   // it is that of the outer part of a face of the piece
        Vec3d normal;  // out of the piece
    };
    // A body, or a child of it, whose contacts with a group are computed again.
    struct Task {
        std::uint32_t body, child;
        std::uint32_t group;
        std::uint32_t piece;  // the lowest that it touches
        SurfaceContacts contacts;
    };

    bool same_pieces(const WorldState& world);
    CallStatus build_groups(const WorldState& world);
    CallStatus add_group(const WorldState& world, std::vector<std::uint32_t> pieces);
    void find_faces(const WorldState& world, const Group& group);
    static Triangle triangle(const Group& group, std::uint32_t t);
    static bool is_outside(const Group& group, const PieceFace& face, const Manifold4& m, const BodyD& a);
    bool stands(const WorldState& world, const Manifold4& m, bool piece_is_a, const Vec3d& normal) const;
    static bool must_mend(std::span<const Touch> touches);
    void collect(const WorldState& world);
    static BodyD part_of(const WorldState& world, const Task& task);
    void solve(const WorldState& world, Task& task, float dt) const;
    Manifold4 record_of(const WorldState& world, const Task& task, Manifold4 m) const;

    // A fixed hull as it was when the groups were made.
    struct Fixed {
        std::uint32_t body;
        std::uint32_t category, collides_with, group;
        BodyD pose;
    };
    std::vector<Fixed> fixed_;
    std::vector<Fixed> now_;  // those of the step under way
    std::vector<Group> groups_;
    std::vector<std::uint32_t> group_;           // per body
    std::vector<std::vector<PieceFace>> faces_;  // per body: of its faces, if it is a piece
    std::vector<Touch> touches_;
    std::vector<Task> tasks_;
    std::size_t task_count_ = 0;
    std::vector<Manifold4> merged_;
};

}  // namespace lanefold::detail
