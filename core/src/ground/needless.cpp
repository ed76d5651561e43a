// SPDX-License-Identifier: MIT
//
// See the header.

#include "ground/needless.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {

namespace {

// Relative error of a height, with much room.
constexpr double kRounding = 1e-12;

}  // namespace

void GroundWays::begin(const GroundBody& body, double slack) {
    body_ = &body;
    slack_ = slack;
    lengths_.clear();
    longest_.clear();
    along_.clear();
    shifts_.clear();
    lifts_.clear();
    least_.clear();
}

void GroundWays::add(const Vec3d& u, double length) {
    const std::size_t faces = body_->faces();
    const Vec3d shift = u * length;
    lengths_.push_back(length);
    longest_.push_back(length);
    along_.push_back(u);
    shifts_.push_back(shift);
    for (std::size_t f = 0; f < faces; ++f) {
        const double lift = dot(body_->normals[f], shift);
        least_.push_back(lengths_.size() > 1 ? std::min(lift, least_[least_.size() - faces]) : lift);
        lifts_.push_back(lift);
    }
}

void GroundWays::measure(const GroundTriangle& t) {
    double largest = 0;
    for (const Vec3d& c : t.corner) largest = std::max(largest, (std::fabs(c.x) + std::fabs(c.y)) + std::fabs(c.z));
    room_ = kRounding * (body_->size + largest + (lengths_.empty() ? 0 : lengths_.back()));
    heights_.resize(3 * std::size_t{body_->faces()});
    for (std::uint32_t f = 0; f < body_->faces(); ++f) {
        const Vec3d& n = body_->normals[f];
        for (std::size_t k = 0; k < 3; ++k) {
            heights_[3 * f + k] = dot(n, t.corner[k]) - (body_->offsets[f] - slack_);
        }
    }
}

// A point of the triangle that is inside of the core after each of the first ways: a corner or the middle.
bool GroundWays::met_by_all(std::size_t ways) const {
    const std::size_t faces = body_->faces();
    const double* const least = least_.data() + (ways - 1) * faces;
    bool inside[4] = {true, true, true, true};
    for (std::size_t f = 0; f < faces; ++f) {
        const double* const h = heights_.data() + 3 * f;
        const double limit = least[f] - room_;
        for (std::size_t k = 0; k < 3; ++k) inside[k] = inside[k] && h[k] < limit;
        inside[3] = inside[3] && ((h[0] + h[1]) + h[2]) * (1.0 / 3) < limit;
    }
    return inside[0] || inside[1] || inside[2] || inside[3];
}

GroundWays::Meeting GroundWays::look(std::size_t way) const {
    const std::size_t faces = body_->faces();
    const double* const lift = lifts_.data() + way * faces;
    bool inside[3] = {true, true, true};
    for (std::size_t f = 0; f < faces; ++f) {
        const double* const h = heights_.data() + 3 * f;
        // The distance of a rounded core is another question.
        if (!(body_->radius > 0) && std::min({h[0], h[1], h[2]}) > lift[f] + room_) return Meeting::cleared;
        for (std::size_t k = 0; k < 3; ++k) inside[k] = inside[k] && h[k] < lift[f] - room_;
    }
    return inside[0] || inside[1] || inside[2] ? Meeting::met : Meeting::unknown;
}

// Many triangles of one plane are met at many depths, and the least of them need not clear the others.
bool GroundWays::clears_further(const GroundTriangle& t, std::size_t ways, double most, GroundCut& cut) const {
    for (std::size_t w = 0; w < ways; ++w) {
        const double length = longest_[w];
        if (!(length > lengths_[w]) || !is_shorter(length, most)) continue;
        if (!overlap_moved(*body_, t, along_[w] * length, slack_, cut)) return true;
    }
    return false;
}

bool GroundWays::clears(const GroundTriangle& t, double most, GroundCut& cut) {
    std::size_t ways = 0;
    while (ways < lengths_.size() && is_shorter(lengths_[ways], most)) ++ways;
    if (ways == 0) return false;
    if (body_->has_faces()) {
        measure(t);
        if (met_by_all(ways)) return clears_further(t, ways, most, cut);
    }
    for (std::size_t w = 0; w < ways; ++w) {
        const Meeting meeting = body_->has_faces() ? look(w) : Meeting::unknown;
        if (meeting == Meeting::cleared) return true;
        if (meeting == Meeting::unknown && !overlap_moved(*body_, t, shifts_[w], slack_, cut)) return true;
    }
    return clears_further(t, ways, most, cut);
}

}  // namespace lanefold::detail
