// SPDX-License-Identifier: MIT
//
// A benchmark scene in memory: hulls, bodies frame by frame, candidate pairs. It is read from a scene folder, or made
// by seeded generators (scenes/synthetic.hpp). Every engine gets the same one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::bench {

// Contacts are reported up to this distance, in metres, at bodies of metre size. Game and simulation engines call it
// the speculative distance. One peer has this fixed value, so all use it.
inline constexpr double kDefaultMargin = 0.02;

// One hull in the form that the peers take: polygons in input coordinates.
struct PolyHull {
    std::vector<Vec3f> vertices;                    // canonical order
    std::vector<std::vector<std::uint32_t>> faces;  // counter-clockwise from outside
    std::vector<Vec3d> normals;                     // unit, outward, one per face
    std::vector<double> offsets;                    // n.x <= offset inside
    Vec3d centre;                                   // middle of the box, input coordinates
    bool is_box = false;
    Vec3d half_extent;        // boxes: along the columns of `axes`
    Mat3d axes;               // boxes: input from box frame
    double size = 0;          // half diagonal of the axis-aligned box
    double radius = 0;        // of a rounded hull: all above is its core, which of a sphere or a capsule has no faces
    bool half_space = false;  // one normal and its offset, nothing else

    bool is_sphere() const { return vertices.size() == 1; }
    bool is_capsule() const { return vertices.size() == 2; }
    // Neither rounded nor a half-space, so that every engine has it.
    bool is_sharp() const { return radius == 0 && !half_space; }
};

struct Frame {
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
};

struct Scene {
    std::string name;
    std::string description;  // how it was made
    double margin = kDefaultMargin;
    HullSet hulls;
    std::vector<PolyHull> polyhedra;  // one per hull
    std::vector<Frame> frames;        // at least one

    std::size_t pair_count() const;
    // Whether all hulls are sharp.
    bool is_sharp() const;
};

// Builds hulls and polyhedra. Throws std::runtime_error when a hull cannot be built.
void build_scene_hulls(Scene& scene, const std::vector<Vec3f>& points, const std::vector<std::uint64_t>& offsets);
// The same, with the points of each hull.
void build_scene_hulls(Scene& scene, const std::vector<std::vector<Vec3f>>& hulls);

// The same from a set that is built already.
void set_scene_hulls(Scene& scene, HullSet hulls);

// Pairs of bodies whose boxes overlap within the scene's margin, as a broad phase finds them.
std::vector<Pair> find_candidates(const Scene& scene, const std::vector<Body>& bodies);

// Adds two bodies that are a pair.
void add_couple(Frame& frame, const Body& a, const Body& b);

// Reads at most max_frames frames of a scene folder (docs/formats.md), with its stored pairs if they were made for this
// margin, otherwise with pairs found here. Throws on bad files.
Scene load_scene(const std::filesystem::path& folder, double margin, std::size_t max_frames);

}  // namespace lanefold::bench
