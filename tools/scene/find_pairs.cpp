// SPDX-License-Identifier: MIT
//
// Candidate pairs through Embree's box tree. See the header for what is promised.

#include "scene/find_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <embree3/rtcore.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include "console/failure.hpp"
#include "console/thread_count.hpp"

namespace lanefold::tools {

namespace {

// Rounding of one placed coordinate, relative to the magnitudes that enter it: the rotation's entries carry
// a few units in the last place, then three products and three additions. 16 units are three times what
// that can add up to; the excess costs no candidate that matters.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

// Frames are scaled by a power of two so that they span at most this much in Embree: far from the 1.8e19
// at which Embree calls a box invalid, and from float32's denormals.
constexpr int kFloatExponent = 20;

// Bodies per task: rotating the vertices of one body takes about a microsecond.
constexpr std::size_t kBodiesPerTask = 256;

struct FloatBox {
    float lower[3];
    float upper[3];
};

Vec3d read_position(const BodyView& bodies, std::size_t i) {
    const std::byte* at = bodies.position + i * bodies.position_stride;
    if (bodies.position_is_double) {
        double p[3];
        std::memcpy(p, at, sizeof p);
        return {p[0], p[1], p[2]};
    }
    float p[3];
    std::memcpy(p, at, sizeof p);
    return to_double(Vec3f{p[0], p[1], p[2]});
}

constexpr WorldBox kNoBox{{1, 1, 1}, {-1, -1, -1}};

WorldBox body_box(const HullSet& hulls, const BodyView& bodies, std::size_t i, double growth) {
    std::uint32_t hull = 0;
    std::memcpy(&hull, bodies.hull + i * bodies.hull_stride, sizeof hull);
    float q[4];
    std::memcpy(q, bodies.orientation + i * bodies.orientation_stride, sizeof q);
    const Vec3d position = read_position(bodies, i);
    Quat unit;
    if (hull >= hulls.size() || !is_finite(position) || !normalize(q, unit)) return kNoBox;
    return world_box(hulls.vertices(hull), {rotation(unit), position}, growth);
}

Vec3d minimum(const Vec3d& a, const Vec3d& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }

Vec3d maximum(const Vec3d& a, const Vec3d& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

// Where float32 boxes are measured from, and in what unit, so that far-away and tiny frames lose nothing.
struct FloatFrame {
    Vec3d centre;
    double scale = 1;

    explicit FloatFrame(std::span<const WorldBox> boxes) {
        Vec3d lower;
        Vec3d upper;
        bool any = false;
        for (const WorldBox& b : boxes) {
            if (b.empty()) continue;
            lower = any ? minimum(lower, b.lower) : b.lower;
            upper = any ? maximum(upper, b.upper) : b.upper;
            any = true;
        }
        if (!any) return;
        centre = {0.5 * lower.x + 0.5 * upper.x, 0.5 * lower.y + 0.5 * upper.y, 0.5 * lower.z + 0.5 * upper.z};
        const double reach = std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z});
        if (reach > 0) scale = std::ldexp(1.0, kFloatExponent - std::ilogb(reach) - 1);
    }

    // Outward: one unit in the last place of float32 covers its own rounding and float64's before it.
    static float below(double x) { return std::nextafter(static_cast<float>(x), -HUGE_VALF); }
    static float above(double x) { return std::nextafter(static_cast<float>(x), HUGE_VALF); }

    FloatBox box(const WorldBox& b) const {
        return {{below((b.lower.x - centre.x) * scale), below((b.lower.y - centre.y) * scale),
                 below((b.lower.z - centre.z) * scale)},
                {above((b.upper.x - centre.x) * scale), above((b.upper.y - centre.y) * scale),
                 above((b.upper.z - centre.z) * scale)}};
    }
};

struct ReleaseDevice {
    void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct ReleaseScene {
    void operator()(RTCScene s) const { rtcReleaseScene(s); }
};
struct ReleaseGeometry {
    void operator()(RTCGeometry g) const { rtcReleaseGeometry(g); }
};
using Device = std::unique_ptr<RTCDeviceTy, ReleaseDevice>;
using Tree = std::unique_ptr<RTCSceneTy, ReleaseScene>;
using Geometry = std::unique_ptr<RTCGeometryTy, ReleaseGeometry>;

}  // namespace

WorldBox world_box(std::span<const Vec3f> vertices, const PoseD& pose, double growth) {
    if (vertices.empty()) return kNoBox;
    Vec3d lower = pose.rotation * to_double(vertices[0]);
    Vec3d upper = lower;
    double reach = 0;
    for (const Vec3f& v : vertices) {
        const Vec3d p = to_double(v);
        const Vec3d w = pose.rotation * p;
        lower = minimum(lower, w);
        upper = maximum(upper, w);
        reach = std::max({reach, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }
    const auto slack = [&](double position) { return growth + kRounding * (std::fabs(position) + reach + growth); };
    const Vec3d out{slack(pose.position.x), slack(pose.position.y), slack(pose.position.z)};
    return {(pose.position + lower) - out, (pose.position + upper) + out};
}

struct PairFinder::Impl {
    // No thread count for Embree: it would turn it into a limit for all of TBB in this process. Without one it
    // works in the arena that calls it.
    explicit Impl(std::uint32_t threads) : arena(arena_size(threads)), device(rtcNewDevice("")) {
        const int error = static_cast<int>(rtcGetDeviceError(nullptr));
        if (!device) throw io_failure("Embree could not be started (error {})", error);
    }

    void place(const HullSet& hulls, const BodyView& bodies, double growth);
    void search(std::span<const float> inverse_mass, std::span<const std::uint32_t> group);
    void check(const char* what) const;

    static void bounds(const RTCBoundsFunctionArguments* a);
    static void collect(void* self, RTCCollision* collisions, unsigned count);

    tbb::task_arena arena;
    Device device;
    std::vector<WorldBox> boxes;
    std::vector<FloatBox> float_boxes;
    std::uint64_t without_box = 0;
    std::span<const float> mass;            // of the search under way
    std::span<const std::uint32_t> groups;  // likewise
    tbb::enumerable_thread_specific<std::vector<Pair>> found;
    std::vector<Pair> pairs;
};

void PairFinder::Impl::place(const HullSet& hulls, const BodyView& bodies, double growth) {
    boxes.resize(bodies.count);
    const auto part = [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) boxes[i] = body_box(hulls, bodies, i, growth);
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bodies.count, kBodiesPerTask), part);
    without_box = static_cast<std::uint64_t>(
        std::count_if(boxes.begin(), boxes.end(), [](const WorldBox& b) { return b.empty(); }));

    const FloatFrame frame(boxes);
    float_boxes.resize(boxes.size());
    std::transform(boxes.begin(), boxes.end(), float_boxes.begin(), [&](const WorldBox& b) { return frame.box(b); });
}

void PairFinder::Impl::check(const char* what) const {
    const RTCError error = rtcGetDeviceError(device.get());
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error != RTC_ERROR_NONE) throw io_failure("Embree failed to {} (error {})", what, static_cast<int>(error));
}

// Embree leaves out primitives whose box is not valid: exactly what a body without a box needs.
void PairFinder::Impl::bounds(const RTCBoundsFunctionArguments* a) {
    const Impl& self = *static_cast<const Impl*>(a->geometryUserPtr);
    RTCBounds& out = *a->bounds_o;
    if (self.boxes[a->primID].empty()) {
        out.lower_x = out.lower_y = out.lower_z = 1.0F;
        out.upper_x = out.upper_y = out.upper_z = -1.0F;
        return;
    }
    const FloatBox& b = self.float_boxes[a->primID];
    out.lower_x = b.lower[0];
    out.lower_y = b.lower[1];
    out.lower_z = b.lower[2];
    out.upper_x = b.upper[0];
    out.upper_y = b.upper[1];
    out.upper_z = b.upper[2];
}

// Called by several threads at once, with up to a few tens of pairs of leaves; each pair comes both ways round.
void PairFinder::Impl::collect(void* self_pointer, RTCCollision* collisions, unsigned count) {
    Impl& self = *static_cast<Impl*>(self_pointer);
    std::vector<Pair>& mine = self.found.local();
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t a = collisions[i].primID0;
        const std::uint32_t b = collisions[i].primID1;
        if (a >= b || !overlap(self.boxes[a], self.boxes[b])) continue;
        if (!self.mass.empty() && self.mass[a] == 0.0F && self.mass[b] == 0.0F) continue;
        if (!self.groups.empty() && self.groups[a] != 0 && self.groups[a] == self.groups[b]) continue;
        mine.push_back({a, b});
    }
}

void PairFinder::Impl::search(std::span<const float> inverse_mass, std::span<const std::uint32_t> group) {
    mass = inverse_mass;
    groups = group;
    for (std::vector<Pair>& v : found) v.clear();
    pairs.clear();
    if (boxes.size() < 2) return;

    const Tree tree(rtcNewScene(device.get()));
    const Geometry geometry(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_USER));
    check("make a scene");
    // The tree is used once, so a fast build (Morton codes) beats a better tree.
    rtcSetSceneBuildQuality(tree.get(), RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(boxes.size()));
    rtcSetGeometryUserData(geometry.get(), this);
    rtcSetGeometryBoundsFunction(geometry.get(), &bounds, nullptr);
    rtcCommitGeometry(geometry.get());
    rtcAttachGeometry(tree.get(), geometry.get());
    rtcCommitScene(tree.get());
    check("build its tree");
    rtcCollide(tree.get(), tree.get(), &collect, this);
    check("traverse its tree");

    for (const std::vector<Pair>& v : found) pairs.insert(pairs.end(), v.begin(), v.end());
    // Which thread found a pair is chance, but no pair comes twice: the sorted list is always the same.
    tbb::parallel_sort(pairs.begin(), pairs.end());
}

PairFinder::PairFinder(std::uint32_t threads) : impl_(std::make_unique<Impl>(threads)) {}
PairFinder::PairFinder(PairFinder&&) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&&) noexcept = default;
PairFinder::~PairFinder() = default;

std::span<const Pair> PairFinder::find(const HullSet& hulls, const BodyView& bodies,
                                       std::span<const float> inverse_mass, std::span<const std::uint32_t> group,
                                       float margin) {
    if (!(margin >= 0) || !std::isfinite(margin)) throw bad_input("the margin must be 0 or more, it is {}", margin);
    if (!inverse_mass.empty() && inverse_mass.size() != bodies.count) {
        throw bad_input("{} inverse masses for {} bodies", inverse_mass.size(), bodies.count);
    }
    if (!group.empty() && group.size() != bodies.count) {
        throw bad_input("{} groups for {} bodies", group.size(), bodies.count);
    }
    if (bodies.count > std::numeric_limits<std::uint32_t>::max())
        throw bad_input("{} bodies are too many", bodies.count);
    impl_->arena.execute([&] {
        impl_->place(hulls, bodies, 0.5 * static_cast<double>(margin));
        impl_->search(inverse_mass, group);
    });
    return impl_->pairs;
}

std::uint64_t PairFinder::bodies_without_box() const { return impl_->without_box; }
std::span<const WorldBox> PairFinder::boxes() const { return impl_->boxes; }

std::vector<Pair> find_pairs(const HullSet& hulls, const BodyView& bodies, std::span<const float> inverse_mass,
                             std::span<const std::uint32_t> group, float margin) {
    PairFinder finder;
    const std::span<const Pair> found = finder.find(hulls, bodies, inverse_mass, group, margin);
    return {found.begin(), found.end()};
}

}  // namespace lanefold::tools
