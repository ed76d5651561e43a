// SPDX-License-Identifier: MIT
//
// Contacts that others make needless: moved out along a shallower contact by its depth, the body no longer meets their
// triangle, and they are more than twice as deep. A dense wall under a table's edge has such triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ground/closest.hpp"
#include "ground/ground_body.hpp"
#include "ground/triangle.hpp"

namespace lanefold::detail {

// The ways out that contacts have shown, shallowest first, and the question whether one of them clears a triangle. Most
// answers need no clip: a corner that every way leaves inside of the core, or a face of the core that a way takes past
// the triangle.
class GroundWays {
public:
    // Forgets the ways of the pair before.
    void begin(const GroundBody& body, double slack);
    // Adds a way of this length along u, no shorter than those before.
    void add(const Vec3d& u, double length);
    // A deeper contact has the normal of a way: the body may go further along it.
    void lengthen(std::size_t way, double length) { longest_[way] = length; }
    // Whether a body that is moved out along one of the ways that are shorter than `most` no longer meets the triangle,
    // to which the body is shrunk by the slack.
    bool clears(const GroundTriangle& t, double most, GroundCut& cut);

private:
    enum class Meeting : std::uint8_t { met, cleared, unknown };

    void measure(const GroundTriangle& t);
    bool met_by_all(std::size_t ways) const;
    Meeting look(std::size_t way) const;
    // Whether a contact is needless beside one of this depth: it is more than twice as deep.
    bool is_shorter(double length, double most) const { return 2 * length + 10 * slack_ < most; }
    bool clears_further(const GroundTriangle& t, std::size_t ways, double most, GroundCut& cut) const;

    const GroundBody* body_ = nullptr;
    double slack_ = 0;
    std::vector<double> lengths_;
    std::vector<double> longest_;  // of the deepest contact so far that has the way's normal
    std::vector<Vec3d> along_;
    std::vector<Vec3d> shifts_;
    // Per way and face of the core: how far the way lifts the face, and the least of all ways so far.
    std::vector<double> lifts_;
    std::vector<double> least_;
    // The heights of a triangle's corners over each face, and the room for rounding.
    std::vector<double> heights_;
    double room_ = 0;
};

}  // namespace lanefold::detail
