// SPDX-License-Identifier: MIT
//
// Input of the finder's kernels: long lists, hulls that come and go, instruction sets.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/broadphase.hpp>
#include <lanefold/isa.hpp>

#include "support/finder_world.hpp"
#include "support/isa_fixture.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

class FinderKernels : public IsaTest {};

// Small hulls that lie in a plate's box, more than a kernel has room for at once, and its query when the plate moves.
TEST_P(FinderKernels, ManyBodiesInOneBox) {
    FinderWorld w = make_world(86, 1500, 3, GetParam());
    w.bodies[750].hull = 20;
    PairFinder finder;
    PairFinderOptions o;
    o.isa = GetParam();
    o.margin = 0.05F;
    std::uint64_t single = 0;
    for (int frame = 0; frame < 6; ++frame) {
        const PairFinderResult r = expect_frame(finder, w, o);
        single += r.whole ? 0 : r.searched;
        const auto of_plate = [](const Pair& p) { return p.a == 750 || p.b == 750; };
        EXPECT_GT(std::count_if(r.pairs.begin(), r.pairs.end(), of_plate), 300);
        w.bodies[750].position[0] = frame % 2 == 0 ? 2.5 : -2.5;
    }
    EXPECT_GE(single, 4U);
}

// The finder keeps hulls as its kernels read them: more hulls are added to these, removed ones go some day.
TEST_P(FinderKernels, HullsComeAndGo) {
    Random random(87);
    FinderWorld w = make_world(87, 600, 3, GetParam());
    PairFinder finder;
    std::uint64_t without = 0;
    for (int frame = 0; frame < 30; ++frame) {
        if (frame % 3 == 1) {
            w.hulls = w.hulls.append(make_world(100 + static_cast<std::uint64_t>(frame), 0, 1, GetParam()).hulls);
        } else if (frame % 3 == 2) {
            std::vector<std::uint32_t> gone;
            for (int k = 0; k < 8; ++k) gone.push_back(random.index(static_cast<std::uint32_t>(w.hulls.size())));
            w.hulls = w.hulls.remove(gone);
        }
        const auto hulls = static_cast<std::uint32_t>(w.hulls.size());
        for (int k = 0; k < 60; ++k) w.bodies[random.index(600)].hull = random.index(hulls);
        without += expect_frame(finder, w, w.options(0.02F)).without_box;
        std::vector<WorldBox> boxes(w.bodies.size());
        ASSERT_TRUE(world_boxes(w.hulls, w.view(), 0.5 * static_cast<double>(0.02F), boxes).status);
        EXPECT_TRUE(std::equal(boxes.begin(), boxes.end(), finder.boxes().begin(), finder.boxes().end()));
    }
    EXPECT_GT(w.hulls.removed(), 40U);
    EXPECT_GT(without, 100U);
}

LANEFOLD_INSTANTIATE_ISA_TESTS(FinderKernels);

TEST(PairFinder, AnInstructionSetThatIsNotThereIsRefused) {
    const FinderWorld w = make_world(88, 10, 1, Isa::automatic);
    PairFinder finder;
    PairFinderOptions o;
    o.isa = static_cast<Isa>(77);
    const PairFinderResult refused = finder.find(w.hulls, w.view(), o);
    EXPECT_EQ(refused.status.code, Status::bad_argument);
    EXPECT_NE(std::string(refused.status.what).find("instruction set"), std::string::npos);
    o.isa = Isa::automatic;
    const PairFinderResult found = finder.find(w.hulls, w.view(), o);
    ASSERT_TRUE(found.status);
    EXPECT_EQ(found.isa, choose_isa(Isa::automatic).isa);
}

}  // namespace
}  // namespace lanefold::test
