// SPDX-License-Identifier: MIT
//
// Bodies on terrain, as every engine of lanefold_ground gets them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lanefold/body.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/surface.hpp>
#include <lanefold/vec.hpp>

namespace lanefold::bench {

// A shape by what it is, because other engines have shapes of their own for spheres, capsules and boxes.
struct GroundShape {
    enum class Kind : std::uint8_t { box, rock, sphere, capsule };
    Kind kind = Kind::box;
    Vec3d half;                 // box: half extents; capsule: x is half the segment
    double radius = 0;          // sphere, capsule
    std::vector<Vec3f> points;  // of the core
};

// A square grid of samples, z up, about the origin, with the triangles that every engine meets.
struct Terrain {
    std::string name;
    bool field = false;  // a height field, not a mesh
    bool flat = false;
    std::uint32_t cells = 0;  // on a side
    double cell = 0;
    std::vector<float> heights;  // row-major, (cells + 1) squared
    std::vector<Vec3f> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    Surface surface;

    double side() const { return cells * cell; }
    // The height of the triangles over a place.
    double height(double x, double y) const;
};

// Terrain of which a triangle's side is `cell`, and heights are random within `rough` of that.
Terrain make_terrain(double cell, double rough, bool field, std::uint64_t seed);

struct GroundScene {
    const Terrain* terrain = nullptr;
    std::vector<GroundShape> shapes;
    HullSet hulls;              // the shapes, then the surface
    std::vector<BodyD> bodies;  // the last is the surface
    float margin = 0.02F;
};

// Bodies about a metre across, half of them level and half turned in every way, whose lowest point is `depth` below the
// terrain at its place.
GroundScene make_scene(const Terrain& terrain, std::uint32_t bodies, double depth, std::uint64_t seed);

// Hills of 1,024 by 1,024 cells of half a metre, a height field, and on it a crowd: upright capsules of 1.7 m, five of
// seven, and rocks that lie anyhow, each 5 mm deep at its lowest point.
Terrain make_hills(std::uint64_t seed);
GroundScene make_crowd(const Terrain& hills, std::uint32_t bodies, std::uint64_t seed);

// A contact point as an engine reports it: the normal points out of the terrain.
struct GroundPoint {
    Vec3d normal;
    double separation = 0;
};

// An engine. It finds the contacts of every body with the terrain.
class GroundEngine {
public:
    virtual ~GroundEngine() = default;
    virtual std::string name() const = 0;
    virtual void prepare(const GroundScene& scene) = 0;
    // The timed part.
    virtual void run() = 0;
    // The points of a body after a run.
    virtual std::vector<GroundPoint> points(std::size_t body) const = 0;
};

std::unique_ptr<GroundEngine> make_lanefold_ground();
std::unique_ptr<GroundEngine> make_bullet_ground();
// The engine of a shared library. Throws if the file is none.
std::unique_ptr<GroundEngine> make_adapter_ground(const std::string& file);

}  // namespace lanefold::bench
