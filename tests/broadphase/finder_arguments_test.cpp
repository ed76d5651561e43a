// SPDX-License-Identifier: MIT
//
// Refusals of a finder and of world_boxes(): the fault is named, nothing is read, and the finder goes on.
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <lanefold/broadphase.hpp>
#include <lanefold/hull_builder.hpp>

namespace lanefold::test {
namespace {

constexpr std::size_t kBodies = 50;

// Cubes in a row; each touches the next.
struct Row {
    HullSet hulls;
    std::vector<BodyD> bodies = std::vector<BodyD>(kBodies);

    Row() {
        std::vector<Vec3f> cube;
        for (int c = 0; c < 8; ++c)
            cube.push_back({(c & 1) != 0 ? 1.0F : 0.0F, (c & 2) != 0 ? 1.0F : 0.0F, (c & 4) != 0 ? 1.0F : 0.0F});
        const BuildResult built = build_hull(cube);
        EXPECT_TRUE(built);
        hulls = built.hulls;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            bodies[i].position[0] = static_cast<double>(i);
            bodies[i].orientation[3] = 1;
        }
    }
    BodyView view() const { return std::span<const BodyD>(bodies); }
};

template <class T>
std::span<const T> null_span(std::size_t size) {
    return {static_cast<const T*>(nullptr), size};
}

class FinderArguments : public testing::Test {
protected:
    // The message about a call; empty if it is not refused.
    std::string said(const BodyView& view, const PairFinderOptions& options) {
        const PairFinderResult r = finder_.find(row_.hulls, view, options);
        EXPECT_TRUE(r.status || (r.status.code == Status::bad_argument && r.pairs.empty()));
        return r.status ? std::string() : std::string(r.status.what);
    }
    void expect_refused(const BodyView& view, const PairFinderOptions& options, const std::string& words) {
        EXPECT_NE(said(view, options).find(words), std::string::npos) << words << ": " << said(view, options);
    }
    template <class Change>
    void expect_refused(const std::string& words, const Change& change) {
        PairFinderOptions o;
        change(o);
        expect_refused(row_.view(), o, words);
    }
    // After a test the finder finds all pairs.
    void TearDown() override {
        const PairFinderResult r = finder_.find(row_.hulls, row_.view());
        EXPECT_TRUE(r.status);
        EXPECT_EQ(r.pairs.size(), kBodies - 1);
    }

    Row row_;
    PairFinder finder_;
};

TEST_F(FinderArguments, NumbersOutOfRange) {
    expect_refused("margin", [](auto& o) { o.margin = -1; });
    expect_refused("margin", [](auto& o) { o.margin = std::numeric_limits<float>::infinity(); });
    std::vector<float> growth(kBodies, 0.0F);
    growth[7] = -1;
    expect_refused("growth must be 0 or more", [&](auto& o) { o.growth = growth; });
    std::vector<Vec3f> motion(kBodies);
    motion[7].y = std::numeric_limits<float>::quiet_NaN();
    expect_refused("motion must be finite", [&](auto& o) { o.motion = motion; });
    std::vector<float> inverse_mass(kBodies, 1.0F);
    inverse_mass[7] = std::numeric_limits<float>::quiet_NaN();
    expect_refused("inverse_mass must be a number", [&](auto& o) { o.inverse_mass = inverse_mass; });
}

TEST_F(FinderArguments, SpansOfOtherLengths) {
    const std::vector<float> number(kBodies - 1, 1);
    const std::vector<std::uint32_t> numbers(kBodies - 1, 1);
    const std::vector<std::uint32_t> all(kBodies, 1);
    const std::vector<std::uint8_t> bytes(kBodies - 1, 1);
    const std::vector<Vec3f> vectors(kBodies + 1);
    expect_refused("growth needs", [&](auto& o) { o.growth = number; });
    expect_refused("motion needs", [&](auto& o) { o.motion = vectors; });
    expect_refused("inverse_mass needs", [&](auto& o) { o.inverse_mass = number; });
    expect_refused("group needs", [&](auto& o) { o.group = numbers; });
    expect_refused("category needs", [&](auto& o) { o.category = numbers; });
    expect_refused("collides_with need", [&](auto& o) { o.category = all; });
    expect_refused("collides_with need", [&](auto& o) { o.collides_with = all; });
    expect_refused("unmoved needs", [&](auto& o) { o.unmoved = bytes; });
}

TEST_F(FinderArguments, SpansThatAreNull) {
    expect_refused("growth is null", [](auto& o) { o.growth = null_span<float>(kBodies); });
    expect_refused("motion is null", [](auto& o) { o.motion = null_span<Vec3f>(kBodies); });
    expect_refused("inverse_mass is null", [](auto& o) { o.inverse_mass = null_span<float>(kBodies); });
    expect_refused("group is null", [](auto& o) { o.group = null_span<std::uint32_t>(kBodies); });
    expect_refused("category is null", [](auto& o) { o.category = null_span<std::uint32_t>(kBodies); });
    expect_refused("collides_with is null", [](auto& o) { o.collides_with = null_span<std::uint32_t>(kBodies); });
    expect_refused("unmoved is null", [](auto& o) { o.unmoved = null_span<std::uint8_t>(kBodies); });
}

// Views of bodies that cannot be read, and what is said about them.
template <class Expect>
void for_bad_views(const BodyView& good, const Expect& expect) {
    BodyView v;
    v.count = 2;
    expect(v, "a field is null");
    v = good;
    v.hull = nullptr;
    expect(v, "a field is null");
    v = good;
    v.position += 1;
    expect(v, "not aligned");
    v = good;
    v.orientation_stride = 6;
    expect(v, "not aligned");
    v = good;
    v.position_stride = ~std::size_t{7};
    expect(v, "exceeds the address space");
}

TEST_F(FinderArguments, BodiesThatCannotBeRead) {
    for_bad_views(row_.view(), [&](const BodyView& v, const char* words) { expect_refused(v, {}, words); });
    BodyView none;
    EXPECT_EQ(said(none, {}), "");
}

TEST_F(FinderArguments, AFinderThatWasMovedFrom) {
    PairFinder taken = std::move(finder_);
    expect_refused(row_.view(), {}, "moved from");  // NOLINT(bugprone-use-after-move): on purpose
    finder_ = std::move(taken);
}

TEST_F(FinderArguments, OfWorldBoxes) {
    std::vector<WorldBox> boxes(kBodies);
    const auto said = [&](const BodyView& view, double growth, std::span<WorldBox> out) {
        const WorldBoxesResult r = world_boxes(row_.hulls, view, growth, out);
        EXPECT_TRUE(r.status || r.status.code == Status::bad_argument);
        return r.status ? std::string() : std::string(r.status.what);
    };
    EXPECT_EQ(said(row_.view(), 0, boxes), "");
    EXPECT_NE(said(row_.view(), 0, std::span(boxes).first(kBodies - 1)).find("one box for each"), std::string::npos);
    EXPECT_NE(said(row_.view(), -1, boxes).find("growth"), std::string::npos);
    EXPECT_NE(said(row_.view(), 0, {static_cast<WorldBox*>(nullptr), kBodies}).find("out is null"), std::string::npos);
    for_bad_views(row_.view(), [&](const BodyView& v, const char* words) {
        const std::string what = said(v, 0, std::span(boxes).first(v.count));
        EXPECT_NE(what.find(words), std::string::npos) << what;
    });
}

}  // namespace
}  // namespace lanefold::test
