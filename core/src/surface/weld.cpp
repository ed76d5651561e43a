// SPDX-License-Identifier: MIT
//
// Welding: one vertex is left of points that are within the tolerance of an earlier one.
#include <bit>
#include <limits>

#include "surface/mesh_draft.hpp"

namespace lanefold::detail {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

// Sides of a cell in tolerances. A point looks into the cells that its tolerance reaches: 2 on average. A larger cell
// has more points to compare with, a smaller one costs more cells.
constexpr double kCellSides = 8;

std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 33U;
    h *= 0xFF51AFD7ED558CCDU;
    h ^= h >> 29U;
    return h;
}

// A hash of cells with lists of the points in them. Cells that share a list cost time only: distances decide.
class Cells {
public:
    Cells(std::size_t points, double tolerance)
        : cell_(kCellSides * tolerance),
          reach_(tolerance),
          heads_(std::bit_ceil(points + 1), kNone),
          next_(points, kNone) {}

    void add(std::uint32_t v, const Vec3d& p) {
        const std::size_t h = hash(floor_of(p.x), floor_of(p.y), floor_of(p.z));
        next_[v] = heads_[h];
        heads_[h] = v;
    }

    // The earliest point that is added and within the tolerance, or kNone.
    std::uint32_t find(const std::vector<Vec3f>& points, const Vec3d& p) const {
        std::uint32_t found = kNone;
        for (double x = floor_of(p.x - reach_); x <= floor_of(p.x + reach_); ++x) {
            for (double y = floor_of(p.y - reach_); y <= floor_of(p.y + reach_); ++y) {
                for (double z = floor_of(p.z - reach_); z <= floor_of(p.z + reach_); ++z) {
                    for (std::uint32_t v = heads_[hash(x, y, z)]; v != kNone; v = next_[v]) {
                        if (v < found && length_squared(to_double(points[v]) - p) <= reach_ * reach_) found = v;
                    }
                }
            }
        }
        return found;
    }

private:
    // Equal points only, at a tolerance of 0: the coordinates themselves, which are finite, name the cell. Steps of 1
    // then leave the range at once.
    double floor_of(double x) const { return cell_ > 0 ? std::floor(x / cell_) : x; }
    std::size_t hash(double x, double y, double z) const {
        std::uint64_t h = mixed(std::bit_cast<std::uint64_t>(x + 0.0));
        h = mixed(h ^ std::bit_cast<std::uint64_t>(y + 0.0));
        h = mixed(h ^ std::bit_cast<std::uint64_t>(z + 0.0));
        return h & (heads_.size() - 1);
    }

    double cell_;
    double reach_;
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
};

}  // namespace

void weld(MeshDraft& draft, std::uint32_t first) {
    const std::size_t count = draft.points.size();
    std::vector<std::uint32_t> place(count, kNone);
    for (const Corners& c : draft.triangles) {
        for (const std::uint32_t v : c) place[v] = v;
    }
    Cells cells(count, draft.tolerance);
    for (std::uint32_t v = 0; v < count; ++v) {
        if (place[v] == kNone) continue;
        const Vec3d p = draft.at(v);
        const std::uint32_t to = v < first ? kNone : cells.find(draft.points, p);
        if (to == kNone) {
            cells.add(v, p);
            continue;
        }
        place[v] = to;
        const double moved = length(draft.at(to) - p);
        draft.report.largest_movement = std::max(draft.report.largest_movement, moved);
        if (first == 0) note(moved > 0 ? draft.report.welded : draft.report.copies, v);
    }
    for (Corners& c : draft.triangles) {
        for (std::uint32_t& v : c) v = place[v];
    }
}

void leave_out_degenerate(MeshDraft& draft) {
    draft.remove([&](std::uint32_t t) {
        const auto& [a, b, c] = draft.triangles[t];
        const bool flat =
            a == b || b == c || c == a || !(least_height(draft.at(a), draft.at(b), draft.at(c)) > draft.tolerance);
        if (flat) note(draft.report.degenerate, draft.input[t]);
        return flat;
    });
}

}  // namespace lanefold::detail
