// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/cast.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include <lanefold/hull_builder.hpp>
#include <lanefold/limits.hpp>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "import/hull_library.hpp"
#include "import/kept_surfaces.hpp"
#include "import/obj.hpp"
#include "import/order.hpp"
#include "import/ply.hpp"
#include "import/stl.hpp"

namespace lanefold::tools {
namespace {

// Distance of a piece's middle from its origin, in sizes, beyond which it gets an origin of its own: about its old one
// float32 loses digits, and beyond kPreciseCentreOffset pairs take the slower float64 path. The middle of the box and
// the centre that the engine takes differ by less than a size.
constexpr double kFarFromOrigin = static_cast<double>(kPreciseCentreOffset) - 1;

// The middle of the points' box, if it shall be their origin.
std::optional<Vec3d> own_origin(const std::vector<Vec3d>& points, bool always) {
    Vec3d low = points[0];
    Vec3d high = points[0];
    for (const Vec3d& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3d half = (high - low) * 0.5;
    const Vec3d middle = low + half;
    if (!always && length(middle) <= kFarFromOrigin * length(half)) return std::nullopt;
    return middle;
}

// "object/group", or the one of them that there is, or the file's name. UTF-8 without control characters.
std::string name_of(const CastPiece& piece) {
    const std::string& object = piece.file->objects[piece.source->object];
    const std::string& group = piece.source->group;
    if (object.empty() && group.empty()) return printable(piece.file->path.stem().string());
    return printable(object + (object.empty() || group.empty() ? "" : "/") + group);
}

// Two files may have the same names: then the file's name goes before.
void name_pieces(Cast& cast) {
    std::unordered_map<std::string, std::uint32_t> file_of;
    for (const CastPiece& piece : cast.pieces) {
        const auto [at, first] = file_of.emplace(name_of(piece), piece.file_number);
        if (!first && at->second != piece.file_number) at->second = ~std::uint32_t{0};
    }
    for (const CastPiece& piece : cast.pieces) {
        std::string name = name_of(piece);
        if (file_of[name] != piece.file_number)
            name = fmt::format("{}:{}", printable(piece.file->path.stem().string()), name);
        cast.names.push_back(std::move(name));
    }
    make_unique(cast.names);
}

template <class T>
std::vector<T> permuted(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
    std::vector<T> out;
    out.reserve(values.size());
    for (const std::uint32_t i : order) out.push_back(values[i]);
    return out;
}

// Pieces and objects in the order of the numbers in their names.
void sort_by_numbers(Cast& cast) {
    const std::vector<std::uint32_t> pieces = natural_order(cast.names);
    const std::vector<std::uint32_t> objects = natural_order(cast.objects);
    cast.reordered = !std::is_sorted(pieces.begin(), pieces.end()) || !std::is_sorted(objects.begin(), objects.end());
    if (!cast.reordered) return;
    std::vector<std::uint32_t> now(objects.size());
    for (std::uint32_t i = 0; i < objects.size(); ++i) now[objects[i]] = i;
    cast.pieces = permuted(cast.pieces, pieces);
    cast.names = permuted(cast.names, pieces);
    cast.objects = permuted(cast.objects, objects);
    for (CastPiece& piece : cast.pieces) piece.object = now[piece.object];
}

SourceFile read_source(const ImportRequest& request, const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    if (is_gltf(path)) return read_gltf(path, request.gltf);
    if (has_extension(path, ".stl")) return read_stl(path, request.surfaces);
    if (has_extension(path, ".ply")) return read_ply(path, request.surfaces);
    if (extension.starts_with(".usd")) {
        throw bad_input("{}: python -m lanefold.usd (docs/formats.md) makes pieces and poses of USD", path.string());
    }
    return read_obj(path);
}

// The vertices of a piece, in the coordinates of its hull, and the numbers from which they are rounded.
std::vector<Vec3f> hull_points(const ImportRequest& request, const CastPiece& piece, std::vector<Vec3d>& numbers) {
    std::vector<Vec3f> out;
    numbers.clear();
    const std::vector<Vec3d>& points = piece.source->points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d p = piece.to_hull(points[i] * request.scale);
        out.push_back(to_float(p));
        numbers.push_back(p);
        if (is_finite(out.back())) continue;
        const std::vector<std::uint64_t>& lines = piece.source->point_lines;
        const std::string line = i < lines.size() ? fmt::format(":{}", lines[i]) : "";
        throw bad_input("{}{}: with --scale {} the vertex is ({:.3g}, {:.3g}, {:.3g}), beyond what float32 holds",
                        piece.file->path.string(), line, request.scale, p.x, p.y, p.z);
    }
    return out;
}

double rounding_of(std::span<const Vec3f> points, std::span<const Vec3d> numbers) {
    double out = 0;
    for (std::size_t i = 0; i < points.size(); ++i) out = std::max(out, length(to_double(points[i]) - numbers[i]));
    return out;
}

// Gives every piece a hull; equal vertices, bit for bit, are one hull. Returns the first piece of each hull.
std::vector<std::size_t> share_hulls(const ImportRequest& request, Cast& cast) {
    std::vector<std::size_t> first;
    HullLibrary hulls;
    std::vector<Vec3d> numbers;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (cast.pieces[i].is_surface) {
            cast.body_hull.push_back(0);  // build_surfaces() sets it
            continue;
        }
        const std::vector<Vec3f> points = hull_points(request, cast.pieces[i], numbers);
        cast.rounding = std::max(cast.rounding, rounding_of(points, numbers));
        cast.body_hull.push_back(hulls.add(points, numbers));
        if (hulls.size() > first.size()) first.push_back(i);
    }
    cast.offsets = std::move(hulls.offsets);
    cast.vertices = std::move(hulls.vertices);
    cast.source_vertices = std::move(hulls.numbers);
    return first;
}

// Parts of one piece never collide with each other, whatever the groups are.
std::uint32_t group_of(ImportGroups groups, const CastPiece& piece) {
    if (groups == ImportGroups::file) return piece.file_number + 1;
    if (groups == ImportGroups::object) return piece.object + 1;
    return piece.source->part == 0 ? 0 : piece.whole + 1;
}

// Which object may be meant: the first whose name holds this one or is held by it, in any case.
std::string alike(const std::string& name, const std::vector<std::string>& objects) {
    const auto lower = [](std::string text) {
        for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    const std::string wanted = lower(name);
    if (wanted.empty()) return {};
    for (const std::string& object : objects) {
        const std::string there = lower(object);
        if (there.find(wanted) != std::string::npos || wanted.find(there) != std::string::npos)
            return fmt::format("; did you mean {}?", object);
    }
    return fmt::format("; the first of {} is {}", objects.size(), objects.empty() ? "none" : objects.front());
}

// Throws Failure(bad_input) unless an object has that name.
void require_object(const char* option, const std::string& name, const std::vector<std::string>& objects) {
    if (std::find(objects.begin(), objects.end(), name) != objects.end()) return;
    throw bad_input("{} {}: no object has that name{}", option, name, alike(name, objects));
}

}  // namespace

void read_pieces(const ImportRequest& request, Cast& cast) {
    cast.files.reserve(request.files.size());
    for (const std::filesystem::path& path : request.files) {
        SourceFile& file = cast.files.emplace_back(read_source(request, path));
        if (!request.surfaces.empty()) join_surfaces(request, file);
        const auto first_object = static_cast<std::uint32_t>(cast.objects.size());
        cast.objects.insert(cast.objects.end(), file.objects.begin(), file.objects.end());
        for (const SourcePiece& source : file.pieces) {
            CastPiece piece;
            piece.file = &file;
            piece.source = &source;
            piece.object = first_object + source.object;
            piece.file_number = static_cast<std::uint32_t>(cast.files.size() - 1);
            piece.number = static_cast<std::uint32_t>(&source - file.pieces.data());
            const std::string& name = file.objects[source.object];
            piece.is_surface =
                std::find(request.surfaces.begin(), request.surfaces.end(), name) != request.surfaces.end();
            cast.pieces.push_back(piece);
        }
    }
    for (const std::string& name : request.surfaces) require_object("--surface", name, cast.objects);
    name_pieces(cast);
    if (!request.order_of_files) sort_by_numbers(cast);
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) cast.pieces[i].whole = static_cast<std::uint32_t>(i);
    cast.whole_names = cast.names;
}

void build_cast(const ImportRequest& request, std::span<const RigidPose> rest, Cast& cast) {
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        CastPiece& piece = cast.pieces[i];
        if (!rest.empty()) {
            piece.rest = rotation(rest[i].orientation);
            piece.origin = rest[i].position * request.scale;
        }
        std::vector<Vec3d> points;
        for (const Vec3d& p : piece.source->points) points.push_back(piece.to_hull(p * request.scale));
        const std::optional<Vec3d> own = own_origin(points, request.recentre);
        if (!own) continue;
        piece.centre = *own;
        cast.has_own_origins = true;
    }
    const std::vector<std::size_t> first = share_hulls(request, cast);
    BuildOptions options;
    options.threads = request.threads;
    BuildResult built = build_hulls(cast.vertices, cast.offsets, options);
    if (!built) {
        const HullReport& failure = built.failures.front();
        const std::size_t piece = first[failure.hull];
        std::string others;
        if (built.failures.size() > 1) others = fmt::format("; {} more cannot be built", built.failures.size() - 1);
        const std::vector<std::uint64_t>& lines = cast.pieces[piece].source->point_lines;
        const std::string where =
            failure.culprit < lines.size() ? fmt::format(" (vertex of line {})", lines[failure.culprit]) : "";
        throw bad_input("{}: {}: {}{}{}", cast.describe(piece), to_string(failure.error), failure.what, where, others);
    }
    cast.hulls = std::move(built.hulls);
    build_surfaces(request, cast);
}

void assign_cast(const ImportRequest& request, Cast& cast) {
    for (const std::string& name : request.fixed) require_object("--fixed", name, cast.objects);
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        const CastPiece& piece = cast.pieces[i];
        cast.group.push_back(group_of(request.groups, piece));
        const std::string& name = cast.objects[piece.object];
        const bool fixed = std::find(request.fixed.begin(), request.fixed.end(), name) != request.fixed.end();
        if (piece.is_surface) {
            cast.inverse_mass.push_back(0);
            continue;
        }
        const double mass = request.density * cast.hulls.info(cast.body_hull[i]).mass.volume;
        cast.inverse_mass.push_back(fixed ? 0.0F : static_cast<float>(1.0 / mass));
        if (!fixed && !(std::isnormal(cast.inverse_mass.back()))) {
            throw bad_input("{}: its mass, {:.3g} kg, is out of range; choose another --density", cast.describe(i),
                            mass);
        }
    }
    if (std::all_of(cast.group.begin(), cast.group.end(), [](std::uint32_t group) { return group == 0; })) {
        cast.group.clear();
    }
}

}  // namespace lanefold::tools
