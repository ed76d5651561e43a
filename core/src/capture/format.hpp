// SPDX-License-Identifier: MIT
//
// The bytes of a capture's file, as docs/formats.md has them: FileHead, note, hulls (HullHead, points, or of a surface
// SurfaceHead and its arrays), pairs (PairHead, record, previous record), XXH64 of all before. Each part and each array
// begins at a multiple of 8 bytes; what is between is zero.
#pragma once

#include <cstdint>

namespace lanefold::detail {

inline constexpr std::uint32_t kCaptureFormat = 1;
// A text transfer that changes line ends or cuts bit 7 changes these.
inline constexpr unsigned char kCaptureMagic[8] = {0x89, 'L', 'F', 'P', '\r', '\n', 0x1a, '\n'};
inline constexpr std::size_t kMaxNote = 65535;

struct FileHead {
    unsigned char magic[8];
    std::uint32_t format;
    std::uint32_t hulls;
    std::uint32_t pairs;
    std::uint32_t note;   // bytes
    char version[24];     // of the library; zeros behind
    std::uint64_t bytes;  // of the file
    std::uint64_t reserved;
};
static_assert(sizeof(FileHead) == 64);

struct HullHead {
    std::uint32_t points;
    std::uint8_t merge_coplanar;
    std::uint8_t recognize_boxes;
    std::uint8_t origin;
    std::uint8_t shape;  // ShapeKind: 0, 1 for a half-space, 3 for a surface
    std::uint32_t max_vertices;
    float radius;  // 0: sharp
    std::uint64_t fingerprint;
    std::uint64_t block;
};
static_assert(sizeof(HullHead) == 32);

// Arrays behind it, of a mesh: vertices, triangles, materials. Of a height field: samples, holes, diagonals, materials.
struct SurfaceHead {
    std::uint32_t vertices;  // of a mesh, else 0
    std::uint32_t triangles;
    std::uint32_t rows;  // of a height field, else 0
    std::uint32_t columns;
    double x0;
    double y0;
    double dx;
    double dy;
    float thickness;
    std::uint8_t holes;  // 1: there is such an array
    std::uint8_t diagonals;
    std::uint8_t materials;
    std::uint8_t reserved;
};
static_assert(sizeof(SurfaceHead) == 56);

struct PairHead {
    double position[2][3];
    float orientation[2][4];
    std::uint32_t hull[2];  // of this file
    std::uint32_t body[2];
    std::uint32_t hull_id[2];
    std::uint64_t frame;
    float margin;
    float face_preference;
    float patch_band;
    float hysteresis;
    std::uint8_t points;
    std::uint8_t method;
    std::uint8_t isa;
    std::uint8_t capacity;
    std::uint8_t previous_capacity;
    std::uint8_t position_is_double;
    std::uint8_t of_children;
    std::uint8_t reserved;
};
static_assert(sizeof(PairHead) == 136);

}  // namespace lanefold::detail
