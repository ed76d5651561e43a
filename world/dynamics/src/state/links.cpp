// SPDX-License-Identifier: MIT
//
// Rows of links, with their ends from the centres of mass.
#include "state/links.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold::detail {
namespace {

void set_end(const MassRow& mass, const Vec3d& end, float* out) {
    out[0] = static_cast<float>(end.x - static_cast<double>(mass.centre[0]));
    out[1] = static_cast<float>(end.y - static_cast<double>(mass.centre[1]));
    out[2] = static_cast<float>(end.z - static_cast<double>(mass.centre[2]));
}

LinkRow make_row(const BodyLink& link, const Bodies& bodies) {
    LinkRow row{};
    set_end(bodies.mass(link.a), link.end_a, row.end_a);
    row.fixed = link.b == kWorldAnchor ? 1 : 0;
    if (row.fixed != 0) {
        row.anchor[0] = link.end_b.x;
        row.anchor[1] = link.end_b.y;
        row.anchor[2] = link.end_b.z;
    } else {
        set_end(bodies.mass(link.b), link.end_b, row.end_b);
    }
    row.length = static_cast<float>(link.length);
    row.restitution = link.restitution;
    row.cable = link.kind == LinkKind::cable ? 1 : 0;
    return row;
}

}  // namespace

void Links::add(std::span<const BodyLink> links, const Bodies& bodies) {
    const std::size_t count = size() + links.size();
    links_.reserve(count);
    rows_.reserve(count);
    impulses_.reserve(count);
    for (const BodyLink& link : links) {
        links_.push_back(link);
        rows_.push_back(make_row(link, bodies));
        impulses_.push_back({0});
    }
}

void Links::set_impulses_back() { std::copy(kept_.begin(), kept_.end(), impulses_.begin()); }

double Links::error(std::size_t i, const Bodies& bodies) const {
    const LinkRow& row = rows_[i];
    const auto place = [&](std::size_t body, const float* end) {
        const Vec3d arm{static_cast<double>(end[0]), static_cast<double>(end[1]), static_cast<double>(end[2])};
        return bodies.centre(body) + rotation(bodies.orientation(body)) * arm;
    };
    if (bodies.lost(links_[i].a) || (row.fixed == 0 && bodies.lost(links_[i].b))) return 0;
    const Vec3d a = place(links_[i].a, row.end_a);
    const Vec3d b = row.fixed != 0 ? Vec3d{row.anchor[0], row.anchor[1], row.anchor[2]} : place(links_[i].b, row.end_b);
    const Vec3d gap = b - a;
    const double off = std::sqrt(dot(gap, gap)) - static_cast<double>(row.length);
    return row.cable != 0 ? std::max(off, 0.0) : off;
}

void Links::lend_rows(SolverJob& job) {
    job.links = rows_.empty() ? nullptr : rows_.data();  // keep_paths() asks whether there are any
    job.link_impulses = impulses_.data();
}

}  // namespace lanefold::detail
