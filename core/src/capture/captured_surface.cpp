// SPDX-License-Identifier: MIT
//
// Surfaces of a capture. The arrays are those that build the same surface again, bit for bit (surface_arrays,
// height_field_arrays).

#include "capture/captured_surface.hpp"

#include <cstring>

#include <lanefold/detail/exact_surface.hpp>
#include <lanefold/height_field.hpp>
#include <lanefold/surface.hpp>

#include "capture/format.hpp"

namespace lanefold::detail {
namespace {

constexpr const char* kCutOff = "the file ends within a surface, or pads it with more than zeros";

template <class T>
void put_array(ByteList& out, const std::vector<T>& values) {
    out.put(values.data(), values.size());
    out.align();
}

template <class T>
bool get_array(ByteReader& in, std::uint64_t count, std::vector<T>& values) {
    if (count > in.left() / sizeof(T)) return false;
    values.resize(static_cast<std::size_t>(count));
    return in.get(values.data(), values.size()) && in.align();
}

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

void put_mesh(ByteList& out, const Surface& surface) {
    const SurfaceArrays a = surface_arrays(surface);
    SurfaceHead head{};
    head.vertices = static_cast<std::uint32_t>(a.vertices.size());
    head.triangles = static_cast<std::uint32_t>(a.triangles.size());
    head.thickness = surface.thickness();
    head.materials = a.materials.empty() ? 0 : 1;
    out.put(head);
    put_array(out, a.vertices);
    put_array(out, a.triangles);
    put_array(out, a.materials);
}

void put_field(ByteList& out, const Surface& surface) {
    const HeightFieldArrays a = height_field_arrays(surface);
    SurfaceHead head{};
    head.rows = static_cast<std::uint32_t>(a.options.rows);
    head.columns = static_cast<std::uint32_t>(a.options.columns);
    head.x0 = a.options.x0;
    head.y0 = a.options.y0;
    head.dx = a.options.dx;
    head.dy = a.options.dy;
    head.thickness = a.options.thickness;
    head.holes = a.holes.empty() ? 0 : 1;
    head.diagonals = a.diagonals.empty() ? 0 : 1;
    head.materials = a.materials.empty() ? 0 : 1;
    out.put(head);
    put_array(out, a.heights);
    put_array(out, a.holes);
    put_array(out, a.diagonals);
    put_array(out, a.materials);
}

const char* get_mesh(ByteReader& in, const SurfaceHead& head, Surface& surface) {
    if (head.holes != 0 || head.diagonals != 0 || head.x0 != 0 || head.y0 != 0 || head.dx != 0 || head.dy != 0)
        return "a mesh with numbers of a height field";
    SurfaceArrays a;
    if (!get_array(in, head.vertices, a.vertices) || !get_array(in, head.triangles, a.triangles) ||
        !get_array(in, head.materials != 0 ? head.triangles : 0, a.materials)) {
        return kCutOff;
    }
    SurfaceOptions options = exact_surface(head.thickness);
    options.materials = a.materials;
    const SurfaceResult built = build_surface(std::span<const Vec3f>(a.vertices), a.triangles, options);
    if (!built || built.surface.empty()) return "a mesh that cannot be built";
    const SurfaceArrays again = surface_arrays(built.surface);
    if (!same(again.vertices, a.vertices) || !same(again.triangles, a.triangles) || !same(again.materials, a.materials))
        return "a mesh that is built with other triangles than the file has";
    surface = built.surface;
    return nullptr;
}

const char* get_field(ByteReader& in, const SurfaceHead& head, Surface& surface) {
    if (head.vertices != 0 || head.triangles != 0) return "a height field with numbers of a mesh";
    if (head.rows < 2 || head.columns < 2) return "a height field of fewer than two rows or columns";
    const std::uint64_t cells = std::uint64_t{head.rows - 1} * (head.columns - 1);
    HeightFieldArrays a;
    if (!get_array(in, std::uint64_t{head.rows} * head.columns, a.heights) ||
        !get_array(in, head.holes != 0 ? cells : 0, a.holes) ||
        !get_array(in, head.diagonals != 0 ? cells : 0, a.diagonals) ||
        !get_array(in, head.materials != 0 ? cells : 0, a.materials)) {
        return kCutOff;
    }
    HeightFieldOptions& options = a.options;
    options.rows = head.rows;
    options.columns = head.columns;
    options.x0 = head.x0;
    options.y0 = head.y0;
    options.dx = head.dx;
    options.dy = head.dy;
    options.holes = a.holes;
    options.diagonals = a.diagonals;
    options.materials = a.materials;
    options.thickness = head.thickness;
    const HeightSamples samples(a.heights.data(), head.columns);
    const SurfaceResult built = build_height_field(std::span(&samples, 1), options);
    if (!built || built.surface.empty()) return "a height field that cannot be built";
    const HeightFieldArrays again = height_field_arrays(built.surface);
    if (!same(again.heights, a.heights) || !same(again.holes, a.holes) || !same(again.diagonals, a.diagonals) ||
        !same(again.materials, a.materials)) {
        return "a height field that is built with other samples than the file has";
    }
    surface = built.surface;
    return nullptr;
}

}  // namespace

void put_surface(ByteList& out, const Surface& surface) {
    if (surface.is_height_field()) {
        put_field(out, surface);
    } else {
        put_mesh(out, surface);
    }
}

const char* get_surface(ByteReader& in, Surface& surface) {
    SurfaceHead head{};
    if (!in.get(head)) return kCutOff;
    if (head.holes > 1 || head.diagonals > 1 || head.materials > 1 || head.reserved != 0)
        return "a surface with options that do not exist";
    return head.rows == 0 && head.columns == 0 ? get_mesh(in, head, surface) : get_field(in, head, surface);
}

}  // namespace lanefold::detail
