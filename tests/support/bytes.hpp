// SPDX-License-Identifier: MIT
//
// Results of any public call as bytes, value by value (structures have padding), for comparisons to the last bit.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include <lanefold/contact_features.hpp>
#include <lanefold/contact_response.hpp>
#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_set.hpp>
#include <lanefold/match_contacts.hpp>
#include <lanefold/options.hpp>
#include <lanefold/published.hpp>
#include <lanefold/reference.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace lanefold::test {

class Bytes {
public:
    template <class T>
    void add(const T& value) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            char raw[sizeof(T)];
            std::memcpy(raw, &value, sizeof raw);
            all_.append(raw, sizeof raw);
        } else if constexpr (requires { value.begin(); }) {
            add(value.size());
            for (const auto& x : value) add(x);
        } else {
            fields(value);
        }
    }
    const std::string& all() const { return all_; }

private:
    void fields(const Vec3d& v) { list(v.x, v.y, v.z); }
    void fields(const Vec3f& v) { list(v.x, v.y, v.z); }
    void fields(const Mat3d& m) { list(m.row[0], m.row[1], m.row[2]); }
    void fields(const PoseD& p) { list(p.rotation, p.position); }
    void fields(const Manifold4& m) { raw(m); }
    void fields(const Manifold16& m) { raw(m); }
    void fields(const PairDistance& d) { raw(d); }
    void fields(const RecordMatch<Manifold4>& m) { raw(m); }
    void fields(const reference::OracleHull::Triangle& t) { list(t.v[0], t.v[1], t.v[2]); }
    void fields(const reference::OracleHull::Edge& e) { list(e.v[0], e.v[1], e.face[0], e.face[1]); }
    void fields(const reference::OracleHull& h) { list(h.vertices, h.triangles, h.normals, h.edges, h.size); }
    void fields(const published::Polyhedron& h) { list(h.positions, h.faces, h.edges, h.normals); }
    void fields(const published::ClipPoint& p) { list(p.position, p.separation, p.source, p.index); }
    void fields(const published::PatchCorner& c) { list(c.u, c.v, c.vertex); }
    void fields(const published::SupportPatch& s) { list(s.top, s.vertex, s.vertices, s.outline); }
    void fields(const published::PatchPoint& p) { list(p.position, p.separation, p.source, p.index); }
    void fields(const published::FaceClipPoint& p) { list(p.on_incident, p.on_reference, p.separation); }
    void fields(const published::ContactFeature& f) { list(f.type, f.index, f.vertex, f.vertices); }
    void fields(const ResponseContact& c) { list(c.a, c.b, c.normal, c.penetration, c.restitution, c.bilateral); }
    void fields(const HullInfo& i) {
        list(i.input_points, i.merged_faces, i.dropped_vertices, i.deviation, i.budget_deviation, i.min_edge_angle,
             i.may_flicker, i.mass.volume, i.mass.centre_of_mass, i.mass.inertia);
    }
    void fields(const HullRecord& r) {
        list(r.vertex_count, r.face_count, r.edge_count, r.flags, r.exact_box, r.size, r.radius);
        for (int k = 0; k < 3; ++k) list(r.half_extent[k], r.centre[k]);
        all_.append(reinterpret_cast<const char*>(r.block), detail::hull_layout(r).bytes);
    }
    void fields(const HullSet& set) {
        add(set.fingerprint());
        for (std::size_t i = 0; i < set.size(); ++i) list(set[i], set.info(i), set.vertices(i), set.input_index(i));
    }
    void fields(const BatchResult& r) {
        list(r.status.code, r.pairs, r.touching, r.overlapping, r.points, r.hash);
        for (const std::uint64_t n : r.by_kind) add(n);
        for (const std::uint64_t n : r.by_status) add(n);
    }
    template <class T>
    void raw(const T& value) {
        all_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    template <class... T>
    void list(const T&... values) {
        (add(values), ...);
    }
    std::string all_;
};

}  // namespace lanefold::test
