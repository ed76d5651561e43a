// SPDX-License-Identifier: MIT
//
// Small traps of files: backslashes of comments and names, weights of vertices, pieces of one name, names with percent
// codes, sparse accessors, animations of few keys, empty JSON. Each has the right value or a message that says why.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "scene/io.hpp"
#include "support/tools/gltf_writer.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::GltfWriter;
using test::Obj;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

class ImportTraps : public testing::Test {
protected:
    Outcome import(const std::string& file, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{"import", file, "-o", scene_path(), "--replace"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return program(arguments);
    }
    std::string scene_path() const { return (folder_ / "scene").string(); }
    Scene scene() const { return Scene(scene_path()); }

    TemporaryFolder folder_;
};

TEST_F(ImportTraps, ABackslashEndsCommentsAndNamesAndContinuesNumbers) {
    const auto names = [&](const std::string& between) {
        const Outcome done = import(Obj()
                                        .add("# exported to C:\\temp\\")
                                        .box("left", {}, {0.5, 0.5, 0.5})
                                        .add(between)
                                        .box("right", {2, 0, 0}, {0.5, 0.5, 0.5})
                                        .write(folder_ / "a.obj"));
        EXPECT_EQ(done.exit_code, 0) << between << done.err;
        const Scene written = scene();
        return std::vector<std::string>(written.names().begin(), written.names().end());
    };
    const std::vector<std::string> both{"left", "right"};
    for (const char* line : {"# C:\\shots\\", "#\\", "usemtl A\\B\\", "mtllib C:\\x\\", "usemtl A \\", "s 1 # a\\",
                             "g \\ x", " # b \\ \t"}) {
        EXPECT_EQ(names(line), both) << line;
    }
    // The name of the group and of the object is what the line says.
    EXPECT_EQ(names("o C:\\walls\\"), (std::vector<std::string>{"left", "C:\\walls\\/right"}));
    // Numbers go on, a name after a blank too.
    const Outcome done = import(Obj()
                                    .add("g a \\\nb")
                                    .add("v 0 0 \\ \n 0")
                                    .add("v 1 0\\\r\n 0\\\n")
                                    .add("v 0 1 0 # not \\")
                                    .add("v 0 0 1")
                                    .add("f 1 3 \\\n2")
                                    .add("f 1 2 4\nf 1 4 3\nf 2 3 4 \\")
                                    .write(folder_ / "b.obj"));
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(scene().names()[0], "a b");
    EXPECT_EQ(scene().hull_vertices().size(), 4U);
}

TEST_F(ImportTraps, AWeightOtherThanOneIsRefusedAndColoursAreNot) {
    const auto tetrahedron = [&](const std::string& behind) {
        return import(Obj()
                          .add("v 0 0 0 " + behind)
                          .add("v 2 0 0 " + behind)
                          .add("v 0 2 0 " + behind)
                          .add("v 0 0 2 " + behind)
                          .add("f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4")
                          .write(folder_ / "w.obj"));
    };
    for (const char* good : {"", "1", "1.0", "0.5 0.5 0.5", "0.5 0.5 0.5 1"}) {
        EXPECT_EQ(tetrahedron(good).exit_code, 0) << good;
    }
    const Outcome two = import(Obj().add("v 4 2 6 2").write(folder_ / "w.obj"));
    EXPECT_EQ(two.exit_code, 2);
    EXPECT_NE(two.err.find("w.obj:4: the vertex has the weight w = 2"), std::string::npos) << two.err;
    EXPECT_NE(two.err.find("'v 2 1 3'"), std::string::npos) << two.err;
    EXPECT_NE(tetrahedron("0").err.find("infinitely far"), std::string::npos);
    EXPECT_NE(tetrahedron("0 1").err.find("five numbers"), std::string::npos);
    EXPECT_NE(tetrahedron("nan").err.find("weight or a colour"), std::string::npos);
    EXPECT_NE(tetrahedron("1 2 3 4 5").err.find("weight or a colour"), std::string::npos);
}

TEST_F(ImportTraps, PiecesOfOneNameAreToldWithBothLines) {
    Obj apart;
    apart.box("brick", {}, {0.5, 0.5, 0.5})
        .box("other", {9, 0, 0}, {0.5, 0.5, 0.5})
        .box("brick", {3, 0, 0}, {0.5, 0.5, 0.5});
    // Two cubes are no convex piece where a wall of one lies inside of their hull.
    const Outcome refused = import(apart.write(folder_ / "two.obj"));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("its name opens again in line 34"), std::string::npos) << refused.err;
    const Outcome taken = import(Obj()
                                     .box("brick", {}, {0.5, 0.5, 0.5})
                                     .box("other", {9, 0, 0}, {1, 1, 1})
                                     .box("brick", {1, 0, 0}, {0.5, 0.5, 0.5})
                                     .write(folder_ / "one.obj"),
                                 {"--accept-concave"});
    EXPECT_EQ(taken.exit_code, 0) << taken.err;
    EXPECT_NE(taken.err.find("opens again in line 34"), std::string::npos) << taken.err;
    // A piece of two materials opens again with its own vertices.
    const Outcome materials = import(Obj()
                                         .add("g a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4")
                                         .box("b", {5, 0, 0}, {0.5, 0.5, 0.5})
                                         .add("g a\nusemtl red\nf 1 4 3\nf 2 3 4")
                                         .write(folder_ / "materials.obj"));
    EXPECT_EQ(materials.err.find("opens again"), std::string::npos) << materials.err;
}

TEST_F(ImportTraps, AFileIsFoundByItsUriAsWrittenAndDecoded) {
    GltfWriter gltf;
    gltf.node({{"name", "a"}, {"mesh", gltf.box(1, 1, 1)}});
    const auto found = [&](const std::string& uri, const std::string& file) {
        test::write_bytes(folder_ / file, gltf.bytes());
        auto json = gltf.root;
        json["buffers"] = {{{"byteLength", gltf.bytes().size()}, {"uri", uri}}};
        test::write_bytes(folder_ / "a.gltf", json.dump());
        const Outcome done = import((folder_ / "a.gltf").string());
        std::filesystem::remove(folder_ / file);
        return done;
    };
    EXPECT_EQ(found("pile 10%20mm.bin", "pile 10%20mm.bin").exit_code, 0);
    EXPECT_EQ(found("pile%2010%25.bin", "pile 10%.bin").exit_code, 0);
    EXPECT_EQ(found("pile 10%.bin", "pile 10%.bin").exit_code, 0);
    const Outcome none = found("pile%20x.bin", "y.bin");
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_NE(none.err.find("pile x.bin"), std::string::npos) << none.err;
}

TEST_F(ImportTraps, SparseAccessorsReplaceElements) {
    GltfWriter gltf;
    const int box = gltf.box(1, 1, 1);
    gltf.node({{"name", "a"}, {"mesh", box}});
    // The vertices with x above 0, 1, 3, 5 and 7, move to x = 3.
    const int indices = gltf.numbers<std::uint16_t>({1, 3, 5, 7}, "SCALAR", 1, 5123);
    const int values = gltf.numbers<float>({3, -1, -1, 3, 1, -1, 3, -1, 1, 3, 1, 1}, "VEC3", 3, 5126);
    auto& accessors = gltf.root["accessors"];
    auto& position = accessors[0];
    position["sparse"] = {
        {"count", 4},
        {"indices",
         {{"bufferView", accessors[static_cast<std::size_t>(indices)]["bufferView"]}, {"componentType", 5123}}},
        {"values", {{"bufferView", accessors[static_cast<std::size_t>(values)]["bufferView"]}}}};
    const Outcome done = import(gltf.write(folder_ / "a.glb"));
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NEAR(scene().build_hulls().info(0).mass.volume, 16, 1e-6);
    // Without a view all others are 0: the corner at the origin and the three that are named.
    GltfWriter zero;
    zero.node({{"name", "z"},
               {"mesh", zero.mesh({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})}});
    const int which = zero.numbers<std::uint16_t>({1, 2, 3}, "SCALAR", 1, 5123);
    const int where = zero.numbers<float>({1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3", 3, 5126);
    auto& list = zero.root["accessors"];
    list[0].erase("bufferView");
    list[0]["sparse"] = {
        {"count", 3},
        {"indices", {{"bufferView", list[static_cast<std::size_t>(which)]["bufferView"]}, {"componentType", 5123}}},
        {"values", {{"bufferView", list[static_cast<std::size_t>(where)]["bufferView"]}}}};
    ASSERT_EQ(import(zero.write(folder_ / "z.gltf")).exit_code, 0);
    EXPECT_NEAR(scene().build_hulls().info(0).mass.volume, 1.0 / 6, 1e-6);
    // Damaged ones are refused.
    const auto refused = [&](const std::string& what) {
        const Outcome outcome = import(gltf.write(folder_ / "bad.gltf"));
        EXPECT_EQ(outcome.exit_code, 2) << what;
        EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    };
    auto& sparse = position["sparse"];
    sparse["indices"]["componentType"] = 5126;
    refused("indices are no whole numbers");
    sparse["indices"]["componentType"] = 5121;
    sparse["count"] = 9;
    refused("more than");
    sparse["count"] = 4;
    sparse.erase("values");
    refused("has no values");
}

TEST_F(ImportTraps, AnAnimationOfFewKeysIsToldWithTheRateThatWouldDo) {
    const auto fall = [&](const std::vector<float>& times, const std::string& how) {
        GltfWriter gltf;
        const int node = gltf.node({{"name", "a"}, {"mesh", gltf.box(1, 1, 1)}});
        std::vector<float> values;
        for (std::size_t i = 0; i < times.size(); ++i) {
            const bool cubic = how == "CUBICSPLINE";
            if (cubic) values.insert(values.end(), {0, 0, 0});
            values.insert(values.end(), {0, -static_cast<float>(i), 0});
            if (cubic) values.insert(values.end(), {0, 0, 0});
        }
        gltf.animate(node, "translation", times, values, how);
        return gltf.write(folder_ / "fall.glb");
    };
    for (const std::string how : {"LINEAR", "CUBICSPLINE"}) {
        const Outcome few = import(fall({0, 2}, how));
        EXPECT_EQ(few.exit_code, 0);
        EXPECT_EQ(scene().frames(), 2U);
        EXPECT_NE(few.err.find("the animation has 2 keys in 2 s"), std::string::npos) << few.err;
        EXPECT_NE(few.err.find("--fps 24"), std::string::npos) << few.err;
        EXPECT_EQ(few.err.find("cubic splines") != std::string::npos, how == "CUBICSPLINE") << few.err;
        const Outcome sampled = import(fall({0, 2}, how), {"--fps", "24"});
        EXPECT_EQ(sampled.err.find("keys in"), std::string::npos) << sampled.err;
        EXPECT_EQ(scene().frames(), 49U);
    }
    // The spline between two keys at rest is half way in the middle, and at 5/32 after a quarter.
    SceneFrame frame;
    scene().read_frame(12, frame);
    EXPECT_NEAR(frame.position_double[1], -5.0 / 32, 1e-6);
    EXPECT_EQ(import(fall({0, 2}, "STEP")).err.find("keys in"), std::string::npos);
    std::vector<float> many;
    for (int i = 0; i < 25; ++i) many.push_back(static_cast<float>(i) / 12);
    EXPECT_EQ(import(fall(many, "LINEAR")).err.find("keys in"), std::string::npos);
}

// The meshes of two nodes touch where each is about its own origin, which says nothing.
TEST_F(ImportTraps, NodesThatAreApartAreNotFlungApart) {
    GltfWriter gltf;
    const std::vector<std::uint16_t> faces{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    gltf.node({{"name", "a"}, {"mesh", gltf.mesh({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, faces)}});
    gltf.node({{"name", "b"},
               {"mesh", gltf.mesh({0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 1}, faces)},
               {"translation", {-4, 0, 0}}});
    const Outcome done = import(gltf.write(folder_ / "a.glb"));
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err.find("flung apart"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("all pieces are further apart"), std::string::npos) << done.err;
}

TEST_F(ImportTraps, TextOfStlMayBeInCapitals) {
    std::string text = "SOLID Wedge\n";
    for (const char* triangle : {"0 0 0,0 1 0,1 0 0", "0 0 0,1 0 0,0 0 1", "0 0 0,0 0 1,0 1 0", "1 0 0,0 1 0,0 0 1"}) {
        std::string corners = triangle;
        for (std::size_t at = 0; (at = corners.find(',', at)) != std::string::npos;)
            corners.replace(at, 1, "\nVERTEX ");
        text += "FACET NORMAL 0 0 0\nOUTER LOOP\nVERTEX " + corners + "\nENDLOOP\nENDFACET\n";
    }
    test::write_bytes(folder_ / "wedge.stl", text + "ENDSOLID Wedge\n");
    const Outcome done = import((folder_ / "wedge.stl").string());
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(scene().names()[0], "Wedge");
    EXPECT_NEAR(scene().build_hulls().info(0).mass.volume, 1.0 / 6, 1e-6);
}

TEST_F(ImportTraps, EmptyDescriptionsSayThatTheyAreEmpty) {
    ASSERT_EQ(import(Obj().box("a", {}, {1, 1, 1}).box("b", {1, 0, 0}, {1, 1, 1}).write(folder_ / "a.obj"),
                     {"--group-by", "none"})
                  .exit_code,
              0);
    const std::string contacts = (folder_ / "contacts").string();
    ASSERT_EQ(program({"collide", scene_path(), "-o", contacts}).exit_code, 0);
    test::write_bytes(folder_ / "contacts/contacts.json", "");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", contacts}, {"verify", scene_path(), contacts}}) {
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0];
        EXPECT_NE(outcome.err.find("contacts.json: the file is empty"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("make it again"), std::string::npos) << outcome.err;
    }
    test::write_bytes(folder_ / "scene/scene.json", " \n");
    EXPECT_NE(program({"info", scene_path()}).err.find("scene.json: the file is empty"), std::string::npos);
}

}  // namespace
}  // namespace lanefold::tools
