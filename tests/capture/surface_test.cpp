// SPDX-License-Identifier: MIT
//
// Captures of pairs with surfaces: meshes and height fields come back with the same bits, every record of every pair is
// among those of a call with the captured pair alone, and forged surfaces are refused.
#include <algorithm>
#include <cstring>
#include <set>

#include <gtest/gtest.h>
#include <xxhash.h>

#include <lanefold/capture.hpp>
#include <lanefold/detail/captured_ground.hpp>
#include <lanefold/isa.hpp>

#include "support/surface_scene.hpp"

namespace lanefold::test {
namespace {

// A field of uint16 samples in tiles, with holes, diagonals and materials: what files keep of it are float32 samples
// of one tile.
Surface field() {
    BatchRandom random(77);
    std::vector<std::uint16_t> samples(9 * 9);
    for (std::uint16_t& x : samples) x = static_cast<std::uint16_t>(random.below(900));
    std::vector<std::uint8_t> holes(64), diagonals(64);
    std::vector<std::uint16_t> materials(64);
    for (std::size_t k = 0; k < 64; ++k) {
        holes[k] = k % 13 == 5 ? 1 : 0;
        diagonals[k] = k % 3 == 0 ? 1 : 0;
        materials[k] = static_cast<std::uint16_t>(k);
    }
    HeightFieldOptions options;
    options.rows = options.columns = 9;
    options.x0 = options.y0 = -1;
    options.dx = options.dy = 0.25;
    options.scale = 3e-4;
    options.offset = -0.1;
    options.holes = holes;
    options.diagonals = diagonals;
    options.materials = materials;
    options.thickness = 0.5F;
    const HeightSamples tile(samples.data(), 9);
    const SurfaceResult built = build_height_field(std::span(&tile, 1), options);
    EXPECT_TRUE(built) << built.status.what;
    return built.surface;
}

SurfaceScene ground() {
    SurfaceScene s = make_surface_scene(rounded_hulls(), 811, 100, 700);
    const Surface made = field();
    s.scene.hulls = s.scene.hulls.append(surface_set(std::span(&made, 1)).hulls);
    const auto last = static_cast<std::uint32_t>(s.scene.hulls.size() - 1);
    for (std::size_t i = 0; i < s.scene.bodies.size(); i += 3)
        if (s.is_surface(static_cast<std::uint32_t>(i))) s.scene.bodies[i].hull = last;
    return s;
}

template <class M>
Manifold16 wide(const M& record) {
    Manifold16 out{};
    std::memcpy(&out, &record, sizeof record);
    return out;
}

// How many of the records of a call with this pair alone, taken back to the call, have exactly these bits.
template <class M>
std::size_t found(const Capture& capture, const CapturedPair& pair, Isa isa) {
    Options options = pair.options();
    options.isa = isa;
    const auto is_it = [&](const Manifold16& mine) { return std::memcmp(&mine, &pair.record, sizeof mine) == 0; };
    if (pair.of_children) {
        const std::vector<M> of_call = detail::captured_ground<M>(capture, pair);
        return static_cast<std::size_t>(
            std::count_if(of_call.begin(), of_call.end(), [&](const M& record) { return is_it(wide(record)); }));
    }
    const BodyD bodies[] = {pair.a, pair.b};
    const Pair pairs[] = {{0, 1}};
    std::vector<M> out(64);
    Workspace workspace;
    const CompactResult r = collide_compact_serial(capture.hulls(), BodyView(std::span<const BodyD>(bodies)),
                                                   std::span<const Pair>(pairs), options, std::span<M>(out), workspace);
    EXPECT_TRUE(r.status) << r.status.what;
    return static_cast<std::size_t>(std::count_if(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(r.written),
                                                  [&](const M& record) { return is_it(pair.of_call(wide(record))); }));
}

template <class M>
void expect_captured() {
    const SurfaceScene s = ground();
    const BodyView bodies = s.scene.view();
    const Options options = s.scene.options();
    std::vector<M> records(40 * s.scene.pairs.size());
    std::vector<std::uint32_t> candidates(records.size());
    Workspace workspace;
    const CompactResult r = collide_compact_serial(s.scene.hulls, bodies, std::span<const Pair>(s.scene.pairs), options,
                                                   std::span<M>(records), workspace, {}, 0, candidates);
    ASSERT_TRUE(r.status) << r.status.what;
    Capture capture;
    const CapturedCall call{s.scene.hulls, bodies, s.scene.pairs, options, {}, r.isa, 3, {}, {}, {}};
    std::size_t of_children = 0, fields = 0, later = 0;
    for (std::uint64_t k = 0; k < r.written && capture.pairs().size() < 400; ++k) {
        const Pair& pair = s.scene.pairs[candidates[k]];
        if (!s.has_surface(pair) || records[k].status != Status::ok) continue;
        const CallStatus added = capture.add(call, candidates[k], records[k]);
        ASSERT_TRUE(added) << added.what << " " << added.where;
        of_children += capture.pairs().back().of_children ? 1U : 0U;
        later += k > 0 && candidates[k] == candidates[k - 1] ? 1U : 0U;
    }
    const std::vector<std::byte> bytes = capture.bytes();
    const CaptureResult read = read_capture(bytes);
    ASSERT_TRUE(read) << read.status.what << " " << read.status.where;
    EXPECT_EQ(read.other_blocks, 0U);
    EXPECT_EQ(read.capture.bytes(), bytes);
    for (const CapturedPair& pair : read.capture.pairs()) {
        for (const BodyD* const body : {&pair.a, &pair.b}) {
            const Surface* const surface = read.capture.hulls().surface(body->hull);
            fields += surface != nullptr && surface->is_height_field() ? 1U : 0U;
        }
        EXPECT_EQ(pair.previous_capacity, 0U);
        for (const Isa isa : available_isas()) EXPECT_EQ(found<M>(read.capture, pair, isa), 1U) << to_string(isa);
    }
    EXPECT_GT(capture.pairs().size(), 150U);
    EXPECT_GT(of_children, 30U);
    EXPECT_GT(fields, 30U);
    EXPECT_GT(later, 30U);
}

TEST(CaptureSurfaces, EveryRecordComesBackToTheSameBits) {
    expect_captured<Manifold4>();
    expect_captured<Manifold16>();
}

// A capture of a box on a surface; `at` of its bytes are replaced and the checksum is put right.
CaptureResult spoilt(const Surface& surface, std::size_t at, std::uint32_t number) {
    const HullSet hulls = batch_hulls().append(surface_set(std::span(&surface, 1)).hulls);
    Body bodies[2] = {};
    bodies[0].orientation[3] = bodies[1].orientation[3] = 1;
    bodies[1].hull = static_cast<std::uint32_t>(hulls.size() - 1);
    const Pair pairs[] = {{1, 0}};
    Capture capture;
    const Options options;
    const CapturedCall call{hulls, BodyView(std::span<const Body>(bodies)), pairs, options, {}, Isa::scalar, 0, {}, {},
                            {}};
    EXPECT_TRUE(capture.add(call, 0, Manifold4{}));
    std::vector<std::byte> bytes = capture.bytes();
    if (number != 0) std::memcpy(bytes.data() + at, &number, sizeof number);
    const std::uint64_t hash = XXH64(bytes.data(), bytes.size() - 8, 0);
    std::memcpy(bytes.data() + bytes.size() - 8, &hash, sizeof hash);
    return read_capture(bytes);
}

TEST(CaptureSurfaces, ForgedOnesAreRefused) {
    const Surface mesh = rough_ground(2, 1, 0.1F, 5);
    const Surface samples = field();
    constexpr std::size_t kHead = 64 + 32;  // of the file and of its first hull, the surface
    struct Wrong {
        const Surface& surface;
        std::size_t at;
        std::uint32_t number;
        const char* what;
    };
    const std::size_t triangles = kHead + 56 + (12 * mesh.vertex_count() + 7) / 8 * 8;
    const Wrong cases[] = {
        {mesh, kHead, 0xFFFFFFFFU, "ends within a surface"},  // vertices
        {mesh, kHead + 8, 3, "numbers of a mesh"},            // rows of a mesh
        {samples, kHead + 8, 1, "fewer than two rows"},
        {mesh, kHead + 52, 0x01000000U, "do not exist"},       // reserved
        {mesh, kHead + 52, 1, "numbers of a height field"},    // holes of a mesh
        {mesh, triangles, 99, "cannot be built"},              // an index out of range
        {mesh, triangles, 1, "built with other triangles"},    // two equal corners
        {mesh, kHead + 56, 0x7fc00000U, "cannot be built"},    // NaN
        {mesh, kHead + 56, 0x3e000000U, "other vertices or"},  // another place
        {samples, kHead + 8, 0xFFFFFFFFU, "ends within a surface"},
        {samples, kHead, 1, "numbers of a mesh"},
        {samples, kHead + 16 + 20, 0xFFF00000U, "cannot be built"},  // the high word of dx
        {samples, kHead + 56, 0x3e000000U, "other vertices or"},
    };
    EXPECT_TRUE(spoilt(mesh, 0, 0));
    EXPECT_TRUE(spoilt(samples, 0, 0));
    for (const Wrong& wrong : cases) {
        const CaptureResult read = spoilt(wrong.surface, wrong.at, wrong.number);
        EXPECT_FALSE(read) << wrong.what;
        EXPECT_NE(std::string(read.status.what).find(wrong.what), std::string::npos)
            << read.status.what << " instead of " << wrong.what;
    }
}

}  // namespace
}  // namespace lanefold::test
