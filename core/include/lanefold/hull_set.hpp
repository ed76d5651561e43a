// SPDX-License-Identifier: MIT
//
// HullSet: an immutable library of convex hulls and compounds of them, laid out for SIMD. A set is a list of immutable,
// shared segments. append() and remove() return a new set that shares the old segments, and ids stay the same. An id is
// never reused: that of a removed hull stays empty, so that data kept about it (previous records, caches, marks of
// bodies at rest) never applies to another hull.
//
// A surface of triangles is an id, too; its arrays are shared, never copied.
//
// Each hull is one relocatable, 64-byte aligned block, a 64-byte HullRecord that every stage reads (diagnostics.hpp),
// and cold data for users and the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <lanefold/diagnostics.hpp>
#include <lanefold/export.hpp>
#include <lanefold/pose.hpp>
#include <lanefold/vec.hpp>

namespace lanefold {

class Surface;

// Mass data for density 1, in input coordinates; of a rounded hull with its radius.
struct MassProperties {
    double volume = 0;
    Vec3d centre_of_mass;
    Mat3d inertia;  // about the centre of mass
};

// The builder's report on one hull, and the hull's properties.
struct HullInfo {
    std::uint32_t input_points = 0;
    std::uint32_t merged_faces = 0;      // triangles of the exact hull that a merge absorbed
    std::uint32_t dropped_vertices = 0;  // corners of the exact hull that are left out, inside a merged face or edge
    double deviation = 0;                // of merged planes or box corners from the vertices that they replace, / size
    double budget_deviation = 0;         // of the hull with max_vertices from the full hull, / size
    double min_edge_angle = 0;           // smallest angle between neighbouring faces, radians
    bool may_flicker = false;            // min_edge_angle < 10 degrees: face contacts may alternate
    MassProperties mass;
};

// A child of a compound: a hull of the same set and its pose in the compound's frame.
struct CompoundChild {
    double position[3] = {};
    float orientation[4] = {0, 0, 0, 1};  // x, y, z, w
    std::uint32_t hull = 0;
};

// An immutable set of hulls, by id. A copy shares its memory.
class LANEFOLD_EXPORT HullSet {
public:
    HullSet();  // empty
    HullSet(const HullSet&);
    HullSet(HullSet&&) noexcept;
    HullSet& operator=(const HullSet&);
    HullSet& operator=(HullSet&&) noexcept;
    ~HullSet();

    // Number of ids, those of removed hulls included.
    std::size_t size() const;
    // Whether there is no id.
    bool empty() const { return size() == 0; }

    // size() records, contiguous: what kernels read of a hull. Valid as long as any set that contains them lives.
    const HullRecord* records() const;
    const HullRecord& operator[](std::size_t id) const { return records()[id]; }

    // Stored float32 vertices in canonical order and input coordinates; they define the hull. For a removed hull this,
    // input_index() and info() are empty; compounds and surfaces have neither vertices nor input points here.
    std::span<const Vec3f> vertices(std::size_t id) const;

    // vertices(id)[i] is input point input_index(id)[i].
    std::span<const std::uint32_t> input_index(std::size_t id) const;

    // The builder's report on a hull, its mass and inertia.
    const HullInfo& info(std::size_t id) const;

    // Number of children of a compound (compound.hpp); 0 for a hull.
    std::size_t child_count(std::size_t id) const;

    // A child of a compound, with its hull's id in this set.
    CompoundChild child(std::size_t id, std::size_t k) const;

    // The surface of an id (surface_set.hpp), valid as long as any set that contains it lives; null if the id is none,
    // removed, or that of another shape.
    const Surface* surface(std::size_t id) const;

    // Returns a new set: these hulls, then those of `more`. Shares all segments; copies only the records. Children of
    // compounds are the same hulls under their new ids.
    HullSet append(const HullSet& more) const;

    // Returns a new set without these hulls. All other ids stay, size() stays, and append() adds ids after them. Pairs
    // with a body of a removed hull have the status bad_hull. A hull's memory is freed with the last set that has a
    // hull of the same build; 64 bytes remain for each removed id. Ids that are out of range or already removed change
    // nothing. With a hull go all compounds that have it as a child.
    HullSet remove(std::span<const std::uint32_t> ids) const;

    // True if the id is below size() and not removed.
    bool contains(std::size_t id) const;

    // Number of removed ids.
    std::size_t removed() const;

    // 64 bits over stored vertices, canonical topology and radii of all hulls, in order, and over which ids are
    // removed. Equal sets have equal fingerprints on every machine.
    std::uint64_t fingerprint() const;

    // Bytes of all blocks and records, which is all that kernels read. Those of surfaces are Surface::bytes().
    std::size_t hot_bytes() const;

    // Whether any hull is rounded.
    bool rounded() const;

    // Largest number of children of any compound; 0: there is none.
    std::uint32_t max_children() const;

    // Whether any id is a surface of triangles (surface_set.hpp).
    bool has_surfaces() const;

    // Largest counts of any hull, for sizing scratch memory.
    std::uint32_t max_vertices() const;
    // See max_vertices().
    std::uint32_t max_faces() const;
    // See max_vertices().
    std::uint32_t max_edges() const;

    struct Segment;  // private to core/src
    explicit HullSet(std::shared_ptr<const Segment> segment);

private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace lanefold
