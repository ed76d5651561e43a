// SPDX-License-Identifier: MIT
//
// The layout of a hull block: sections, each 64-byte aligned, whose offsets follow from the counts. Internal: shared by
// the builder, which writes blocks, and the kernels, which read them.
//
//   float  vx[V'], vy[V'], vz[V']            vertices, internal frame; V' = V rounded up to 16
//   float  plane[F][4]                       nx, ny, nz, d of n.x <= d; d is the support maximum over the vertices
//   int16  coarse[4][F'']                    planes again in fixed point, nx, ny, nz, d; F'' = F rounded up to 32
//   index  edge_face0[E'], edge_face1[E']    E' = E rounded up to 32
//   index  edge_vertex[2 E']                 v0, v1 interleaved, v0 < v1
//   index  face_first[F + 1]                 loops: face f has slots face_first[f] .. face_first[f + 1]; see loops
//   polygon[2 E + F]                         16 bytes each: of face f its plane again, then the corners of its loop
//   index  vertex_first[V + 1]
//   index  vertex_face[2 E]                  faces around each vertex, ascending
//   index  face_vertex[2 E], face_edge[2 E]  slot k: vertex, and the edge from it to the loop's next vertex
//   BoxMap                                   boxes only
//   double box_rotation[9]                   boxes with kRotated only, row-major
//   float  input_vertex[3 V]                 x, y, z of each stored vertex, INPUT coordinates: the hull's truth
//
// The float64 path reads input_vertex, because vx, vy, vz are rounded once more (v - centre), which is too much for a
// hull a million times larger than its partner. The section is last, so the kernels never touch its cache lines.
//
// index is uint16_t, or uint32_t when the record has kWide (some count or 2 E exceeds kMaxIndex16). Hulls with kWide
// have no polygons.
//
// coarse is for upper bounds of separations, which may be too high but never too low: components of normals in units of
// 1 / kCoarseOne, d in units of HullRecord::size / kCoarseOne, rounded to nearest. The rounded centre of a hull with
// kFar may be outside its box; its d is limited to 16 bits, and no kernel reads it.
//
// polygon repeats data of other sections. A face contact reads two faces, and in this form each is one or two cache
// lines that transpose into lanes, instead of a dozen lines of indices and coordinates.
//
// Canonical numbering: vertices keep input order; a loop runs counter-clockwise seen from outside and starts
// at its lowest vertex; faces are sorted lexicographically by their loops, edges by (v0, v1). face0 is the
// face in whose loop the edge runs v0 -> v1, face1 the one where it runs v1 -> v0.
//
// Padding invariants (kernels rely on them, tests check them):
//   vertices: copies of vertex 0, so a padding lane ties with vertex 0 and loses by its higher index;
//   coarse:   zero; scans mask by the count;
//   edges:    all zero; scans over edges mask by the count.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/diagnostics.hpp>
#include <lanefold/hull_set.hpp>

namespace lanefold::detail {

// The value 1 of a component of a coarse normal. It leaves 2% of the range of 16 bits, so that no rounding of lengths
// near the unit overflows; a smaller one would make bounds coarser.
inline constexpr float kCoarseOne = 32000.0F;

constexpr std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

// Feature numbers of a box (faces 0..5, edges 6 + e, vertices 18 + v, canonical e and v) by their place in the internal
// frame. They have five bits each and are packed so that two words hold all that a kernel needs of a face. One cache
// line.
//
// Face 2 * axis + (1 if the outward normal is positive). Its rectangle spans u = axis + 1 and v = axis + 2 (modulo 3).
// Corner q of a face: bit 0 = u positive, bit 1 = v positive. Side p: 0 u+, 1 u-, 2 v+, 3 v-.
struct BoxMap {
    struct Face {
        std::uint32_t corners;  // corner q at bit 5 (q + 1), the face's own number at bit 25
        std::uint32_t sides;    // side p at bit 5 (p + 1)
    };
    Face faces[6];
    // Canonical edge of 4 * axis + s_u + 2 * s_v, along `axis`; u = axis + 1 and v = axis + 2; s = 1 for positive.
    std::uint8_t edge[12];
    std::uint8_t reserved[4];

    static constexpr std::uint32_t kBits = 5;  // bits of a feature's number
    static constexpr std::uint32_t kMask = (1U << kBits) - 1U;
    static constexpr std::uint32_t shift(std::uint32_t place) { return kBits * (place + 1); }
    static constexpr std::uint32_t kOwn = 4;  // place of a face's own number

    std::uint32_t face(std::uint32_t f) const { return faces[f].corners >> shift(kOwn) & kMask; }
    // Canonical vertex of corner c of the box, which has x > 0 iff bit 0, y > 0 iff bit 1, z > 0 iff bit 2.
    std::uint32_t vertex(std::uint32_t c) const { return (faces[c & 1U].corners >> shift(c >> 1) & kMask) - 18; }
};
static_assert(sizeof(BoxMap) == 64);

// An entry of section polygon: a corner of a face, with coordinates as in the vertex section.
struct PolygonCorner {
    float x, y, z;
    std::uint16_t vertex;
    std::uint16_t edge;  // from this corner to the loop's next
};
static_assert(sizeof(PolygonCorner) == 16);

// Index of the first entry of face f: nx, ny, nz, d, then its corners. first: face_first[f].
constexpr std::uint32_t polygon_place(std::uint32_t first, std::uint32_t f) { return first + f; }

// Byte offsets of the sections of a block.
struct HullLayout {
    std::size_t vertices = 0;  // vx; vy, vz follow at `vertex_stride` floats
    std::size_t vertex_stride = 0;
    std::size_t planes = 0;
    std::size_t coarse = 0;  // nx; ny, nz, d follow at `coarse_stride`
    std::size_t coarse_stride = 0;
    std::size_t edge_face0 = 0;
    std::size_t edge_face1 = 0;
    std::size_t edge_vertex = 0;
    std::size_t edge_stride = 0;  // E'
    std::size_t face_first = 0;
    std::size_t polygons = 0;
    std::size_t vertex_first = 0;
    std::size_t vertex_face = 0;
    std::size_t face_vertex = 0;
    std::size_t face_edge = 0;
    std::size_t box_map = 0;
    std::size_t box_rotation = 0;
    std::size_t input_vertex = 0;
    std::size_t bytes = 0;  // multiple of 64
    std::size_t index_bytes = 2;
};

constexpr bool needs_wide_index(std::size_t v, std::size_t f, std::size_t e) {
    return v > kMaxIndex16 || f > kMaxIndex16 || 2 * e > kMaxIndex16;
}

constexpr HullLayout hull_layout(std::size_t v, std::size_t f, std::size_t e, std::uint8_t flags) {
    HullLayout l;
    const bool wide = (flags & HullRecord::kWide) != 0;
    l.index_bytes = wide ? 4 : 2;
    l.vertex_stride = round_up(v, kBlockLanes);
    l.coarse_stride = round_up(f, 2 * static_cast<std::size_t>(kBlockLanes));
    l.edge_stride = round_up(e, 2 * static_cast<std::size_t>(kBlockLanes));
    std::size_t at = 0;
    const auto take = [&at](std::size_t bytes) {
        const std::size_t offset = at;
        at += round_up(bytes, 64);
        return offset;
    };
    l.vertices = take(3 * l.vertex_stride * sizeof(float));
    l.planes = take(4 * f * sizeof(float));
    l.coarse = take(4 * l.coarse_stride * sizeof(std::int16_t));
    l.edge_face0 = take(l.edge_stride * l.index_bytes);
    l.edge_face1 = take(l.edge_stride * l.index_bytes);
    l.edge_vertex = take(2 * l.edge_stride * l.index_bytes);
    l.face_first = take((f + 1) * l.index_bytes);
    l.polygons = take(wide ? 0 : (2 * e + f) * sizeof(PolygonCorner));
    l.vertex_first = take((v + 1) * l.index_bytes);
    l.vertex_face = take(2 * e * l.index_bytes);
    l.face_vertex = take(2 * e * l.index_bytes);
    l.face_edge = take(2 * e * l.index_bytes);
    if ((flags & HullRecord::kBox) != 0) l.box_map = take(sizeof(BoxMap));
    if ((flags & HullRecord::kRotated) != 0) l.box_rotation = take(9 * sizeof(double));
    l.input_vertex = take(3 * v * sizeof(float));
    l.bytes = at;
    return l;
}

// The layout of all boxes along their input axes, which most hulls of many scenes are.
inline constexpr HullLayout kBoxLayout = hull_layout(8, 6, 12, HullRecord::kBox);

constexpr HullLayout hull_layout(const HullRecord& h) {
    if ((h.flags & (HullRecord::kBox | HullRecord::kRotated)) == HullRecord::kBox) return kBoxLayout;
    return hull_layout(h.vertex_count, h.face_count, h.edge_count, h.flags);
}

// Read access to a topology section of either index width.
class IndexArray {
public:
    IndexArray(const std::byte* data, bool wide) : data_(data), wide_(wide) {}

    std::uint32_t operator[](std::size_t i) const {
        return wide_ ? reinterpret_cast<const std::uint32_t*>(data_)[i]
                     : reinterpret_cast<const std::uint16_t*>(data_)[i];
    }

private:
    const std::byte* data_;
    bool wide_;
};

// All sections of one hull by name, for code outside the kernels (float64 path, reference, tests).
struct HullView {
    const HullRecord* record;
    HullLayout layout;
    const float* vx;
    const float* vy;
    const float* vz;
    const float* planes;
    IndexArray edge_face0;
    IndexArray edge_face1;
    IndexArray edge_vertex;
    IndexArray face_first;
    IndexArray face_vertex;
    IndexArray face_edge;
    IndexArray vertex_first;
    IndexArray vertex_face;

    explicit HullView(const HullRecord& r) : HullView(r, hull_layout(r)) {}

    Vec3d vertex(std::size_t i) const { return {vx[i], vy[i], vz[i]}; }
    const float* input_vertices() const { return floats(*record, layout.input_vertex); }
    // Stored vertex i in input coordinates, exact.
    Vec3d input_vertex(std::size_t i) const {
        const float* v = input_vertices() + 3 * i;
        return {v[0], v[1], v[2]};
    }

    // nx, ny, nz, d.
    const float* plane(std::size_t f) const { return planes + 4 * f; }
    Vec3d normal(std::size_t f) const { return {plane(f)[0], plane(f)[1], plane(f)[2]}; }
    float offset(std::size_t f) const { return plane(f)[3]; }

    const BoxMap& box_map() const { return *reinterpret_cast<const BoxMap*>(record->block + layout.box_map); }

    // x_input = rotation * x_internal + centre, in float64.
    PoseD internal_to_input() const {
        PoseD p;
        if ((record->flags & HullRecord::kRotated) != 0) {
            const double* m = reinterpret_cast<const double*>(record->block + layout.box_rotation);
            p.rotation = {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}};
        }
        p.position = {record->centre[0], record->centre[1], record->centre[2]};
        return p;
    }

private:
    HullView(const HullRecord& r, const HullLayout& l)
        : record(&r),
          layout(l),
          vx(floats(r, l.vertices)),
          vy(vx + l.vertex_stride),
          vz(vy + l.vertex_stride),
          planes(floats(r, l.planes)),
          edge_face0(r.block + l.edge_face0, l.index_bytes == 4),
          edge_face1(r.block + l.edge_face1, l.index_bytes == 4),
          edge_vertex(r.block + l.edge_vertex, l.index_bytes == 4),
          face_first(r.block + l.face_first, l.index_bytes == 4),
          face_vertex(r.block + l.face_vertex, l.index_bytes == 4),
          face_edge(r.block + l.face_edge, l.index_bytes == 4),
          vertex_first(r.block + l.vertex_first, l.index_bytes == 4),
          vertex_face(r.block + l.vertex_face, l.index_bytes == 4) {}

    static const float* floats(const HullRecord& r, std::size_t offset) {
        return reinterpret_cast<const float*>(r.block + offset);
    }
};

}  // namespace lanefold::detail
