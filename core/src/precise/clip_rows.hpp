// SPDX-License-Identifier: MIT
//
// The two faces of a clip as rows of numbers (lanes = two sides). Points are measured against the side planes of the
// reference face. Corners of the reference face are located in the outline of the incident face, as seen along the
// contact normal.
#pragma once

#include <limits>

#include "precise/lanes.hpp"
#include "precise/memory.hpp"
#include "precise/sides.hpp"

namespace lanefold::detail {

// The place of a point in the outline.
enum class ClipPlace : std::uint8_t { outside, on_outline, inside };

class ClipRows {
public:
    explicit ClipRows(ClipMemory& memory) : memory_(memory) {}

    double* row(ClipMemory::Row r) const { return memory_.row(r); }

    Vec3d at(ClipMemory::Row x, std::uint32_t i) const {
        const double* p = memory_.row(x) + i;
        return {p[0], p[memory_.stride], p[2 * memory_.stride]};
    }

    void put(ClipMemory::Row x, std::uint32_t i, const Vec3d& v) const {
        double* p = memory_.row(x) + i;
        p[0] = v.x;
        p[memory_.stride] = v.y;
        p[2 * memory_.stride] = v.z;
    }

    // Stores the plane of the reference face's side k, between the corners `from` and `to`. `out`: contact normal. If
    // `open`, the side does not bound the face, and every point counts as inside of it.
    void put_side(std::uint32_t k, const Vec3d& from, const Vec3d& to, const Vec3d& out, bool open) const {
        const Vec3d inward = open ? Vec3d{0, 0, 0} : normalized(cross(out, to - from));
        put(ClipMemory::inward, k, inward);
        put(ClipMemory::reference, k, from);
        row(ClipMemory::offset)[k] = dot(inward, from);
    }

    // Call after the last side. Fills up the vector with a side that every point is far inside of.
    void end_sides(std::uint32_t sides) const {
        put(ClipMemory::inward, sides, {0, 0, 0});
        row(ClipMemory::offset)[sides] = -std::numeric_limits<double>::max();
    }

    // Writes the heights of x over the side planes (positive inside) and returns whether none is below -tolerance. Sets
    // `clear` to false unless all heights are at least `far`.
    bool measure(std::uint32_t sides, const Vec3d& x, double tolerance, double far, double* heights,
                 bool& clear) const {
        const std::size_t stride = memory_.stride;
        const double* inward = row(ClipMemory::inward);
        const double* offset = row(ClipMemory::offset);
        const Lanes px = all_lanes(x.x);
        const Lanes py = all_lanes(x.y);
        const Lanes pz = all_lanes(x.z);
        const Lanes limit = all_lanes(-tolerance);
        const Lanes well = all_lanes(far);
        LaneBits inside{-1, -1};
        LaneBits above{-1, -1};
        for (std::uint32_t k = 0; k < sides; k += 2) {
            const Lanes h = ((load_lanes(inward + k) * px + load_lanes(inward + stride + k) * py) +
                             load_lanes(inward + 2 * stride + k) * pz) -
                            load_lanes(offset + k);
            store_lanes(heights + k, h);
            inside &= h >= limit;
            above &= h >= well;
        }
        clear = clear && (above[0] & above[1]) != 0;
        return (inside[0] & inside[1]) != 0;
    }

    // Makes the outline of the incident face's corners as seen along the normal `out` of the reference face. A point
    // counts as inside if it is outside of each side by at most `room`. `least`: as for bounds_face().
    void make_outline(std::uint32_t corners, const Vec3d& out, double room, double least) const {
        double* reach = row(ClipMemory::reach);
        const double reach2 = room * room * (1 + kSquareRounding);
        Vec3d from = at(ClipMemory::corner, 0);
        Vec3d before = from - at(ClipMemory::corner, corners - 1);
        Vec3d to = at(ClipMemory::corner, 1);
        for (std::uint32_t j = 0; j < corners; ++j) {
            const Vec3d next = at(ClipMemory::corner, (j + 2) % corners);
            // The incident loop runs clockwise seen from the reference face.
            const bool open = !bounds_face(before, to - from, next - to, -out, least);
            const Vec3d inward = open ? Vec3d{0, 0, 0} : cross(to - from, out);
            put(ClipMemory::outline, j, inward);
            reach[j] = reach2 * length_squared(inward);
            before = to - from;
            from = to;
            to = next;
        }
        for (std::uint32_t j = corners; j % 4 != 0; ++j) {
            put(ClipMemory::outline, j, {0, 0, 0});
            put(ClipMemory::corner, j, {0, 0, 0});
            reach[j] = 0;
        }
    }

    // Whether x is outside by more than rounding, so that locate() would return outside. Compares squares and needs no
    // roots.
    bool surely_outside(std::uint32_t corners, const Vec3d& x) const {
        const std::size_t stride = memory_.stride;
        const double* inward = row(ClipMemory::outline);
        const double* from = row(ClipMemory::corner);
        const double* reach = row(ClipMemory::reach);
        const Lanes zero = all_lanes(0);
        for (std::uint32_t j = 0; j < corners; j += 4) {
            LaneBits outside{0, 0};
            for (std::uint32_t k = j; k < j + 4; k += 2) {
                const Lanes dx = all_lanes(x.x) - load_lanes(from + k);
                const Lanes dy = all_lanes(x.y) - load_lanes(from + stride + k);
                const Lanes dz = all_lanes(x.z) - load_lanes(from + 2 * stride + k);
                const Lanes h = (load_lanes(inward + k) * dx + load_lanes(inward + stride + k) * dy) +
                                load_lanes(inward + 2 * stride + k) * dz;
                outside |= (h < zero) & (h * h > load_lanes(reach + k));
            }
            if ((outside[0] | outside[1]) != 0) return true;
        }
        return false;
    }

    // `room`: as for make_outline(). Points nearer to a side than `same` are on the outline.
    ClipPlace locate(std::uint32_t corners, const Vec3d& x, double room, double same) const {
        ClipPlace place = ClipPlace::inside;
        for (std::uint32_t j = 0; j < corners; ++j) {
            const Vec3d inward = at(ClipMemory::outline, j);
            const double side = length(inward);
            const double h = dot(inward, x - at(ClipMemory::corner, j));
            if (h < -room * side) return ClipPlace::outside;
            if (h < same * side) place = ClipPlace::on_outline;
        }
        return place;
    }

private:
    // Relative; above the rounding of a product of squares.
    static constexpr double kSquareRounding = 1e-12;

    ClipMemory& memory_;
};

}  // namespace lanefold::detail
