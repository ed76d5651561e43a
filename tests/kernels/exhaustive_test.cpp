// SPDX-License-Identifier: MIT
//
// Pruning of searches changes no bit: the records of every instruction set are those of kernels that evaluate every
// face and combine all edges (search/exhaustive.hpp). The places are such that rounding decides which edges meet, and
// on which side (support/edge_places.hpp). LANEFOLD_PAIR_STEPS says how many pairs there are, LANEFOLD_SEED where.
#include <cstdio>

#include "isa/tables.hpp"
#include "support/batch_scene.hpp"
#include "support/edge_places.hpp"
#include "support/isa_fixture.hpp"
#include "support/kernel_call.hpp"
#include "support/sweep_length.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kPairs = 8192;

constexpr Shape kShapes[] = {Shape::prism,      Shape::rotated_box, Shape::wedge,  Shape::debris,   Shape::tetrahedron,
                             Shape::octahedron, Shape::prism,       Shape::pebble, Shape::cylinder, Shape::slab,
                             Shape::needle,     Shape::bevelled,    Shape::rock,   Shape::blade,    Shape::dented,
                             Shape::twin_ends,  Shape::plate};

struct Seen {
    std::uint64_t pairs = 0;
    std::uint64_t faces = 0;  // contacts of faces and of edges
    std::uint64_t edges = 0;
    Counters pruned, whole;
};

// Records that differ from those of the exhaustive kernels.
std::size_t compare(const PairScene& s, Isa isa, Seen& seen) {
    const BodyView bodies{std::span<const Body>(s.float_bodies)};
    const detail::KernelTable& table = *detail::kernel_table(isa);
    detail::ChunkTotals pruned, whole;
    const std::vector<Manifold4> expected =
        collide_by(detail::kernel_table_exhaustive_scalar, s.library.hulls, bodies, s.pairs, s.config.options, whole);
    const std::vector<Manifold4> got = collide_by(table, s.library.hulls, bodies, s.pairs, s.config.options, pruned);
    std::size_t different = 0;
    for (std::size_t i = 0; i < s.pairs.size(); ++i) {
        const Manifold4& m = got[i];
        const bool same = same_bits(m, expected[i]);
        different += same ? 0U : 1U;
        if (!same && different < 5) {
            std::printf("    pair %zu: distance %.9g, exhaustive %.9g%s\n", i, static_cast<double>(m.distance),
                        static_cast<double>(expected[i].distance),
                        save_pair(SweepBlock{s.library, s.bodies, s.float_bodies, s.pairs, s.config, 0}, i, m).c_str());
        }
        seen.faces += m.kind == ContactKind::face_a || m.kind == ContactKind::face_b ? 1U : 0U;
        seen.edges += m.kind == ContactKind::edge_edge ? 1U : 0U;
    }
    seen.pairs += s.pairs.size();
    seen.pruned.edge_pairs += pruned.counters.edge_pairs;
    seen.whole.edge_pairs += whole.counters.edge_pairs;
    seen.pruned.faces_evaluated += pruned.counters.faces_evaluated;
    seen.whole.faces_evaluated += whole.counters.faces_evaluated;
    seen.pruned.precise_pairs += pruned.counters.precise_pairs;
    return different;
}

class Exhaustive : public IsaTest {};

TEST_P(Exhaustive, SearchesGiveTheSameBits) {
    const SweepLength length(4 * std::uint64_t{kPairs});
    Seen seen;
    std::uint64_t different = 0;
    for (std::uint64_t round = length.round; seen.pairs < length.pair_steps; ++round) {
        Options options;
        options.margin = round % 2 == 0 ? 0.02F : 0.2F;
        if (round % 4 > 1) options.face_preference = 0;
        if (round % 8 > 3) options.points = PointSelection::impact;
        const std::size_t n = compare(
            edges_on_edges("edges on edges", options, kShapes, 0.06, length.seed_of(round), kPairs), GetParam(), seen);
        EXPECT_EQ(n, 0U) << "round " << round << ", seed " << length.seed;
        different += n;
    }
    const double pairs = static_cast<double>(seen.pairs);
    std::printf(
        "  %s: %llu pairs, %llu differ; %.1f%% contacts of faces, %.1f%% of edges; combinations a pair %.1f, "
        "exhaustive %.0f; faces a pair %.1f, exhaustive %.1f\n",
        to_string(GetParam()), static_cast<unsigned long long>(seen.pairs), static_cast<unsigned long long>(different),
        100 * static_cast<double>(seen.faces) / pairs, 100 * static_cast<double>(seen.edges) / pairs,
        static_cast<double>(seen.pruned.edge_pairs) / pairs, static_cast<double>(seen.whole.edge_pairs) / pairs,
        static_cast<double>(seen.pruned.faces_evaluated) / pairs,
        static_cast<double>(seen.whole.faces_evaluated) / pairs);
    EXPECT_GT(seen.faces, seen.pairs / 5);
    EXPECT_GT(seen.edges, seen.pairs / 50);
    EXPECT_GT(seen.whole.edge_pairs, 20 * seen.pruned.edge_pairs);
    EXPECT_GT(seen.whole.faces_evaluated, 3 * seen.pruned.faces_evaluated);
    EXPECT_LT(seen.pruned.precise_pairs, seen.pairs / 2);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(Exhaustive);

}  // namespace
}  // namespace lanefold::test
