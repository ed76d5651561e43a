// SPDX-License-Identifier: MIT
//
// See the header. At an edge with more than two faces their order around it tells which of them bound one inside.

#include "import/surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace lanefold::tools {
namespace {

// Faces at an edge that differ by less, in radians, lie on one another: an inside between them has no room.
constexpr double kNoRoom = 1e-5;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Sets of faces that are joined.
class Joined {
public:
    explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

private:
    std::vector<std::uint32_t> parent_;
};

// A face at an edge.
struct Use {
    std::uint32_t low = 0;  // ends of the edge
    std::uint32_t high = 0;
    std::uint32_t face = 0;
    bool forward = false;  // the face runs from low to high
    double angle = 0;      // of the face around the edge, from low to high

    bool same_edge(const Use& other) const { return low == other.low && high == other.high; }
};

class Cutter {
public:
    explicit Cutter(const Surface& surface) : points_(surface.points), joined_(surface.face_ends.size()) {
        weld();
        std::uint32_t begin = 0;
        for (const std::uint32_t end : surface.face_ends) {
            std::vector<std::uint32_t> face;
            for (; begin < end; ++begin) {
                const std::uint32_t v = place_[surface.corners[begin]];
                if (face.empty() || face.back() != v) face.push_back(v);
            }
            while (face.size() > 1 && face.front() == face.back()) face.pop_back();
            faces_.push_back(std::move(face));
        }
        measure();
        join();
    }

    // Pieces in the order of their first faces. Faces without a width belong to none.
    std::vector<SourcePiece> pieces() {
        std::vector<SourcePiece> out;
        std::vector<std::uint32_t> number(faces_.size(), kNone);
        std::vector<std::map<std::uint32_t, std::uint32_t>> corner;
        for (std::uint32_t f = 0; f < faces_.size(); ++f) {
            if (faces_[f].size() < 3) continue;
            std::uint32_t& piece = number[joined_.find(f)];
            if (piece == kNone) {
                piece = static_cast<std::uint32_t>(out.size());
                out.emplace_back();
                corner.emplace_back();
            }
            SourcePiece& to = out[piece];
            for (const std::uint32_t v : faces_[f]) {
                const auto next = static_cast<std::uint32_t>(to.points.size());
                const auto [at, added] = corner[piece].emplace(v, next);
                if (added) to.points.push_back(points_[v]);
                to.corners.push_back(at->second);
            }
            to.face_ends.push_back(static_cast<std::uint32_t>(to.corners.size()));
        }
        return out;
    }

private:
    void weld() {
        std::map<std::array<double, 3>, std::uint32_t> known;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            const Vec3d p = points_[i] + Vec3d{0.0, 0.0, 0.0};  // -0 is 0
            place_.push_back(known.try_emplace({p.x, p.y, p.z}, i).first->second);
        }
    }

    // Normals of faces. A mesh whose faces look inward is turned over: its volume is negative.
    void measure() {
        double volume = 0;
        const Vec3d middle = points_.empty() ? Vec3d{} : points_[0];
        for (const std::vector<std::uint32_t>& face : faces_) {
            Vec3d area;
            for (std::size_t i = 1; i + 1 < face.size(); ++i) {
                area = area + cross(points_[face[i]] - points_[face[0]], points_[face[i + 1]] - points_[face[0]]);
            }
            if (!face.empty()) volume += dot(points_[face[0]] - middle, area);
            area_.push_back(area);
        }
        outward_ = volume >= 0;
    }

    void join() {
        std::vector<Use> uses;
        for (std::uint32_t f = 0; f < faces_.size(); ++f) {
            const std::vector<std::uint32_t>& face = faces_[f];
            for (std::size_t i = 0; face.size() > 2 && i < face.size(); ++i) {
                const std::uint32_t a = face[i];
                const std::uint32_t b = face[(i + 1) % face.size()];
                uses.push_back({std::min(a, b), std::max(a, b), f, a < b, 0});
            }
        }
        std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
            return std::array{a.low, a.high, a.face} < std::array{b.low, b.high, b.face};
        });
        for (std::size_t begin = 0; begin < uses.size();) {
            std::size_t end = begin + 1;
            while (end < uses.size() && uses[end].same_edge(uses[begin])) ++end;
            join_at_edge(std::span(uses).subspan(begin, end - begin));
            begin = end;
        }
    }

    void join_at_edge(std::span<Use> uses) {
        const auto forward = std::count_if(uses.begin(), uses.end(), [](const Use& u) { return u.forward; });
        if (uses.size() > 2 && 2 * static_cast<std::size_t>(forward) == uses.size()) return join_around(uses);
        // The usual two faces, a rim, or a mesh whose faces do not agree on their outside.
        for (const Use& use : uses.subspan(1)) joined_.join(use.face, uses[0].face);
    }

    // An inside reaches, against the clock about the edge, from a face that runs back along it to the next that runs
    // forth. It is the other way round where faces look inward.
    void join_around(std::span<Use> uses) {
        const Vec3d edge = normalized(points_[uses[0].high] - points_[uses[0].low]);
        const Vec3d aside = std::fabs(edge.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        const Vec3d u = normalized(cross(aside, edge));
        const Vec3d v = cross(edge, u);
        for (Use& use : uses) {
            const Vec3d into = cross(area_[use.face], use.forward ? edge : -edge);
            use.angle = std::atan2(dot(into, v), dot(into, u));
        }
        std::vector<bool> taken(uses.size(), false);
        for (const Use& from : uses) {
            if (from.forward == outward_) continue;
            std::size_t best = uses.size();
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < uses.size(); ++k) {
                if (uses[k].forward != outward_ || taken[k]) continue;
                double turn = uses[k].angle - from.angle;
                while (turn < kNoRoom) turn += 2 * std::numbers::pi;
                if (turn >= least) continue;
                least = turn;
                best = k;
            }
            taken[best] = true;
            joined_.join(from.face, uses[best].face);
        }
    }

    const std::vector<Vec3d>& points_;
    std::vector<std::uint32_t> place_;  // of each point, the first point there
    std::vector<std::vector<std::uint32_t>> faces_;
    std::vector<Vec3d> area_;  // along the normal, twice the area long
    bool outward_ = true;
    Joined joined_;
};

// All faces as they are, with the points that they use.
SourcePiece uncut(const Surface& surface) {
    SourcePiece out;
    std::vector<std::uint32_t> number(surface.points.size(), kNone);
    for (const std::uint32_t corner : surface.corners) {
        if (number[corner] == kNone) {
            number[corner] = static_cast<std::uint32_t>(out.points.size());
            out.points.push_back(surface.points[corner]);
        }
        out.corners.push_back(number[corner]);
    }
    out.face_ends = surface.face_ends;
    return out;
}

}  // namespace

void add_surface(const Surface& surface, const std::string& name, SourceFile& file,
                 std::span<const std::string> whole) {
    std::vector<SourcePiece> pieces;
    if (surface.face_ends.empty() && !surface.points.empty()) {
        pieces.emplace_back().points = surface.points;
    } else if (std::find(whole.begin(), whole.end(), name) != whole.end()) {
        pieces.push_back(uncut(surface));
    } else {
        pieces = Cutter(surface).pieces();
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        pieces[i].object = static_cast<std::uint32_t>(file.objects.size());
        file.objects.push_back(pieces.size() == 1 ? name : fmt::format("{}_{}", name, i));
        file.pieces.push_back(std::move(pieces[i]));
    }
}

}  // namespace lanefold::tools
