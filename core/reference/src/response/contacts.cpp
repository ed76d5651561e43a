// SPDX-License-Identifier: MIT
//
// Makes contacts from manifolds, particles and spheres, cables and rods.
#include <algorithm>
#include <cmath>

#include <lanefold/contact_response.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold {
namespace {

template <class M>
void append_manifolds(std::span<const M> manifolds, double restitution, std::vector<ResponseContact>& out) {
    for (const M& m : manifolds) {
        if (m.status != Status::ok || m.count == 0) continue;
        float deepest = m.points[0].separation;
        for (std::uint32_t i = 1; i < m.count; ++i) deepest = std::min(deepest, m.points[i].separation);
        ResponseContact c;
        c.a = m.pair[0];
        c.b = m.pair[1];
        // Normalised in float64, because the record's normal is unit only to float32.
        c.normal = normalized(to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]}));
        c.penetration = -static_cast<double>(deepest);
        c.restitution = restitution;
        out.push_back(c);
    }
}

// All links, before any makes a contact: a call that is refused changes nothing.
CallStatus check(std::span<const Link> links, const ResponseBodies& bodies, bool bounce) {
    const std::size_t n = bodies.position.size();
    for (std::size_t k = 0; k < links.size(); ++k) {
        const Link& link = links[k];
        if (link.a >= n || (link.b != kNoBody && link.b >= n)) {
            return detail::refuse("link names a body that does not exist", k);
        }
        if (link.a == link.b) return detail::refuse("link of a body with itself", k);
        if (!(link.length >= 0.0) || !std::isfinite(link.length)) {
            return detail::refuse("length of a link must be finite and >= 0", k);
        }
        if (bounce && !(link.restitution >= 0.0 && link.restitution <= 1.0)) {
            return detail::refuse("restitution must be within 0 and 1", k);
        }
        if (link.b == kNoBody && !is_finite(link.anchor)) return detail::refuse("anchor of a link is not finite", k);
        const bool finite =
            is_finite(bodies.position[link.a]) && (link.b == kNoBody || is_finite(bodies.position[link.b]));
        if (!finite) return detail::refuse("body of a link is not finite", k);
    }
    return {};
}

// The contact of a taut link, which pulls A towards B.
bool pulled(const Link& link, const ResponseBodies& bodies, ResponseContact& c, double& span) {
    const Vec3d end = link.b == kNoBody ? link.anchor : bodies.position[link.b];
    const Vec3d d = bodies.position[link.a] - end;
    span = length(d);
    if (!(span > 0.0)) return false;
    c.a = link.a;
    c.b = link.b;
    c.normal = {d.x / span, d.y / span, d.z / span};
    c.penetration = span - link.length;
    return true;
}

}  // namespace

void append_contacts(std::span<const Manifold4> manifolds, double restitution, std::vector<ResponseContact>& out) {
    in_default_environment([&] { append_manifolds(manifolds, restitution, out); });
}

void append_contacts(std::span<const Manifold16> manifolds, double restitution, std::vector<ResponseContact>& out) {
    in_default_environment([&] { append_manifolds(manifolds, restitution, out); });
}

std::optional<ResponseContact> particle_contact(const ResponseBodies& bodies, std::uint32_t a, std::uint32_t b,
                                                double penetration, double restitution) {
    return in_default_environment([&]() -> std::optional<ResponseContact> {
        if (a >= bodies.position.size() || b >= bodies.position.size()) return std::nullopt;
        const Vec3d d = bodies.position[b] - bodies.position[a];
        const double apart = length(d);
        if (!(apart > 0.0)) return std::nullopt;
        ResponseContact c;
        c.a = a;
        c.b = b;
        c.normal = {d.x / apart, d.y / apart, d.z / apart};
        c.penetration = penetration;
        c.restitution = restitution;
        return c;
    });
}

std::optional<ResponseContact> sphere_contact(const ResponseBodies& bodies, std::uint32_t a, std::uint32_t b,
                                              double radius_a, double radius_b, double restitution, double margin) {
    return in_default_environment([&]() -> std::optional<ResponseContact> {
        if (a >= bodies.position.size() || b >= bodies.position.size()) return std::nullopt;
        const double penetration = radius_a + radius_b - length(bodies.position[b] - bodies.position[a]);
        if (!(penetration >= -margin)) return std::nullopt;
        return particle_contact(bodies, a, b, penetration, restitution);
    });
}

std::size_t append_spheres(std::span<const Pair> pairs, const ResponseBodies& bodies, std::span<const double> radius,
                           double restitution, std::vector<ResponseContact>& out, double margin) {
    std::size_t passed_over = 0;
    const std::size_t n = std::min(bodies.position.size(), radius.size());
    for (const Pair& pair : pairs) {
        if (pair.a >= n || pair.b >= n || bodies.position[pair.a] == bodies.position[pair.b]) {
            ++passed_over;
            continue;
        }
        if (const auto c =
                sphere_contact(bodies, pair.a, pair.b, radius[pair.a], radius[pair.b], restitution, margin)) {
            out.push_back(*c);
        }
    }
    return passed_over;
}

CallStatus append_cables(std::span<const Link> cables, const ResponseBodies& bodies,
                         std::vector<ResponseContact>& out) {
    return in_default_environment([&] {
        const CallStatus status = check(cables, bodies, true);
        if (!status) return status;
        for (const Link& link : cables) {
            ResponseContact c;
            double span = 0;
            if (!pulled(link, bodies, c, span) || span < link.length) continue;
            c.restitution = link.restitution;
            out.push_back(c);
        }
        return status;
    });
}

CallStatus append_rods(std::span<const Link> rods, const ResponseBodies& bodies, std::vector<ResponseContact>& out) {
    return in_default_environment([&] {
        const CallStatus status = check(rods, bodies, false);
        if (!status) return status;
        for (const Link& link : rods) {
            ResponseContact c;
            double span = 0;
            if (!pulled(link, bodies, c, span)) continue;
            c.bilateral = true;
            out.push_back(c);
        }
        return status;
    });
}

}  // namespace lanefold
