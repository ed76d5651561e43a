// SPDX-License-Identifier: MIT
//
// Compounds and scaled hulls of lanefold_compound.h are those of C++: the same sets, the same bytes of contacts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include <lanefold_compound.h>
#include <lanefold_half_space.h>
#include <lanefold_world.h>
#include <lanefold/compound.hpp>
#include <lanefold/narrowphase.hpp>
#include <lanefold/scaled_hulls.hpp>
#include <lanefold/world.hpp>

#include "support/batch_scene.hpp"
#include "support/c_hulls.hpp"

namespace lanefold::test {
namespace {

struct FreeScaled {
    void operator()(lanefold_scaled_hulls* scaled) const { lanefold_scaled_hulls_free(scaled); }
};

class CCompound : public testing::Test {
protected:
    CCompound() : set_(batch_hulls()), hulls_(c_hulls(set_)) {
        BatchRandom random(23);
        for (int i = 0; i < 30; ++i) {
            CompoundChild child;
            for (double& x : child.position) x = static_cast<double>(random.uniform(-0.8F, 0.8F));
            random.rotation(child.orientation);
            child.hull = random.below(12);
            children_.push_back(child);
        }
    }

    const lanefold_child* c_children() const { return reinterpret_cast<const lanefold_child*>(children_.data()); }

    HullSet set_;
    CHulls hulls_;
    std::vector<CompoundChild> children_;
    std::vector<std::uint64_t> offsets_{0, 1, 7, 12, 30};
};

TEST_F(CCompound, ContactsAreTheBytesOfCpp) {
    const CompoundResult own = build_compounds(set_, children_, offsets_);
    ASSERT_TRUE(own);
    lanefold_hulls* made = nullptr;
    ASSERT_EQ(lanefold_build_compounds(hulls_.get(), c_children(), children_.size(), offsets_.data(), 4, &made, nullptr,
                                       0, nullptr)
                  .code,
              LANEFOLD_OK);
    const CHulls all(made);
    EXPECT_EQ(lanefold_hulls_fingerprint(made), own.hulls.fingerprint());
    EXPECT_EQ(lanefold_compound_child_count(made, 19), 18U);
    EXPECT_EQ(lanefold_compound_child_count(made, 3), 0U);
    EXPECT_EQ(lanefold_compound_child_count(made, 99), 0U);
    lanefold_child child;
    ASSERT_EQ(lanefold_compound_child(made, 18, 4, &child).code, LANEFOLD_OK);
    EXPECT_EQ(child.hull, children_[11].hull);
    EXPECT_EQ(std::memcmp(child.position, children_[11].position, sizeof child.position), 0);
    EXPECT_EQ(std::memcmp(child.orientation, children_[11].orientation, sizeof child.orientation), 0);
    EXPECT_EQ(lanefold_compound_child(made, 18, 5, &child).where, 5U);
    lanefold_hull_info info = LANEFOLD_HULL_INFO_INIT;
    ASSERT_EQ(lanefold_hull_get_info(made, 18, &info).code, LANEFOLD_OK);
    EXPECT_EQ(info.volume, own.hulls.info(18).mass.volume);

    BatchScene scene = make_batch_scene(5, 40, 400);
    for (std::size_t i = 0; i < 20; ++i) scene.bodies[i].hull = static_cast<std::uint32_t>(16 + i % 4);
    std::vector<Manifold4> records(20000);
    Workspace workspace;
    const CompactResult r = collide_compact(own.hulls, scene.bodies, scene.pairs, scene.options(), records, workspace);
    ASSERT_TRUE(r.status);
    ASSERT_GT(r.written, 1000U);
    std::vector<lanefold_manifold4> c_records(records.size());
    lanefold_options options = LANEFOLD_OPTIONS_INIT;
    options.margin = scene.margin;
    lanefold_result result = LANEFOLD_RESULT_INIT;
    lanefold_workspace* memory = lanefold_workspace_create();
    const lanefold_body_view view =
        lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(scene.bodies.data()), scene.bodies.size());
    EXPECT_EQ(
        lanefold_collide_compact4(made, &view, reinterpret_cast<const lanefold_pair*>(scene.pairs.data()),
                                  scene.pairs.size(), &options, c_records.data(), c_records.size(), 0, memory, &result)
            .code,
        LANEFOLD_OK);
    lanefold_workspace_free(memory);
    ASSERT_EQ(result.written, r.written);
    EXPECT_EQ(std::memcmp(records.data(), c_records.data(), r.written * sizeof(Manifold4)), 0);
    std::size_t named = 0;
    for (std::size_t i = 0; i < r.written; ++i) named += c_records[i].child_a != 0 || c_records[i].child_b != 0;
    EXPECT_GT(named, 500U);
}

TEST_F(CCompound, AWorldMovesThemAsThatOfCpp) {
    const CompoundResult own = build_compounds(set_, children_, offsets_);
    ASSERT_TRUE(own);
    lanefold_hulls* built = nullptr;
    ASSERT_EQ(lanefold_build_compounds(hulls_.get(), c_children(), children_.size(), offsets_.data(), 4, &built,
                                       nullptr, 0, nullptr)
                  .code,
              LANEFOLD_OK);
    const CHulls made(built);
    lanefold_world* c_world = nullptr;
    ASSERT_EQ(lanefold_world_create(made.get(), &c_world).code, LANEFOLD_OK);
    World world(own.hulls);
    for (std::uint32_t i = 0; i < 8; ++i) {
        RigidBody body;
        body.hull = 16 + i % 4;
        body.kind = i == 0 ? BodyKind::fixed : BodyKind::dynamic;
        body.position[1] = 2.0 * i;
        ASSERT_TRUE(world.add_bodies(std::span(&body, 1)));
        lanefold_rigid_body c_body = LANEFOLD_RIGID_BODY_INIT;
        c_body.hull = body.hull;
        c_body.kind = i == 0 ? LANEFOLD_FIXED : LANEFOLD_DYNAMIC;
        c_body.position[1] = 2.0 * i;
        ASSERT_EQ(lanefold_world_add_bodies(c_world, &c_body, 1).code, LANEFOLD_OK);
    }
    std::uint64_t contacts = 0;
    for (int step = 0; step < 90; ++step) {
        ASSERT_TRUE(world.step(1.0 / 60).status);
        ASSERT_EQ(lanefold_world_step(c_world, 1.0 / 60, nullptr).code, LANEFOLD_OK);
        std::uint64_t count = 0;
        const lanefold_manifold4* const c_contacts = lanefold_world_contacts(c_world, &count);
        ASSERT_EQ(count, world.contacts().size());
        if (count != 0) {
            EXPECT_EQ(std::memcmp(c_contacts, world.contacts().data(), count * sizeof(Manifold4)), 0);
        }
        contacts += count;
    }
    std::uint64_t count = 0;
    const lanefold_body_d* const bodies = lanefold_world_bodies(c_world, &count);
    ASSERT_EQ(count, world.size());
    EXPECT_EQ(std::memcmp(bodies, world.bodies().data(), world.bodies().size_bytes()), 0);
    EXPECT_GT(contacts, 100U);
    lanefold_world_free(c_world);
}

TEST_F(CCompound, ChildrenThatAreNoneAreRefused) {
    children_[8].hull = 77;
    children_[20].position[1] = std::nan("");
    lanefold_hulls* made = hulls_.get();
    lanefold_compound_report reports[1] = {};
    std::uint64_t count = 0;
    const lanefold_status s = lanefold_build_compounds(hulls_.get(), c_children(), children_.size(), offsets_.data(), 4,
                                                       &made, reports, 1, &count);
    EXPECT_EQ(s.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(s.where, 2U);
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(count, 2U);
    EXPECT_EQ(reports[0].compound, 2U);
    EXPECT_EQ(reports[0].child, 1U);
    EXPECT_EQ(reports[0].error, static_cast<int>(CompoundError::bad_hull));
    EXPECT_STREQ(reports[0].what, s.what);
    const auto refused = [&](const lanefold_hulls* hulls, const lanefold_child* children, const std::uint64_t* offsets,
                             lanefold_hulls** out) {
        return lanefold_build_compounds(hulls, children, 30, offsets, 4, out, nullptr, 0, nullptr).code ==
               LANEFOLD_BAD_ARGUMENT;
    };
    EXPECT_TRUE(refused(nullptr, c_children(), offsets_.data(), &made));
    EXPECT_TRUE(refused(hulls_.get(), nullptr, offsets_.data(), &made));
    EXPECT_TRUE(refused(hulls_.get(), c_children(), nullptr, &made));
    EXPECT_TRUE(refused(hulls_.get(), c_children(), offsets_.data(), nullptr));
}

TEST_F(CCompound, ScaledHullsAreThoseOfCpp) {
    ScaledHulls own{set_};
    const std::vector<HullScale> wanted = {{0, {1, 2, 3}}, {4, {-1, 1, 1}}, {0, {1, 1, 1}}, {0, {1, 2, 3}}};
    const ScaledIds ids = own.take(wanted);
    ASSERT_TRUE(ids);
    lanefold_scaled_hulls* scaled = nullptr;
    ASSERT_EQ(lanefold_scaled_hulls_create(hulls_.get(), nullptr, &scaled).code, LANEFOLD_OK);
    const std::unique_ptr<lanefold_scaled_hulls, FreeScaled> owner(scaled);
    const std::uint32_t hulls[] = {0, 4, 0, 0};
    const float scales[] = {1, 2, 3, -1, 1, 1, 1, 1, 1, 1, 2, 3};
    std::uint32_t c_ids[4] = {};
    ASSERT_EQ(lanefold_scaled_hulls_take(scaled, hulls, scales, 4, c_ids).code, LANEFOLD_OK);
    EXPECT_EQ(std::vector<std::uint32_t>(c_ids, c_ids + 4), ids.ids);
    lanefold_hulls* made = nullptr;
    ASSERT_EQ(lanefold_scaled_hulls_get(scaled, &made).code, LANEFOLD_OK);
    const CHulls all(made);
    EXPECT_EQ(lanefold_hulls_fingerprint(made), own.hulls().fingerprint());
    const float zero[] = {1, 1, 1, 1, 0, 1};
    const lanefold_status s = lanefold_scaled_hulls_take(scaled, hulls, zero, 2, c_ids);
    EXPECT_EQ(s.code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(s.where, 1U);
    EXPECT_EQ(lanefold_scaled_hulls_take(scaled, nullptr, scales, 4, c_ids).code, LANEFOLD_BAD_ARGUMENT);
    EXPECT_EQ(lanefold_scaled_hulls_take(nullptr, hulls, scales, 4, c_ids).code, LANEFOLD_BAD_ARGUMENT);
    lanefold_build_options unset{};
    EXPECT_EQ(lanefold_scaled_hulls_create(hulls_.get(), &unset, &scaled).code, LANEFOLD_BAD_ARGUMENT);
}

}  // namespace
}  // namespace lanefold::test
