// SPDX-License-Identifier: MIT
//
// See the header.

#include "scene/other_shapes.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "console/failure.hpp"
#include "files/npy.hpp"
#include "scene/arrays.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwnFiles[] = {kHalfSpacesFile, kCompoundOffsetsFile, kChildHullFile, kChildPositionFile,
                                     kChildOrientationFile};

void refuse_files(const fs::path& folder, std::span<const char* const> names, const char* why) {
    for (const char* const name : names) {
        if (is_there(folder / name)) throw bad_input("{}: {}", (folder / name).string(), why);
    }
}

// A table of `width` numbers a row.
template <class T>
std::vector<T> read_table(const fs::path& path, std::uint64_t rows, std::uint64_t width) {
    const NpyReader file(path);
    file.expect_dtype<T>();
    file.expect_shape({rows, width});
    return file.read_all<T>();
}

std::vector<HalfSpace> read_half_spaces(const fs::path& folder, std::size_t count) {
    const std::vector<float> numbers = read_table<float>(folder / kHalfSpacesFile, count, 4);
    std::vector<HalfSpace> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float* const row = &numbers[4 * i];
        out[i] = {{row[0], row[1], row[2]}, row[3]};
    }
    return out;
}

void read_children(const fs::path& folder, OtherShapes& out) {
    const fs::path path = folder / kChildHullFile;
    const auto hull = read_list<std::uint32_t>(NpyReader(path));
    check_offsets(out.offsets, (folder / kCompoundOffsetsFile).string(), hull.size(), kChildHullFile);
    const auto position = read_table<double>(folder / kChildPositionFile, hull.size(), 3);
    const auto orientation = read_table<float>(folder / kChildOrientationFile, hull.size(), 4);
    out.children.resize(hull.size());
    for (std::size_t k = 0; k < hull.size(); ++k) {
        CompoundChild& child = out.children[k];
        child.hull = hull[k];
        std::copy_n(&position[3 * k], 3, child.position);
        std::copy_n(&orientation[4 * k], 4, child.orientation);
    }
    std::size_t compound = 0;
    for (std::size_t h = 0; h < out.kind.size(); ++h) {
        if (out.kind_of(h) != ShapeKind::compound) continue;
        for (std::uint64_t k = out.offsets[compound]; k < out.offsets[compound + 1]; ++k) {
            if (hull[k] < h && out.kind_of(hull[k]) == ShapeKind::hull) continue;
            throw bad_input(
                "{}: row {}, a child of compound {} (hull {}), has hull {}, which is {}", path.string(), k, compound, h,
                hull[k], hull[k] < h ? std::string("a ") + to_string(out.kind_of(hull[k])) : "not of a lower number");
        }
        ++compound;
    }
}

}  // namespace

OtherShapes read_other_shapes(const fs::path& folder, std::uint64_t hulls, int version) {
    OtherShapes out;
    const fs::path path = folder / kHullKindFile;
    out.kind = read_of_hulls<std::uint8_t>(path, hulls, version, "kind");
    for (std::size_t h = 0; h < out.kind.size(); ++h) {
        if (out.kind[h] <= kHeightFieldKind) continue;
        throw bad_input(
            "{}: hull {} has kind {}; this program knows 0 (hull), 1 (half-space), 2 (compound), 3 (mesh) and 4 "
            "(height field)",
            path.string(), h, out.kind[h]);
    }
    const auto count_of = [&](std::uint8_t kind) {
        return static_cast<std::size_t>(std::count(out.kind.begin(), out.kind.end(), kind));
    };
    const auto count = [&](ShapeKind kind) { return count_of(static_cast<std::uint8_t>(kind)); };
    const std::span<const char* const> names(kOwnFiles);
    if (const std::size_t half_spaces = count(ShapeKind::half_space); half_spaces > 0) {
        out.half_spaces = read_half_spaces(folder, half_spaces);
    } else {
        refuse_files(folder, names.first(1), "is there, but hull_kind.npy names no half-space (kind 1)");
    }
    if (const std::size_t compounds = count(ShapeKind::compound); compounds > 0) {
        out.offsets = read_list<std::uint64_t>(NpyReader(folder / kCompoundOffsetsFile), compounds + 1);
        read_children(folder, out);
    } else {
        refuse_files(folder, names.subspan(1), "is there, but hull_kind.npy names no compound (kind 2)");
    }
    out.surfaces = read_surfaces(folder, count(ShapeKind::surface), count_of(kHeightFieldKind));
    return out;
}

}  // namespace lanefold::tools
