// SPDX-License-Identifier: MIT
//
// Resolves the worst contact first. A heap orders the contacts by severity; each resolution updates the contacts around
// its two bodies, in O(log n) each, instead of searching all.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <lanefold/contact_response.hpp>
#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

namespace lanefold {
namespace {

// Tolerance of a normal's squared length. Manifold normals are unit to 1e-6.
constexpr double kUnitTolerance = 1e-4;

// Default limit. A stack of ten boxes under gravity takes 370 resolutions per contact to its default tolerance, one of
// thirty 2,800.
constexpr std::uint32_t kIterationsPerContact = 1000;

double inverse_mass(const ResponseBodies& bodies, std::uint32_t i) {
    return i == kNoBody ? 0.0 : bodies.inverse_mass[i];
}

Vec3d relative(std::span<const Vec3d> of_body, const ResponseContact& c) {
    const Vec3d a = c.a == kNoBody ? Vec3d{} : of_body[c.a];
    const Vec3d b = c.b == kNoBody ? Vec3d{} : of_body[c.b];
    return a - b;
}

using detail::refuse;

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
        if ((c.a != kNoBody && c.a >= n) || (c.b != kNoBody && c.b >= n))
            return refuse("contact names a body that does not exist", k);
        if (c.a == c.b) return refuse("contact of a body with itself, or without a body", k);
        if (!(std::fabs(length_squared(c.normal) - 1.0) <= kUnitTolerance)) return refuse("normal is not unit", k);
        if (!std::isfinite(c.penetration)) return refuse("penetration is not finite", k);
        if (!(c.restitution >= 0.0 && c.restitution <= 1.0)) return refuse("restitution must be within 0 and 1", k);
    }
    return {};
}

// The closing velocity that the last step's acceleration would cause if it moved each body towards the other while the
// other is held. The source uses their relative acceleration. For a body that falls onto one at rest, both under
// gravity, that is zero, and the upper body would hop forever.
double built_up(const ResponseBodies& bodies, const ResponseContact& c, double step) {
    if (bodies.acceleration.empty()) return 0.0;
    const double a = c.a == kNoBody ? 0.0 : dot(bodies.acceleration[c.a], c.normal);
    const double b = c.b == kNoBody ? 0.0 : -dot(bodies.acceleration[c.b], c.normal);
    return (std::max(0.0, a) + std::max(0.0, b)) * step;
}

// The velocity along the normal after the impact is restitution times the closing velocity without the part that the
// last step's acceleration caused. With that part a body at rest would hop on every step.
ResponseImpulse impulse_of(const ResponseBodies& bodies, const ResponseContact& c, double step) {
    ResponseImpulse out;
    out.closing = dot(relative(bodies.velocity, c), c.normal);
    out.built_up = built_up(bodies, c, step);
    if (!c.bilateral) out.separating_after = c.restitution * std::max(0.0, out.closing - out.built_up);
    const double total = inverse_mass(bodies, c.a) + inverse_mass(bodies, c.b);
    if (total > 0.0) out.impulse = (out.closing + out.separating_after) / total;
    return out;
}

// Severity of a contact that needs nothing, or between immovable bodies: it is never the worst.
constexpr double kNothingToDo = -std::numeric_limits<double>::infinity();

// A heap of contacts by severity, the worst on top; the lower index wins ties.
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
        const std::uint64_t usual = kIterationsPerContact * std::uint64_t{contacts.size()};
        most_ = settings.iterations != 0 ? settings.iterations
                                         : static_cast<std::uint32_t>(std::min<std::uint64_t>(usual, 0xFFFFFFFFU));
    }

    ResponseResult run() {
        ResponseResult result;
        if (contacts_.empty()) return result;
        list_contacts_around_bodies();
        w_.touching.assign(contacts_.size(), 0);
        mark_touching();
        if (settings_.order == ResolutionOrder::per_contact) {
            resolve_each(result);
            return result;
        }
        result.position_iterations = iterate(settings_.position_tolerance, result.worst_penetration,
                                             &Resolver::penetration, &Resolver::move_apart);
        mark_touching();
        result.velocity_iterations =
            iterate(settings_.velocity_tolerance, result.worst_closing, &Resolver::closing, &Resolver::push_apart);
        result.limit_reached = result.worst_penetration > settings_.position_tolerance ||
                               result.worst_closing > settings_.velocity_tolerance;
        return result;
    }

private:
    // Contacts that were apart may have been pushed together. A contact that has touched stays marked.
    void mark_touching() {
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const ResponseContact& c = contacts_[k];
            if (c.bilateral || c.penetration >= -settings_.position_tolerance) w_.touching[k] = 1;
        }
    }

    double penetration(const ResponseContact& c) const {
        return c.bilateral ? std::fabs(c.penetration) : c.penetration;
    }

    // A contact that is still apart within its margin does not collide yet.
    double closing(const ResponseContact& c) const {
        if (w_.touching[static_cast<std::size_t>(&c - contacts_.data())] == 0) return kNothingToDo;
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
            // move_apart() and push_apart() do not change the heap, so its top is still this contact.
            update_around(contacts_[order_.top()], severity);
        }
        left = std::max(0.0, w_.severity[order_.top()]);
        return done;
    }

    // The published order: among the contacts that close or penetrate the one that closes fastest or separates slowest.
    double urgency(const ResponseContact& c) const {
        const double v = closing(c);
        const bool open = v > settings_.velocity_tolerance || penetration(c) > settings_.position_tolerance;
        return open ? v : kNothingToDo;
    }

    void resolve_each(ResponseResult& result) {
        w_.severity.resize(contacts_.size());
        for (std::size_t k = 0; k < contacts_.size(); ++k) w_.severity[k] = measure(contacts_[k], &Resolver::urgency);
        order_.build();
        for (std::uint32_t done = 0; done < most_ && w_.severity[order_.top()] > kNothingToDo; ++done) {
            ResponseContact& c = contacts_[order_.top()];
            if (closing(c) > settings_.velocity_tolerance) {
                push_apart(c);
                ++result.velocity_iterations;
            }
            if (penetration(c) > settings_.position_tolerance) {
                move_apart(c);
                mark_touching_around(c);
                ++result.position_iterations;
            }
            update_around(c, &Resolver::urgency);
        }
        result.limit_reached = w_.severity[order_.top()] > kNothingToDo;
        for (const ResponseContact& c : contacts_) {
            result.worst_penetration = std::max(result.worst_penetration, measure(c, &Resolver::penetration));
            result.worst_closing = std::max(result.worst_closing, measure(c, &Resolver::closing));
        }
    }

    void mark_touching_around(const ResponseContact& c) {
        for (const std::uint32_t body : {c.a, c.b}) {
            if (inverse_mass(bodies_, body) == 0.0) continue;
            for (std::uint32_t i = w_.first[body]; i < w_.first[body + 1]; ++i) {
                const std::uint32_t k = w_.around[i];
                if (contacts_[k].penetration >= -settings_.position_tolerance) w_.touching[k] = 1;
            }
        }
    }

    template <class Severity>
    void update_around(const ResponseContact& c, Severity severity) {
        for (const std::uint32_t body : {c.a, c.b}) {
            if (inverse_mass(bodies_, body) == 0.0) continue;
            for (std::uint32_t i = w_.first[body]; i < w_.first[body + 1]; ++i) {
                order_.update(w_.around[i], measure(contacts_[w_.around[i]], severity));
            }
        }
    }

    // Two immovable bodies cannot be resolved and are never the worst.
    template <class Severity>
    double measure(const ResponseContact& c, Severity severity) const {
        if (inverse_mass(bodies_, c.a) + inverse_mass(bodies_, c.b) == 0.0) return kNothingToDo;
        return (this->*severity)(c);
    }

    void move_apart(ResponseContact& c) {
        // A link is moved to its exact length. A contact keeps a penetration within the tolerance, so that it remains a
        // contact.
        const double excess = c.bilateral ? c.penetration : c.penetration - 0.5 * settings_.position_tolerance;
        const double per_mass = excess / (inverse_mass(bodies_, c.a) + inverse_mass(bodies_, c.b));
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
        const double impulse = impulse_of(bodies_, c, settings_.step).impulse;
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

}  // namespace

double closing_velocity(const ResponseBodies& bodies, const ResponseContact& contact) {
    return in_default_environment([&]() -> double { return dot(relative(bodies.velocity, contact), contact.normal); });
}

ResponseImpulse contact_impulse(const ResponseBodies& bodies, const ResponseContact& contact, double step) {
    return in_default_environment([&]() -> ResponseImpulse { return impulse_of(bodies, contact, step); });
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

}  // namespace lanefold
