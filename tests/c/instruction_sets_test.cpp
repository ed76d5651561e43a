// SPDX-License-Identifier: MIT
//
// Every call of C that takes the name of an instruction set refuses one that nobody knows, takes a known one, and says
// so in the same words.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <lanefold_queries.h>
#include <lanefold_stream.h>
#include <lanefold_sweep.h>
#include <lanefold_world.h>
#include <lanefold_world_batch.h>

#include "support/batch_scene.hpp"
#include "support/c_hulls.hpp"

namespace lanefold::test {
namespace {

class CInstructionSets : public ::testing::Test {
protected:
    // Calls `call` with a name that nobody knows and with one that every build has.
    template <class Call>
    static void expect_names(const std::string& what, const Call& call) {
        const lanefold_status unknown = call("avx3");
        EXPECT_EQ(unknown.code, LANEFOLD_BAD_ARGUMENT) << what;
        EXPECT_NE(std::string(unknown.what).find("instruction_set is not a known name"), std::string::npos)
            << what << ": " << unknown.what;
        const lanefold_status known = call("scalar");
        EXPECT_EQ(known.code, LANEFOLD_OK) << what << ": " << known.what;
        EXPECT_EQ(call(nullptr).code, LANEFOLD_OK) << what;
    }

    const BatchScene scene = make_batch_scene(5, 12, 4);
    const CHulls hulls = c_hulls(scene.hulls);
    const lanefold_body_view view =
        lanefold_view_bodies(reinterpret_cast<const lanefold_body*>(scene.bodies.data()), scene.bodies.size());
    const lanefold_pair* pairs = reinterpret_cast<const lanefold_pair*>(scene.pairs.data());
};

TEST_F(CInstructionSets, OfContactsAndCaptures) {
    std::vector<lanefold_manifold4> out(scene.pairs.size());
    const std::unique_ptr<lanefold_workspace, void (*)(lanefold_workspace*)> workspace(lanefold_workspace_create(),
                                                                                       lanefold_workspace_free);
    lanefold_result result = LANEFOLD_RESULT_INIT;
    expect_names("collide", [&](const char* name) {
        lanefold_options options = LANEFOLD_OPTIONS_INIT;
        options.instruction_set = name;
        return lanefold_collide4(hulls.get(), &view, pairs, scene.pairs.size(), &options, out.data(), workspace.get(),
                                 &result);
    });
    EXPECT_STRNE(result.instruction_set, "scalar");  // the last call left the choice to the library
    const std::unique_ptr<lanefold_capture, void (*)(lanefold_capture*)> capture(lanefold_capture_create(nullptr),
                                                                                 lanefold_capture_free);
    expect_names("capture", [&](const char* name) {
        return lanefold_capture_add4(capture.get(), hulls.get(), &view, pairs, scene.pairs.size(), nullptr, name, 0, 0,
                                     out.data());
    });
}

TEST_F(CInstructionSets, OfSweepsAndQueries) {
    std::vector<lanefold_sweep_record> out(scene.pairs.size());
    const std::unique_ptr<lanefold_sweep_workspace, void (*)(lanefold_sweep_workspace*)> memory(
        lanefold_sweep_workspace_create(), lanefold_sweep_workspace_free);
    expect_names("sweep", [&](const char* name) {
        lanefold_sweep_options options = LANEFOLD_SWEEP_OPTIONS_INIT;
        options.instruction_set = name;
        return lanefold_sweep(hulls.get(), &view, &view, pairs, scene.pairs.size(), &options, out.data(), memory.get(),
                              nullptr);
    });
    const std::unique_ptr<lanefold_pair_finder, void (*)(lanefold_pair_finder*)> finder(lanefold_finder_create(),
                                                                                        lanefold_finder_free);
    const lanefold_pair* found = nullptr;
    std::uint64_t count = 0;
    ASSERT_EQ(lanefold_find_pairs(finder.get(), hulls.get(), &view, nullptr, &found, &count, nullptr).code,
              LANEFOLD_OK);
    const std::unique_ptr<lanefold_query_workspace, void (*)(lanefold_query_workspace*)> query(
        lanefold_query_workspace_create(), lanefold_query_workspace_free);
    lanefold_ray ray{};
    ray.direction[0] = 1;
    lanefold_ray_hit hit;
    expect_names("rays", [&](const char* name) {
        lanefold_query_options options = LANEFOLD_QUERY_OPTIONS_INIT;
        options.instruction_set = name;
        return lanefold_scene_cast_rays(finder.get(), &ray, 1, &options, &hit, query.get(), nullptr);
    });
}

TEST_F(CInstructionSets, OfWorldsAndBatches) {
    lanefold_world* world = nullptr;
    ASSERT_EQ(lanefold_world_create(hulls.get(), &world).code, LANEFOLD_OK);
    const std::unique_ptr<lanefold_world, void (*)(lanefold_world*)> kept(world, lanefold_world_free);
    lanefold_world_settings settings = LANEFOLD_WORLD_SETTINGS_INIT;
    ASSERT_EQ(lanefold_world_get_settings(world, &settings).code, LANEFOLD_OK);
    expect_names("world", [&](const char* name) {
        settings.instruction_set = name;
        return lanefold_world_set_settings(world, &settings);
    });
    lanefold_world_batch* batch = nullptr;
    ASSERT_EQ(lanefold_world_batch_create(hulls.get(), 3, &batch).code, LANEFOLD_OK);
    const std::unique_ptr<lanefold_world_batch, void (*)(lanefold_world_batch*)> both(batch, lanefold_world_batch_free);
    expect_names("batch", [&](const char* name) {
        settings.instruction_set = name;
        return lanefold_world_batch_set_settings(batch, &settings, nullptr);
    });
}

}  // namespace
}  // namespace lanefold::test
