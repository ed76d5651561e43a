// SPDX-License-Identifier: MIT
//
// Camera and visibility of pictures.

#include "picture/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lanefold::tools {

namespace {

// Distance of the eye from the middle, in radii of the scene. 4 gives a mild perspective.
constexpr double kEyeDistance = 4.0;
// Distance of the near plane from the eye, in the same.
constexpr double kNear = 0.2;

Vec3d corner(const WorldBox& b, unsigned c) {
    return {(c & 1U) != 0 ? b.upper.x : b.lower.x, (c & 2U) != 0 ? b.upper.y : b.lower.y,
            (c & 4U) != 0 ? b.upper.z : b.lower.z};
}

// Turns (side, side, up) into (x, y, z) with `up` as the given axis, keeping the handedness.
Vec3d along_axes(const Vec3d& v, int up) {
    if (up == 0) return {v.z, v.x, v.y};
    if (up == 1) return {v.y, v.z, v.x};
    return v;
}

}  // namespace

Camera::Camera(std::span<const WorldBox> boxes, double azimuth, double elevation, int up, bool left_handed,
               const PictureFrame& frame) {
    constexpr double kDegree = std::numbers::pi / 180;
    const double a = azimuth * kDegree;
    const double e = elevation * kDegree;
    const Vec3d toward_eye = along_axes({std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)}, up);
    forward_ = -toward_eye;
    right_ = normalized(cross(forward_, along_axes({0, 0, 1}, up)));
    up_ = cross(right_, forward_);
    if (left_handed) right_ = -right_;
    light_ = normalized(toward_eye * 0.5 + up_ * 0.9 - right_ * 0.6);

    Vec3d low;
    Vec3d high;
    bool any = false;
    for (const WorldBox& b : boxes) {
        if (b.empty()) continue;
        low = any ? Vec3d{std::min(low.x, b.lower.x), std::min(low.y, b.lower.y), std::min(low.z, b.lower.z)} : b.lower;
        high = any ? Vec3d{std::max(high.x, b.upper.x), std::max(high.y, b.upper.y), std::max(high.z, b.upper.z)}
                   : b.upper;
        any = true;
    }
    const double radius = std::max(0.5 * length(high - low), std::numeric_limits<double>::min());
    eye_ = (low + high) * 0.5 + toward_eye * (kEyeDistance * radius);

    near_ = kNear * radius;

    double left = std::numeric_limits<double>::max();
    double right = -left;
    double top = left;
    double bottom = -left;
    for (const WorldBox& b : boxes) {
        for (unsigned c = 0; c < 8 && !b.empty(); ++c) {
            const PicturePoint p = project(corner(b, c));
            left = std::min(left, p.x);
            right = std::max(right, p.x);
            top = std::min(top, p.y);
            bottom = std::max(bottom, p.y);
        }
    }
    if (!any) return;
    scale_ = std::min((frame.right - frame.left) / std::max(right - left, 1e-12),
                      (frame.bottom - frame.top) / std::max(bottom - top, 1e-12));
    shift_x_ = 0.5 * (frame.left + frame.right) - scale_ * 0.5 * (left + right);
    shift_y_ = 0.5 * (frame.top + frame.bottom) - scale_ * 0.5 * (top + bottom);
}

PicturePoint Camera::project(const Vec3d& p) const {
    const Vec3d d = p - eye_;
    const double depth = dot(d, forward_);
    // A point behind the eye (a corner of a huge floor) is moved in front of it, far outside the picture.
    const double safe = std::max(depth, 1e-3 * length(d));
    return {shift_x_ + scale_ * dot(d, right_) / safe, shift_y_ - scale_ * dot(d, up_) / safe, safe};
}

double lit(const Vec3d& normal, const Camera& camera) {
    return 0.52 + 0.55 * std::max(0.0, dot(normal, camera.to_light()));
}

std::uint32_t shade(const Vec3d& colour, double light) {
    const auto byte = [&](double c) {
        return static_cast<std::uint32_t>(std::lround(std::clamp(c * light, 0.0, 1.0) * 255));
    };
    return byte(colour.x) << 16U | byte(colour.y) << 8U | byte(colour.z);
}

VisibilityBuffer::VisibilityBuffer(int width, int height)
    : width_(width),
      height_(height),
      nearness_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0.0F),
      id_(nearness_.size(), kNothing) {}

void VisibilityBuffer::draw(std::span<const PicturePoint> corners, std::uint32_t id) {
    for (std::size_t i = 2; i < corners.size(); ++i) draw_triangle(corners[0], corners[i - 1], corners[i], id);
}

void VisibilityBuffer::draw_triangle(const PicturePoint& a, const PicturePoint& b, const PicturePoint& c,
                                     std::uint32_t id) {
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(std::fabs(area) > 1e-9)) return;
    const auto clamp = [](double x, int most) {
        return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(most)));
    };
    const int x0 = clamp(std::floor(std::min({a.x, b.x, c.x})), width_);
    const int x1 = clamp(std::ceil(std::max({a.x, b.x, c.x})), width_);
    const int y0 = clamp(std::floor(std::min({a.y, b.y, c.y})), height_);
    const int y1 = clamp(std::ceil(std::max({a.y, b.y, c.y})), height_);
    const double wa = 1 / a.depth;
    const double wb = 1 / b.depth;
    const double wc = 1 / c.depth;
    for (int y = y0; y < y1; ++y) {
        const double py = y + 0.5;
        for (int x = x0; x < x1; ++x) {
            const double px = x + 0.5;
            const double u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) / area;
            const double v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) / area;
            const double t = 1 - u - v;
            if (u < 0 || v < 0 || t < 0) continue;
            const auto nearness = static_cast<float>(u * wa + v * wb + t * wc);
            const std::size_t at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
            if (nearness <= nearness_[at]) continue;
            nearness_[at] = nearness;
            id_[at] = id;
        }
    }
}

std::vector<std::uint32_t> VisibilityBuffer::pixels(std::uint32_t count) const {
    std::vector<std::uint32_t> out(count, 0);
    for (const std::uint32_t id : id_) {
        if (id < count) ++out[id];
    }
    return out;
}

double VisibilityBuffer::depth_at(double x, double y) const {
    if (!(x >= 0 && y >= 0 && x < width_ && y < height_)) return std::numeric_limits<double>::max();
    const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    return nearness_[at] > 0 ? 1 / static_cast<double>(nearness_[at]) : std::numeric_limits<double>::max();
}

}  // namespace lanefold::tools
