// SPDX-License-Identifier: MIT
//
// Manifold records as planes of bytes, without the points beyond `count` where these are zero. docs/formats.md has the
// form. The way back gives the same bytes, whatever the records are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lanefold::tools {

// The planes of a piece of records: those of the heads of all records, then those of all points.
struct PlanesShape {
    std::uint32_t records = 0;
    std::uint32_t head_bytes = 0;  // up to the points, or of the whole record where that can't be trimmed
    std::uint32_t points = 0;

    std::size_t bytes() const;
};

// The shape of these records: trimmed if that loses nothing.
PlanesShape shape_of(std::span<const std::byte> records, std::uint32_t capacity);
// True if a piece of so many records of the capacity can have this shape.
bool is_possible(const PlanesShape& shape, std::uint32_t capacity);

// Records of that shape into shape.bytes() bytes.
void records_to_planes(std::span<const std::byte> records, std::uint32_t capacity, const PlanesShape& shape,
                       std::byte* planes);

// Planes of a shape that is possible, read as records.
class PlanesView {
public:
    // False if the points of the records are not as many as the shape says: then nothing may be read.
    static bool is_right(std::span<const std::byte> planes, std::uint32_t capacity, const PlanesShape& shape);
    PlanesView(const std::byte* planes, std::uint32_t capacity, const PlanesShape& shape)
        : planes_(planes), capacity_(capacity), shape_(shape) {}

    // Records from `first` on; out is a whole number of them.
    void read(std::size_t first, std::span<std::byte> out) const;

private:
    const std::byte* planes_;
    std::uint32_t capacity_;
    PlanesShape shape_;
};

}  // namespace lanefold::tools
