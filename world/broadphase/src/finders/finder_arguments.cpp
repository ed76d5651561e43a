// SPDX-License-Identifier: MIT
//
// See the header.
#include "finders/finder_arguments.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <lanefold/detail/caller_memory.hpp>
#include <lanefold/fp_environment.hpp>
#include <lanefold/window_finder.hpp>

namespace lanefold::detail {

namespace {

// The messages about a span of an option.
struct SpanWords {
    const char* length;
    const char* null;
};

// One element for each body, or none.
template <class T>
CallStatus check_span(std::span<const T> option, std::size_t bodies, const SpanWords& words) {
    if (option.empty()) return {};
    if (option.size() != bodies) return refuse(words.length, option.size());
    return option.data() == nullptr ? refuse(words.null, option.size()) : CallStatus{};
}

CallStatus check_spans(std::size_t n, const PairFinderOptions& o) {
    const CallStatus all[] = {
        check_span(o.growth, n, {"growth needs one number for each body, or none", "growth is null but has a length"}),
        check_span(o.motion, n, {"motion needs one vector for each body, or none", "motion is null but has a length"}),
        check_span(o.inverse_mass, n,
                   {"inverse_mass needs one number for each body, or none", "inverse_mass is null but has a length"}),
        check_span(o.group, n, {"group needs one number for each body, or none", "group is null but has a length"}),
        check_span(o.category, n,
                   {"category needs one number for each body, or none", "category is null but has a length"}),
        check_span(o.collides_with, n,
                   {"category and collides_with need one number each for each body, or none",
                    "collides_with is null but has a length"}),
        check_span(o.unmoved, n, {"unmoved needs one byte for each body, or none", "unmoved is null but has a length"}),
    };
    for (const CallStatus& status : all) {
        if (!status) return status;
    }
    if (o.collides_with.size() == o.category.size()) return {};
    return refuse("category and collides_with need one number each for each body, or none", o.collides_with.size());
}

bool has_moved(const Vec3f& motion) { return motion.x != 0 || motion.y != 0 || motion.z != 0; }

CallStatus check_worlds(std::size_t n, const PairFinderOptions& o) {
    const CallStatus status =
        check_span(o.world, n, {"world needs one number for each body, or none", "world is null but has a length"});
    if (!status) return status;
    if (o.worlds > kMostWorlds) return refuse("worlds: more than kMostWorlds", o.worlds);
    if (o.worlds == 0 && !o.world.empty()) return refuse("world is given, but worlds is 0", o.world.size());
    if (o.worlds != 0 && o.world.size() != n) return refuse("worlds is given, but world is not", o.worlds);
    if (!o.active.empty() && o.active.size() != o.worlds)
        return refuse("active needs one byte for each world, or none", o.active.size());
    if (!o.active.empty() && o.active.data() == nullptr)
        return refuse("active is null but has a length", o.active.size());
    for (std::size_t i = 0; i < o.world.size(); ++i) {
        const std::int32_t w = o.world[i];
        if (w < kSharedBody || w >= static_cast<std::int64_t>(o.worlds))
            return refuse("world must be kSharedBody or below worlds", i);
        if (w != kSharedBody) continue;
        if ((!o.inverse_mass.empty() && o.inverse_mass[i] != 0) || (!o.motion.empty() && has_moved(o.motion[i])))
            return refuse("world: a shared body must not move", i);
    }
    return {};
}

// The first body whose hull differs between two frames; their number if there is none.
std::size_t first_other_hull(const BodyView& a, const BodyView& b) {
    if (a.hull == b.hull && a.hull_stride == b.hull_stride) return a.count;
    for (std::size_t i = 0; i < a.count; ++i) {
        if (std::memcmp(a.hull + i * a.hull_stride, b.hull + i * b.hull_stride, sizeof(std::uint32_t)) != 0) return i;
    }
    return a.count;
}

CallStatus check_numbers(const BodyView& bodies, const PairFinderOptions& o) {
    const std::size_t n = bodies.count;
    if (n >= std::numeric_limits<std::uint32_t>::max()) return refuse("more than 2^32 - 2 bodies", n);
    Bytes fields[3];
    CallStatus status = check_body_view(bodies, fields);
    if (!status) return status;
    if (!(o.margin >= 0) || !std::isfinite(o.margin)) return refuse("margin must be 0 or more, and finite");
    status = check_spans(n, o);
    if (!status) return status;
    for (std::size_t i = 0; i < o.growth.size(); ++i) {
        if (!(o.growth[i] >= 0) || !std::isfinite(o.growth[i]))
            return refuse("growth must be 0 or more, and finite", i);
    }
    for (std::size_t i = 0; i < o.motion.size(); ++i) {
        if (!is_finite(o.motion[i])) return refuse("motion must be finite", i);
    }
    for (std::size_t i = 0; i < o.inverse_mass.size(); ++i) {
        if (std::isnan(o.inverse_mass[i])) return refuse("inverse_mass must be a number", i);
    }
    return check_worlds(n, o);
}

}  // namespace

// A host that takes denormals for zeros has no say in what is negative.
CallStatus check_finder_arguments(const BodyView& bodies, const PairFinderOptions& options) {
    return in_default_environment([&] { return check_numbers(bodies, options); });
}

CallStatus check_window_arguments(std::span<const BodyView> frames, const PairFinderOptions& o) {
    if (frames.empty() || frames.size() > kMostFramesInWindow) {
        return refuse("a window has 1 to kMostFramesInWindow frames", frames.size());
    }
    if (frames.data() == nullptr) return refuse("frames is null but has a length", frames.size());
    if (!o.motion.empty())
        return refuse("motion is for PairFinder: a window has the bodies' next poses", o.motion.size());
    if (!o.unmoved.empty()) return refuse("unmoved is for PairFinder: a window sees who rests", o.unmoved.size());
    if (o.worlds != 0 || !o.world.empty()) return refuse("world is for PairFinder", o.worlds);
    const CallStatus first = check_finder_arguments(frames[0], o);
    if (!first) return first;
    for (std::size_t f = 1; f < frames.size(); ++f) {
        if (frames[f].count != frames[0].count) {
            return refuse("all frames of a window need the same number of bodies", f);
        }
        Bytes fields[3];
        const CallStatus status = check_body_view(frames[f], fields);
        if (!status) return status;
        const std::size_t other = first_other_hull(frames[0], frames[f]);
        if (other != frames[0].count)
            return refuse("a body needs the same hull and scale in all frames of a window", other);
    }
    return {};
}

}  // namespace lanefold::detail
