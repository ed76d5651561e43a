// SPDX-License-Identifier: MIT
//
// See the header.
#include "simulate/push_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include <lanefold/detail/read_body.hpp>

#include "events/body_motion.hpp"

namespace lanefold::tools {
namespace {

Pair pair_of(const Manifold4& m) { return {m.pair[0], m.pair[1]}; }

Vec3d vector(const float v[3]) { return to_double({v[0], v[1], v[2]}); }

// Two bodies' motion at a contact: b's against a's.
struct Relative {
    double along = 0;  // the normal; below 0: they close in
    double beside = 0;
};

Relative relative(const Vec3d& a, const Vec3d& b, const Vec3d& normal) {
    const Vec3d v = b - a;
    const double along = dot(v, normal);
    return {along, length(v - normal * along)};
}

void put(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

void PushEvents::before_step(const World& world) {
    before_.resize(world.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const bool moves = world.mass(i) > 0 && !world.asleep(i) && !world.lost(i);
        const Vec3d velocity = to_double(world.velocity(i)), spin = to_double(world.spin(i));
        const bool still = !moves && dot(velocity, velocity) + dot(spin, spin) == 0;
        before_[i] = {world.bodies()[i], world.centre(i), velocity, spin, moves, still};
    }
}

// The record that pushed most stands for the place, the first of equal ones.
PushEvents::Push PushEvents::push_of(const World& world, std::size_t first, std::size_t last) const {
    const double substeps = world.settings().substeps;
    Push out;
    out.nearest = &world.contacts()[first];
    float most = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Manifold4& m = world.contacts()[i];
        const ContactPush& p = world.pushes()[i];
        if (m.distance < out.nearest->distance) out.nearest = &m;
        if (!(p.impulse > 0)) continue;
        const double begins = static_cast<double>(p.before) / substeps;
        const double ends = 1 - static_cast<double>(p.after) / substeps;
        out.first = out.strongest == nullptr ? begins : std::min(out.first, begins);
        out.last = std::max(out.last, ends);
        out.impulse += static_cast<double>(p.impulse);
        if (p.impulse > most) out.strongest = &m;
        most = std::max(most, p.impulse);
    }
    return out;
}

// Finds where the two meet, from their motion when the step began, and gravity.
PushEvents::Contact PushEvents::begin(const World& world, const Push& push, std::uint64_t step, double dt) const {
    const Manifold4& m = *push.strongest;
    const Before& a = before_[m.pair[0]];
    const Before& b = before_[m.pair[1]];
    const double time = push.first * dt;
    const Vec3d gravity = to_double(world.settings().gravity);
    const Vec3d normal = vector(m.normal);
    const Vec3d origin = detail::position_of(a.pose);
    const auto velocity = [&](const Before& body, const Vec3d& point, double fallen) {
        return body.velocity_at(point) + gravity * (body.falls ? fallen : 0.0);
    };
    // The point that is deepest when they meet, the first of equal ones.
    Vec3d point;
    double least = 0;
    for (std::uint32_t k = 0; k < m.count; ++k) {
        const Vec3d p = origin + vector(m.points[k].position);
        const double way = relative(velocity(a, p, time / 2), velocity(b, p, time / 2), normal).along * time;
        const double depth = static_cast<double>(m.points[k].separation) + way;
        if (k != 0 && !(depth < least)) continue;
        least = depth;
        point = p;
    }
    const Vec3d place = point + (velocity(a, point, time / 2) + velocity(b, point, time / 2)) * (time / 2);
    const Relative meets = relative(velocity(a, point, time), velocity(b, point, time), normal);
    Contact out{};
    out.begin = static_cast<double>(step) + push.first;
    const double places[3] = {place.x, place.y, place.z};
    std::copy_n(places, 3, out.place);
    std::copy_n(m.normal, 3, out.normal);
    out.closing = static_cast<float>(-meets.along);
    out.sliding = static_cast<float>(meets.beside);
    out.impulse = static_cast<float>(push.impulse);
    out.pair = pair_of(m);
    if (step == 0 && push.nearest->distance <= 0) out.flags = kEventTouchedBefore;
    out.arrives = push.nearest->distance > release_ ? 1 : 0;
    return out;
}

// Whether the two close in at their deepest point, the first of equal ones, when the step begins.
bool PushEvents::closes_in(const Manifold4& m) const {
    const auto* const deepest = std::min_element(
        m.points, m.points + m.count, [](const auto& x, const auto& y) { return x.separation < y.separation; });
    const Before& a = before_[m.pair[0]];
    const Before& b = before_[m.pair[1]];
    const Vec3d point = detail::position_of(a.pose) + vector(deepest->position);
    return relative(a.velocity_at(point), b.velocity_at(point), vector(m.normal)).along < 0;
}

// The solver slows down a body that is fast up to three substeps before it arrives. A step that begins between them
// finds a gap that closes: nobody has parted there, and it is still the same contact.
bool PushEvents::parted(const Contact& contact, const Manifold4& nearest) const {
    return nearest.distance > release_ && !(contact.arrives != 0 && closes_in(nearest));
}

// The way beside the normal in the whole step.
double PushEvents::slide(const World& world, const Manifold4& m) const {
    const BodyD& a = before_[m.pair[0]].pose;
    const BodyD& b = before_[m.pair[1]].pose;
    const Vec3d arm_a = vector(m.points[0].position);
    const Vec3d arm_b = (detail::position_of(a) + arm_a) - detail::position_of(b);
    const BodyMotion of_a = motion_between(a, world.bodies()[m.pair[0]]);
    const BodyMotion of_b = motion_between(b, world.bodies()[m.pair[1]]);
    return relative(velocity_at(of_a, arm_a), velocity_at(of_b, arm_b), vector(m.normal)).beside;
}

void PushEvents::close(const World& world, const Contact& contact) {
    closed_.push_back(contact);
    if (world.lost(contact.pair.a) || world.lost(contact.pair.b)) closed_.back().flags |= kEventCut;
}

void PushEvents::after_step(const World& world, std::uint64_t step, double dt) {
    const std::span<const Manifold4> contacts = world.contacts();
    still_.clear();
    std::size_t at = 0;
    // Contacts without a record: what nothing moves has none while it sleeps.
    const auto pass = [&](const Contact& contact) {
        if (before_[contact.pair.a].still && before_[contact.pair.b].still) {
            still_.push_back(contact);
        } else {
            close(world, contact);
        }
    };
    for (std::size_t i = 0, end = 0; i < contacts.size(); i = end) {
        const Pair pair = pair_of(contacts[i]);
        for (end = i + 1; end < contacts.size() && pair_of(contacts[end]) == pair;) ++end;
        for (; at < open_.size() && open_[at].pair < pair; ++at) pass(open_[at]);
        const Push push = push_of(world, i, end);
        Contact contact{};
        bool open = at < open_.size() && open_[at].pair == pair;
        if (open) {
            contact = open_[at++];
            if (parted(contact, *push.nearest)) {
                close(world, contact);
                open = false;
            } else if (push.nearest->distance <= release_) {
                contact.arrives = 0;
            }
        }
        if (push.strongest != nullptr) {
            if (!open) contact = begin(world, push, step, dt);
            // A body that lands at the end of a step is stopped in the next one.
            if (open && std::floor(contact.begin) + 1 == static_cast<double>(step))
                contact.impulse += static_cast<float>(push.impulse);
            open = true;
            contact.end = static_cast<double>(step) + push.last;
            contact.peak = std::max(contact.peak, push.impulse);
            contact.sum += push.impulse;
            contact.slip += slide(world, *push.strongest) * (push.last - push.first);
        }
        if (open) still_.push_back(contact);
    }
    for (; at < open_.size(); ++at) pass(open_[at]);
    open_.swap(still_);
}

void PushEvents::save(std::vector<std::byte>& out) const {
    const std::uint64_t counts[2] = {open_.size(), closed_.size()};
    put(out, std::as_bytes(std::span(counts)));
    put(out, std::as_bytes(std::span(open_)));
    put(out, std::as_bytes(std::span(closed_)));
}

bool PushEvents::load(std::span<const std::byte> bytes) {
    std::uint64_t counts[2] = {};
    if (bytes.size() < sizeof counts) return false;
    std::memcpy(counts, bytes.data(), sizeof counts);
    bytes = bytes.subspan(sizeof counts);
    const std::uint64_t most = bytes.size() / sizeof(Contact);
    if (counts[0] > most || counts[1] > most || (counts[0] + counts[1]) * sizeof(Contact) != bytes.size()) return false;
    open_.resize(counts[0]);
    closed_.resize(counts[1]);
    const auto take = [&](std::vector<Contact>& to) {
        if (!to.empty()) std::memcpy(to.data(), bytes.data(), to.size() * sizeof(Contact));
        bytes = bytes.subspan(to.size() * sizeof(Contact));
    };
    take(open_);
    take(closed_);
    return true;
}

std::vector<Event> PushEvents::finish(std::uint64_t steps) const {
    std::vector<Event> events;
    const double frames = 1.0 / every_;
    const auto add = [&](const Contact& c, double end, std::uint32_t flags) {
        Event event;
        event.begin = c.begin * frames;
        event.end = end * frames;
        event.place = {c.place[0], c.place[1], c.place[2]};
        std::copy_n(c.normal, 3, event.normal);
        event.closing = c.closing;
        event.sliding = c.sliding;
        event.impulse = c.impulse;
        event.impulse_peak = static_cast<float>(c.peak);
        event.impulse_sum = static_cast<float>(c.sum);
        event.slip = static_cast<float>(c.slip);
        event.pair = c.pair;
        event.flags = static_cast<std::uint8_t>(flags);
        const bool shown = (flags & (kEventTouchedBefore | kEventLasts)) != 0;
        if (!shown && std::ceil(event.begin) > std::floor(event.end)) event.flags |= kEventBetween;
        events.push_back(event);
    };
    for (const Contact& c : closed_) add(c, c.end, c.flags);
    for (const Contact& c : open_) add(c, static_cast<double>(steps), c.flags | kEventLasts);
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return std::tie(a.begin, a.pair.a, a.pair.b) < std::tie(b.begin, b.pair.a, b.pair.b);
    });
    return events;
}

}  // namespace lanefold::tools
