// SPDX-License-Identifier: MIT
//
// See the header.
#include "finder_arguments.hpp"

#include <cmath>
#include <limits>
#include <span>

#include <lanefold/detail/caller_memory.hpp>

namespace lanefold::detail {

namespace {

// What is said about a span of an option.
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

}  // namespace

CallStatus check_finder_arguments(const BodyView& bodies, const PairFinderOptions& o) {
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
    return {};
}

}  // namespace lanefold::detail
