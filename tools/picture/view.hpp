// SPDX-License-Identifier: MIT
//
// A perspective camera that shows a given set of boxes, and a depth buffer that finds the visible faces, so that the
// file of thousands of bodies stays small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lanefold/vec.hpp>

#include "scene/find_pairs.hpp"

namespace lanefold::tools {

// A point of the picture: pixels from the top left, and the distance from the camera along its axis.
struct PicturePoint {
    double x = 0;
    double y = 0;
    double depth = 0;
};

// Pixels from the top left of the picture.
struct PictureFrame {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
};

class Camera {
public:
    // Looks from `azimuth` (degrees around the up axis) and `elevation` (degrees above the horizon) and shows all of
    // the boxes inside the frame. up: 0, 1, 2 for x, y, z. left_handed: the coordinates are.
    Camera(std::span<const WorldBox> boxes, double azimuth, double elevation, int up, bool left_handed,
           const PictureFrame& frame);

    PicturePoint project(const Vec3d& p) const;
    // True when a face with this outward normal shows its front.
    bool sees(const Vec3d& point, const Vec3d& normal) const { return dot(point - eye_, normal) < 0; }
    // Signed distance before the eye, and the least one at which surfaces are drawn.
    double depth_of(const Vec3d& point) const { return dot(point - eye_, forward_); }
    double near() const { return near_; }
    Vec3d to_light() const { return light_; }  // unit, from above and beside the camera

private:
    Vec3d eye_;
    Vec3d right_;
    Vec3d up_;
    Vec3d forward_;
    Vec3d light_;
    double near_ = 0;
    double scale_ = 1;
    double shift_x_ = 0;
    double shift_y_ = 0;
};

// The light on a face of this outward normal, and a colour under it, 0xrrggbb.
double lit(const Vec3d& normal, const Camera& camera);
std::uint32_t shade(const Vec3d& colour, double light);

// Finds for each pixel which convex polygon is in front.
class VisibilityBuffer {
public:
    VisibilityBuffer(int width, int height);

    // Corners in order, either winding. Pixels at which the polygon is nearest become `id`.
    void draw(std::span<const PicturePoint> corners, std::uint32_t id);

    // Number of pixels of each id < count.
    std::vector<std::uint32_t> pixels(std::uint32_t count) const;
    // Depth of the front at a point; a large number where nothing is, and outside.
    double depth_at(double x, double y) const;

private:
    static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

    void draw_triangle(const PicturePoint& a, const PicturePoint& b, const PicturePoint& c, std::uint32_t id);

    int width_;
    int height_;
    std::vector<float> nearness_;  // 1 / depth, which is linear on the screen
    std::vector<std::uint32_t> id_;
};

}  // namespace lanefold::tools
