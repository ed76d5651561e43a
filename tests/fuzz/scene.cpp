// SPDX-License-Identifier: MIT
//
// A scene folder of which one file, which the first byte chooses, is any bytes: refused by name, or read as a whole.
#include <array>

#include "fuzz/folder.hpp"
#include "scene/io.hpp"

namespace {

using namespace lanefold;

constexpr std::array<const char*, 9> kFiles = {"scene.json",       "hull_offsets.npy", "hull_vertices.npy",
                                               "body_hull.npy",    "position.npy",     "orientation.npy",
                                               "pair_offsets.npy", "pairs.npy",        "body_group.npy"};
// Chosen by a first byte from 128 on.
constexpr std::array<const char*, 17> kVersion2Files = {"active.npy",
                                                        "names.json",
                                                        "hull_kind.npy",
                                                        "hull_radius.npy",
                                                        "half_spaces.npy",
                                                        "compound_offsets.npy",
                                                        "child_hull.npy",
                                                        "child_position.npy",
                                                        "child_orientation.npy",
                                                        "surface_offsets.npy",
                                                        "surface_vertices.npy",
                                                        "surface_triangles.npy",
                                                        "surface_thickness.npy",
                                                        "height_fields.npy",
                                                        "height_samples.npy",
                                                        "height_holes.npy",
                                                        "height_diagonals.npy"};
// Chosen by 255 alone, so that inputs of earlier runs stay those of their files.
constexpr const char* kScaleFile = "body_scale.npy";

// A compound of a rounded cube twice, at a scale, and a half-space, touching, in two frames, in a scene of version 3
// that has a mesh and a height field, too.
void write_whole(const std::filesystem::path& folder) {
    std::vector<Vec3f> cube;
    for (int k = 0; k < 8; ++k) {
        cube.push_back({static_cast<float>(k & 1), static_cast<float>(k >> 1 & 1), static_cast<float>(k >> 2)});
    }
    const std::array<std::uint64_t, 6> offsets = {0, 8, 8, 8, 8, 8};
    const std::array<std::uint32_t, 2> hulls = {2, 1};
    const std::array<std::uint32_t, 2> groups = {0, 1};
    tools::SceneWriter::Contents contents;
    contents.hull_offsets = offsets;
    contents.hull_vertices = cube;
    contents.body_hull = hulls;
    contents.group = groups;
    contents.with_pairs = true;
    contents.with_mask = true;
    const std::array<std::string, 2> names = {"a", "b"};
    contents.names = names;
    const std::array<float, 5> radius = {0.25F, 0, 0, 0, 0};
    contents.hull_radius = radius;
    const std::array<float, 2> scale = {1.25F, 1};
    contents.body_scale = scale;
    contents.other_shapes.kind = {0, 1, 2, 3, 4};
    contents.other_shapes.half_spaces = {{{0, 0, 2}, -0.25F}};
    contents.other_shapes.offsets = {0, 2};
    contents.other_shapes.children.resize(2);
    contents.other_shapes.children[1].position[0] = 1.5;
    tools::SceneSurfaces& surfaces = contents.other_shapes.surfaces;
    const std::array<tools::SceneSurfaces::Corners, 2> corners = {{{0, 1, 2}, {2, 1, 3}}};
    surfaces.add_mesh(std::span(cube).first(4), corners);
    surfaces.fields.resize(1);
    surfaces.fields[0].rows = surfaces.fields[0].columns = 3;
    surfaces.samples.assign(9, 0.5F);
    surfaces.holes = {0, 1, 0, 0};
    surfaces.diagonals = {1, 0, 0, 0};
    surfaces.thickness = {1, 2};
    tools::SceneWriter writer(folder, contents);
    const std::array<float, 6> position = {0, 0, 0, 0.5F, 0, 1};
    const std::array<float, 8> orientation = {0, 0, 0, 1, 0, 0, 0, 1};
    const std::array<Pair, 1> pairs = {Pair{0, 1}};
    for (int frame = 0; frame < 2; ++frame) writer.add_frame(std::span<const float>(position), orientation, pairs);
    writer.commit();
}

void read_whole(const std::filesystem::path& folder) {
    const tools::Scene scene(folder);
    const HullSet hulls = scene.build_hulls(1);
    fuzz::require(hulls.size() == scene.hulls(), "not all hulls were built");
    tools::SceneFrame frame;
    for (std::uint64_t k = 0; k < scene.frames(); ++k) {
        scene.read_frame(k, frame);
        for (const Pair& p : frame.pairs)
            fuzz::require(p.a < scene.bodies() && p.b < scene.bodies() && p.a != p.b && frame.is_there(p.a) &&
                              frame.is_there(p.b),
                          "a pair of no two bodies");
        fuzz::require(frame.orientation.size() == 4 * scene.bodies(), "not as many poses as bodies");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    static const std::filesystem::path scene = [] {
        write_whole(folder.path() / "whole");
        std::filesystem::copy(folder.path() / "whole", folder.path() / "scene");
        return folder.path() / "scene";
    }();
    fuzz::Input in(data, size);
    const auto choice = in.take<std::uint8_t>();
    const char* const name = choice == 255   ? kScaleFile
                             : choice >= 128 ? kVersion2Files[choice % kVersion2Files.size()]
                                             : kFiles[choice % kFiles.size()];
    folder.write(std::string("scene/") + name, in.rest());
    // A file may fit ill with its neighbours, which the message then names.
    fuzz::read_or_refuse(scene.string(), [&] { read_whole(scene); });
    std::filesystem::copy_file(folder.path() / "whole" / name, scene / name,
                               std::filesystem::copy_options::overwrite_existing);
    return 0;
}
