// SPDX-License-Identifier: MIT
//
// Worst contact first: a heap of the contacts by how bad they are, brought up to date around the two bodies that
// the last resolution changed. O(log n) for each contact around them, instead of a search through all.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <lanefold/contact_response.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold {
namespace {

// Of the square of a normal's length from 1. Manifold normals are unit to 1e-6.
constexpr double kUnitTolerance = 1e-4;

constexpr std::uint32_t kIterationsPerContact = 8;

double inverse_mass(const ResponseBodies& bodies, std::uint32_t i) {
    return i == kNoBody ? 0.0 : bodies.inverse_mass[i];
}

Vec3d relative(std::span<const Vec3d> of_body, const ResponseContact& c) {
    const Vec3d a = c.a == kNoBody ? Vec3d{} : of_body[c.a];
    const Vec3d b = c.b == kNoBody ? Vec3d{} : of_body[c.b];
    return a - b;
}

CallStatus refuse(const char* what, std::size_t where) { return {Status::bad_argument, what, where}; }

CallStatus check(std::span<const ResponseContact> contacts, const ResponseBodies& bodies,
                 const ResponseSettings& settings) {
    const std::size_t n = bodies.position.size();
    if (bodies.velocity.size() != n) return refuse("velocity and position differ in length", bodies.velocity.size());
    if (bodies.inverse_mass.size() != n) {
        return refuse("inverse_mass and position differ in length", bodies.inverse_mass.size());
    }
    if (!bodies.acceleration.empty() && bodies.acceleration.size() != n) {
        return refuse("acceleration and position differ in length", bodies.acceleration.size());
    }
    if (!(settings.step >= 0.0) || !(settings.position_tolerance >= 0.0) || !(settings.velocity_tolerance >= 0.0)) {
        return refuse("step and tolerances must be >= 0", 0);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (!(bodies.inverse_mass[i] >= 0.0) || !std::isfinite(bodies.inverse_mass[i])) {
            return refuse("inverse_mass must be finite and >= 0", i);
        }
        const bool finite = is_finite(bodies.position[i]) && is_finite(bodies.velocity[i]) &&
                            (bodies.acceleration.empty() || is_finite(bodies.acceleration[i]));
        if (!finite) return refuse("body is not finite", i);
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const ResponseContact& c = contacts[k];
        if ((c.a != kNoBody && c.a >= n) || (c.b != kNoBody && c.b >= n)) return refuse("contact names no body", k);
        if (c.a == c.b) return refuse("contact of a body with itself, or of none", k);
        if (!(std::fabs(length_squared(c.normal) - 1.0) <= kUnitTolerance)) return refuse("normal is not unit", k);
        if (!std::isfinite(c.penetration)) return refuse("penetration is not finite", k);
        if (!(c.restitution >= 0.0 && c.restitution <= 1.0)) return refuse("restitution must be within 0 and 1", k);
    }
    return {};
}

// The velocity along the normal after the impact: what restitution gives back of the closing velocity, without
// what the last step's acceleration alone built up. Otherwise a body at rest would hop on every step.
double separating_after(const ResponseBodies& bodies, const ResponseContact& c, double closing, double step) {
    if (c.bilateral) return 0.0;
    double from_impact = closing;
    if (!bodies.acceleration.empty()) {
        from_impact -= std::max(0.0, dot(relative(bodies.acceleration, c), c.normal) * step);
    }
    return c.restitution * std::max(0.0, from_impact);
}

// Contacts by severity, worst on top; the lower index wins ties.
class WorstFirst {
public:
    explicit WorstFirst(ResponseWorkspace& w) : w_(w) {}

    void build() {
        const auto n = static_cast<std::uint32_t>(w_.severity.size());
        w_.heap.resize(n);
        w_.place.resize(n);
        for (std::uint32_t i = 0; i < n; ++i) w_.heap[i] = w_.place[i] = i;
        for (std::uint32_t i = n / 2; i > 0; --i) sink(i - 1);
    }

    std::uint32_t top() const { return w_.heap[0]; }

    void update(std::uint32_t contact, double severity) {
        w_.severity[contact] = severity;
        std::uint32_t at = w_.place[contact];
        while (at > 0 && worse(w_.heap[at], w_.heap[(at - 1) / 2])) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        sink(at);
    }

private:
    bool worse(std::uint32_t i, std::uint32_t j) const {
        return w_.severity[i] > w_.severity[j] || (w_.severity[i] == w_.severity[j] && i < j);
    }

    void swap(std::uint32_t p, std::uint32_t q) {
        std::swap(w_.heap[p], w_.heap[q]);
        w_.place[w_.heap[p]] = p;
        w_.place[w_.heap[q]] = q;
    }

    void sink(std::uint32_t at) {
        const auto n = static_cast<std::uint32_t>(w_.heap.size());
        for (;;) {
            std::uint32_t worst = at;
            for (std::uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; ++child) {
                if (worse(w_.heap[child], w_.heap[worst])) worst = child;
            }
            if (worst == at) return;
            swap(at, worst);
            at = worst;
        }
    }

    ResponseWorkspace& w_;
};

class Resolver {
public:
    Resolver(std::span<ResponseContact> contacts, const ResponseBodies& bodies, const ResponseSettings& settings,
             ResponseWorkspace& workspace)
        : contacts_(contacts), bodies_(bodies), settings_(settings), w_(workspace), order_(workspace) {
        most_ = settings.iterations != 0 ? settings.iterations
                                         : kIterationsPerContact * static_cast<std::uint32_t>(contacts.size());
    }

    ResponseResult run() {
        ResponseResult result;
        if (contacts_.empty()) return result;
        list_contacts_around_bodies();
        w_.touching.resize(contacts_.size());
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const ResponseContact& c = contacts_[k];
            w_.touching[k] = c.bilateral || c.penetration >= -settings_.position_tolerance ? 1 : 0;
        }
        result.position_iterations = iterate(settings_.position_tolerance, result.worst_penetration,
                                             &Resolver::penetration, &Resolver::move_apart);
        result.velocity_iterations =
            iterate(settings_.velocity_tolerance, result.worst_closing, &Resolver::closing, &Resolver::push_apart);
        return result;
    }

private:
    double penetration(const ResponseContact& c) const {
        return c.bilateral ? std::fabs(c.penetration) : c.penetration;
    }

    // What is still apart within a margin does not collide yet.
    double closing(const ResponseContact& c) const {
        if (w_.touching[static_cast<std::size_t>(&c - contacts_.data())] == 0) return -1.0;
        const double v = closing_velocity(bodies_, c);
        return c.bilateral ? std::fabs(v) : v;
    }

    void list_contacts_around_bodies() {
        const std::size_t n = bodies_.position.size();
        w_.first.assign(n + 1, 0);
        const auto each_body = [&](const auto& f) {
            for (std::uint32_t k = 0; k < contacts_.size(); ++k) {
                if (contacts_[k].a != kNoBody) f(contacts_[k].a, k);
                if (contacts_[k].b != kNoBody) f(contacts_[k].b, k);
            }
        };
        each_body([&](std::uint32_t body, std::uint32_t) { ++w_.first[body + 1]; });
        for (std::size_t i = 0; i < n; ++i) w_.first[i + 1] += w_.first[i];
        w_.around.resize(w_.first[n]);
        each_body([&](std::uint32_t body, std::uint32_t k) { w_.around[w_.first[body]++] = k; });
        for (std::size_t i = n; i > 0; --i) w_.first[i] = w_.first[i - 1];
        w_.first[0] = 0;
    }

    template <class Severity, class Resolve>
    std::uint32_t iterate(double tolerance, double& left, Severity severity, Resolve resolve) {
        w_.severity.resize(contacts_.size());
        for (std::size_t k = 0; k < contacts_.size(); ++k) w_.severity[k] = measure(contacts_[k], severity);
        order_.build();
        std::uint32_t done = 0;
        while (done < most_ && w_.severity[order_.top()] > tolerance) {
            (this->*resolve)(contacts_[order_.top()]);
            ++done;
            const ResponseContact& c = contacts_[order_.top()];
            // `c` stays: the order changes under it, the contact does not.
            for (const std::uint32_t body : {c.a, c.b}) {
                if (inverse_mass(bodies_, body) == 0.0) continue;
                for (std::uint32_t i = w_.first[body]; i < w_.first[body + 1]; ++i) {
                    order_.update(w_.around[i], measure(contacts_[w_.around[i]], severity));
                }
            }
        }
        left = std::max(0.0, w_.severity[order_.top()]);
        return done;
    }

    // Nothing can be done about two immovable bodies: never the worst.
    template <class Severity>
    double measure(const ResponseContact& c, Severity severity) const {
        if (inverse_mass(bodies_, c.a) + inverse_mass(bodies_, c.b) == 0.0) return -1.0;
        return (this->*severity)(c);
    }

    void move_apart(ResponseContact& c) {
        const double per_mass = c.penetration / (inverse_mass(bodies_, c.a) + inverse_mass(bodies_, c.b));
        shift(c.a, c.normal * (-per_mass * inverse_mass(bodies_, c.a)));
        shift(c.b, c.normal * (per_mass * inverse_mass(bodies_, c.b)));
    }

    void shift(std::uint32_t body, const Vec3d& d) {
        if (inverse_mass(bodies_, body) == 0.0) return;
        bodies_.position[body] = bodies_.position[body] + d;
        for (std::uint32_t i = w_.first[body]; i < w_.first[body + 1]; ++i) {
            ResponseContact& c = contacts_[w_.around[i]];
            c.penetration += dot(d, c.normal) * (c.a == body ? 1.0 : -1.0);
        }
    }

    void push_apart(ResponseContact& c) {
        const double v = closing_velocity(bodies_, c);
        const double change = v + separating_after(bodies_, c, v, settings_.step);
        const double impulse = change / (inverse_mass(bodies_, c.a) + inverse_mass(bodies_, c.b));
        accelerate(c.a, c.normal * -impulse);
        accelerate(c.b, c.normal * impulse);
    }

    void accelerate(std::uint32_t body, const Vec3d& impulse) {
        if (inverse_mass(bodies_, body) == 0.0) return;
        bodies_.velocity[body] = bodies_.velocity[body] + impulse * bodies_.inverse_mass[body];
    }

    std::span<ResponseContact> contacts_;
    const ResponseBodies& bodies_;
    const ResponseSettings& settings_;
    ResponseWorkspace& w_;
    WorstFirst order_;
    std::uint32_t most_ = 0;
};

template <class M>
void append_manifolds(std::span<const M> manifolds, double restitution, std::vector<ResponseContact>& out) {
    for (const M& m : manifolds) {
        if (m.status != Status::ok || m.count == 0) continue;
        float deepest = m.points[0].separation;
        for (std::uint32_t i = 1; i < m.count; ++i) deepest = std::min(deepest, m.points[i].separation);
        ResponseContact c;
        c.a = m.pair[0];
        c.b = m.pair[1];
        // To float64 precision: the record's normal is unit to float32.
        c.normal = normalized(to_double(Vec3f{m.normal[0], m.normal[1], m.normal[2]}));
        c.penetration = -static_cast<double>(deepest);
        c.restitution = restitution;
        out.push_back(c);
    }
}

// The contact of a link that is pulled: A towards B.
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

double closing_velocity(const ResponseBodies& bodies, const ResponseContact& contact) {
    return in_default_environment([&]() -> double { return dot(relative(bodies.velocity, contact), contact.normal); });
}

ResponseResult resolve_contacts(std::span<ResponseContact> contacts, const ResponseBodies& bodies,
                                const ResponseSettings& settings, ResponseWorkspace& workspace) {
    return in_default_environment([&]() -> ResponseResult {
        ResponseResult result;
        result.status = check(contacts, bodies, settings);
        if (!result.status) return result;
        return Resolver(contacts, bodies, settings, workspace).run();
    });
}

void append_contacts(std::span<const Manifold4> manifolds, double restitution, std::vector<ResponseContact>& out) {
    in_default_environment([&] { append_manifolds(manifolds, restitution, out); });
}

void append_contacts(std::span<const Manifold16> manifolds, double restitution, std::vector<ResponseContact>& out) {
    in_default_environment([&] { append_manifolds(manifolds, restitution, out); });
}

void append_cables(std::span<const Link> cables, const ResponseBodies& bodies, std::vector<ResponseContact>& out) {
    in_default_environment([&] {
        for (const Link& link : cables) {
            ResponseContact c;
            double span = 0;
            if (!pulled(link, bodies, c, span) || span < link.length) continue;
            c.restitution = link.restitution;
            out.push_back(c);
        }
    });
}

void append_rods(std::span<const Link> rods, const ResponseBodies& bodies, std::vector<ResponseContact>& out) {
    in_default_environment([&] {
        for (const Link& link : rods) {
            ResponseContact c;
            double span = 0;
            if (!pulled(link, bodies, c, span)) continue;
            c.bilateral = true;
            out.push_back(c);
        }
    });
}

}  // namespace lanefold
