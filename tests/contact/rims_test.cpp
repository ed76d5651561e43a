// SPDX-License-Identifier: MIT
//
// Edges on edges at the ends of their arcs (support/edge_places.hpp): rims of lids on each other, level faces, edges
// that are parallel but for rounding. The judge checks every record, of every instruction set and of the float64 path.
#include "support/edge_places.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 20000;

constexpr Shape kShapes[] = {Shape::prism,      Shape::rotated_box, Shape::wedge,  Shape::debris,   Shape::tetrahedron,
                             Shape::octahedron, Shape::prism,       Shape::pebble, Shape::cylinder, Shape::slab};

PairVerdict judge(const char* name, const Options& options, std::uint64_t seed) {
    PairScene s = edges_on_edges(name, options, kShapes, 0.2, sweep_seed(seed), kPairs);
    s.thin = true;  // some slabs are
    const PairVerdict v = judge_pairs(s);
    v.print_features();
    return v;
}

TEST(Rims, Defaults) {
    Options options;
    options.margin = 0.02F;
    const PairVerdict v = judge("edges on edges", options, 2801);
    EXPECT_GT(v.faces(), 0.5);
    EXPECT_GT(v.part(ContactKind::edge_edge), 0.05);
    EXPECT_GT(v.corners_on_edges(), 0.005);
}

TEST(Rims, Strict) {
    Options options;
    options.margin = 0.2F;
    options.face_preference = 0;
    const PairVerdict v = judge("edges on edges, strict, margin 0.2", options, 2802);
    EXPECT_GT(v.faces(), 0.3);
    EXPECT_GT(v.part(ContactKind::edge_edge), 0.2);
    EXPECT_GT(v.corners_on_edges(), 0.01);
}

TEST(Rims, Patches) {
    Options options;
    options.margin = 0.02F;
    options.method = ContactMethod::patch;
    const PairVerdict v = judge("edges on edges, patches", options, 2803);
    EXPECT_GT(v.faces(), 0.5);
    EXPECT_GT(v.part(ContactKind::edge_edge), 0.05);
}

}  // namespace
}  // namespace lanefold::test
