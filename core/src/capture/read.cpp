// SPDX-License-Identifier: MIT
//
// A capture from the bytes of a file, which may be any. A capture that was read can be written again with the same
// bytes.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <xxhash.h>

#include <lanefold/capture.hpp>

#include "capture/bytes.hpp"
#include "capture/captured_hull.hpp"
#include "capture/captured_surface.hpp"
#include "capture/format.hpp"

namespace lanefold {

using detail::FileHead;
using detail::HullHead;
using detail::PairHead;

class CaptureReader {
public:
    explicit CaptureReader(std::span<const std::byte> bytes) : bytes_(bytes), in_(bytes) {}

    CaptureResult read() {
        if (!read_all()) out_.capture = {};
        return std::move(out_);
    }

private:
    bool refuse(const char* what, std::uint64_t where) {
        out_.status = {Status::bad_argument, what, where};
        return false;
    }

    bool read_all() {
        FileHead head{};
        if (!read_head(head)) return false;
        for (std::uint32_t i = 0; i < head.hulls; ++i) {
            if (!read_hull(i)) return false;
        }
        for (std::uint32_t i = 0; i < head.pairs; ++i) {
            if (!read_pair(i)) return false;
        }
        if (in_.left() != sizeof(std::uint64_t)) return refuse("more bytes than hulls and pairs need", in_.at());
        return true;
    }

    bool read_head(FileHead& head) {
        if (bytes_.size() < sizeof head + sizeof(std::uint64_t)) return refuse("shorter than its head", bytes_.size());
        in_.get(head);
        if (!std::equal(std::begin(head.magic), std::end(head.magic), detail::kCaptureMagic))
            return refuse("no capture: it begins otherwise", 0);
        if (head.format != detail::kCaptureFormat)
            return refuse("a capture in a format that this version does not know", head.format);
        if (head.bytes != bytes_.size()) return refuse("cut off, or longer than its head says", head.bytes);
        std::uint64_t hash = 0;
        const std::size_t end = bytes_.size() - sizeof hash;
        std::memcpy(&hash, bytes_.data() + end, sizeof hash);
        if (hash != XXH64(bytes_.data(), end, 0)) return refuse("damaged: the checksum does not match", end);
        if (head.pairs > kMaxCapturedPairs) return refuse("more pairs than a capture may have", head.pairs);
        if (head.hulls > 2 * kMaxCapturedPairs) return refuse("more hulls than its pairs can have", head.hulls);
        if (head.note > detail::kMaxNote) return refuse("a note that is too long", head.note);
        if (head.reserved != 0) return refuse("reserved bytes that are not zero", offsetof(FileHead, reserved));
        const std::span<const char> version(head.version);
        const auto text_end = std::find(version.begin(), version.end(), '\0');
        if (!std::all_of(text_end, version.end(), [](char c) { return c == '\0'; }))
            return refuse("bytes behind the end of the version", offsetof(FileHead, version));
        out_.capture.version_.assign(version.begin(), text_end);
        out_.capture.note.resize(head.note);
        if (!in_.get(out_.capture.note.data(), head.note) || !in_.align())
            return refuse("the note ends behind the file or is padded with more than zeros", in_.at());
        return true;
    }

    bool read_hull(std::uint32_t index) {
        constexpr auto kSurface = static_cast<std::uint8_t>(ShapeKind::surface);
        HullHead head{};
        CapturedHull hull;
        if (!in_.get(head)) return refuse("the file ends within a hull", index);
        if (head.points > in_.left() / sizeof(Vec3f)) return refuse("a hull with more points than the file", index);
        if (head.merge_coplanar > 1 || head.recognize_boxes > 1 || head.origin > 1 ||
            (head.shape > 1 && head.shape != kSurface)) {
            return refuse("a hull with options that do not exist", index);
        }
        if (head.shape == 1 && head.points != 2) return refuse("a half-space that has not two points", index);
        if (head.shape == kSurface && head.points != 0) return refuse("a surface with points of a hull", index);
        hull.points.resize(head.points);
        if (!in_.get(hull.points.data(), head.points) || !in_.align())
            return refuse("the file ends within a hull, or pads it with more than zeros", index);
        hull.merge_coplanar = head.merge_coplanar != 0;
        hull.recognize_boxes = head.recognize_boxes != 0;
        hull.origin = static_cast<Origin>(head.origin);
        hull.shape = static_cast<ShapeKind>(head.shape);
        hull.max_vertices = head.max_vertices;
        hull.radius = head.radius;
        hull.fingerprint = head.fingerprint;
        hull.block = head.block;
        if (hull.shape == ShapeKind::surface) {
            const char* const wrong = detail::get_surface(in_, hull.surface);
            if (wrong != nullptr) return refuse(wrong, index);
        }
        const BuildResult built = detail::rebuild(hull);
        if (!built) return refuse("a hull that cannot be built", index);
        if (built.hulls.fingerprint() != hull.fingerprint)
            return refuse("a hull that is built with other vertices or faces than when it was captured", index);
        if (detail::hash_block(built.hulls, 0) != hull.block) ++out_.other_blocks;
        out_.capture.hulls_ = out_.capture.hulls_.append(built.hulls);
        out_.capture.sources_.push_back(std::move(hull));
        return true;
    }

    static bool is_capacity(std::uint32_t n) { return n == 4 || n == 16; }

    static bool fits_float(double x) {
        constexpr double kMost = std::numeric_limits<float>::max();
        return !std::isfinite(x) || (std::fabs(x) <= kMost && static_cast<double>(static_cast<float>(x)) == x);
    }

    bool check_pair(const PairHead& head, std::uint32_t index) {
        for (const std::uint32_t hull : head.hull) {
            if (hull >= out_.capture.sources_.size()) return refuse("a pair with a hull that is not there", index);
        }
        const bool isa = head.isa < kIsaCount || head.isa == static_cast<std::uint8_t>(Isa::automatic);
        if (head.points > 1 || head.method > 1 || !isa || head.position_is_double > 1 ||
            head.of_children > head.position_is_double || head.reserved != 0) {
            return refuse("a pair with options that do not exist", index);
        }
        if (!is_capacity(head.capacity) || (head.previous_capacity != 0 && !is_capacity(head.previous_capacity)))
            return refuse("a pair with records of a capacity that does not exist", index);
        if (head.position_is_double != 0) return true;
        for (const auto& position : head.position) {
            if (!std::all_of(std::begin(position), std::end(position), fits_float))
                return refuse("a pair with float32 positions that are none", index);
        }
        return true;
    }

    bool read_record(std::uint32_t capacity, Manifold16& out) {
        return in_.get(reinterpret_cast<std::byte*>(&out), capacity == 16  ? sizeof(Manifold16)
                                                           : capacity == 4 ? sizeof(Manifold4)
                                                                           : 0);
    }

    bool read_pair(std::uint32_t index) {
        PairHead head{};
        if (!in_.get(head)) return refuse("the file ends within a pair", index);
        if (!check_pair(head, index)) return false;
        CapturedPair pair;
        BodyD* const bodies[] = {&pair.a, &pair.b};
        for (std::size_t i = 0; i < 2; ++i) {
            std::copy(std::begin(head.position[i]), std::end(head.position[i]), bodies[i]->position);
            std::copy(std::begin(head.orientation[i]), std::end(head.orientation[i]), bodies[i]->orientation);
            bodies[i]->hull = head.hull[i];
        }
        pair.position_is_double = head.position_is_double != 0;
        pair.of_children = head.of_children != 0;
        pair.bodies = {head.body[0], head.body[1]};
        pair.hulls = {head.hull_id[0], head.hull_id[1]};
        pair.frame = head.frame;
        pair.margin = head.margin;
        pair.face_preference = head.face_preference;
        pair.patch_band = head.patch_band;
        pair.hysteresis = head.hysteresis;
        pair.points = static_cast<PointSelection>(head.points);
        pair.method = static_cast<ContactMethod>(head.method);
        pair.isa = static_cast<Isa>(head.isa);
        pair.capacity = head.capacity;
        pair.previous_capacity = head.previous_capacity;
        if (!read_record(pair.capacity, pair.record) || !read_record(pair.previous_capacity, pair.previous))
            return refuse("the file ends within a record", index);
        if (pair.record.count > pair.capacity || static_cast<std::size_t>(pair.record.kind) >= kContactKindCount ||
            static_cast<std::size_t>(pair.record.status) >= kStatusCount) {
            return refuse("a record with more points than its capacity, or of no kind or status", index);
        }
        if (pair.previous_capacity != 0 && (pair.previous.pair[0] != 0 || pair.previous.pair[1] != 1))
            return refuse("a previous record that is not of the pair (0, 1)", index);
        out_.capture.pairs_.push_back(pair);
        return true;
    }

    std::span<const std::byte> bytes_;
    detail::ByteReader in_;
    CaptureResult out_;
};

CaptureResult read_capture(std::span<const std::byte> bytes) { return CaptureReader(bytes).read(); }

}  // namespace lanefold
