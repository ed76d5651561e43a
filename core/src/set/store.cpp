// SPDX-License-Identifier: MIT
//
// Writes hull blocks. set/store.hpp and detail/hull_block.hpp describe them.
#include "set/store.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <xxhash.h>

#include <lanefold/detail/point_box.hpp>
#include <lanefold/detail/round.hpp>

#include "hull/geometry.hpp"
#include "hull/support.hpp"

namespace lanefold::detail {

namespace {

// Largest number of vertices times faces for which every plane is tested against every vertex: about 20 ms.
constexpr std::uint64_t kScanProducts = 10'000'000;

// Height of the cap of vertices in which a plane's support is searched, relative to size. It must exceed what the
// rounding of vertices (6e-8) and the merging of faces (5e-7) can lift one vertex above another.
constexpr double kCapSlack = 2e-6;

float round_up_to_float(double x) {
    const float f = static_cast<float>(x);
    return static_cast<double>(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

float* floats_at(std::byte* block, std::size_t offset) { return reinterpret_cast<float*>(block + offset); }

void write_indices(std::byte* block, std::size_t offset, std::span<const std::uint32_t> values, bool wide) {
    if (wide) {
        std::memcpy(block + offset, values.data(), values.size_bytes());
        return;
    }
    auto* out = reinterpret_cast<std::uint16_t*>(block + offset);
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = static_cast<std::uint16_t>(values[i]);
}

void write_vertices(const HullDraft& hull, const HullRecord& record, const HullLayout& l, std::byte* block) {
    float* x[3];
    for (std::size_t i = 0; i < 3; ++i) x[i] = floats_at(block, l.vertices) + i * l.vertex_stride;
    const Vec3d centre{record.centre[0], record.centre[1], record.centre[2]};
    for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
        const Vec3d d = hull.vertices[v] - centre;
        if (hull.box) {
            // The sign of each internal coordinate selects the corner; the geometry is exactly the box.
            const Vec3d q = transpose_times(hull.box->rotation, d);
            x[0][v] = q.x > 0 ? record.half_extent[0] : -record.half_extent[0];
            x[1][v] = q.y > 0 ? record.half_extent[1] : -record.half_extent[1];
            x[2][v] = q.z > 0 ? record.half_extent[2] : -record.half_extent[2];
        } else {
            x[0][v] = static_cast<float>(d.x);
            x[1][v] = static_cast<float>(d.y);
            x[2][v] = static_cast<float>(d.z);
        }
    }
    for (float* axis : x) {
        for (std::size_t v = hull.vertices.size(); v < l.vertex_stride; ++v) axis[v] = axis[0];
    }
}

// d is the support maximum of the rounded normal over the block's float32 vertices, in float64, rounded to nearest. So
// a plane cuts its highest vertex by at most half a unit of d's last place, and as often lies slightly outside.
// Rounding up would make every depth too large by up to a whole unit.
void write_planes(const HullDraft& hull, const HullLayout& l, double size, std::byte* block) {
    const float* vx = floats_at(block, l.vertices);
    const float* vy = vx + l.vertex_stride;
    const float* vz = vy + l.vertex_stride;
    const auto plane_of = [planes = floats_at(block, l.planes)](std::uint32_t f) {
        return planes + std::size_t{4} * f;
    };
    const auto normals = face_normals(hull.vertices, hull.topology.faces);
    const FaceLoops& faces = hull.topology.faces;
    for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
        Vec3f unit = to_float(normals[f]);
        if (hull.box) {
            const Vec3d q = transpose_times(hull.box->rotation, normals[f]);
            const double ax = std::fabs(q.x), ay = std::fabs(q.y), az = std::fabs(q.z);
            unit = {};
            if (ax >= ay && ax >= az) {
                unit.x = q.x > 0 ? 1.0F : -1.0F;
            } else if (ay >= az) {
                unit.y = q.y > 0 ? 1.0F : -1.0F;
            } else {
                unit.z = q.z > 0 ? 1.0F : -1.0F;
            }
        }
        // +0 instead of -0, so that equal planes are equal bytes.
        float* plane = plane_of(f);
        plane[0] = unit.x + 0.0F;
        plane[1] = unit.y + 0.0F;
        plane[2] = unit.z + 0.0F;
    }
    const auto normal_of = [&plane_of](std::uint32_t f) {
        const float* plane = plane_of(f);
        return Vec3d{plane[0], plane[1], plane[2]};
    };
    const auto vertex_count = static_cast<std::uint32_t>(hull.vertices.size());
    const auto height = [&](std::uint32_t f, std::uint32_t v) { return dot(normal_of(f), Vec3d{vx[v], vy[v], vz[v]}); };
    if (std::uint64_t{vertex_count} * faces.face_count() <= kScanProducts) {
        for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
            double highest = height(f, 0);
            for (std::uint32_t v = 1; v < vertex_count; ++v) highest = std::max(highest, height(f, v));
            plane_of(f)[3] = static_cast<float>(highest);
        }
    } else {
        // The rounded vertices are not exactly convex, so test all that are near the top of the exact hull.
        const VertexGraph graph(faces, vertex_count);
        SupportCap cap(hull.vertices, graph);
        for (std::uint32_t f = 0; f < faces.face_count(); ++f) {
            const std::uint32_t start = faces.loop(f)[0];
            double highest = height(f, start);
            for (const std::uint32_t v : cap.find(normal_of(f), start, kCapSlack * size)) {
                highest = std::max(highest, height(f, v));
            }
            plane_of(f)[3] = static_cast<float>(highest);
        }
    }
}

void write_coarse_planes(const HullTopology& t, const HullLayout& l, double size, std::byte* block) {
    const float* plane = floats_at(block, l.planes);
    auto* coarse = reinterpret_cast<std::int16_t*>(block + l.coarse);
    for (std::size_t i = 0; i < 4; ++i) {
        const double unit = (i < 3 ? 1.0 : size) / static_cast<double>(kCoarseOne);
        for (std::size_t f = 0; f < t.faces.face_count(); ++f) {
            const double x = std::clamp(static_cast<double>(plane[4 * f + i]) / unit, -32767.0, 32767.0);
            coarse[i * l.coarse_stride + f] = static_cast<std::int16_t>(std::lround(x));
        }
    }
}

void write_polygons(const HullTopology& t, const HullLayout& l, std::byte* block) {
    const float* v = floats_at(block, l.vertices);
    const float* plane = floats_at(block, l.planes);
    for (std::uint32_t f = 0; f < t.faces.face_count(); ++f) {
        const std::uint32_t first = t.faces.first[f];
        const std::uint32_t last = t.faces.first[f + 1];
        std::byte* at = block + l.polygons + sizeof(PolygonCorner) * polygon_place(first, f);
        std::memcpy(at, plane + std::size_t{4} * f, sizeof(PolygonCorner));
        for (std::uint32_t k = first; k < last; ++k) {
            at += sizeof(PolygonCorner);
            const std::uint32_t i = t.faces.vertex[k];
            const PolygonCorner corner{v[i], v[i + l.vertex_stride], v[i + 2 * l.vertex_stride],
                                       static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(t.face_edge[k])};
            std::memcpy(at, &corner, sizeof(corner));
        }
    }
}

void write_box_map(const HullDraft& hull, const HullLayout& l, std::byte* block) {
    const float* v[3];
    for (std::size_t i = 0; i < 3; ++i) v[i] = floats_at(block, l.vertices) + i * l.vertex_stride;
    const auto sign = [&](std::size_t axis, std::uint32_t vertex) { return v[axis][vertex] > 0 ? 1U : 0U; };
    // Canonical numbers by place in the internal frame: faces and corners of the box.
    std::uint32_t face_at[6] = {};
    std::uint32_t vertex_at[8] = {};
    BoxMap map{};
    for (std::uint32_t i = 0; i < 8; ++i) vertex_at[sign(0, i) + 2 * sign(1, i) + 4 * sign(2, i)] = i;
    const float* plane = floats_at(block, l.planes);
    for (std::uint32_t f = 0; f < 6; ++f) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float n = plane[4 * f + axis];
            if (n != 0.0F) face_at[2 * axis + (n > 0 ? 1U : 0U)] = f;
        }
    }
    for (std::uint32_t e = 0; e < 12; ++e) {
        const std::uint32_t a = hull.topology.edge_vertex[2 * e];
        const std::uint32_t b = hull.topology.edge_vertex[2 * e + 1];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (sign(axis, a) == sign(axis, b)) continue;
            const std::size_t at = 4 * axis + sign((axis + 1) % 3, a) + 2 * sign((axis + 2) % 3, a);
            map.edge[at] = static_cast<std::uint8_t>(e);
        }
    }
    for (std::uint32_t face = 0; face < 6; ++face) {
        const std::uint32_t axis = face / 2;
        const std::uint32_t positive = face % 2;
        const std::uint32_t along_u = (axis + 1) % 3;
        const std::uint32_t along_v = (axis + 2) % 3;
        map.faces[face].corners = face_at[face] << BoxMap::shift(BoxMap::kOwn);
        for (std::uint32_t q = 0; q < 4; ++q) {
            const std::uint32_t corner = positive << axis | (q & 1U) << along_u | (q >> 1) << along_v;
            map.faces[face].corners |= (18 + vertex_at[corner]) << BoxMap::shift(q);
        }
        // The sides u+ and u- run along v, whose next axes are `axis` and u; v+ and v- along u, next v and `axis`.
        for (std::uint32_t side = 0; side < 4; ++side) {
            const std::uint32_t side_positive = (side & 1U) ^ 1U;
            const std::uint32_t edge =
                side < 2 ? 4 * along_v + positive + 2 * side_positive : 4 * along_u + side_positive + 2 * positive;
            map.faces[face].sides |= (6U + map.edge[edge]) << BoxMap::shift(side);
        }
    }
    std::memcpy(block + l.box_map, &map, sizeof(map));
}

}  // namespace

HullRecord make_record(const HullDraft& hull) {
    HullRecord r;
    r.vertex_count = static_cast<std::uint32_t>(hull.vertices.size());
    r.face_count = hull.topology.faces.face_count();
    r.edge_count = hull.topology.edge_count();
    const PointBox box(hull.vertices);
    r.size = static_cast<float>(box.size());
    if (hull.box) {
        std::copy_n(hull.box->centre, 3, r.centre);
        std::copy_n(hull.box->half_extent, 3, r.half_extent);
        r.flags |= HullRecord::kBox;
        if (hull.box->rotated) r.flags |= HullRecord::kRotated;
    } else {
        const Vec3f middle = to_float((box.low + box.high) * 0.5);
        r.centre[0] = middle.x;
        r.centre[1] = middle.y;
        r.centre[2] = middle.z;
    }
    for (float& c : r.centre) c += 0.0F;  // no -0
    if (needs_wide_index(r.vertex_count, r.face_count, r.edge_count)) r.flags |= HullRecord::kWide;
    r.round_radius = hull.round_radius;
    if (r.face_count == 0)
        r.flags |= HullRecord::kSmall;
    else if (is_thin(hull, static_cast<double>(r.size)))
        r.flags |= HullRecord::kThin;
    const double offset = length(Vec3d{r.centre[0], r.centre[1], r.centre[2]});
    if (offset > static_cast<double>(kPreciseCentreOffset) * unit_size(r)) r.flags |= HullRecord::kFar;
    r.loops = static_cast<std::uint32_t>(hull_layout(r).face_first);
    return r;
}

void write_block(const HullDraft& hull, HullRecord& record, std::byte* block) {
    const HullLayout l = hull_layout(record);
    const bool wide = (record.flags & HullRecord::kWide) != 0;
    write_vertices(hull, record, l, block);
    write_planes(hull, l, static_cast<double>(record.size), block);
    const HullTopology& t = hull.topology;
    write_coarse_planes(t, l, static_cast<double>(record.size), block);
    if (!wide) write_polygons(t, l, block);
    write_indices(block, l.edge_face0, t.edge_face0, wide);
    write_indices(block, l.edge_face1, t.edge_face1, wide);
    write_indices(block, l.edge_vertex, t.edge_vertex, wide);
    write_indices(block, l.face_first, t.faces.first, wide);
    write_indices(block, l.face_vertex, t.faces.vertex, wide);
    write_indices(block, l.face_edge, t.face_edge, wide);
    write_indices(block, l.vertex_first, t.vertex_first, wide);
    write_indices(block, l.vertex_face, t.vertex_face, wide);
    if (hull.box) write_box_map(hull, l, block);
    if ((record.flags & HullRecord::kRotated) != 0) {
        double m[9];
        for (std::size_t i = 0; i < 3; ++i) {
            m[3 * i] = hull.box->rotation.row[i].x;
            m[3 * i + 1] = hull.box->rotation.row[i].y;
            m[3 * i + 2] = hull.box->rotation.row[i].z;
        }
        std::memcpy(block + l.box_rotation, m, sizeof(m));
    }
    float* input = floats_at(block, l.input_vertex);
    const float* vx = floats_at(block, l.vertices);
    double radius = 0;
    record.exact_box = hull.box && !hull.box->rotated;
    for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
        const Vec3f p = to_float(hull.vertices[v]);
        input[3 * v] = p.x;
        input[3 * v + 1] = p.y;
        input[3 * v + 2] = p.z;
        const float q[3] = {vx[v], vx[v + l.vertex_stride], vx[v + 2 * l.vertex_stride]};
        radius = std::max(radius, length(Vec3d{q[0], q[1], q[2]}));
        for (std::size_t i = 0; i < 3; ++i) {
            const double x = static_cast<double>(input[3 * v + i]) - static_cast<double>(record.centre[i]);
            record.exact_box = record.exact_box && std::fabs(x) == static_cast<double>(record.half_extent[i]);
        }
        if (hull.box) continue;
        for (std::size_t i = 0; i < 3; ++i) record.half_extent[i] = std::max(record.half_extent[i], std::fabs(q[i]));
        if (v == 0 || !is_small(record)) continue;
        record.segment = HullRecord::kSegment;
        for (std::size_t i = 0; i < 3; ++i) record.segment |= static_cast<std::uint8_t>(q[i] < 0 ? 0x80U >> i : 0U);
    }
    record.radius = round_up_to_float(radius);
    record.block = block;
}

std::uint64_t hash_hull(const HullDraft& hull) {
    std::vector<std::uint32_t> words;
    const HullRecord r = make_record(hull);
    words.insert(words.end(), {r.vertex_count, r.face_count, r.edge_count,
                               std::uint32_t{r.flags} & ~std::uint32_t{HullRecord::kThin}});
    for (const Vec3d& v : hull.vertices) {
        const Vec3f p = to_float(v);
        words.insert(words.end(), {std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
                                   std::bit_cast<std::uint32_t>(p.z)});
    }
    words.insert(words.end(), hull.topology.faces.first.begin(), hull.topology.faces.first.end());
    words.insert(words.end(), hull.topology.faces.vertex.begin(), hull.topology.faces.vertex.end());
    // Sharp hulls have the fingerprints that they had before there were others.
    if (hull.round_radius > 0) words.push_back(std::bit_cast<std::uint32_t>(hull.round_radius));
    return XXH64(words.data(), words.size() * sizeof(std::uint32_t), 0);
}

std::shared_ptr<const HullSet::Segment> make_segment(std::span<const HullDraft> hulls) {
    auto segment = std::make_shared<HullSet::Segment>();
    std::size_t bytes = 0;
    std::size_t vertices = 0;
    for (const HullDraft& h : hulls) {
        segment->records.push_back(make_record(h));
        segment->info.push_back(h.info);
        segment->hash.push_back(hash_hull(h));
        bytes += hull_layout(segment->records.back()).bytes;
        segment->index_first.push_back(vertices);
        vertices += h.vertices.size();
    }
    segment->index_first.push_back(vertices);
    segment->input_index.reserve(vertices);
    segment->blocks.reserve(bytes);
    std::byte* at = segment->blocks.data();
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        HullRecord& record = segment->records[i];
        const std::size_t size = hull_layout(record).bytes;
        write_block(hulls[i], record, at);
        at += size;
        segment->input_index.insert(segment->input_index.end(), hulls[i].input_index.begin(),
                                    hulls[i].input_index.end());
    }
    return segment;
}

}  // namespace lanefold::detail
