// SPDX-License-Identifier: MIT
//
// Everything that changes from step to step, as bytes: a head that says for which world, then array after array.
#include <bit>
#include <cstring>
#include <new>

#include <lanefold/fp_environment.hpp>

#include "world/impl.hpp"

namespace lanefold {
namespace {

constexpr std::uint64_t kMagic = 0x32444C524F574C4CULL;  // "LLWORLD2"

struct Head {
    std::uint64_t magic;
    std::uint64_t hulls;  // fingerprint
    std::uint64_t bodies;
    std::uint64_t links;
    std::uint64_t constants;  // fingerprint of what bodies and links keep
    std::uint64_t records;
    std::uint64_t bytes;
    std::uint64_t check;  // of all bytes, this number as 0
    float last_h;
    std::uint32_t reserved;
};
static_assert(sizeof(Head) == 72);

// Of a body.
struct BodyState {
    double position[3];
    double centre[3];
    double orientation[4];
    float v[3];
    float w[3];
    float still;
    std::uint32_t bed;
    std::uint32_t unmoved;
    std::uint32_t reserved;
};
static_assert(sizeof(BodyState) == 120);

// FNV-1a over words of eight bytes: tells damage, nothing more. `h`: of the bytes before.
std::uint64_t checksum(const std::byte* data, std::size_t bytes, std::uint64_t h = 0xCBF29CE484222325ULL) {
    for (std::size_t i = 0; i < bytes; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, bytes - i));
        h = std::rotl((h ^ word) * 0x100000001B3ULL, 29);
    }
    return h;
}

using detail::refuse;

// What bodies and links are, and never change: a state of others would give a body the motion of another one.
std::uint64_t constants_of(const World::Impl& w) {
    struct Body {
        detail::MassRow mass;
        detail::Material material;
        std::uint32_t hull, kind, groups, touches, limb_of;
        std::uint32_t reserved = 0;
    };
    std::uint64_t h = checksum(nullptr, 0);
    for (std::size_t i = 0; i < w.bodies(); ++i) {
        Body body;
        std::memset(static_cast<void*>(&body), 0, sizeof body);
        body.mass = w.mass[i];
        body.material = w.material[i];
        body.hull = w.pose[i].hull;
        body.kind = static_cast<std::uint32_t>(w.kind[i]);
        body.groups = w.groups[i];
        body.touches = w.touches[i];
        body.limb_of = w.limb_of[i];
        h = checksum(reinterpret_cast<const std::byte*>(&body), sizeof body, h);
    }
    for (std::size_t i = 0; i < w.link.size(); ++i) {
        const std::uint64_t ends[2] = {w.link[i].a, w.link[i].b};
        h = checksum(reinterpret_cast<const std::byte*>(ends), sizeof ends, h);
        h = checksum(reinterpret_cast<const std::byte*>(&w.link_row[i]), sizeof w.link_row[i], h);
    }
    return h;
}

std::uint64_t check_of(Head head, const std::byte* behind) {
    head.check = 0;
    return checksum(behind, head.bytes - sizeof head, checksum(reinterpret_cast<const std::byte*>(&head), sizeof head));
}

std::size_t size_of(const World::Impl& w, std::uint64_t records) {
    return sizeof(Head) + w.bodies() * sizeof(BodyState) + w.link.size() * sizeof(detail::LinkImpulse) +
           records * (sizeof(Manifold4) + sizeof(ContactImpulse));
}

BodyState state_of(const World::Impl& w, std::size_t i) {
    BodyState s{};
    std::memcpy(s.position, w.pose[i].position, sizeof s.position);
    const Vec3d& c = w.centre[i];
    const Quat& q = w.orientation[i];
    const double centre[3] = {c.x, c.y, c.z};
    const double orientation[4] = {q.x, q.y, q.z, q.w};
    std::memcpy(s.centre, centre, sizeof centre);
    std::memcpy(s.orientation, orientation, sizeof orientation);
    std::memcpy(s.v, w.motion[i].v, sizeof s.v);
    std::memcpy(s.w, w.motion[i].w, sizeof s.w);
    s.still = w.still[i];
    s.bed = w.bed[i];
    s.unmoved = w.unmoved[i];
    return s;
}

void set_state(World::Impl& w, std::size_t i, const BodyState& s) {
    w.orientation[i] = {s.orientation[0], s.orientation[1], s.orientation[2], s.orientation[3]};
    w.centre[i] = {s.centre[0], s.centre[1], s.centre[2]};
    w.update_pose(i);
    std::memcpy(w.pose[i].position, s.position, sizeof s.position);
    std::memcpy(w.motion[i].v, s.v, sizeof s.v);
    std::memcpy(w.motion[i].w, s.w, sizeof s.w);
    w.motion[i].inverse_mass = s.bed == World::Impl::kAwake ? w.mass[i].inverse_mass : 0;
    w.still[i] = s.still;
    w.bed[i] = s.bed;
    w.unmoved[i] = s.unmoved != 0 ? 1 : 0;
}

template <class T>
std::byte* put(std::byte* to, const T* from, std::size_t count) {
    if (count != 0) std::memcpy(to, from, count * sizeof(T));
    return to + count * sizeof(T);
}

template <class T>
const std::byte* take(const std::byte* from, T* to, std::size_t count) {
    if (count != 0) std::memcpy(to, from, count * sizeof(T));
    return from + count * sizeof(T);
}

// Whether beds and the manifolds, in w.next_record, name bodies that there are, in an order that a step could have
// made: what the checksum cannot tell of bytes that somebody has changed on purpose.
bool numbers_fit(const World::Impl& w, const std::byte* bodies, std::uint64_t records) {
    for (std::size_t i = 0; i < w.bodies(); ++i) {
        BodyState s;
        bodies = take(bodies, &s, 1);
        if (s.bed >= w.bodies() && s.bed != World::Impl::kAwake) return false;
    }
    Pair before{0, 0};
    for (std::uint64_t r = 0; r < records; ++r) {
        const Manifold4& m = w.next_record[r];
        const Pair pair{m.pair[0], m.pair[1]};
        if (pair <= before || pair.a >= w.bodies() || pair.b >= w.bodies() || pair.a == pair.b) return false;
        if (m.count > Manifold4::kCapacity) return false;
        before = pair;
    }
    return true;
}

}  // namespace

CallStatus World::save(std::vector<std::byte>& out) const {
    const Impl& w = seen(impl_);
    try {
        out.resize(size_of(w, w.records));
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "save", 0};
    }
    std::byte* to = out.data() + sizeof(Head);
    for (std::size_t i = 0; i < w.bodies(); ++i) {
        const BodyState s = state_of(w, i);
        to = put(to, &s, 1);
    }
    to = put(to, w.link_impulse.data(), w.link_impulse.size());
    to = put(to, w.record.data(), w.records);
    put(to, w.impulse.data(), w.records);
    Head head{};
    head.magic = kMagic;
    head.hulls = w.hulls.fingerprint();
    head.bodies = w.bodies();
    head.links = w.link.size();
    head.records = w.records;
    head.bytes = out.size();
    head.constants = constants_of(w);
    head.last_h = w.last_h;
    head.check = check_of(head, out.data() + sizeof(Head));
    std::memcpy(out.data(), &head, sizeof head);
    return {};
}

CallStatus World::restore(std::span<const std::byte> bytes) {
    if (!impl_) return moved_from();
    Impl& w = *impl_;
    Head head{};
    if (bytes.size() < sizeof head) return refuse("state: shorter than its head", bytes.size());
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.magic != kMagic) return refuse("state: not of a world, or of another version");
    if (head.hulls != w.hulls.fingerprint()) return refuse("state: of a world with other hulls");
    if (head.bodies != w.bodies()) return refuse("state: of a world with another number of bodies", head.bodies);
    if (head.links != w.link.size()) return refuse("state: of a world with another number of links", head.links);
    if (head.bytes != bytes.size() || head.records > bytes.size() / sizeof(Manifold4) ||
        size_of(w, head.records) != bytes.size())
        return refuse("state: cut short or too long", bytes.size());
    if (head.check != check_of(head, bytes.data() + sizeof head)) return refuse("state: damaged");
    if (head.constants != constants_of(w)) return refuse("state: of a world with other bodies or links");
    const std::byte* const bodies = bytes.data() + sizeof head;
    const std::byte* const links = bodies + w.bodies() * sizeof(BodyState);
    const std::byte* const records = links + w.link.size() * sizeof(detail::LinkImpulse);
    try {
        w.next_record.reserve(head.records);
        w.next_impulse.reserve(head.records);
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "restore", head.records};
    }
    take(take(records, w.next_record.data(), head.records), w.next_impulse.data(), head.records);
    if (!numbers_fit(w, bodies, head.records)) return refuse("state: damaged");

    in_default_environment([&] {
        const std::byte* from = bodies;
        for (std::size_t i = 0; i < w.bodies(); ++i) {
            BodyState s;
            from = take(from, &s, 1);
            set_state(w, i, s);
        }
    });
    take(links, w.link_impulse.data(), w.link_impulse.size());
    w.next_records = head.records;
    w.swap_records();
    w.last_h = head.last_h;
    return {};
}

}  // namespace lanefold
