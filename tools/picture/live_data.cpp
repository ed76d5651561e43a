// SPDX-License-Identifier: MIT
//
// Packs the data of a live page.
#include "picture/live_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/surface.hpp>

#include "console/failure.hpp"
#include "contacts/completeness.hpp"
#include "scene/drawn_hulls.hpp"

namespace lanefold::tools {
namespace {

// Records are stored without unused points: bytes of a record without points, and of a point. frames_data.js reads this
// layout.
constexpr std::size_t kRecord = 36;
constexpr std::size_t kPoint = sizeof(ContactPoint);
static_assert(offsetof(Manifold4, kind) == 35 && kPoint == 20);

constexpr double kQuantised = 65535;
constexpr float kUnit = 32767;

// The fans of the loops of convex faces, whose vertices begin at `base`.
void add_triangles(const HullRecord& hull, std::uint32_t base, std::vector<std::uint32_t>& out) {
    const detail::HullView view(hull);
    for (std::uint32_t f = 0; f < hull.face_count; ++f) {
        const std::uint32_t first = view.face_first[f];
        for (std::uint32_t k = first + 1; k + 1 < view.face_first[f + 1]; ++k) {
            out.insert(out.end(),
                       {base + view.face_vertex[first], base + view.face_vertex[k], base + view.face_vertex[k + 1]});
        }
    }
}

void add_surface(const Surface& surface, std::vector<float>& vertices, std::vector<std::uint32_t>& triangles) {
    for (std::uint32_t v = 0; v < surface.vertex_count(); ++v) {
        const Vec3f p = surface.vertex(v);
        vertices.insert(vertices.end(), {p.x, p.y, p.z});
    }
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
        if (!surface.exists(t)) continue;
        const std::array<std::uint32_t, 3> corners = surface.triangle(t);
        triangles.insert(triangles.end(), corners.begin(), corners.end());
    }
}

template <class M>
void pack(const M& m, std::vector<std::byte>& out) {
    std::byte head[kRecord];
    std::memcpy(head, &m, kRecord);
    out.insert(out.end(), head, head + kRecord);
    const std::span<const std::byte> points = std::as_bytes(std::span(m.points));
    const std::size_t count = std::min<std::size_t>(m.count, M::kCapacity);
    out.insert(out.end(), points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count * kPoint));
}

// The least of the depths that 95 of 100 of them do not exceed. Puts them into another order.
double usual_depth(std::vector<float>& depths) {
    if (depths.empty()) return 0;
    const std::size_t rank = (95 * depths.size() + 99) / 100;
    const auto place = depths.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(depths.begin(), place, depths.end());
    return static_cast<double>(*place);
}

// `depths` receives those of the points that overlap.
template <class M>
void pack_frame(const RecordsReader& reader, std::uint64_t bodies, std::vector<std::byte>& out, LiveContacts& sums,
                std::vector<float>& depths) {
    std::vector<M> records(reader.length());
    reader.read(0, std::span<M>(records));
    for (const M& m : records) {
        if (m.kind == ContactKind::none) {
            ++sums.without_kind;
            continue;
        }
        if (m.pair[0] >= bodies || m.pair[1] >= bodies) {
            throw bad_input("{}: a record speaks of body {}, but the scene has {}: are these contacts of that scene?",
                            reader.path().string(), std::max(m.pair[0], m.pair[1]), bodies);
        }
        ++sums.records;
        for (std::size_t i = 0; i < std::min<std::size_t>(m.count, M::kCapacity); ++i) {
            if (m.points[i].separation < 0) depths.push_back(-m.points[i].separation);
        }
        pack(m, out);
    }
}

double coordinate(const SceneFrame& frame, std::size_t at) {
    return frame.position.empty() ? frame.position_double[at] : static_cast<double>(frame.position[at]);
}

// The box of all positions of all frames.
void measure(const LivePageInput& input, LivePoses& poses) {
    std::array<double, 3> high{};
    SceneFrame frame;
    bool first = true;
    for (const std::uint64_t number : input.frames) {
        input.scene->read_frame(number, frame);
        for (std::size_t body = 0; body < input.scene->bodies(); ++body) {
            if (!frame.is_there(body)) continue;
            for (std::size_t k = 0; k < 3; ++k) {
                const double x = coordinate(frame, 3 * body + k) - poses.origin[k];
                poses.low[k] = first ? x : std::min(poses.low[k], x);
                high[k] = first ? x : std::max(high[k], x);
            }
            first = false;
        }
    }
    for (std::size_t k = 0; k < 3; ++k) poses.step[k] = (high[k] - poses.low[k]) / kQuantised;
}

std::uint16_t quantised(double x, double low, double step) {
    return step > 0 ? static_cast<std::uint16_t>(std::lround(std::clamp((x - low) / step, 0.0, kQuantised))) : 0;
}

}  // namespace

void LiveArrays::add(const char* name, const char* type, std::span<const std::byte> bytes, std::size_t count) {
    places_[name] = {{"type", type}, {"at", bytes_.size()}, {"count", count}};
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
}

namespace {

// At least the bytes of an event in the page.
constexpr std::uint64_t kEventBytes = 48;

bool begins_in(const LivePageInput& input, const Event& e) {
    return e.begin >= static_cast<double>(input.frames.front()) && e.begin <= static_cast<double>(input.frames.back());
}

}  // namespace

LiveSizes live_sizes(const LivePageInput& input) {
    LiveSizes out;
    for (std::uint32_t h = 0; h < input.hulls->size(); ++h) {
        out.fixed += 8;
        if (const Surface* const surface = input.hulls->surface(h)) {
            out.fixed += 12 * surface->vertex_count() + 12 * surface->triangle_count();
            continue;
        }
        for (const DrawnPiece& piece : drawn_pieces(*input.hulls, h)) {
            // A closed surface has 2 V - 4 triangles.
            const std::uint64_t vertices = (*input.hulls)[piece.hull].vertex_count;
            out.fixed += 12 * vertices + 12 * (2 * vertices - 4);
        }
    }
    const std::uint64_t bodies = input.scene->bodies();
    out.fixed += 8 * bodies;
    for (const Event& e : input.events) out.fixed += begins_in(input, e) ? kEventBytes : 0;
    out.exact = 28 * bodies;
    out.quantised = 14 * bodies;
    for (const std::uint64_t number : input.frames) {
        if (input.contacts == nullptr) continue;
        const FrameSummary s = input.contacts->summary(number);
        out.records.push_back(kRecord * s.records + kPoint * s.points);
    }
    out.records.resize(input.frames.size());
    return out;
}

void add_hulls(const LivePageInput& input, LiveArrays& out) {
    std::vector<float> vertices;
    std::vector<std::uint32_t> vertex_first{0};
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t> triangle_first{0};
    for (std::uint32_t h = 0; h < input.hulls->size(); ++h) {
        const bool whole = input.hulls->child_count(h) == 0;
        std::uint32_t base = 0;
        if (const Surface* const surface = input.hulls->surface(h)) {
            add_surface(*surface, vertices, triangles);
            vertex_first.push_back(static_cast<std::uint32_t>(vertices.size() / 3));
            triangle_first.push_back(static_cast<std::uint32_t>(triangles.size() / 3));
            continue;
        }
        for (const DrawnPiece& piece : drawn_pieces(*input.hulls, h)) {
            const std::span<const Vec3f> own = input.hulls->vertices(piece.hull);
            for (const Vec3f& v : own) {
                const Vec3f at = whole ? v : to_float(transform(piece.pose, to_double(v)));
                vertices.insert(vertices.end(), {at.x, at.y, at.z});
            }
            add_triangles((*input.hulls)[piece.hull], base, triangles);
            base += static_cast<std::uint32_t>(own.size());
        }
        vertex_first.push_back(static_cast<std::uint32_t>(vertices.size() / 3));
        triangle_first.push_back(static_cast<std::uint32_t>(triangles.size() / 3));
    }
    out.add("vertices", "f32", vertices);
    out.add("vertex_first", "u32", vertex_first);
    out.add("triangles", "u32", triangles);
    out.add("triangle_first", "u32", triangle_first);
    const std::span<const std::uint32_t> hull = input.scene->body_hull();
    out.add("body_hull", "u32", std::as_bytes(hull), hull.size());
    const std::span<const float> mass = input.scene->inverse_mass();
    if (!mass.empty()) out.add("inverse_mass", "f32", std::as_bytes(mass), mass.size());
}

LivePoses add_poses(const LivePageInput& input, bool quantise, LiveArrays& out) {
    LivePoses poses;
    const std::size_t bodies = input.scene->bodies();
    SceneFrame frame;
    // Near a body that is there, in the first frame that has one.
    for (const std::uint64_t number : input.frames) {
        if (!input.scene->positions_are_double()) break;
        input.scene->read_frame(number, frame);
        std::size_t body = 0;
        while (body < bodies && !frame.is_there(body)) ++body;
        if (body == bodies) continue;
        for (std::size_t k = 0; k < 3; ++k) poses.origin[k] = std::round(coordinate(frame, 3 * body + k));
        break;
    }
    if (quantise) measure(input, poses);
    std::vector<float> position;
    std::vector<float> orientation;
    std::vector<std::uint16_t> short_position;
    std::vector<std::int16_t> short_orientation;
    for (const std::uint64_t number : input.frames) {
        input.scene->read_frame(number, frame);
        for (std::size_t i = 0; i < 3 * bodies; ++i) {
            const double x = frame.is_there(i / 3) ? coordinate(frame, i) - poses.origin[i % 3] : 0;
            if (quantise) short_position.push_back(quantised(x, poses.low[i % 3], poses.step[i % 3]));
            if (!quantise) position.push_back(static_cast<float>(x));
        }
        for (const float q : frame.orientation) {
            if (quantise)
                short_orientation.push_back(static_cast<std::int16_t>(std::lround(std::clamp(q, -1.0F, 1.0F) * kUnit)));
            if (!quantise) orientation.push_back(q);
        }
    }
    if (quantise) {
        out.add("position", "u16", short_position);
        out.add("orientation", "i16", short_orientation);
    } else {
        out.add("position", "f32", position);
        out.add("orientation", "f32", orientation);
    }
    return poses;
}

LiveContacts add_contacts(const LivePageInput& input, LiveArrays& out) {
    LiveContacts sums;
    if (input.contacts == nullptr) return sums;
    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> first{0};
    std::vector<float> depths;
    for (const std::uint64_t number : input.frames) {
        const RecordsReader reader = open_whole(*input.contacts, number);
        if (input.contacts->settings().capacity == 16) {
            pack_frame<Manifold16>(reader, input.scene->bodies(), bytes, sums, depths);
        } else {
            pack_frame<Manifold4>(reader, input.scene->bodies(), bytes, sums, depths);
        }
        first.push_back(static_cast<std::uint32_t>(bytes.size() / 4));
    }
    if (!depths.empty()) sums.deepest = static_cast<double>(*std::max_element(depths.begin(), depths.end()));
    sums.usual_depth = usual_depth(depths);
    out.add("record_first", "u32", first);
    out.add("records", "u8", bytes, bytes.size());
    return sums;
}

std::uint64_t add_events(const LivePageInput& input, const std::array<double, 3>& origin, LiveArrays& out) {
    std::vector<float> time;
    std::vector<float> place;
    std::vector<float> numbers;
    std::vector<std::uint32_t> pair;
    std::vector<std::uint8_t> flags;
    for (const Event& e : input.events) {
        if (!begins_in(input, e)) continue;
        for (const double x : {e.begin, e.end}) time.push_back(static_cast<float>(x));
        for (const double x : {e.place.x - origin[0], e.place.y - origin[1], e.place.z - origin[2]})
            place.push_back(static_cast<float>(x));
        numbers.insert(numbers.end(), {e.closing, e.sliding, e.impulse, e.impulse_sum});
        pair.insert(pair.end(), {e.pair.a, e.pair.b});
        flags.push_back(e.flags);
    }
    out.add("event_time", "f32", time);
    out.add("event_place", "f32", place);
    out.add("event_numbers", "f32", numbers);
    out.add("event_pair", "u32", pair);
    out.add("event_flags", "u8", flags);
    return flags.size();
}

}  // namespace lanefold::tools
