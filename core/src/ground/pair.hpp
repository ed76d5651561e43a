// SPDX-License-Identifier: MIT
//
// A pair of a body and a surface: candidates, the contact of each triangle, clusters of one normal. Internal: the shape
// of a pair that gives any number of records.
#pragma once

#include <cstdint>
#include <vector>

#include <lanefold/detail/ground_pair.hpp>
#include <lanefold/detail/precise.hpp>
#include <lanefold/detail/surface_view.hpp>

#include "ground/ground_body.hpp"
#include "ground/moving_body.hpp"
#include "ground/needless.hpp"
#include "ground/triangle_contact.hpp"
#include "precise/memory.hpp"

namespace lanefold::detail {

// Contacts of one normal, which become one record.
struct GroundCluster {
    std::size_t leader = 0;  // the deepest contact
    std::vector<std::size_t> contacts;
    std::vector<std::uint32_t> triangles;  // ascending, of those that have points in it
    std::vector<GroundPoint> points;
    double distance = 0;  // of the cores
};

// A triangle that the core is wholly behind, by at least this much.
struct GroundBehind {
    std::uint32_t triangle = 0;
    double gap = 0;
};

// Memory that is reused from pair to pair.
struct GroundScratch {
    GroundBody body;
    std::vector<std::uint32_t> candidates;  // ascending
    std::vector<std::uint32_t> places;      // of each: in the next two, kNotMade or kOffPlane
    std::vector<GroundTriangle> triangles;  // the candidates that are near, ascending, and others that were looked at
    std::vector<GroundContact> contacts;    // with them
    std::vector<GroundBehind> behind;
    std::vector<GroundPoint> points;
    std::vector<std::size_t> order;
    std::vector<Vec3d> normals;           // one for each way out
    std::vector<GroundCluster> clusters;  // the first `used`
    std::size_t used = 0;
    std::vector<ClipPoint> record;
    std::vector<std::uint32_t> walk;
    std::vector<std::uint8_t> taken;  // per contact: 1 if a cluster has it
    GroundCones cones;
    GroundWays ways;
    GroundWork work;
    Mat3d world;  // surface axes -> world axes
    GroundSweepMemory sweep;

    // The places of triangles among the candidates: a table with a place for each number, or the next free one behind
    // it.
    std::vector<std::uint32_t> table;
    std::uint32_t table_bits = 0;
    // Per triangle that was made: the latest cluster that it was part of.
    std::vector<std::uint32_t> marks;
    std::uint32_t mark = 0;
    // Per triangle that was made: whether its corners are inside of the cluster's plane, bits 0 to 2, and whether that
    // is known, bits 3 to 5.
    std::vector<std::uint8_t> inner;
    std::vector<GroundPoint> spare;
    std::vector<GroundPoint> kept;

    static constexpr std::uint32_t kNotMade = 0xFFFFFFFFU;   // too far to be a contact
    static constexpr std::uint32_t kOffPlane = 0xFFFFFFFEU;  // its plane alone shows it: no candidate

    GroundCluster& add_cluster();
    // Fills the table.
    void list_candidates();
    // The place of a triangle in `candidates`, or their number.
    std::size_t candidate(std::uint32_t t) const;
    // Marks a triangle that was made as part of the cluster at hand.
    void put_in_cluster(std::uint32_t t);
    // Whether a triangle is marked so.
    bool in_cluster(std::uint32_t t) const;
    // A candidate that was made.
    const GroundTriangle& triangle(std::uint32_t t) const { return triangles[places[candidate(t)]]; }
    // Makes a candidate: returns its place in `triangles`.
    std::uint32_t make(std::size_t candidate, const GroundSurface& surface);
};

// Fills scratch.clusters, deepest first.
void solve_ground(const GroundPair& pair, GroundScratch& scratch);

// The same for the body of the scratch, which was placed. `origin`: the core's centre, surface coordinates.
void solve_placed(const SurfaceView& surface, const Vec3d& origin, const GroundQuestion& question,
                  GroundScratch& scratch);

// Writes the record of a cluster.
template <class Manifold>
void write_ground(const GroundPair& pair, GroundScratch& scratch, const GroundCluster& cluster, Manifold& out);
void write_ground(const GroundPair& pair, GroundScratch& scratch, const GroundCluster& cluster, PairDistance& out);

}  // namespace lanefold::detail
