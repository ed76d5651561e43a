// SPDX-License-Identifier: MIT
//
// Sutherland-Hodgman clipping of significant faces: choice of the faces, clipping by the neighbours of the
// reference face, deletion above it, depth along the contact normal.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/fp_environment.hpp>
#include <lanefold/sutherland_hodgman.hpp>

namespace lanefold::published {
namespace {

// Cosine below which the reference face is seen edge on. It then has no depth along the normal, and its points are
// deleted.
constexpr double kEdgeOn = 1e-6;

bool contains(const std::vector<std::uint32_t>& face, std::uint32_t vertex) {
    return std::find(face.begin(), face.end(), vertex) != face.end();
}

// An edge of the reference face and the face beyond it, whose plane cuts.
struct Neighbour {
    std::uint32_t face = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

std::vector<Neighbour> neighbours(const Polyhedron& h, std::uint32_t face) {
    const std::vector<std::uint32_t> loop = cyclic_face(h, face);
    std::vector<Neighbour> out;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::uint32_t v = loop[k];
        const std::uint32_t w = loop[(k + 1) % loop.size()];
        for (std::uint32_t f = 0; f < h.faces.size(); ++f) {
            if (f != face && contains(h.faces[f], v) && contains(h.faces[f], w)) out.push_back({f, v, w});
        }
    }
    return out;
}

std::uint32_t edge_between(const Polyhedron& h, std::uint32_t v, std::uint32_t w) {
    for (std::uint32_t e = 0; e < h.edges.size(); ++e) {
        const auto [p, q] = h.edges[e];
        if ((p == v && q == w) || (p == w && q == v)) return e;
    }
    return 0;  // not reached for a valid polyhedron
}

// The incident face while it is clipped. Each corner has the features that meet there; each side is an edge of the
// incident face or lies on a cut.
class CutFace {
public:
    CutFace(const Polyhedron& reference, std::uint32_t face_r, const Polyhedron& incident, std::uint32_t face_i)
        : reference_(reference), face_r_{FeatureType::face, face_r}, face_i_{FeatureType::face, face_i} {
        const std::vector<std::uint32_t> loop = cyclic_face(incident, face_i);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const std::uint32_t edge = edge_between(incident, loop[k], loop[(k + 1) % loop.size()]);
            corners_.push_back(
                {incident.positions[loop[k]], {FeatureType::vertex, loop[k]}, face_r_, {false, edge, 0, 0}});
        }
    }

    struct Side {
        bool on_cut = false;
        std::uint32_t edge = 0;  // edge of the incident face, unless on a cut
        std::uint32_t from = 0;  // of a cut: ends of the reference edge
        std::uint32_t to = 0;
    };
    struct Corner {
        Vec3d at;
        Feature incident;
        Feature reference;
        Side side;
    };

    // One step of the algorithm, by the plane of a neighbour; it gives the same points as clip_below().
    void cut(const Neighbour& by, double epsilon, FaceClipTrace* trace) {
        const Vec3d& n = reference_.normals[by.face];
        const double offset = dot(n, reference_.positions[reference_.faces[by.face][0]]);
        if (trace != nullptr) trace->cuts.push_back({by.face, by.from, by.to, n, offset, polygon(), {}});
        std::vector<Corner> out;
        for (std::size_t k = 0; k < corners_.size(); ++k) {
            const Corner& p = corners_[k];
            const Corner& q = corners_[(k + 1) % corners_.size()];
            const double hp = dot(n, p.at) - offset;
            const double hq = dot(n, q.at) - offset;
            const bool crossed = (hp <= epsilon) != (hq <= epsilon);
            const Side along{true, 0, by.from, by.to};
            if (hp <= epsilon) {
                out.push_back(p);
                // The polygon leaves here without a crossing, so the next side lies on the cut.
                if (crossed && std::fabs(hp) <= epsilon) out.back().side = along;
            }
            if (!crossed || std::fabs(hp) <= epsilon || std::fabs(hq) <= epsilon) continue;
            Corner c = crossing(p, by);
            c.at = p.at + (q.at - p.at) * (hp / (hp - hq));
            c.side = hp <= epsilon ? along : p.side;
            out.push_back(c);
        }
        corners_ = std::move(out);
        if (trace != nullptr) trace->cuts.back().after = polygon();
    }

    const std::vector<Corner>& corners() const { return corners_; }
    std::vector<Vec3d> polygon() const {
        std::vector<Vec3d> out;
        for (const Corner& c : corners_) out.push_back(c.at);
        return out;
    }

private:
    Corner crossing(const Corner& p, const Neighbour& by) const {
        Corner c;
        if (!p.side.on_cut) {
            c.incident = {FeatureType::edge, p.side.edge};
            c.reference = {FeatureType::edge, edge_between(reference_, by.from, by.to)};
            return c;
        }
        c.incident = face_i_;
        c.reference = face_r_;
        for (const std::uint32_t v : {by.from, by.to}) {
            if (v == p.side.from || v == p.side.to) c.reference = {FeatureType::vertex, v};
        }
        return c;
    }

    const Polyhedron& reference_;
    Feature face_r_;
    Feature face_i_;
    std::vector<Corner> corners_;
};

// Deletes the corners above the reference face and takes the depth of the others. `out`: away from the reference hull.
void add_points(const std::vector<CutFace::Corner>& corners, const Vec3d& plane, const Vec3d& furthest,
                const Vec3d& out, const FaceClipSettings& settings, FaceClipManifold& m, FaceClipTrace* trace) {
    const double cosine = dot(plane, out);
    for (const CutFace::Corner& c : corners) {
        const Vec3d& x = c.at;
        FaceClipCorner end{x, dot(plane, x - furthest), 0, 0, CornerFate::kept};
        if (cosine < kEdgeOn) {
            end.fate = CornerFate::edge_on;
        } else {
            end.plane_ray = end.above / cosine;
            end.furthest_vertex = dot(out, x - furthest);
            const bool again = std::any_of(m.points.begin(), m.points.end(), [&](const FaceClipPoint& p) {
                return length(p.on_incident - x) <= settings.epsilon;
            });
            end.fate = end.above > settings.epsilon ? CornerFate::above
                       : again                      ? CornerFate::repeated
                                                    : CornerFate::kept;
        }
        if (trace != nullptr) trace->corners.push_back(end);
        if (end.fate != CornerFate::kept) continue;
        const double separation = settings.depth == Depth::plane_ray ? end.plane_ray : end.furthest_vertex;
        const FeaturePair features =
            m.reference_on_b ? FeaturePair{c.incident, c.reference} : FeaturePair{c.reference, c.incident};
        m.points.push_back({x, x - out * separation, separation, features});
    }
}

}  // namespace

SignificantFace significant_face(const Polyhedron& hull, const Vec3d& direction) {
    return in_default_environment([&]() -> SignificantFace {
        SignificantFace s;
        s.vertex = supports_along(hull, direction).max_index;
        s.alignment = -2.0;
        for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
            if (!contains(hull.faces[f], s.vertex)) continue;
            const double alignment = dot(hull.normals[f], direction);
            if (alignment <= s.alignment) continue;
            s.face = f;
            s.alignment = alignment;
        }
        return s;
    });
}

std::vector<Vec3d> clip_below(const std::vector<Vec3d>& polygon, const Vec3d& n, double offset, double epsilon) {
    return in_default_environment([&]() -> std::vector<Vec3d> {
        std::vector<Vec3d> out;
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Vec3d& p = polygon[k];
            const Vec3d& q = polygon[(k + 1) % polygon.size()];
            const double hp = dot(n, p) - offset;
            const double hq = dot(n, q) - offset;
            if (hp <= epsilon) out.push_back(p);
            // A crossing needs one end inside and the other outside; ends on the plane are points already.
            if ((hp <= epsilon) != (hq <= epsilon) && std::fabs(hp) > epsilon && std::fabs(hq) > epsilon) {
                out.push_back(p + (q - p) * (hp / (hp - hq)));
            }
        }
        return out;
    });
}

FaceClipManifold clip_significant_faces(const Polyhedron& a, const Polyhedron& b, const Vec3d& normal,
                                        const FaceClipSettings& settings, FaceClipTrace* trace) {
    return in_default_environment([&]() -> FaceClipManifold {
        FaceClipManifold m;
        m.a = significant_face(a, normal);
        m.b = significant_face(b, -normal);
        m.reference_on_b = m.b.alignment > m.a.alignment + settings.epsilon;
        const Polyhedron& reference = m.reference_on_b ? b : a;
        const Polyhedron& incident = m.reference_on_b ? a : b;
        const SignificantFace& face = m.reference_on_b ? m.b : m.a;
        const Vec3d& furthest = reference.positions[face.vertex];

        CutFace polygon(reference, face.face, incident, m.reference_on_b ? m.a.face : m.b.face);
        if (trace != nullptr) {
            *trace = {};
            for (const std::uint32_t v : cyclic_face(reference, face.face)) {
                trace->reference.push_back(reference.positions[v]);
            }
            trace->incident = polygon.polygon();
            trace->furthest = furthest;
        }
        for (const Neighbour& n : neighbours(reference, face.face)) polygon.cut(n, settings.epsilon, trace);
        add_points(polygon.corners(), reference.normals[face.face], furthest, m.reference_on_b ? -normal : normal,
                   settings, m, trace);
        return m;
    });
}

}  // namespace lanefold::published
