// SPDX-License-Identifier: MIT
//
// The findings of the builder of surfaces, in words.
#pragma once

#include <lanefold/surface.hpp>

#include "console/table.hpp"

namespace lanefold::tools {

struct SurfaceFindingKind {
    SurfaceFinding SurfaceReport::*finding;
    const char* words;
    bool of_vertices;  // it counts vertices; otherwise triangles
};

inline constexpr SurfaceFindingKind kSurfaceFindings[] = {
    {&SurfaceReport::welded, "vertices joined with another", true},
    {&SurfaceReport::copies, "exact copies of vertices joined", true},
    {&SurfaceReport::degenerate, "triangles without area left out", false},
    {&SurfaceReport::duplicate, "repeated triangles left out", false},
    {&SurfaceReport::opposite, "triangles against others left out", false},
    {&SurfaceReport::cut, "triangles of which a part was left out", false},
    {&SurfaceReport::split, "triangles divided at vertices on their edges", false},
    {&SurfaceReport::non_manifold, "triangles with an edge of more than two", false},
    {&SurfaceReport::winding, "triangles against the sense of a neighbour", false},
    {&SurfaceReport::unhealed, "triangles with a vertex on an edge left", false},
};

// A row for each finding that is there, and one for the border.
inline void add_findings(Table& table, const SurfaceReport& report) {
    for (const SurfaceFindingKind& kind : kSurfaceFindings) {
        if (const std::uint64_t count = (report.*kind.finding).count; count > 0)
            table.add({std::string("  ") + kind.words, with_commas(count)});
    }
    table.add({"  edges at its border", with_commas(report.border_edges)});
}

}  // namespace lanefold::tools
