// SPDX-License-Identifier: MIT
//
// All that steps change, as bytes: a head that says for which world, then array after array.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>

#include "anchor_truth.hpp"
#include "calls/impl.hpp"
#include "calls/kept_state.hpp"

namespace lanefold {
namespace {

constexpr std::uint64_t kMagic = 0x32444C524F574C4CULL;    // "LLWORLD2"
constexpr std::uint64_t kReusing = 0x33444C524F574C4CULL;  // "LLWORLD3": anchors of reuse follow

struct Head {
    std::uint64_t magic;
    std::uint64_t hulls;  // fingerprint
    std::uint64_t bodies;
    std::uint64_t links;
    std::uint64_t constants;  // fingerprint of all that steps do not change of bodies and links
    std::uint64_t records;
    std::uint64_t bytes;
    std::uint64_t check;  // checksum of all bytes, with this number as 0
    float substep;
    std::uint32_t steps;  // that were done
};
static_assert(sizeof(Head) == 72);

struct SavedBody {
    detail::BodyState body;
    float slow_time;
    std::uint32_t label;
    std::uint32_t unmoved;
    std::uint32_t lost;  // the step that lost it; kRemoved: the caller took it out; 0: it takes part
};
static_assert(sizeof(SavedBody) == 120);

// FNV-1a over words of eight bytes: tells damage, nothing more. `h` is the sum of the bytes before.
std::uint64_t checksum(const std::byte* data, std::size_t bytes, std::uint64_t h = 0xCBF29CE484222325ULL) {
    for (std::size_t i = 0; i < bytes; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, bytes - i));
        h = std::rotl((h ^ word) * 0x100000001B3ULL, 29);
    }
    return h;
}

using detail::refuse;

// Steps do not change this part of bodies and links: the state of another world would give a body the motion of another
// one.
std::uint64_t constants_of(const detail::WorldState& world) {
    struct Body {
        detail::MassRow mass;
        detail::Material material;
        std::uint32_t hull, kind, category, collides_with, group;
        std::uint32_t reserved = 0;
    };
    const detail::Bodies& bodies = world.bodies;
    const detail::FilterArrays filters = bodies.filters();
    std::uint64_t h = checksum(nullptr, 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Body body;
        std::memset(static_cast<void*>(&body), 0, sizeof body);
        body.mass = bodies.mass(i);
        body.material = bodies.material(i);
        body.hull = bodies.hull(i);
        body.kind = static_cast<std::uint32_t>(bodies.kind(i));
        body.category = bodies.category(i);
        body.collides_with = filters.collides_with[i];
        body.group = filters.group[i];
        h = checksum(reinterpret_cast<const std::byte*>(&body), sizeof body, h);
    }
    for (std::size_t i = 0; i < world.links.size(); ++i) {
        const std::uint64_t ends[2] = {world.links.links()[i].a, world.links.links()[i].b};
        h = checksum(reinterpret_cast<const std::byte*>(ends), sizeof ends, h);
        h = checksum(reinterpret_cast<const std::byte*>(&world.links.rows()[i]), sizeof(detail::LinkRow), h);
    }
    return h;
}

std::uint64_t check_of(Head head, const std::byte* behind) {
    head.check = 0;
    return checksum(behind, head.bytes - sizeof head, checksum(reinterpret_cast<const std::byte*>(&head), sizeof head));
}

// Without anchors.
std::size_t size_of(const detail::WorldState& world, std::uint64_t records) {
    return sizeof(Head) + world.bodies.size() * sizeof(SavedBody) + world.links.size() * sizeof(detail::LinkImpulse) +
           records * (sizeof(Manifold4) + sizeof(ContactImpulse));
}

template <class T>
std::byte* put(std::byte* to, std::span<const T> from) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
    return to + from.size_bytes();
}

template <class T>
const std::byte* take(const std::byte* from, std::span<T> to) {
    if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
    return from + to.size_bytes();
}

SavedBody take_body(const std::byte* bodies, std::size_t i) {
    SavedBody saved;
    std::memcpy(&saved, bodies + i * sizeof saved, sizeof saved);
    return saved;
}

std::size_t count_lost(std::size_t body_count, const std::byte* bodies) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < body_count; ++i) count += take_body(bodies, i).lost != 0 ? 1U : 0U;
    return count;
}

// Lists the lost bodies anew; there is room for them.
void take_lost(detail::WorldState& world) {
    world.lost.clear();
    for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
        if (world.bodies.lost(i) && !world.bodies.removed(i)) world.lost.push_back({i, world.bodies.lost_step(i)});
    }
    const auto before = [](const LostBody& a, const LostBody& b) {
        return a.step != b.step ? a.step < b.step : a.body < b.body;
    };
    std::sort(world.lost.begin(), world.lost.end(), before);
}

bool pose_fits(const detail::BodyState& s) {
    double sum = 0;
    for (const double x : s.position) sum += x;
    for (const double x : s.centre) sum += x;
    for (const double x : s.orientation) sum += x;
    return std::isfinite(sum);
}

// The checksum does not tell bytes that somebody has changed on purpose: labels and manifolds must name bodies and
// children that exist, in an order that a step could have made, and poses must be finite.
bool numbers_fit(const detail::Bodies& own_bodies, const std::byte* bodies, std::span<const Manifold4> manifolds) {
    const std::size_t body_count = own_bodies.size();
    for (std::size_t i = 0; i < body_count; ++i) {
        const SavedBody saved = take_body(bodies, i);
        if (saved.label >= body_count && saved.label != detail::Sleep::kAwake) return false;
        if (!pose_fits(saved.body)) return false;
    }
    Pair before{0, 0};
    std::size_t own = 0;  // records of the pair at hand: surfaces and compounds have several
    for (const Manifold4& m : manifolds) {
        const Pair pair{m.pair[0], m.pair[1]};
        own = pair == before ? own + 1 : 1;
        if (pair < before || own > detail::kMostOfPair || pair.a >= body_count || pair.b >= body_count ||
            pair.a == pair.b || !own_bodies.has_part(pair.a, m.child_a) || !own_bodies.has_part(pair.b, m.child_b))
            return false;
        if (m.count > Manifold4::kCapacity) return false;
        before = pair;
    }
    return true;
}

// Whether a whole number of anchors follows the first `least` of the bytes, if any may.
bool sizes_fit(std::size_t least, std::size_t bytes, bool reusing) {
    return reusing ? bytes > least && (bytes - least) % sizeof(detail::SavedAnchor) == 0 : bytes == least;
}

// The anchors behind the records, which end at `from`. Throws std::bad_alloc.
std::vector<detail::SavedAnchor> take_anchors(const std::byte* from, std::span<const std::byte> bytes) {
    const std::size_t left = bytes.size() - static_cast<std::size_t>(from - bytes.data());
    std::vector<detail::SavedAnchor> anchors(left / sizeof(detail::SavedAnchor));
    take(from, std::span(anchors));
    return anchors;
}

// The next step has these anchors. Throws std::bad_alloc; then there are none.
void set_anchors(detail::WorldState& world, std::span<const detail::SavedAnchor> anchors) {
    if (world.anchored) world.anchored->forget();
    if (anchors.empty() || world.settings.reuse == 0) return;
    if (!world.anchored) world.anchored = std::make_unique<detail::AnchoredPairs>();
    try {
        world.anchored->restore(world.hulls, anchors);
    } catch (const std::bad_alloc&) {
        world.anchored->forget();
        throw;
    }
}

// The options that decide what contact an anchor may be.
Options contact_options_of(const WorldSettings& settings) {
    Options o;
    o.method = settings.method;
    o.face_preference = settings.face_preference;
    o.hysteresis = settings.hysteresis;
    return o;
}

// Whether the bytes are a state of this world, whole and undamaged.
CallStatus check_bytes(const detail::WorldState& world, std::span<const std::byte> bytes, Head& head) {
    if (bytes.size() < sizeof head) return refuse("state: shorter than its head", bytes.size());
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.magic != kMagic && head.magic != kReusing) return refuse("state: not of a world, or of another version");
    if (head.hulls != world.hulls.fingerprint()) return refuse("state: of a world with other hulls");
    if (head.bodies != world.bodies.size())
        return refuse("state: of a world with another number of bodies", head.bodies);
    if (head.links != world.links.size()) return refuse("state: of a world with another number of links", head.links);
    if (head.bytes != bytes.size() || head.records > bytes.size() / sizeof(Manifold4) ||
        !sizes_fit(size_of(world, head.records), bytes.size(), head.magic == kReusing))
        return refuse("state: cut short or too long", bytes.size());
    if (head.check != check_of(head, bytes.data() + sizeof head)) return refuse("state: damaged");
    if (head.constants != constants_of(world)) return refuse("state: of a world with other bodies or links");
    return {};
}

// Takes bytes with a good head. `trusted`: this library wrote them, and they were in its memory since then.
CallStatus take_state(detail::WorldState& world, std::span<const std::byte> bytes, const Head& head, bool trusted) {
    const std::byte* const bodies = bytes.data() + sizeof head;
    const std::byte* const links = bodies + world.bodies.size() * sizeof(SavedBody);
    const std::byte* const records = links + world.links.size() * sizeof(detail::LinkImpulse);
    std::span<Manifold4> manifolds;
    std::span<ContactImpulse> impulses;
    std::vector<detail::SavedAnchor> anchors;
    try {
        manifolds = world.contacts.room_for_found(head.records);
        impulses = world.contacts.room_for_impulses(head.records);
        world.lost.reserve(count_lost(world.bodies.size(), bodies));
        anchors = take_anchors(take(take(records, manifolds), impulses), bytes);
        if (!trusted && !(numbers_fit(world.bodies, bodies, manifolds) &&
                          detail::AnchoredPairs::fits(world.bodies.size(), anchors)))
            return refuse("state: damaged");
        if (!trusted) detail::drop_forged_anchors(world.hulls, contact_options_of(world.settings), anchors);
        set_anchors(world, anchors);
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "restore", head.records};
    }
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const SavedBody saved = take_body(bodies, i);
        world.bodies.set_state(i, saved.body, saved.unmoved != 0, saved.lost);
        world.sleep.set_state(world.bodies, i, saved.label, saved.slow_time);
    }
    take(links, world.links.impulses());
    world.contacts.set_found(head.records);
    world.contacts.swap_found();
    world.substep = head.substep;
    world.steps = head.steps;
    take_lost(world);
    return {};
}

CallStatus restore_state(detail::WorldState& world, std::span<const std::byte> bytes) {
    Head head{};
    const CallStatus status = check_bytes(world, bytes, head);
    return status ? take_state(world, bytes, head, false) : status;
}

Head write_state(const detail::WorldState& world, std::vector<std::byte>& out) {
    const std::size_t records = world.contacts.manifolds().size();
    std::vector<detail::SavedAnchor> anchors;
    if (world.anchored) world.anchored->save(anchors);
    out.resize(size_of(world, records) + anchors.size() * sizeof(detail::SavedAnchor));
    std::byte* to = out.data() + sizeof(Head);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const SavedBody saved{world.bodies.state(i), world.sleep.slow_time(i), world.sleep.label(i),
                              world.bodies.unmoved()[i], world.bodies.lost_step(i)};
        to = put(to, std::span(&saved, 1));
    }
    to = put(to, world.links.impulses());
    to = put(to, world.contacts.manifolds());
    to = put(to, world.contacts.impulses());
    put(to, std::span<const detail::SavedAnchor>(anchors));
    Head head{};
    head.magic = anchors.empty() ? kMagic : kReusing;
    head.bodies = world.bodies.size();
    head.links = world.links.size();
    head.records = records;
    head.bytes = out.size();
    head.substep = world.substep;
    head.steps = world.steps;
    return head;
}

}  // namespace

namespace detail {

void keep_state(const WorldState& world, std::vector<std::byte>& out) {
    const Head head = write_state(world, out);
    std::memcpy(out.data(), &head, sizeof head);
}

CallStatus go_back(WorldState& world, std::span<const std::byte> kept) {
    if (kept.empty()) return refuse("no state was kept");
    Head head{};
    std::memcpy(&head, kept.data(), sizeof head);
    if (head.bodies != world.bodies.size() || head.links != world.links.size())
        return refuse("bodies or links were added since the state was kept", world.bodies.size());
    return take_state(world, kept, head, true);
}

}  // namespace detail

CallStatus World::save(std::vector<std::byte>& out) const {
    const detail::WorldState& world = state_of(impl_);
    try {
        Head head = write_state(world, out);
        head.hulls = world.hulls.fingerprint();
        head.constants = constants_of(world);
        head.check = check_of(head, out.data() + sizeof(Head));
        std::memcpy(out.data(), &head, sizeof head);
    } catch (const std::bad_alloc&) {
        return {Status::out_of_memory, "save", 0};
    }
    return {};
}

CallStatus World::restore(std::span<const std::byte> bytes) {
    if (!impl_) return moved_from();
    return in_default_environment([&] { return restore_state(impl_->state, bytes); });
}

}  // namespace lanefold
