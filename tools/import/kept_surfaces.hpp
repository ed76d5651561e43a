// SPDX-License-Identifier: MIT
//
// Meshes that need not be convex, taken as surfaces of triangles: `lanefold import --surface NAME`.
#pragma once

#include "import/cast.hpp"

namespace lanefold::tools {

// Makes one piece of all pieces of each object that the request names, so that its groups have no seams between them.
void join_surfaces(const ImportRequest& request, SourceFile& file);

// Builds the surfaces of the marked pieces, in float64 about their origins, and appends them to the hulls. Equal ones
// are one. Throws Failure(bad_input) that names the piece.
void build_surfaces(const ImportRequest& request, Cast& cast);

// Throws Failure(bad_input) if a surface is elsewhere than in the first frame in which it is there.
class SurfaceWatch {
public:
    explicit SurfaceWatch(const Cast& cast) : cast_(cast), first_(cast.pieces.size()) {}

    // Poses of the pieces as the frame has them: [pieces][3] and [pieces][4]; `active` may be empty.
    void look(std::uint64_t frame, std::span<const double> position, std::span<const float> orientation,
              std::span<const std::uint8_t> active);

private:
    struct Seen {
        bool any = false;
        std::uint64_t frame = 0;
        double position[3] = {};
        float orientation[4] = {};
    };
    const Cast& cast_;
    std::vector<Seen> first_;
};

}  // namespace lanefold::tools
