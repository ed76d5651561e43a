// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/triangulate.hpp"

#include <cstddef>

namespace lanefold::tools {
namespace {

// The sum of the cross products of a polygon's corners: twice its area along its normal.
Vec3d area_of(std::span<const Vec3d> points, std::span<const std::uint32_t> face) {
    Vec3d sum;
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
        sum = sum + cross(points[face[k]] - points[face[0]], points[face[k + 1]] - points[face[0]]);
    return sum;
}

class Ears {
public:
    Ears(std::span<const Vec3d> points, std::span<const std::uint32_t> face)
        : points_(points), left_(face.begin(), face.end()), up_(area_of(points, face)) {}

    void cut(std::vector<std::array<std::uint32_t, 3>>& out) {
        while (left_.size() > 3) {
            std::size_t k = 0;
            while (k < left_.size() && !is_ear(k)) ++k;
            if (k == left_.size()) break;
            out.push_back({at(k + left_.size() - 1), at(k), at(k + 1)});
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k));
        }
        for (std::size_t k = 1; k + 1 < left_.size(); ++k) out.push_back({left_[0], left_[k], left_[k + 1]});
    }

private:
    std::uint32_t at(std::size_t k) const { return left_[k % left_.size()]; }

    double side(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        return dot(up_, cross(points_[b] - points_[a], points_[c] - points_[a]));
    }

    // Whether corner k turns to the left, and no other corner is in the triangle that it makes.
    bool is_ear(std::size_t k) const {
        const std::uint32_t a = at(k + left_.size() - 1);
        const std::uint32_t b = at(k);
        const std::uint32_t c = at(k + 1);
        if (!(side(a, b, c) > 0)) return false;
        for (const std::uint32_t p : left_) {
            if (p == a || p == b || p == c) continue;
            if (side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0) return false;
        }
        return true;
    }

    std::span<const Vec3d> points_;
    std::vector<std::uint32_t> left_;
    Vec3d up_;
};

}  // namespace

void triangulate(std::span<const Vec3d> points, std::span<const std::uint32_t> face,
                 std::vector<std::array<std::uint32_t, 3>>& out) {
    if (face.size() == 3) {
        out.push_back({face[0], face[1], face[2]});
    } else {
        Ears(points, face).cut(out);
    }
}

}  // namespace lanefold::tools
