// SPDX-License-Identifier: MIT
//
// See the header. Boxes are tested in the frame of body a, in float32 with slack, because a test only saves work: a
// pair of children that is apart has no record whether it was tested or not.
#include "batch/children.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <lanefold/detail/read_body.hpp>

namespace lanefold::detail {
namespace {

// Slack of a box, relative to the lengths that enter it. It must exceed the rounding of bounds, of the relative pose
// and of hulls' own half extents to float32: a few times 6e-8. A larger one only costs time.
constexpr double kBoxSlack = 2e-6;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Boxes that are tested together. Columns are padded to a multiple of it.
constexpr std::uint32_t kTogether = kBlockLanes;

float float_of(double x) {
    constexpr double kMost = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(x, -kMost, kMost));
}

double largest(const Vec3d& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

constexpr std::array<std::uint32_t, kTogether> kBits = [] {
    std::array<std::uint32_t, kTogether> bits{};
    for (std::uint32_t l = 0; l < kTogether; ++l) bits[l] = 1U << l;
    return bits;
}();

// A bit for each of kTogether boxes of six columns that overlaps the box. The loop has no branch and one reduction, so
// that compilers turn it into lanes.
std::uint32_t overlaps(const float* bounds, std::size_t stride, std::uint32_t first, const float low[3],
                       const float high[3]) {
    const float* const x0 = bounds + first;
    const float* const y0 = x0 + stride;
    const float* const z0 = y0 + stride;
    const float* const x1 = z0 + stride;
    const float* const y1 = x1 + stride;
    const float* const z1 = y1 + stride;
    const float hx = high[0], hy = high[1], hz = high[2], lx = low[0], ly = low[1], lz = low[2];
    std::uint32_t bits = 0;
    for (std::uint32_t l = 0; l < kTogether; ++l) {
        std::uint32_t own = kBits[l];
        own &= x0[l] <= hx ? ~0U : 0U;
        own &= y0[l] <= hy ? ~0U : 0U;
        own &= z0[l] <= hz ? ~0U : 0U;
        own &= x1[l] >= lx ? ~0U : 0U;
        own &= y1[l] >= ly ? ~0U : 0U;
        own &= z1[l] >= lz ? ~0U : 0U;
        bits |= own;
    }
    return bits;
}

// The box of a child in its body's own frame.
CentredBox own_box(const ExpandedBody& body, std::uint32_t k) {
    if (!body.compound()) {
        // A shape that is no hull has no box of its own: it may reach anywhere.
        if ((body.record->flags & HullRecord::kOther) != 0) return {{}, {kInfinity, kInfinity, kInfinity}};
        return input_box(*body.record);
    }
    const float* const bounds = bounds_of(*body.record) + k;
    const std::size_t stride = bound_stride(body.record->loops);
    const Vec3d low{bounds[0], bounds[stride], bounds[2 * stride]};
    const Vec3d high{bounds[3 * stride], bounds[4 * stride], bounds[5 * stride]};
    return {(low + high) * 0.5, (high - low) * 0.5};
}

// The box of all children.
CentredBox whole_box(const ExpandedBody& body) { return body.compound() ? input_box(*body.record) : own_box(body, 0); }

}  // namespace

ExpandedBody::ExpandedBody(const HullRecord* hulls, const BodyD& read)
    : record(hulls + read.hull), body(read), turn(read.orientation) {}

BodyD ExpandedBody::child(std::uint32_t k) const {
    if (compound()) return place_child(children_of(*record)[k], body.hull, turn, origin);
    BodyD own = body;
    own.position[0] = origin.x;
    own.position[1] = origin.y;
    own.position[2] = origin.z;
    return own;
}

void ChildPairs::reserve(std::uint32_t most_children) {
    const std::size_t padded = bound_stride(std::max(most_children, 1U));
    place_a_.reserve(padded);
    place_b_.reserve(padded);
    near_.reserve(padded);
    near_bounds_.reserve(6 * padded);
    met_.reserve(padded);
    run_.bodies.reserve(2 * std::size_t{kChunkPairs});
    run_.frames.reserve(2 * std::size_t{kChunkPairs});
    run_.records.reserve(kChunkPairs * sizeof(Manifold16));
}

void ChildPairs::clear() {
    run_.count = run_.body_count = 0;
    ++stamp_;
}

// Finds the children of b that are near a. Returns false if there is none.
bool ChildPairs::begin(const ExpandedBody& a, const ExpandedBody& b, float margin) {
    ++stamp_;
    near_count_ = 0;
    tested_ = 0;
    tested_bits_ = 0;
    const Vec3d offset = transpose_times(a.turn.rotation, b.origin);
    // Positions so far apart that float64 cannot subtract them are beyond every margin.
    if (!is_finite(offset)) return false;
    const Mat3d turn = transpose(a.turn.rotation) * b.turn.rotation;
    const CentredBox around_a = whole_box(a);
    const CentredBox around_b = whole_box(b);
    const bool open_a = !(around_a.half.x < kInfinity);
    const bool open_b = !(around_b.half.x < kInfinity);
    const double reach = (open_a ? 0 : largest(around_a.centre) + length(around_a.half)) +
                         (open_b ? 0 : largest(around_b.centre) + length(around_b.half));
    const double grow = static_cast<double>(margin) + kBoxSlack * (largest(offset) + reach);
    stride_ = bound_stride(b.children());
    around_near_ = {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
    if (open_a || !b.compound()) {
        for (std::uint32_t k = 0; k < b.children(); ++k) add_near(k, own_box(b, k), {turn, offset}, open_b ? 0 : grow);
    } else {
        // The box of a in b's frame finds most of those that are not near.
        const Vec3d centre = transpose_times(turn, around_a.centre - offset);
        const Vec3d half = magnitudes_times(transpose(turn), around_a.half) + Vec3d{grow, grow, grow};
        const Box box = narrow({centre, half});
        for (std::uint32_t first = 0; first < b.children(); first += kTogether) {
            std::uint32_t bits = overlaps(bounds_of(*b.record), stride_, first, box.low, box.high);
            for (; bits != 0; bits &= bits - 1) {
                const std::uint32_t k = first + static_cast<std::uint32_t>(std::countr_zero(bits));
                add_near(k, own_box(b, k), {turn, offset}, grow);
            }
        }
    }
    // Padding overlaps nothing.
    for (std::uint32_t k = near_count_; k % kTogether != 0; ++k) {
        for (std::size_t i = 0; i < 6; ++i) near_bounds_[i * stride_ + k] = i < 3 ? HUGE_VALF : -HUGE_VALF;
    }
    return near_count_ != 0;
}

// Notes a child of b with its box in a's frame.
void ChildPairs::add_near(std::uint32_t k, const CentredBox& own, const PoseD& pose, double grow) {
    const bool open = !(own.half.x < kInfinity);
    const Vec3d half = open ? own.half : magnitudes_times(pose.rotation, own.half) + Vec3d{grow, grow, grow};
    const Box box = narrow({transform(pose, own.centre), half});
    for (std::size_t i = 0; i < 3; ++i) {
        near_bounds_[i * stride_ + near_count_] = box.low[i];
        near_bounds_[(3 + i) * stride_ + near_count_] = box.high[i];
        around_near_.low[i] = std::min(around_near_.low[i], box.low[i]);
        around_near_.high[i] = std::max(around_near_.high[i], box.high[i]);
    }
    near_[near_count_++] = k;
}

ChildPairs::Box ChildPairs::narrow(const CentredBox& box) {
    const Vec3d low = box.centre - box.half;
    const Vec3d high = box.centre + box.half;
    return {{float_of(low.x), float_of(low.y), float_of(low.z)},
            {float_of(high.x), float_of(high.y), float_of(high.z)}};
}

// The first child of a from this one on that is near a child of b; a.children() if there is none.
std::uint32_t ChildPairs::next_a(const ExpandedBody& a, std::uint32_t from) {
    const std::uint32_t count = a.children();
    if (!a.compound()) return from;
    for (;;) {
        if (from >= count) return count;
        const std::uint32_t group = from / kTogether * kTogether;
        if (group >= tested_) {
            tested_bits_ =
                overlaps(bounds_of(*a.record), bound_stride(count), group, around_near_.low, around_near_.high);
            tested_ = group + kTogether;
        }
        const std::uint32_t rest = tested_bits_ >> (from - group);
        if (rest != 0) return from + static_cast<std::uint32_t>(std::countr_zero(rest));
        from = group + kTogether;
    }
}

// The children of b that meet this one of a.
void ChildPairs::find_b(const ExpandedBody& a, std::uint32_t ka) {
    met_count_ = 0;
    const Box box = narrow(own_box(a, ka));
    for (std::uint32_t first = 0; first < near_count_; first += kTogether) {
        std::uint32_t bits = overlaps(near_bounds_.data(), stride_, first, box.low, box.high);
        for (; bits != 0; bits &= bits - 1)
            met_[met_count_++] = near_[first + static_cast<std::uint32_t>(std::countr_zero(bits))];
    }
}

std::uint32_t ChildPairs::place(Place& place, const ExpandedBody& body, std::uint32_t k) {
    if (place.stamp != stamp_) {
        place = {stamp_, run_.body_count};
        run_.bodies[run_.body_count++] = body.child(k);
    }
    return place.body;
}

void ChildPairs::append(const ChildRun::Name& name, const ExpandedBody& a, const ExpandedBody& b, float margin) {
    const std::uint32_t i = run_.count++;
    run_.pairs[i] = {place(place_a_[name.a], a, name.a), place(place_b_[name.b], b, name.b)};
    run_.names[i] = name;
    run_.margins[i] = margin;
}

}  // namespace lanefold::detail
