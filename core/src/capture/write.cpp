// SPDX-License-Identifier: MIT
//
// A capture as the bytes of a file.

#include <algorithm>
#include <cstring>

#include <xxhash.h>

#include <lanefold/capture.hpp>

#include "capture/bytes.hpp"
#include "capture/captured_surface.hpp"
#include "capture/format.hpp"

namespace lanefold {
namespace {

std::size_t record_bytes(std::uint32_t capacity) {
    if (capacity == 0) return 0;
    return capacity == 16 ? sizeof(Manifold16) : sizeof(Manifold4);
}

void put_hull(detail::ByteList& out, const CapturedHull& hull) {
    detail::HullHead head{};
    head.points = static_cast<std::uint32_t>(hull.points.size());
    head.merge_coplanar = hull.merge_coplanar ? 1 : 0;
    head.recognize_boxes = hull.recognize_boxes ? 1 : 0;
    head.origin = static_cast<std::uint8_t>(hull.origin);
    head.shape = static_cast<std::uint8_t>(hull.shape);
    head.max_vertices = hull.max_vertices;
    head.radius = hull.radius;
    head.fingerprint = hull.fingerprint;
    head.block = hull.block;
    out.put(head);
    out.put(hull.points.data(), hull.points.size());
    out.align();
    if (hull.shape == ShapeKind::surface) detail::put_surface(out, hull.surface);
}

void put_pair(detail::ByteList& out, const CapturedPair& pair) {
    detail::PairHead head{};
    const BodyD* const bodies[] = {&pair.a, &pair.b};
    for (std::size_t i = 0; i < 2; ++i) {
        std::copy(bodies[i]->position, bodies[i]->position + 3, head.position[i]);
        std::copy(bodies[i]->orientation, bodies[i]->orientation + 4, head.orientation[i]);
        head.hull[i] = bodies[i]->hull;
    }
    head.body[0] = pair.bodies.a;
    head.body[1] = pair.bodies.b;
    head.hull_id[0] = pair.hulls.a;
    head.hull_id[1] = pair.hulls.b;
    head.frame = pair.frame;
    head.margin = pair.margin;
    head.face_preference = pair.face_preference;
    head.patch_band = pair.patch_band;
    head.hysteresis = pair.hysteresis;
    head.points = static_cast<std::uint8_t>(pair.points);
    head.method = static_cast<std::uint8_t>(pair.method);
    head.isa = static_cast<std::uint8_t>(pair.isa);
    head.capacity = static_cast<std::uint8_t>(pair.capacity);
    head.previous_capacity = static_cast<std::uint8_t>(pair.previous_capacity);
    head.position_is_double = pair.position_is_double ? 1 : 0;
    head.of_children = pair.of_children ? 1 : 0;
    out.put(head);
    out.put(reinterpret_cast<const std::byte*>(&pair.record), record_bytes(pair.capacity));
    out.put(reinterpret_cast<const std::byte*>(&pair.previous), record_bytes(pair.previous_capacity));
}

}  // namespace

std::vector<std::byte> Capture::bytes() const {
    detail::FileHead head{};
    std::copy(std::begin(detail::kCaptureMagic), std::end(detail::kCaptureMagic), head.magic);
    head.format = detail::kCaptureFormat;
    head.hulls = static_cast<std::uint32_t>(sources_.size());
    head.pairs = static_cast<std::uint32_t>(pairs_.size());
    head.note = static_cast<std::uint32_t>(std::min(note.size(), detail::kMaxNote));
    std::copy_n(version_.data(), std::min(version_.size(), sizeof head.version), head.version);
    detail::ByteList out;
    out.put(head);
    out.put(note.data(), head.note);
    out.align();
    for (const CapturedHull& hull : sources_) put_hull(out, hull);
    for (const CapturedPair& pair : pairs_) put_pair(out, pair);
    std::vector<std::byte> bytes = out.take();
    const std::uint64_t size = bytes.size() + sizeof(std::uint64_t);
    std::memcpy(bytes.data() + offsetof(detail::FileHead, bytes), &size, sizeof size);
    const std::uint64_t hash = XXH64(bytes.data(), bytes.size(), 0);
    bytes.resize(bytes.size() + sizeof hash);
    std::memcpy(bytes.data() + bytes.size() - sizeof hash, &hash, sizeof hash);
    return bytes;
}

}  // namespace lanefold
