// SPDX-License-Identifier: MIT
//
// Runs the float64 path on the pair of a story with a list for the candidates that it tries.
#include "picture/candidates_text.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include <lanefold/detail/precise.hpp>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

const char* name_of(detail::CandidateKind candidate) {
    static constexpr const char* kNames[] = {"preferred face", "level patch", "incident face", "level face",
                                             "features",       "tied corner", "wider face",    "places",
                                             "edges beside",   "strip",       "last"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(detail::CandidateKind::last) + 1);
    return kNames[static_cast<std::size_t>(candidate)];
}

const char* reason_of(detail::Refusal refusal) {
    static constexpr const char* kReasons[] = {"accepted",
                                               "refused: there is none",
                                               "refused: it has no points",
                                               "refused: a point is off a surface or its feature",
                                               "refused: a feature is not extreme along the normal",
                                               "refused: it does not reach the depth"};
    static_assert(std::size(kReasons) == static_cast<std::size_t>(detail::Refusal::not_deep) + 1);
    return kReasons[static_cast<std::size_t>(refusal)];
}

detail::PrecisePair pair_of(const PairStory& story, const StoryRequest& request) {
    detail::PrecisePair pair;
    const auto place = [](const PlacedHull& hull, double* position, float* orientation) {
        position[0] = hull.world.x;
        position[1] = hull.world.y;
        position[2] = hull.world.z;
        const double q[] = {hull.orientation.x, hull.orientation.y, hull.orientation.z, hull.orientation.w};
        std::transform(std::begin(q), std::end(q), orientation, [](double x) { return static_cast<float>(x); });
    };
    pair.a = story.a.record;
    pair.b = story.b.record;
    place(story.a, pair.position_a, pair.orientation_a);
    place(story.b, pair.position_b, pair.orientation_b);
    pair.margin = request.margin;
    pair.face_preference = request.face_preference;
    pair.points = request.points;
    pair.method = request.method == Method::patch ? ContactMethod::patch : ContactMethod::clip;
    pair.patch_band = request.band;
    return pair;
}

}  // namespace

std::string tell_candidates(const PairStory& story, const StoryRequest& request) {
    if (request.method != Method::clip && request.method != Method::patch) {
        throw bad_input("--candidates: the method must be clip or patch, not {}", to_string(request.method));
    }
    detail::PreciseScratch scratch;
    Manifold16 record{};
    std::vector<detail::TriedCandidate> tried;
    detail::collide_precise(pair_of(story, request), scratch, record, tried);
    if (tried.empty()) return "  none: the hulls are apart by more than the margin\n";
    std::string out;
    for (const detail::TriedCandidate& t : tried) {
        out += fmt::format("  {:<15} {}", name_of(t.candidate), reason_of(t.refusal));
        if (t.kind != ContactKind::none) {
            out += fmt::format("; {} ({}, {})", to_string(t.kind), t.feature_a, t.feature_b);
        }
        if (t.points > 0) out += fmt::format(", points: {}, deepest {:.6g}", t.points, t.deepest);
        out += '\n';
    }
    return out;
}

}  // namespace lanefold::tools
