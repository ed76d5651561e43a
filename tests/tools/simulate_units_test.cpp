// SPDX-License-Identifier: MIT
//
// Units of a scene: defaults of `simulate`, `import` and `respond` mean SI units whatever the unit is, and tables say
// which unit their numbers are in.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "console/failure.hpp"
#include "scene/io.hpp"
#include "scene/unit.hpp"
#include "support/tools/obj_file.hpp"
#include "support/tools/program.hpp"

namespace lanefold::tools {
namespace {

using test::Obj;
using test::Outcome;
using test::program;
using test::TemporaryFolder;

// A cube of 20 mm, 1 m above a floor, in a unit of which a metre has so many.
std::string drop(const TemporaryFolder& folder, double metre, const std::string& unit) {
    const std::string obj = Obj()
                                .object("floor")
                                .box("f", Vec3d{0, -0.1, 0} * metre, Vec3d{2, 0.1, 2} * metre)
                                .object("cube")
                                .box("c", Vec3d{0, 1.01, 0} * metre, Vec3d{0.01, 0.01, 0.01} * metre)
                                .write(folder / "drop.obj");
    const std::string scene = (folder / "scene").string();
    const Outcome done = program({"import", obj, "-o", scene, "--unit", unit, "--fixed", "floor", "--replace"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return scene;
}

// How far the cube has fallen after 0.4 s, in metres; `line`: the line of JSON.
double fallen(const TemporaryFolder& folder, const std::string& scene, double metre, std::vector<std::string> more,
              nlohmann::json* line = nullptr) {
    const std::string out = (folder / "out").string();
    std::vector<std::string> arguments{"simulate", scene, "-o", out, "--steps", "24", "--replace", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome done = program(arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    if (done.exit_code != 0) return std::nan("");
    if (line != nullptr) *line = nlohmann::json::parse(done.out);
    const Scene written(out);
    SceneFrame before;
    SceneFrame after;
    written.read_frame(0, before);
    written.read_frame(written.frames() - 1, after);
    const auto y = [&](const SceneFrame& f) {
        return written.positions_are_double() ? f.position_double[4] : static_cast<double>(f.position[4]);
    };
    return (y(before) - y(after)) / metre;
}

TEST(SimulateUnits, AFallIsTheSameInEveryUnit) {
    const TemporaryFolder folder;
    const double expected = 0.5 * 9.81 * 0.4 * 0.4;
    for (const auto& [unit, metre] : {std::pair<std::string, double>{"m", 1},
                                      {"cm", 100},
                                      {"mm", 1000},
                                      {"km", 0.001},
                                      {"in", 1 / 0.0254},
                                      {"0.1 m", 10}}) {
        nlohmann::json line;
        const std::string scene = drop(folder, metre, unit);
        // A step of 1/60 s in substeps falls 1% further than the parabola.
        EXPECT_NEAR(fallen(folder, scene, metre, {}, &line), expected, 0.01 * expected) << unit;
        EXPECT_EQ(line["unit"], unit);
        EXPECT_NEAR(line["mass"].get<double>(), 0.008, 1e-5) << unit;
        EXPECT_NEAR(line["fastest_at_end"].get<double>() / metre, 9.81 * 0.4, 1e-3) << unit;
        EXPECT_NEAR(line["smallest"].get<double>() / metre, 0.01 * std::sqrt(3.0), 1e-6) << unit;
        const SceneInfo info = Scene(folder / "out").info();
        EXPECT_EQ(info.unit, unit);
        EXPECT_NEAR(info.pairs_margin.value() / metre, 0.02, 1e-6) << unit;
    }
}

TEST(SimulateUnits, TheCommandLineSaysWhatTheSceneDoesNot) {
    const TemporaryFolder folder;
    const double expected = 0.5 * 9.81 * 0.4 * 0.4;
    // Millimetres that were imported without a word.
    const std::string scene = drop(folder, 1000, "m");
    for (const std::string given : {"1000", "mm"}) {
        EXPECT_NEAR(fallen(folder, scene, 1000, {"--unit", given}), expected, 0.01 * expected);
        EXPECT_EQ(Scene(folder / "out").info().unit, "mm");
    }
    const std::string out = (folder / "out").string();
    const Outcome told = program({"simulate", scene, "-o", out, "--steps", "1", "--unit", "1000", "--replace"});
    EXPECT_NE(told.err.find("its unit is 'm', but --unit says that a metre is 1000 of it"), std::string::npos)
        << told.err;
    EXPECT_NE(told.out.find(" mm/s"), std::string::npos) << told.out;
    // An unknown name is refused, and the count of it taken.
    const std::string odd = drop(folder, 4, "cubit");
    const Outcome refused = program({"simulate", odd, "-o", out, "--steps", "1", "--replace"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("'cubit' is not known: say with --unit how many"), std::string::npos) << refused.err;
    EXPECT_NEAR(fallen(folder, odd, 4, {"--unit", "4"}), expected, 0.01 * expected);
    EXPECT_EQ(Scene(folder / "out").info().unit, "0.25 m");
    EXPECT_EQ(program({"respond", odd, "--frame", "0"}).exit_code, 2);
    for (const char* bad : {"0", "-1", "nan", "inf", "1e300", "furlong", "1000x", ""}) {
        const Outcome outcome = program({"simulate", scene, "-o", out, "--unit", bad, "--replace"});
        if (std::string(bad).empty()) continue;  // as if it were not given
        EXPECT_EQ(outcome.exit_code, 2) << bad;
        EXPECT_NE(outcome.err.find("1000 for millimetres"), std::string::npos) << bad << outcome.err;
    }
}

TEST(SimulateUnits, DensitiesAreKilogramsPerCubicMetre) {
    const TemporaryFolder folder;
    const std::string obj = Obj()
                                .object("a")
                                .box("a", {0, 10, 0}, {10, 10, 10})
                                .object("b")
                                .box("b", {50, 10, 0}, {10, 10, 10})
                                .write(folder / "two.obj");
    const std::string scene = (folder / "scene").string();
    ASSERT_EQ(program({"import", obj, "-o", scene, "--unit", "mm", "--density", "2700"}).exit_code, 0);
    EXPECT_NEAR(1 / static_cast<double>(Scene(scene).inverse_mass()[0]), 2700 * 8e-6, 1e-6);
    // A density of the setup, and the default of bodies without masses.
    std::filesystem::remove(folder / "scene/body_inverse_mass.npy");
    test::write_bytes(folder / "setup.json", R"({"bodies": [{"body": 1, "density": 500}]})");
    const std::string out = (folder / "out").string();
    ASSERT_EQ(program({"simulate", scene, "-o", out, "--setup", (folder / "setup.json").string(), "--steps", "1",
                       "--density", "7800"})
                  .exit_code,
              0);
    EXPECT_NEAR(1 / static_cast<double>(Scene(out).inverse_mass()[0]), 7800 * 8e-6, 1e-6);
    EXPECT_NEAR(1 / static_cast<double>(Scene(out).inverse_mass()[1]), 500 * 8e-6, 1e-8);
}

// A number that is no length is refused, as by `simulate`, and a count is one.
TEST(SimulateUnits, ImportTakesTheSameUnits) {
    const TemporaryFolder folder;
    const std::string obj = Obj().box("a", {}, {1, 1, 1}).write(folder / "a.obj");
    const std::string scene = (folder / "scene").string();
    const auto import = [&](const std::string& unit) {
        return program({"import", obj, "-o", scene, "--replace", "--unit", unit});
    };
    for (const char* bad : {"0", "0 m", "-1 mm", "1e400 m", "1e-30 m", "0.1m", "2 cubits", ".", "1000x"}) {
        const Outcome outcome = import(bad);
        EXPECT_EQ(outcome.exit_code, 2) << bad;
        EXPECT_NE(outcome.err.find("--unit must be above 0"), std::string::npos) << bad << outcome.err;
        EXPECT_NE(outcome.err.find("'0.1 m'"), std::string::npos) << bad << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(scene)) << bad;
    }
    for (const auto& [given, unit] :
         {std::pair<std::string, std::string>{"1000", "mm"}, {"4", "0.25 m"}, {"ft", "ft"}, {"0.3048 m", "0.3048 m"}}) {
        EXPECT_EQ(import(given).exit_code, 0) << given;
        EXPECT_EQ(Scene(scene).info().unit, unit);
    }
    const Outcome inch = import("inch");
    EXPECT_EQ(inch.exit_code, 0);
    EXPECT_NE(inch.err.find("known are m, cm, mm, km, um, dm, in, ft, yd"), std::string::npos) << inch.err;
}

TEST(SimulateUnits, NamesAndCountsOfUnitsFitEachOther) {
    for (const char* name : {"m", "cm", "mm", "km", "um", "dm", "in", "ft", "yd"}) {
        EXPECT_EQ(unit_of(1 / metres_of(name).value()), name);
        EXPECT_EQ(parse_unit(name, "--unit"), 1 / metres_of(name).value());
    }
    EXPECT_DOUBLE_EQ(metres_of("2.54 cm").value(), 0.0254);
    EXPECT_EQ(unit_of(39.37), "in");
    EXPECT_NEAR(metres_of(unit_of(7)).value() * 7, 1, 1e-8);
    for (const char* bad : {"", "parsec", "0 m", "-1 m", "nan m", "2m", "1e400 m", "5"}) {
        EXPECT_FALSE(metres_of(bad)) << bad;
    }
    EXPECT_THROW(parse_unit("0", "--unit"), Failure);
}

}  // namespace
}  // namespace lanefold::tools
