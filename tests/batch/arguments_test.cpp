// SPDX-License-Identifier: MIT
//
// Arguments that a batch call refuses with bad_argument, the name of the argument and, if there is one, its place;
// nothing is written. Also arguments that look wrong but are valid.
#include <gtest/gtest.h>

#include <cfloat>
#include <string>
#include <type_traits>

#include "support/batch_scene.hpp"

namespace lanefold::test {
namespace {

constexpr std::uint32_t kBodies = 20;
constexpr std::uint32_t kPairs = 70;

class BatchArguments : public testing::Test {
protected:
    // Refused, the message contains `what`, and `out` is untouched.
    void expect_refused(const char* what, std::uint64_t where = 0) {
        const BatchResult results[] = {
            collide(scene.hulls, view, pairs, options, out, workspace, inputs),
            collide_serial(scene.hulls, view, pairs, options, out, workspace, inputs),
            collide_compact(scene.hulls, view, pairs, options, out, workspace, inputs),
        };
        for (const BatchResult& r : results) {
            EXPECT_EQ(r.status.code, Status::bad_argument) << what;
            EXPECT_NE(std::string(r.status.what).find(what), std::string::npos) << r.status.what;
            EXPECT_EQ(r.status.where, where) << r.status.what;
            EXPECT_EQ(r.touching + r.pairs + r.hash, 0U);
        }
        for (const std::byte b : std::as_bytes(std::span<const Manifold4>(storage))) {
            ASSERT_EQ(b, std::byte{0x5A}) << what << ": wrote before it refused";
        }
    }

    void expect_accepted() {
        const BatchResult r = collide(scene.hulls, view, pairs, options, out, workspace, inputs);
        EXPECT_EQ(r.status.code, Status::ok) << r.status.what;
        EXPECT_EQ(r.pairs, pairs.size());
    }

    BatchArguments() {
        std::memset(static_cast<void*>(storage.data()), 0x5A, storage.size() * sizeof(Manifold4));
        options.isa = Isa::scalar;
    }

    BatchScene scene = make_batch_scene(3, kBodies, kPairs);
    BodyView view = scene.view();
    std::span<const Pair> pairs = scene.pairs;
    std::vector<Manifold4> storage = std::vector<Manifold4>(kPairs);
    std::span<Manifold4> out = storage;
    Options options;
    CallInputs inputs;
    Workspace workspace;
};

TEST_F(BatchArguments, GoodOnesAreAccepted) { expect_accepted(); }

TEST_F(BatchArguments, MarginsOutOfRangeAreRefused) {
    for (const float bad : {-1.0F, -FLT_MIN, -1e-45F, HUGE_VALF, -HUGE_VALF, std::nanf("")}) {
        options.margin = bad;
        expect_refused("options.margin");
    }
    options.margin = -0.0F;
    expect_accepted();
}

TEST_F(BatchArguments, PairMarginsOutOfRangeAreRefusedWithTheirPlace) {
    std::vector<float> margins(kPairs, 0.25F);
    inputs.pair_margins = margins;
    for (const std::size_t place : {std::size_t{0}, std::size_t{33}, std::size_t{kPairs - 1}}) {
        for (const float bad : {-1.0F, HUGE_VALF, std::nanf("")}) {
            margins[place] = bad;
            expect_refused("inputs.pair_margins", place);
            margins[place] = 0.25F;
        }
    }
    margins[50] = margins[12] = -1.0F;
    expect_refused("inputs.pair_margins", 12);
}

TEST_F(BatchArguments, PairMarginsOfAnotherLengthAreRefused) {
    const std::vector<float> margins(kPairs - 1, 0.25F);
    inputs.pair_margins = margins;
    expect_refused("pair_margins and pairs differ in length", kPairs - 1);
    inputs.pair_margins = std::span<const float>(static_cast<const float*>(nullptr), kPairs);
    expect_refused("inputs.pair_margins is null");
}

// A misaligned pointer, which a caller can pass from C or through a cast. Only its address is used.
template <class T>
std::span<T> shifted(std::span<T> data) {
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return {reinterpret_cast<T*>(reinterpret_cast<Byte*>(data.data()) + 1), data.size() - 1};
}

TEST_F(BatchArguments, MisalignedArraysAreRefused) {
    const std::span<const Pair> good_pairs = pairs;
    pairs = shifted(pairs);
    out = out.first(pairs.size());
    expect_refused("pairs is not aligned");
    pairs = good_pairs;
    out = shifted(std::span<Manifold4>(storage));
    pairs = pairs.first(out.size());
    expect_refused("out is not aligned");
    out = std::span<Manifold4>(storage).first(pairs.size());
    std::vector<float> margins(pairs.size() + 1, 0.25F);
    inputs.pair_margins = shifted(std::span<const float>(margins));
    expect_refused("inputs.pair_margins is not aligned");
    inputs.pair_margins = {};
    std::vector<PairCache> cache(pairs.size() + 1);
    inputs.cache = shifted(std::span<PairCache>(cache));
    expect_refused("inputs.cache is not aligned");
    inputs.cache = {};
    std::vector<Manifold4> previous(pairs.size() + 1);
    inputs.previous = PreviousContacts::dense(shifted(std::span<const Manifold4>(previous)));
    expect_refused("inputs.previous is not aligned");
    inputs.previous = {};
    expect_accepted();
}

TEST_F(BatchArguments, MisalignedOutputsOfEveryLevelAreRefused) {
    std::vector<Manifold16> wide(kPairs + 1);
    std::vector<PairDistance> distances(kPairs + 1);
    std::vector<std::uint64_t> words((kPairs + 63) / 64 + 1);
    const BatchResult results[] = {
        collide(scene.hulls, view, pairs, options, shifted(std::span<Manifold16>(wide)), workspace),
        collide_serial(scene.hulls, view, pairs, options, shifted(std::span<Manifold16>(wide)), workspace),
        collide_compact(scene.hulls, view, pairs, options, shifted(std::span<Manifold16>(wide)), workspace),
        collide(scene.hulls, view, pairs, options, shifted(std::span<PairDistance>(distances)), workspace),
        collide_overlap(scene.hulls, view, pairs, options, shifted(std::span<std::uint64_t>(words)), workspace)};
    for (const BatchResult& r : results) {
        EXPECT_EQ(r.status.code, Status::bad_argument);
        EXPECT_STREQ(r.status.what, "out is not aligned");
    }
}

TEST_F(BatchArguments, FacePreferenceOutOfRangeIsRefused) {
    for (const float bad : {-0.1F, HUGE_VALF, std::nanf("")}) {
        options.face_preference = bad;
        expect_refused("options.face_preference");
    }
}

TEST_F(BatchArguments, UnknownEnumeratorsAreRefused) {
    options.points = static_cast<PointSelection>(9);
    expect_refused("options.points", 9);
    options.points = PointSelection::all;
    options.isa = static_cast<Isa>(99);
    expect_refused("options.isa", 99);
}

TEST_F(BatchArguments, NullWithALengthIsRefused) {
    pairs = std::span<const Pair>(static_cast<const Pair*>(nullptr), kPairs);
    expect_refused("pairs is null", kPairs);
    pairs = scene.pairs;
    out = std::span<Manifold4>(static_cast<Manifold4*>(nullptr), kPairs);
    expect_refused("out is null", kPairs);
    out = storage;
    for (std::uint64_t field = 0; field < 3; ++field) {
        view = scene.view();
        (field == 0 ? view.position : field == 1 ? view.orientation : view.hull) = nullptr;
        expect_refused("a field is null", field);
    }
}

TEST_F(BatchArguments, NullWithoutALengthIsFine) {
    pairs = {};
    out = {};
    expect_accepted();
    view = BodyView();
    expect_accepted();
}

TEST_F(BatchArguments, OverlappingSpansAreRefused) {
    std::vector<Manifold4> memory(kPairs + 1);
    std::byte* bytes = reinterpret_cast<std::byte*>(memory.data());

    // Pairs that begin in the last bytes of the output.
    std::memcpy(bytes + kPairs * sizeof(Manifold4) - 8, scene.pairs.data(), sizeof(Pair) * 2);
    pairs = {reinterpret_cast<const Pair*>(bytes + kPairs * sizeof(Manifold4) - 8), 2};
    BatchResult r =
        collide(scene.hulls, view, pairs, options, std::span<Manifold4>(memory.data() + kPairs - 2, 2), workspace);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_STREQ(r.status.what, "out overlaps pairs");

    // Directly behind one another: fine.
    std::memcpy(bytes + kPairs * sizeof(Manifold4), scene.pairs.data(), sizeof(Pair) * 2);
    pairs = {reinterpret_cast<const Pair*>(bytes + kPairs * sizeof(Manifold4)), 2};
    r = collide(scene.hulls, view, pairs, options, std::span<Manifold4>(memory.data() + kPairs - 2, 2), workspace);
    EXPECT_TRUE(static_cast<bool>(r.status)) << r.status.what;

    // Bodies inside the output.
    std::memcpy(bytes, scene.bodies.data(), sizeof(Body) * 4);
    view = BodyView(std::span<const Body>(reinterpret_cast<const Body*>(bytes), 4));
    r = collide(scene.hulls, view, pairs, options, std::span<Manifold4>(memory.data(), 2), workspace);
    EXPECT_STREQ(r.status.what, "out overlaps the bodies");

    // Margins inside the output.
    view = scene.view();
    std::memset(bytes, 0, sizeof(Manifold4));
    inputs.pair_margins = {reinterpret_cast<const float*>(bytes) + 3, 2};
    r = collide(scene.hulls, view, pairs, options, std::span<Manifold4>(memory.data(), 2), workspace, inputs);
    EXPECT_STREQ(r.status.what, "out overlaps inputs.pair_margins");
}

TEST_F(BatchArguments, LengthsThatCannotExistAreRefused) {
    constexpr std::size_t kHuge = ~std::size_t{0} / 8 - 1;  // 2^61: times 128 bytes wraps around
    std::vector<std::uint64_t> words(1);
    pairs = std::span<const Pair>(scene.pairs.data(), kHuge);
    BatchResult r = collide(scene.hulls, view, pairs, options, std::span<Manifold4>(storage.data(), kHuge), workspace);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_EQ(r.status.where, kHuge) << r.status.what;
    pairs = scene.pairs;

    view.count = ~std::size_t{0};
    expect_refused("bodies: more than 2^32", view.count);
    view.count = std::size_t{1} << 31;
    view.position_stride = std::size_t{1} << 40;
    expect_refused("bodies: count times stride", view.count);
}

TEST_F(BatchArguments, MisalignedBodiesAreRefused) {
    view.orientation += 2;
    expect_refused("not aligned", 1);
    view = scene.view();
    view.hull_stride = 33;
    expect_refused("not aligned", 2);
    view = scene.view();
    view.position += 4;  // fine for float, not for double
    view.position_is_double = true;
    expect_refused("not aligned", 0);
}

TEST_F(BatchArguments, StrideZeroMeansTheSameForAll) {
    const std::uint32_t hull = 4;
    view.hull = reinterpret_cast<const std::byte*>(&hull);
    view.hull_stride = 0;
    expect_accepted();
    for (Body& body : scene.bodies) body.hull = hull;
    const std::vector<Manifold4> expected = dense_reference<Manifold4>(scene, options);
    expect_same(storage, expected, "stride zero");
}

TEST_F(BatchArguments, OutputsOfAnotherLengthAreRefused) {
    out = std::span<Manifold4>(storage.data(), kPairs - 1);
    Workspace w;
    EXPECT_EQ(collide(scene.hulls, view, pairs, options, out, w).status.where, kPairs - 1U);
    EXPECT_EQ(collide_serial(scene.hulls, view, pairs, options, out, w).status.code, Status::bad_argument);
    std::vector<PairDistance> distances(kPairs + 1);
    EXPECT_EQ(collide(scene.hulls, view, pairs, options, distances, w).status.code, Status::bad_argument);
    std::vector<std::uint64_t> words(1);
    const BatchResult r = collide_overlap(scene.hulls, view, pairs, options, words, w);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_NE(std::string(r.status.what).find("words"), std::string::npos);
    words.resize(2);
    EXPECT_TRUE(collide_overlap(scene.hulls, view, pairs, options, words, w).status);
}

TEST_F(BatchArguments, FirstPairBeyondTheEndIsRefused) {
    const CompactResult r = collide_compact(scene.hulls, view, pairs, options, out, workspace, inputs, kPairs + 1);
    EXPECT_EQ(r.status.code, Status::bad_argument);
    EXPECT_EQ(r.status.where, kPairs + 1U);
    EXPECT_NE(std::string(r.status.what).find("first_pair"), std::string::npos);
    const CompactResult end = collide_compact(scene.hulls, view, pairs, options, out, workspace, inputs, kPairs);
    EXPECT_TRUE(static_cast<bool>(end.status));
    EXPECT_EQ(end.required, 0U);
    EXPECT_EQ(end.next_pair, kPairs);
}

TEST_F(BatchArguments, MovedFromWorkspaceIsRefused) {
    Workspace taken = std::move(workspace);
    expect_refused("workspace was moved from");  // NOLINT(bugprone-use-after-move): that is the subject
    workspace = std::move(taken);
    expect_accepted();
}

TEST_F(BatchArguments, WorkspaceIsFreeAgainAfterARefusal) {
    options.margin = -1.0F;
    expect_refused("options.margin");
    options.margin = 0.0F;
    std::vector<float> margins(kPairs, -1.0F);
    inputs.pair_margins = margins;
    expect_refused("inputs.pair_margins");
    inputs.pair_margins = {};
    expect_accepted();
}

}  // namespace
}  // namespace lanefold::test
