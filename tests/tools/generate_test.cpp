// SPDX-License-Identifier: MIT
//
// Generated scenes: shapes within their kinds, the same bytes for the same seed with any threads, piles that come to
// rest inside their bins, stored pairs equal to brute force, and no files after a failure.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lanefold/detail/precise.hpp>
#include <lanefold/isa.hpp>

#include "console/failure.hpp"
#include "generate/layout.hpp"
#include "generate/scene.hpp"
#include "generate/shapes.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"
#include "support/program.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
public:
    TemporaryFolder() {
        static int count = 0;
        path_ = fs::temp_directory_path() / fmt::format("lanefold_generate_{}_{}", ::getpid(), count++);
        fs::remove_all(path_);
        fs::create_directory(path_);
    }
    ~TemporaryFolder() { fs::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    fs::path operator/(const std::string& name) const { return path_ / name; }
    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const fs::directory_entry& e : fs::directory_iterator(path_)) out.push_back(e.path().filename().string());
        std::sort(out.begin(), out.end());
        return out;
    }

private:
    fs::path path_;
};

GenerateRequest request(ShapeKind kind, const fs::path& folder, std::uint32_t bodies, std::uint32_t frames) {
    GenerateRequest r;
    r.kind = kind;
    r.folder = folder;
    r.bodies = bodies;
    r.frames = frames;
    r.hulls = 40;
    r.progress = ProgressMode::none;
    return r;
}

constexpr ShapeKind kKinds[] = {ShapeKind::boxes, ShapeKind::debris, ShapeKind::rocks, ShapeKind::big,
                                ShapeKind::mixed};

TEST(GenerateShapes, EveryKindKeepsItsVertexRangeAndCentre) {
    const std::map<ShapeKind, std::pair<std::uint32_t, std::uint32_t>> ranges{{ShapeKind::boxes, {8, 8}},
                                                                              {ShapeKind::debris, {8, 32}},
                                                                              {ShapeKind::rocks, {32, 64}},
                                                                              {ShapeKind::big, {128, 250}},
                                                                              {ShapeKind::mixed, {8, 250}}};
    for (const ShapeKind kind : kKinds) {
        const std::uint32_t count = kind == ShapeKind::big ? 40 : 150;
        const Shapes shapes = generate_shapes(kind, count, 5);
        ASSERT_EQ(shapes.hulls.size(), count);
        ASSERT_EQ(shapes.offsets.size(), count + 1);
        std::uint32_t least = ~0U;
        std::uint32_t most = 0;
        std::uint32_t with_polygons = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const HullRecord& h = shapes.hulls[i];
            // Every stored point is a vertex of the hull.
            EXPECT_EQ(h.vertex_count, shapes.offsets[i + 1] - shapes.offsets[i]) << to_string(kind) << " " << i;
            EXPECT_LE(length(shapes.hulls.info(i).mass.centre_of_mass), 1e-6);
            EXPECT_GT(h.size, 0.2F);
            EXPECT_LT(h.size, 1.5F);
            least = std::min(least, h.vertex_count);
            most = std::max(most, h.vertex_count);
            with_polygons += h.face_count < 2 * h.vertex_count - 4 ? 1U : 0U;
        }
        const auto [low, high] = ranges.at(kind);
        EXPECT_GE(least, low) << to_string(kind);
        EXPECT_LE(most, high) << to_string(kind);
        EXPECT_GT(with_polygons, count / 5) << to_string(kind) << ": flat facets are half of the shapes";
        if (kind != ShapeKind::boxes) {
            EXPECT_LT(with_polygons, count) << to_string(kind);
        }
    }
}

TEST(GenerateShapes, HullDependsOnSeedAndNumberOnly) {
    const Shapes few = generate_shapes(ShapeKind::mixed, 10, 77, 1);
    const Shapes many = generate_shapes(ShapeKind::mixed, 30, 77, 2);
    const Shapes other = generate_shapes(ShapeKind::mixed, 10, 78, 1);
    ASSERT_TRUE(std::equal(few.offsets.begin(), few.offsets.end(), many.offsets.begin()));
    EXPECT_TRUE(std::equal(few.vertices.begin(), few.vertices.end(), many.vertices.begin()));
    EXPECT_NE(few.hulls.fingerprint(), other.hulls.fingerprint());
}

TEST(GenerateLayout, NoBodyTouchesAnythingAtTheStart) {
    const Shapes shapes = generate_shapes(ShapeKind::debris, 50, 3);
    std::vector<std::uint32_t> body_hull(3000);
    for (std::uint32_t i = 0; i < body_hull.size(); ++i) body_hull[i] = i % 50;
    const std::vector<Bin> bins = lay_out(shapes.hulls, body_hull, 3);
    ASSERT_EQ(bins.size(), 2U);
    std::vector<BodyD> bodies;
    std::vector<WorldBox> slabs;
    for (const Bin& bin : bins) {
        ASSERT_EQ(bin.slabs.size(), 5U);
        for (const Slab& s : bin.slabs) {
            const Vec3d c = bin.position + s.centre;
            slabs.push_back({c - s.half, c + s.half});
        }
        for (std::size_t i = 0; i < bin.start.size(); ++i) {
            const Vec3d p = bin.position + bin.start[i].position;
            const Quat& q = bin.start[i].orientation;
            bodies.push_back(
                {{p.x, p.y, p.z},
                 {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)},
                 body_hull[bin.first + i],
                 0});
        }
    }
    ASSERT_EQ(bodies.size(), body_hull.size());
    PairFinder finder;
    EXPECT_TRUE(finder.find(shapes.hulls, BodyView(std::span<const BodyD>(bodies)), {}, {}, 0.01F).empty());
    std::size_t touching_walls = 0;
    for (const WorldBox& body : finder.boxes()) {
        for (const WorldBox& slab : slabs) touching_walls += overlap(body, slab) ? 1U : 0U;
    }
    EXPECT_EQ(touching_walls, 0U);
}

// Two bins, so that two threads really share the work; with more threads than bins each bin has several.
TEST(GenerateScene, SameSeedGivesSameBytesForAnyThreads) {
    const TemporaryFolder folder;
    for (const FallEngine engine : {FallEngine::lanefold, FallEngine::bullet}) {
        std::vector<std::map<std::string, std::string>> results;
        for (const std::uint32_t threads : {1U, 2U, 5U}) {
            GenerateRequest r = request(ShapeKind::debris, folder / fmt::format("{}{}", to_string(engine), threads),
                                        kBodiesPerBin + 500, 3);
            r.seconds = 0.8;  // the lowest layers have landed
            r.threads = threads;
            r.engine = engine;
            const GenerateReport report = generate_scene(r);
            EXPECT_EQ(report.bins, 2U);
            EXPECT_GT(report.pairs_last_frame, 100U);
            results.push_back(test::files_below(r.folder));
        }
        EXPECT_EQ(results[0].size(), 9U);
        EXPECT_TRUE(results[0] == results[1]) << to_string(engine);
        EXPECT_TRUE(results[0] == results[2]) << to_string(engine);
        GenerateRequest other = request(ShapeKind::debris, folder / "other", kBodiesPerBin + 500, 3);
        other.seconds = 0.8;
        other.seed = 2;
        other.engine = engine;
        other.replace = true;
        generate_scene(other);
        EXPECT_NE(test::files_below(other.folder).at("position.npy"), results[0].at("position.npy"));
    }
}

// With lanefold's engine also on every instruction set.
TEST(GenerateScene, SameSeedGivesSameBytesOnEveryInstructionSet) {
    const TemporaryFolder folder;
    std::map<std::string, std::string> first;
    for (const Isa isa : available_isas()) {
        GenerateRequest r = request(ShapeKind::mixed, folder / to_string(isa), 150, 4);
        r.seconds = 2;
        r.isa = isa;
        generate_scene(r);
        const std::map<std::string, std::string> files = test::files_below(r.folder);
        if (first.empty()) first = files;
        EXPECT_TRUE(files == first) << to_string(isa);
    }
    GenerateRequest bullet = request(ShapeKind::mixed, folder / "bullet", 150, 4);
    bullet.seconds = 2;
    bullet.engine = FallEngine::bullet;
    generate_scene(bullet);
    EXPECT_NE(test::files_below(bullet.folder).at("position.npy"), first.at("position.npy"));
}

struct PileFigures {
    std::uint64_t candidates = 0;
    std::uint64_t touching = 0;
    double deepest = 0;
};

PileFigures measure(const HullSet& hulls, const BodyView& bodies, const Scene& scene, const SceneFrame& frame) {
    PileFigures out;
    detail::PreciseScratch scratch;
    for (const Pair& pair : frame.pairs) {
        detail::PrecisePair p;
        p.a = &hulls[scene.body_hull()[pair.a]];
        p.b = &hulls[scene.body_hull()[pair.b]];
        std::copy_n(frame.position.begin() + pair.a * 3, 3, p.position_a);
        std::copy_n(frame.position.begin() + pair.b * 3, 3, p.position_b);
        std::copy_n(frame.orientation.begin() + pair.a * 4, 4, p.orientation_a);
        std::copy_n(frame.orientation.begin() + pair.b * 4, 4, p.orientation_b);
        p.margin = 0.02F;
        Manifold4 m;
        detail::collide_precise(p, scratch, m);
        ++out.candidates;
        if (m.kind == ContactKind::none) continue;
        ++out.touching;
        out.deepest = std::max(out.deepest, -static_cast<double>(m.distance));
    }
    EXPECT_EQ(bodies.count, scene.bodies());
    return out;
}

void expect_settled_pile(ShapeKind kind, std::uint32_t bodies, FallEngine engine = FallEngine::lanefold) {
    const TemporaryFolder folder;
    GenerateRequest r = request(kind, folder / "scene", bodies, 12);
    r.seed = 9;
    r.engine = engine;
    const GenerateReport report = generate_scene(r);
    EXPECT_EQ(report.escaped, 0U);

    const Scene scene(folder / "scene");
    ASSERT_EQ(scene.frames(), 12U);
    ASSERT_EQ(scene.bodies(), bodies + 5U);
    EXPECT_NEAR(scene.info().pairs_margin.value(), 0.02, 1e-8);
    const HullSet hulls = scene.build_hulls();
    SceneFrame frame;
    std::vector<std::vector<float>> positions;
    PileFigures figures;
    double deepest_ever = 0;
    for (std::uint64_t f = 0; f < scene.frames(); ++f) {
        scene.read_frame(f, frame);
        figures = measure(hulls, scene.view(frame), scene, frame);
        deepest_ever = std::max(deepest_ever, figures.deepest);
        EXPECT_EQ(frame.pairs, find_pairs(hulls, scene.view(frame), scene.inverse_mass(), {}, 0.02F));
        positions.push_back(frame.position);
    }

    // Bodies are above the floor, whose top is y = 0, except for the small overlap of stiff contacts.
    PairFinder finder;
    finder.find(hulls, scene.view(frame), scene.inverse_mass(), {}, 0.0F);
    double lowest = 1;
    for (std::uint32_t b = 0; b < bodies; ++b) lowest = std::min(lowest, finder.boxes()[b].lower.y);
    EXPECT_GT(lowest, -0.03) << to_string(kind);

    // Bodies fall at first. At the end they hardly move from frame to frame (half a second).
    const auto moved = [&](std::size_t from) {
        double sum = 0;
        for (std::size_t b = 0; b < bodies; ++b) {
            double square = 0;
            for (std::size_t c = 0; c < 3; ++c) {
                const double d = static_cast<double>(positions[from + 1][b * 3 + c] - positions[from][b * 3 + c]);
                square += d * d;
            }
            sum += std::sqrt(square);
        }
        return sum / bodies;
    };
    EXPECT_GT(moved(0), 0.3) << to_string(kind);
    EXPECT_LT(moved(10), 0.03) << to_string(kind);

    const double share = static_cast<double>(figures.touching) / static_cast<double>(figures.candidates);
    std::printf(
        "%s: %llu candidates, %.0f%% touching, deepest %.1f mm (%.1f mm while falling), lowest %.1f mm, last move %.1f "
        "mm\n",
        std::string(to_string(kind)).c_str(), static_cast<unsigned long long>(figures.candidates), 100 * share,
        1e3 * figures.deepest, 1e3 * deepest_ever, 1e3 * lowest, 1e3 * moved(10));
    EXPECT_GT(figures.candidates, 2U * bodies) << to_string(kind);
    EXPECT_GT(share, 0.35) << to_string(kind);
    EXPECT_LT(share, 0.85) << to_string(kind);
    EXPECT_LT(figures.deepest, 0.03) << to_string(kind);
    EXPECT_LT(deepest_ever, 0.05) << to_string(kind) << ": falling bodies must not sink into what they land on";
}

TEST(GenerateScene, BoxesSettleInsideTheirBin) { expect_settled_pile(ShapeKind::boxes, 250); }
TEST(GenerateScene, DebrisSettlesInsideItsBin) { expect_settled_pile(ShapeKind::debris, 200); }
TEST(GenerateScene, RocksSettleInsideTheirBin) { expect_settled_pile(ShapeKind::rocks, 150); }
TEST(GenerateScene, BigHullsSettleInsideTheirBin) { expect_settled_pile(ShapeKind::big, 80); }
TEST(GenerateScene, MixedHullsSettleInsideTheirBin) { expect_settled_pile(ShapeKind::mixed, 200); }

TEST(GenerateScene, BulletsDebrisSettlesInsideItsBin) {
    expect_settled_pile(ShapeKind::debris, 200, FallEngine::bullet);
}
TEST(GenerateScene, BulletsBigHullsSettleInsideTheirBin) {
    expect_settled_pile(ShapeKind::big, 80, FallEngine::bullet);
}

TEST(GenerateScene, WithoutPairsTheFilesAreAbsent) {
    const TemporaryFolder folder;
    GenerateRequest r = request(ShapeKind::boxes, folder / "scene", 20, 2);
    r.pairs = false;
    r.seconds = 0.1;
    generate_scene(r);
    const auto files = test::files_below(folder / "scene");
    EXPECT_EQ(files.count("pairs.npy"), 0U);
    EXPECT_EQ(files.count("pair_offsets.npy"), 0U);
    EXPECT_EQ(files.at("scene.json").find("pairs_margin"), std::string::npos);
    EXPECT_FALSE(Scene(folder / "scene").has_pairs());
}

TEST(GenerateScene, StopLeavesNothingBehind) {
    const TemporaryFolder folder;
    GenerateRequest r = request(ShapeKind::boxes, folder / "scene", 100, 3);
    StopFlag stop;
    stop.request_stop();
    r.stop = stop;
    EXPECT_THROW(generate_scene(r), Failure);
    EXPECT_TRUE(folder.names().empty());
}

TEST(GenerateScene, ExistingFoldersAreKeptUnlessToldToReplaceAScene) {
    const TemporaryFolder folder;
    GenerateRequest r = request(ShapeKind::boxes, folder / "scene", 20, 1);
    r.seconds = 0.1;
    generate_scene(r);
    const auto before = test::files_below(r.folder);
    r.seed = 2;
    EXPECT_THROW(generate_scene(r), Failure);
    EXPECT_TRUE(test::files_below(r.folder) == before);
    r.replace = true;
    generate_scene(r);
    EXPECT_FALSE(test::files_below(r.folder) == before);
    std::ofstream(r.folder / "notes.txt") << "mine";
    EXPECT_THROW(generate_scene(r), Failure);
    EXPECT_TRUE(fs::exists(r.folder / "notes.txt"));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"scene"});
}

int exit_code(const std::string& arguments) {
    // Quoted: a checkout may lie in a folder with a space.
    const std::string command = "\"" LANEFOLD_PROGRAM "\" " + arguments + " >/dev/null 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(GenerateCommand, BadOptionsEndWithCodeTwoAndNoFolder) {
    const TemporaryFolder folder;
    const std::string out = (folder / "scene").string();
    EXPECT_EQ(exit_code("generate pyramids " + out), 2);
    EXPECT_EQ(exit_code("generate debris " + out + " --bodies 0"), 2);
    EXPECT_EQ(exit_code("generate debris " + out + " --frames 0"), 2);
    EXPECT_EQ(exit_code("generate debris " + out + " --margin -1"), 2);
    EXPECT_EQ(exit_code("generate debris " + out + " --bodies many"), 2);
    EXPECT_EQ(exit_code("generate debris"), 2);
    EXPECT_TRUE(folder.names().empty());
    EXPECT_EQ(exit_code("generate boxes " + out + " --bodies 10 --frames 2 --seconds 0.1 --json"), 0);
    EXPECT_EQ(exit_code("info " + out), 0);
}

}  // namespace
}  // namespace lanefold::tools
