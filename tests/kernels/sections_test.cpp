// SPDX-License-Identifier: MIT
//
// Kernels compute the sections of a hull block from the counts (pair/support.hpp), the builder from hull_layout(). Both
// must agree for every number of vertices, faces and edges.
#define LANEFOLD_KERNEL_ISA scalar
#define LANEFOLD_KERNEL_NAMESPACE kernel_sections_test

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "search/bounds.hpp"
#include "support/hulls.hpp"
#include "support/random.hpp"

namespace lanefold::test {
namespace {

namespace kernel = detail::kernel_sections_test;

template <class T>
std::size_t offset_of(const HullRecord& h, const T* section) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(section) - h.block);
}

void expect_sections(const HullRecord& h) {
    SCOPED_TRACE(testing::Message() << h.vertex_count << " vertices, " << h.face_count << " faces, " << h.edge_count
                                    << " edges");
    const detail::HullLayout l = detail::hull_layout(h);
    const std::size_t row = l.vertex_stride * sizeof(float);
    const kernel::HullFloats floats = kernel::hull_floats(h);
    EXPECT_EQ(offset_of(h, floats.vx), l.vertices);
    EXPECT_EQ(offset_of(h, floats.vy), l.vertices + row);
    EXPECT_EQ(offset_of(h, floats.vz), l.vertices + 2 * row);
    EXPECT_EQ(offset_of(h, floats.planes), l.planes);

    detail::FaceSearch search = {};
    search.planes = floats.planes;
    search.faces = h.face_count;
    const kernel::CoarsePlanes coarse = kernel::searched_coarse_planes(search);
    const std::size_t coarse_row = l.coarse_stride * sizeof(std::int16_t);
    EXPECT_EQ(offset_of(h, coarse.nx), l.coarse);
    EXPECT_EQ(offset_of(h, coarse.ny), l.coarse + coarse_row);
    EXPECT_EQ(offset_of(h, coarse.nz), l.coarse + 2 * coarse_row);
    EXPECT_EQ(offset_of(h, coarse.d), l.coarse + 3 * coarse_row);

    const kernel::HullTopology t = kernel::hull_topology(h);
    EXPECT_EQ(offset_of(h, t.edge_face0), l.edge_face0);
    EXPECT_EQ(offset_of(h, t.edge_face1), l.edge_face1);
    EXPECT_EQ(offset_of(h, t.edge_vertex), l.edge_vertex);
    EXPECT_EQ(offset_of(h, t.face_first), l.face_first);
    EXPECT_EQ(offset_of(h, t.polygons), l.polygons);
    EXPECT_EQ(offset_of(h, t.vertex_first), l.vertex_first);
    EXPECT_EQ(offset_of(h, t.vertex_face), l.vertex_face);
    EXPECT_EQ(offset_of(h, t.face_vertex), l.face_vertex);
    EXPECT_EQ(offset_of(h, t.face_edge), l.face_edge);
}

TEST(KernelSections, AreWhereTheLayoutPutsThem) {
    Random random(20261122);
    std::set<std::uint32_t> remainders;  // of the number of faces, by which the end of the planes is rounded
    for (int i = 0; i < 400; ++i) {
        const auto shape = static_cast<Shape>(random.index(kShapeCount));
        const std::vector<Points> points{transformed(make_points(shape, random), 1.0, random.rotation(), {})};
        const Library library = build_library(points);
        const HullRecord& h = library.hulls[0];
        expect_sections(h);
        remainders.insert(h.face_count % 4);
    }
    EXPECT_EQ(remainders.size(), 4U);
}

}  // namespace
}  // namespace lanefold::test
