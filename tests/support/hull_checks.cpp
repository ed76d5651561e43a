// SPDX-License-Identifier: MIT
//
// Checks the builder's promises one by one.
#include "support/hull_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/limits.hpp>

namespace lanefold::test {

namespace {

using detail::HullView;

// float32 rounding of vertices, normals and offsets, relative to size.
constexpr double kRounding = 4e-7;

// Beyond this product of vertices and faces only some faces are compared with all vertices.
constexpr std::size_t kFullScan = 20'000'000;

class Checker {
public:
    Checker(const HullSet& hulls, std::size_t id, std::span<const Vec3f> input, const HullExpectation& expect)
        : r_(hulls[id]),
          h_(hulls[id]),
          vertices_(hulls.vertices(id)),
          index_(hulls.input_index(id)),
          info_(hulls.info(id)),
          input_(input),
          expect_(expect),
          size_(static_cast<double>(r_.size)) {}

    std::string run() {
        record();
        if (ok()) stored_vertices();
        if (ok()) faces_and_edges();
        if (ok()) padding();
        if (ok()) coarse_planes();
        if (ok()) internal_vertices();
        if (ok()) planes();
        if (ok()) polygons();
        if (ok()) convexity();
        if (ok() && r_.is_box()) box();
        if (ok() && expect_.contains_input) containment();
        return problem_.str();
    }

private:
    bool ok() const { return problem_.str().empty(); }

    template <class... T>
    void require(bool good, const T&... what) {
        if (!good && ok()) (problem_ << ... << what);
    }

    void record() {
        require(r_.vertex_count >= 4 && r_.face_count >= 4, "too few vertices or faces");
        require(r_.vertex_count + r_.face_count == r_.edge_count + 2, "Euler: V ", r_.vertex_count, " E ",
                r_.edge_count, " F ", r_.face_count);
        require(reinterpret_cast<std::uintptr_t>(r_.block) % 64 == 0, "block not aligned");
        const bool wide = detail::needs_wide_index(r_.vertex_count, r_.face_count, r_.edge_count);
        require(wide == ((r_.flags & HullRecord::kWide) != 0), "kWide");
        const bool segment = r_.vertex_count == 2;
        require((r_.segment & ~(segment ? 0xE1U : 0U)) == 0 && (r_.segment != 0) == segment, "signs of a segment");
        require(r_.is_box() || !r_.exact_box, "exact box");
        const Vec3d c{r_.centre[0], r_.centre[1], r_.centre[2]};
        const bool far = length(c) > static_cast<double>(kPreciseCentreOffset) * size_;
        require(far == ((r_.flags & HullRecord::kFar) != 0), "kFar");
        require(info_.input_points == input_.size(), "info.input_points");
        require(info_.deviation >= 0 && info_.deviation <= kBuildDeviation, "deviation ", info_.deviation);
    }

    void stored_vertices() {
        require(vertices_.size() == r_.vertex_count && index_.size() == r_.vertex_count, "vertex count");
        Vec3d low{1e300, 1e300, 1e300};
        Vec3d high = -low;
        for (std::size_t v = 0; v < vertices_.size() && ok(); ++v) {
            require(v == 0 || index_[v - 1] < index_[v], "vertices not in input order at ", v);
            require(index_[v] < input_.size() && vertices_[v] == input_[index_[v]], "vertex ", v, " moved");
            const Vec3d p = to_double(vertices_[v]);
            require(h_.input_vertex(v) == p, "block's input vertex ", v);
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        require(r_.size == static_cast<float>(0.5 * length(high - low)), "size");
        for (std::size_t i = 0; i < input_.size() && ok(); ++i) {
            // Takes the first of equal points.
            const auto at = std::find(index_.begin(), index_.end(), static_cast<std::uint32_t>(i));
            if (at != index_.end() || input_.size() > 200) continue;
            for (const std::uint32_t other : index_) require(!(input_[i] == input_[other]) || other < i, "duplicate");
        }
    }

    void faces_and_edges() {
        const std::uint32_t slots = 2 * r_.edge_count;
        require(h_.face_first[0] == 0 && h_.face_first[r_.face_count] == slots, "face_first");
        std::vector<std::uint32_t> previous;
        std::vector<std::uint32_t> faces_around(r_.vertex_count, 0);
        for (std::uint32_t f = 0; f < r_.face_count && ok(); ++f) {
            const std::uint32_t begin = h_.face_first[f];
            const std::uint32_t end = h_.face_first[f + 1];
            require(end >= begin + 3, "face ", f, " has fewer than 3 vertices");
            std::vector<std::uint32_t> loop;
            for (std::uint32_t s = begin; s < end && ok(); ++s) {
                const std::uint32_t v = h_.face_vertex[s];
                const std::uint32_t w = h_.face_vertex[s + 1 < end ? s + 1 : begin];
                const std::uint32_t e = h_.face_edge[s];
                require(v < r_.vertex_count && e < r_.edge_count, "slot ", s, " out of range");
                if (!ok()) return;
                loop.push_back(v);
                ++faces_around[v];
                const std::uint32_t v0 = h_.edge_vertex[2 * e];
                const std::uint32_t v1 = h_.edge_vertex[2 * e + 1];
                const bool forward = v == v0 && w == v1;
                require(forward || (v == v1 && w == v0), "slot ", s, ": edge ", e, " is not that of its vertices");
                require((forward ? h_.edge_face0[e] : h_.edge_face1[e]) == f, "edge ", e, ": wrong face");
            }
            require(*std::min_element(loop.begin(), loop.end()) == loop[0], "loop ", f, " starts elsewhere");
            require(std::lexicographical_compare(previous.begin(), previous.end(), loop.begin(), loop.end()), "face ",
                    f, " out of order");
            previous = loop;
            std::sort(loop.begin(), loop.end());
            require(std::adjacent_find(loop.begin(), loop.end()) == loop.end(), "face ", f, " repeats a vertex");
        }
        for (std::uint32_t e = 0; e < r_.edge_count && ok(); ++e) {
            const std::uint32_t v0 = h_.edge_vertex[2 * e];
            const std::uint32_t v1 = h_.edge_vertex[2 * e + 1];
            require(v0 < v1 && v1 < r_.vertex_count, "edge ", e, " vertices");
            require(h_.edge_face0[e] != h_.edge_face1[e], "edge ", e, " has one face twice");
            if (e == 0) continue;
            const std::uint32_t p0 = h_.edge_vertex[2 * e - 2];
            const std::uint32_t p1 = h_.edge_vertex[2 * e - 1];
            require(p0 < v0 || (p0 == v0 && p1 < v1), "edge ", e, " out of order");
        }
        require(h_.vertex_first[0] == 0, "vertex_first");
        for (std::uint32_t v = 0; v < r_.vertex_count && ok(); ++v) {
            const std::uint32_t begin = h_.vertex_first[v];
            const std::uint32_t end = h_.vertex_first[v + 1];
            require(end >= begin + 3 && end - begin == faces_around[v], "faces around vertex ", v);
            for (std::uint32_t s = begin; s < end && ok(); ++s) {
                const std::uint32_t f = h_.vertex_face[s];
                require(f < r_.face_count && (s == begin || h_.vertex_face[s - 1] < f), "vertex_face of ", v);
                bool found = false;
                for (std::uint32_t k = h_.face_first[f]; k < h_.face_first[f + 1]; ++k) found |= h_.face_vertex[k] == v;
                require(found, "vertex ", v, " is not on face ", f);
            }
        }
    }

    void padding() {
        const auto& l = h_.layout;
        require(l.vertex_stride % kBlockLanes == 0, "stride");
        for (std::size_t v = r_.vertex_count; v < l.vertex_stride && ok(); ++v) {
            require(h_.vx[v] == h_.vx[0] && h_.vy[v] == h_.vy[0] && h_.vz[v] == h_.vz[0], "vertex padding ", v);
        }
        const auto* coarse = reinterpret_cast<const std::int16_t*>(r_.block + l.coarse);
        require(l.coarse_stride % (2 * kBlockLanes) == 0, "coarse stride");
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t f = r_.face_count; f < l.coarse_stride && ok(); ++f)
                require(coarse[i * l.coarse_stride + f] == 0, "coarse padding ", f);
        }
        for (std::size_t e = r_.edge_count; e < l.edge_stride && ok(); ++e) {
            require(h_.edge_face0[e] == 0 && h_.edge_face1[e] == 0 && h_.edge_vertex[2 * e] == 0 &&
                        h_.edge_vertex[2 * e + 1] == 0,
                    "edge padding ", e);
        }
    }

    // The planes in fixed point: the nearest number of units, if the kernels may see the hull.
    void coarse_planes() {
        if ((r_.flags & HullRecord::kFar) != 0) return;
        const auto& l = h_.layout;
        const auto* coarse = reinterpret_cast<const std::int16_t*>(r_.block + l.coarse);
        const double one = static_cast<double>(detail::kCoarseOne);
        for (std::size_t f = 0; f < r_.face_count && ok(); ++f) {
            const float* own = h_.plane(f);
            const double plane[4] = {own[0], own[1], own[2], static_cast<double>(own[3]) / r_.size};
            for (std::size_t i = 0; i < 4; ++i) {
                const double error = plane[i] * one - coarse[i * l.coarse_stride + f];
                require(std::fabs(error) <= 0.5 + 1e-9, "coarse plane ", f, " component ", i);
            }
        }
    }

    void internal_vertices() {
        const PoseD place = h_.internal_to_input();
        const double allowed = r_.is_box() ? kBuildDeviation * size_ : 6e-8 * 2 * size_;
        double radius = 0;
        float extent[3] = {};
        for (std::size_t v = 0; v < vertices_.size() && ok(); ++v) {
            const Vec3d q = h_.vertex(v);
            const double off = length(transform(place, q) - to_double(vertices_[v]));
            require(off <= allowed * (1 + 1e-9), "internal vertex ", v, " off by ", off / size_, " sizes");
            radius = std::max(radius, length(q));
            extent[0] = std::max(extent[0], std::fabs(h_.vx[v]));
            extent[1] = std::max(extent[1], std::fabs(h_.vy[v]));
            extent[2] = std::max(extent[2], std::fabs(h_.vz[v]));
        }
        require(static_cast<double>(r_.radius) >= radius && static_cast<double>(r_.radius) <= radius * 1.0000002,
                "radius");
        for (std::size_t i = 0; i < 3; ++i) require(r_.half_extent[i] == extent[i], "half extent ", i);
    }

    void polygons() {
        if ((r_.flags & HullRecord::kWide) != 0) return;
        const std::byte* at = r_.block + h_.layout.polygons;
        for (std::uint32_t f = 0; f < r_.face_count && ok(); ++f) {
            const std::uint32_t first = h_.face_first[f];
            require(at == r_.block + h_.layout.polygons + 16 * detail::polygon_place(first, f), "place of polygon ", f);
            require(std::memcmp(at, h_.plane(f), sizeof(detail::PolygonCorner)) == 0, "plane in polygon ", f);
            at += sizeof(detail::PolygonCorner);
            for (std::uint32_t k = first; k < h_.face_first[f + 1]; ++k) {
                const std::uint32_t v = h_.face_vertex[k];
                const detail::PolygonCorner corner{h_.vx[v], h_.vy[v], h_.vz[v], static_cast<std::uint16_t>(v),
                                                   static_cast<std::uint16_t>(h_.face_edge[k])};
                require(std::memcmp(at, &corner, sizeof(corner)) == 0, "corner ", k, " of polygon ", f);
                at += sizeof(corner);
            }
        }
        require(r_.loops == h_.layout.face_first, "offset of the loops");
    }

    void planes() {
        const std::size_t step = 1 + std::size_t{r_.vertex_count} * r_.face_count / kFullScan;
        for (std::size_t f = 0; f < r_.face_count && ok(); ++f) {
            const Vec3d n = h_.normal(f);
            require(std::fabs(length(n) - 1) <= 2e-7, "normal ", f, " is not unit");
            for (std::uint32_t k = h_.face_first[f]; k < h_.face_first[f + 1] && ok(); ++k) {
                const double below = static_cast<double>(h_.offset(f)) - dot(n, h_.vertex(h_.face_vertex[k]));
                require(below <= (kBuildDeviation + kRounding) * size_, "face ", f, " lies ", below / size_,
                        " sizes above its vertex ", h_.face_vertex[k]);
            }
            if (f % step != 0) continue;
            double highest = -1e300;
            for (std::size_t v = 0; v < r_.vertex_count; ++v) highest = std::max(highest, dot(n, h_.vertex(v)));
            require(h_.offset(f) == static_cast<float>(highest), "offset of plane ", f, " is not its support");
        }
    }

    // Newell's normal about the loop's centroid, which sums in another order than the builder. `error` is the angle by
    // which rounding can turn it; it is large for slivers.
    Vec3d face_normal(std::size_t f, double& error) const {
        Vec3d centre;
        double reach = 0;
        const std::uint32_t begin = h_.face_first[f];
        const std::uint32_t end = h_.face_first[f + 1];
        const Vec3d origin = to_double(vertices_[h_.face_vertex[begin]]);
        for (std::uint32_t k = begin; k < end; ++k)
            centre = centre + (to_double(vertices_[h_.face_vertex[k]]) - origin);
        centre = origin + centre * (1.0 / (end - begin));
        Vec3d sum;
        for (std::uint32_t k = begin; k < end; ++k) {
            const Vec3d a = to_double(vertices_[h_.face_vertex[k]]) - centre;
            const Vec3d b = to_double(vertices_[h_.face_vertex[k + 1 < end ? k + 1 : begin]]) - centre;
            sum = sum + cross(a, b);
            reach = std::max(reach, length_squared(a));
        }
        error = 4e-16 * (end - begin) * reach / length(sum);
        return normalized(sum);
    }

    void convexity() {
        std::vector<Vec3d> normal(r_.face_count);
        std::vector<double> error(r_.face_count);
        for (std::size_t f = 0; f < r_.face_count; ++f) normal[f] = face_normal(f, error[f]);
        for (std::size_t e = 0; e < r_.edge_count && ok(); ++e) {
            const Vec3d a = to_double(vertices_[h_.edge_vertex[2 * e]]);
            const Vec3d b = to_double(vertices_[h_.edge_vertex[2 * e + 1]]);
            const std::uint32_t f = h_.edge_face0[e];
            const std::uint32_t g = h_.edge_face1[e];
            const double bend = dot(cross(normal[f], normal[g]), normalized(b - a));
            // Without merging, triangles of one polygon are coplanar: rounding decides.
            require(bend > -(error[f] + error[g]), "edge ", e, " is not convex: ", bend);
            require(!expect_.merged || bend > 0 || error[f] + error[g] > 1e-12, "edge ", e, " is flat: ", bend);
        }
        for (std::size_t f = 0; f < r_.face_count && ok(); ++f) {
            const std::uint32_t begin = h_.face_first[f];
            const std::uint32_t count = h_.face_first[f + 1] - begin;
            for (std::uint32_t k = 0; k < count && ok(); ++k) {
                const auto corner = [&](std::uint32_t i) {
                    return to_double(vertices_[h_.face_vertex[begin + (k + i) % count]]);
                };
                const Vec3d chord = corner(2) - corner(0);
                // Distance of the middle vertex outside the chord of its neighbours, within the face.
                const double out = dot(cross(chord, normal[f]), corner(1) - corner(0)) / length(chord);
                require(out >= -kBuildDeviation * size_, "face ", f, " is concave at slot ", k, " by ", out / size_);
            }
        }
    }

    void box() {
        require(r_.vertex_count == 8 && r_.face_count == 6 && r_.edge_count == 12, "a box of other counts");
        const detail::BoxMap& map = h_.box_map();
        for (std::uint32_t c = 0; c < 8; ++c) {
            const std::uint32_t v = map.vertex(c);
            require(h_.vx[v] == ((c & 1U) != 0 ? r_.half_extent[0] : -r_.half_extent[0]) &&
                        h_.vy[v] == ((c & 2U) != 0 ? r_.half_extent[1] : -r_.half_extent[1]) &&
                        h_.vz[v] == ((c & 4U) != 0 ? r_.half_extent[2] : -r_.half_extent[2]),
                    "corner ", c);
        }
        for (std::uint32_t i = 0; i < 6; ++i) {
            const std::uint32_t f = map.face(i);
            float n[3] = {};
            n[i / 2] = i % 2 == 1 ? 1.0F : -1.0F;
            require(std::equal(n, n + 3, h_.plane(f)), "box face ", i);
            require(h_.offset(f) == r_.half_extent[i / 2], "box face offset ", i);
        }
        for (std::uint32_t i = 0; i < 12; ++i) {
            const std::uint32_t axis = i / 4;
            const std::uint32_t bits = ((i & 1U) << ((axis + 1) % 3)) | ((i >> 1U & 1U) << ((axis + 2) % 3));
            const std::uint32_t a = map.vertex(bits);
            const std::uint32_t b = map.vertex(bits | 1U << axis);
            const std::uint32_t e = map.edge[i];
            require(h_.edge_vertex[2 * e] == std::min(a, b) && h_.edge_vertex[2 * e + 1] == std::max(a, b), "box edge ",
                    i);
        }
        const PoseD place = h_.internal_to_input();
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const double expected = i == j ? 1.0 : 0.0;
                require(std::fabs(dot(place.rotation.row[i], place.rotation.row[j]) - expected) < 1e-14, "rotation");
            }
        }
        const Mat3d& m = place.rotation;
        require(dot(cross(m.row[0], m.row[1]), m.row[2]) > 0, "reflected box frame");
        require((m == Mat3d{}) == ((r_.flags & HullRecord::kRotated) == 0), "kRotated");
        bool exact = (r_.flags & HullRecord::kRotated) == 0;
        for (std::size_t v = 0; v < r_.vertex_count; ++v) {
            const Vec3d q = h_.input_vertex(v) - place.position;
            exact = exact && std::fabs(q.x) == double{r_.half_extent[0]} &&
                    std::fabs(q.y) == double{r_.half_extent[1]} && std::fabs(q.z) == double{r_.half_extent[2]};
        }
        require(r_.exact_box == exact, "exact box");
    }

    void containment() {
        const PoseD place = h_.internal_to_input();
        const double allowed = (2 * kBuildDeviation + kRounding) * size_;
        const std::size_t step = 1 + input_.size() * r_.face_count / kFullScan;
        for (std::size_t p = 0; p < input_.size() && ok(); p += step) {
            const Vec3d q = transpose_times(place.rotation, to_double(input_[p]) - place.position);
            for (std::size_t f = 0; f < r_.face_count && ok(); ++f) {
                const double above = dot(h_.normal(f), q) - static_cast<double>(h_.offset(f));
                require(above <= allowed, "input point ", p, " is ", above / size_, " sizes outside face ", f);
            }
        }
    }

    const HullRecord& r_;
    HullView h_;
    std::span<const Vec3f> vertices_;
    std::span<const std::uint32_t> index_;
    const HullInfo& info_;
    std::span<const Vec3f> input_;
    HullExpectation expect_;
    double size_;
    std::ostringstream problem_;
};

}  // namespace

std::string check_hull(const HullSet& hulls, std::size_t id, std::span<const Vec3f> input,
                       const HullExpectation& expect) {
    return Checker(hulls, id, input, expect).run();
}

std::vector<std::vector<std::uint32_t>> input_faces(const HullSet& hulls, std::size_t id,
                                                    std::span<const std::uint32_t> renumber) {
    const HullView h(hulls[id]);
    const auto index = hulls.input_index(id);
    std::vector<std::vector<std::uint32_t>> faces;
    for (std::uint32_t f = 0; f < hulls[id].face_count; ++f) {
        std::vector<std::uint32_t> loop;
        for (std::uint32_t k = h.face_first[f]; k < h.face_first[f + 1]; ++k) {
            const std::uint32_t point = index[h.face_vertex[k]];
            loop.push_back(renumber.empty() ? point : renumber[point]);
        }
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
        faces.push_back(std::move(loop));
    }
    std::sort(faces.begin(), faces.end());
    return faces;
}

std::span<const std::byte> block_bytes(const HullRecord& record) {
    return {record.block, detail::hull_layout(record).bytes};
}

}  // namespace lanefold::test
