// SPDX-License-Identifier: MIT
//
// See the header. Joining the corners of a mesh maps it onto itself, so triangles whose corners stay apart cover what
// all of them covered.

#include "picture/ground_faces.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <unordered_map>

namespace lanefold::tools {
namespace {

constexpr Vec3d kGroundColour{0.80, 0.79, 0.71};
// Triangles smaller than a pixel's middle count as visible where their own middle is no deeper than this part more
// than what is in front there.
constexpr double kSameDepth = 2e-3;

// The part of a triangle in front of the near plane, as its corners in order.
std::size_t cut_near(const std::array<Vec3d, 3>& c, const Camera& camera, std::array<Vec3d, 4>& out) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d& p = c[k];
        const Vec3d& q = c[(k + 1) % 3];
        const double before = camera.depth_of(p) - camera.near();
        const double after = camera.depth_of(q) - camera.near();
        if (before >= 0) out[count++] = p;
        if ((before < 0) != (after < 0)) out[count++] = p + (q - p) * (before / (before - after));
    }
    return count;
}

bool beside(const std::array<PicturePoint, 3>& c, double width, double height) {
    const auto [left, right] = std::minmax({c[0].x, c[1].x, c[2].x});
    const auto [top, bottom] = std::minmax({c[0].y, c[1].y, c[2].y});
    return right < 0 || left > width || bottom < 0 || top > height;
}

bool is_in_front(const GroundFace& face, const VisibilityBuffer& buffer) {
    double x = 0;
    double y = 0;
    double depth = 0;
    for (const PicturePoint& p : face.corners) {
        x += p.x / 3;
        y += p.y / 3;
        depth += p.depth / 3;
    }
    const double front = buffer.depth_at(x, y);
    return front < std::numeric_limits<double>::max() && depth <= front * (1 + kSameDepth);
}

// A square of the picture, with all corners in it.
struct Square {
    double x = 0, y = 0, depth = 0;
    double red = 0, green = 0, blue = 0;
    double count = 0;

    void add(const PicturePoint& p, std::uint32_t colour) {
        x += p.x;
        y += p.y;
        depth += p.depth;
        red += colour >> 16U;
        green += colour >> 8U & 0xFFU;
        blue += colour & 0xFFU;
        ++count;
    }
    PicturePoint middle() const { return {x / count, y / count, depth / count}; }
};

using Key = std::uint64_t;

Key square_of(const PicturePoint& p, double side) {
    const auto number = [side](double x) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(std::clamp(x, -1e6, 1e6) / side)));
    };
    return Key{number(p.x)} << 32U | number(p.y);
}

std::vector<GroundFace> joined(std::span<const GroundFace> faces, double side) {
    std::unordered_map<Key, Square> squares;
    for (const GroundFace& face : faces)
        for (const PicturePoint& p : face.corners) squares[square_of(p, side)].add(p, face.colour);
    std::set<std::array<Key, 3>> known;
    std::vector<GroundFace> out;
    for (const GroundFace& face : faces) {
        std::array<Key, 3> key{};
        for (std::size_t k = 0; k < 3; ++k) key[k] = square_of(face.corners[k], side);
        if (key[0] == key[1] || key[1] == key[2] || key[2] == key[0]) continue;
        std::array<Key, 3> sorted = key;
        std::sort(sorted.begin(), sorted.end());
        if (!known.insert(sorted).second) continue;
        GroundFace& to = out.emplace_back();
        double red = 0, green = 0, blue = 0, count = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Square& s = squares[key[k]];
            to.corners[k] = s.middle();
            red += s.red;
            green += s.green;
            blue += s.blue;
            count += s.count;
        }
        const auto byte = [count](double sum) { return static_cast<std::uint32_t>(std::lround(sum / count)); };
        to.colour = byte(red) << 16U | byte(green) << 8U | byte(blue);
    }
    return out;
}

}  // namespace

void add_ground(const Surface& surface, const PoseD& pose, const Camera& camera, double width, double height,
                std::vector<GroundFace>& out) {
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        std::array<Vec3d, 3> c{};
        const std::array<std::uint32_t, 3> corners = surface.triangle(t);
        for (std::size_t k = 0; k < 3; ++k) c[k] = transform(pose, to_double(surface.vertex(corners[k])));
        const Vec3d normal = normalized(cross(c[1] - c[0], c[2] - c[0]));
        if (!camera.sees(c[0], normal)) continue;
        std::array<Vec3d, 4> part{};
        const std::size_t count = cut_near(c, camera, part);
        const std::uint32_t colour = shade(kGroundColour, lit(normal, camera));
        for (std::size_t k = 2; k < count; ++k) {
            const GroundFace face{{camera.project(part[0]), camera.project(part[k - 1]), camera.project(part[k])},
                                  colour};
            if (!beside(face.corners, width, height)) out.push_back(face);
        }
    }
}

std::vector<GroundFace> visible_ground(const std::vector<GroundFace>& faces, const std::uint32_t* pixels,
                                       const VisibilityBuffer& buffer, std::size_t most) {
    std::vector<GroundFace> out;
    for (std::size_t i = 0; i < faces.size(); ++i)
        if (pixels[i] > 0 || is_in_front(faces[i], buffer)) out.push_back(faces[i]);
    if (out.size() <= most) return out;
    const std::vector<GroundFace> fine = std::move(out);
    for (double side = 2;; side *= 1.5) {
        out = joined(fine, side);
        if (out.size() <= most) return out;
    }
}

}  // namespace lanefold::tools
