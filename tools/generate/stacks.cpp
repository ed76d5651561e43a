// SPDX-License-Identifier: MIT
//
// See the header.

#include "generate/stacks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <lanefold/vec.hpp>

#include "console/failure.hpp"
#include "files/staged_folder.hpp"
#include "generate/random.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

constexpr double kBoxMass = 1000;       // kilograms: 1 m of water's density
constexpr double kFloorBeyond = 2;      // metres of floor beyond where the highest box could fall over
constexpr double kMostOff = 0.02;       // metres
constexpr double kMostTurned = 0.025;   // tangent of half the angle: 2.9 degrees
constexpr double kPyramidPitch = 1.05;  // metres: boxes of a row do not touch

struct Stack {
    double height = 0;                       // metres
    std::vector<double> position{0, -1, 0};  // of the floor
    std::vector<float> orientation{0, 0, 0, 1};

    // turn: tangent of half the angle about the vertical. Without sine and cosine the bytes are the same everywhere.
    void add(double x, double y, double z, double turn) {
        height = std::max(height, y + 0.5);
        position.insert(position.end(), {x, y, z});
        const double c = 1 / std::sqrt(1 + turn * turn);
        orientation.insert(orientation.end(), {0, static_cast<float>(turn * c), 0, static_cast<float>(c)});
    }
};

Stack tower(std::uint32_t boxes, std::uint64_t seed) {
    Stack stack;
    Random random(seed);
    for (std::uint32_t i = 0; i < boxes; ++i) {
        const double x = random.range(-kMostOff, kMostOff);
        const double z = random.range(-kMostOff, kMostOff);
        stack.add(x, 0.5 + i, z, random.range(-kMostTurned, kMostTurned));
    }
    return stack;
}

// Rows of a pyramid of so many boxes; throws when the last row would not be whole.
std::uint32_t rows_of(std::uint32_t boxes) {
    const auto rows = static_cast<std::uint32_t>((std::sqrt(8.0 * boxes + 1) - 1) / 2);
    const std::uint64_t whole = std::uint64_t{rows} * (rows + 1) / 2;
    if (whole != boxes)
        throw bad_input("--bodies {}: a pyramid of {} rows has {} boxes, one of {} rows {}", boxes, rows, whole,
                        rows + 1, whole + rows + 1);
    return rows;
}

Stack pyramid(std::uint32_t boxes) {
    Stack stack;
    const std::uint32_t rows = rows_of(boxes);
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t k = 0; k < rows - row; ++k)
            stack.add(kPyramidPitch * (k - 0.5 * (rows - 1 - row)), 0.5 + row, 0, 0);
    }
    return stack;
}

void add_box(std::vector<Vec3f>& vertices, float x, float y, float z) {
    for (int corner = 0; corner < 8; ++corner)
        vertices.push_back({(corner & 1) != 0 ? x : -x, (corner & 2) != 0 ? y : -y, (corner & 4) != 0 ? z : -z});
}

}  // namespace

std::optional<StackKind> parse_stack_kind(std::string_view name) {
    if (name == "tower") return StackKind::tower;
    if (name == "pyramid") return StackKind::pyramid;
    return std::nullopt;
}

void write_stack(const std::filesystem::path& folder, StackKind kind, std::uint32_t boxes, std::uint64_t seed,
                 bool replace) {
    if (boxes == 0) throw bad_input("--bodies 0: a stack needs a box");
    const Stack stack = kind == StackKind::tower ? tower(boxes, seed) : pyramid(boxes);
    const std::uint64_t offsets[] = {0, 8, 16};
    std::vector<Vec3f> vertices;
    const auto reach = static_cast<float>(stack.height + kFloorBeyond);
    add_box(vertices, reach, 1, reach);
    add_box(vertices, 0.5F, 0.5F, 0.5F);
    std::vector<std::uint32_t> body_hull(std::size_t{boxes} + 1, 1);
    body_hull[0] = 0;
    std::vector<float> inverse_mass(body_hull.size(), static_cast<float>(1 / kBoxMass));
    inverse_mass[0] = 0;

    StagedFolder stage(folder, replace);
    SceneWriter::Contents contents;
    contents.hull_offsets = offsets;
    contents.hull_vertices = vertices;
    contents.body_hull = body_hull;
    contents.inverse_mass = inverse_mass;
    contents.positions_are_double = true;
    SceneWriter writer(stage.path(), contents);
    writer.add_frame(std::span<const double>(stack.position), stack.orientation);
    writer.commit();
    stage.commit();
}

}  // namespace lanefold::tools
