// SPDX-License-Identifier: MIT
//
// See the header.

#include "import/first_frame.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <lanefold/detail/turn.hpp>
#include <lanefold/narrowphase.hpp>

#include "console/failure.hpp"
#include "scene/find_pairs.hpp"

namespace lanefold::tools {
namespace {

// In sizes of the smaller hull. Pieces of a fracture overlap by rounding; a stack that a solver left by a few percent.
constexpr double kDeep = 0.25;
// Limbs of one body and parts of one object overlap on purpose.
constexpr double kDeepInAGroup = 0.75;
// Neighbours of a fracture are nearer than this.
constexpr double kTouching = 0.01;
// Pieces that are looked at first. If they have this many pairs each, all pieces lie in one heap, and are too many
// pairs to look at.
constexpr std::size_t kSample = 1024;
constexpr std::size_t kHeap = 32;
// The share of touching pairs below which pieces count as flung apart.
constexpr std::uint64_t kFlung = 4;

// How some of the pieces lie.
struct Arrangement {
    std::uint64_t pieces = 0;
    std::uint64_t touching = 0;  // pairs
    std::uint64_t deep_pieces = 0;
    std::uint64_t deep_pairs = 0;
    double worst = 0;  // depth of a pair, in sizes of its smaller hull
    std::size_t worst_a = 0;
    std::size_t worst_b = 0;
};

// Poses of some pieces.
struct Placed {
    std::vector<std::size_t> piece;
    std::vector<double> position;
    std::vector<float> orientation;
    std::vector<std::uint32_t> hull;

    void add(std::size_t i, const Vec3d& p, std::span<const float, 4> q, std::uint32_t hull_of) {
        piece.push_back(i);
        position.insert(position.end(), {p.x, p.y, p.z});
        orientation.insert(orientation.end(), q.begin(), q.end());
        hull.push_back(hull_of);
    }
    // Every `step`-th of them.
    Placed thinned(std::size_t step) const {
        Placed out;
        for (std::size_t k = 0; k < piece.size(); k += step) {
            out.add(piece[k], {position[3 * k], position[3 * k + 1], position[3 * k + 2]},
                    std::span<const float, 4>(orientation.data() + 4 * k, 4), hull[k]);
        }
        return out;
    }
    BodyView view() const {
        return BodyView::from_arrays(position.data(), orientation.data(), hull.data(), hull.size());
    }
};

Placed as_in_frame(const Cast& cast, const ImportFrames& frames) {
    Placed out;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (!frames.active.empty() && frames.active[i] == 0) continue;
        const double* const p = frames.position.data() + 3 * i;
        out.add(i, {p[0], p[1], p[2]}, std::span<const float, 4>(frames.orientation.data() + 4 * i, 4),
                cast.body_hull[i]);
    }
    return out;
}

Placed as_modelled(const Cast& cast, const Placed& of) {
    Placed out;
    for (const std::size_t i : of.piece) {
        const PoseD pose = cast.pieces[i].as_modelled();
        const Quat q = detail::quaternion_of(pose.rotation);
        const float numbers[4] = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                                  static_cast<float>(q.w)};
        out.add(i, pose.position, numbers, cast.body_hull[i]);
    }
    return out;
}

float median_size(const Cast& cast) {
    std::vector<float> sizes;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) sizes.push_back(cast.hull_of(i).size);
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle;
}

Arrangement count(const Cast& cast, const Placed& placed, std::span<const Pair> pairs, float margin) {
    Arrangement out;
    out.pieces = placed.piece.size();
    std::vector<PairDistance> found(pairs.size());
    Options options;
    options.margin = margin;
    Workspace workspace;
    const BatchResult result = collide(cast.hulls, placed.view(), pairs, options, found, workspace);
    if (!result.status) throw io_failure("the check of frame 0 failed: {}", result.status.what);
    std::vector<bool> is_deep(placed.piece.size(), false);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        if (found[k].kind == ContactKind::none) continue;
        const std::size_t a = placed.piece[pairs[k].a];
        const std::size_t b = placed.piece[pairs[k].b];
        const auto size = static_cast<double>(std::min(cast.hull_of(a).size, cast.hull_of(b).size));
        const double depth = -static_cast<double>(found[k].distance) / size;
        if (depth >= -kTouching) ++out.touching;
        const bool one_group = !cast.group.empty() && cast.group[a] != 0 && cast.group[a] == cast.group[b];
        if (depth < (one_group ? kDeepInAGroup : kDeep)) continue;
        ++out.deep_pairs;
        is_deep[pairs[k].a] = is_deep[pairs[k].b] = true;
        if (depth <= out.worst) continue;
        out.worst = depth;
        out.worst_a = a;
        out.worst_b = b;
    }
    out.deep_pieces = static_cast<std::uint64_t>(std::count(is_deep.begin(), is_deep.end(), true));
    return out;
}

Arrangement look_at(const Cast& cast, const Placed& placed, float margin, std::uint32_t threads) {
    PairFinder finder(threads);
    if (placed.piece.size() > kSample) {
        const Placed some = placed.thinned((placed.piece.size() + kSample - 1) / kSample);
        const std::span<const Pair> pairs = finder.find(cast.hulls, some.view(), {}, {}, margin);
        if (pairs.size() > kHeap * some.piece.size()) return count(cast, some, pairs, margin);
    }
    return count(cast, placed, finder.find(cast.hulls, placed.view(), {}, {}, margin), margin);
}

std::string advice_for_deep(const ImportRequest& request, const ImportFrames& frames) {
    if (!frames.has_poses()) {
        return "if the files have each piece about its own origin, say with --poses where the pieces are";
    }
    if (frames.are_of_the_file()) return "the file has them so: is its first frame the right one, and --scale?";
    if (request.at_rest()) {
        return "if the files have each piece about its own origin, leave out --pieces-at rest";
    }
    std::string text = "do rows and pieces belong together";
    if (!frames.rows_have_names()) text += " (--pose-names takes rows by name)";
    return text + ", and are --quaternion, --matrices and --scale right?";
}

// A quaternion whose numbers are in another order than is said may have any value. That of a body which is not turned
// has one that is rare otherwise: half a turn about x or z.
void check_quaternions(const ImportRequest& request, const Cast& cast, const ImportFrames& frames,
                       ImportReport& report) {
    if (!frames.has_quaternions()) return;
    const std::size_t axis = request.w_first ? 2 : 0;
    std::size_t pieces = 0;
    std::size_t turned = 0;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (!frames.active.empty() && frames.active[i] == 0) continue;
        ++pieces;
        turned += std::abs(frames.orientation[4 * i + axis]) > 1.0F - 1e-6F ? 1U : 0U;
    }
    if (2 * turned <= pieces) return;
    report.warnings.push_back(
        fmt::format("frame 0: {} of {} pieces are turned by exactly half a turn about {}: so look pieces that are not "
                    "turned at all if the quaternions of {} have w {}. If they do, use --quaternion {}",
                    turned, pieces, request.w_first ? 'z' : 'x', request.poses.string(),
                    request.w_first ? "last" : "first", request.w_first ? "xyzw" : "wxyz"));
}

}  // namespace

void check_first_frame(const ImportRequest& request, const Cast& cast, const ImportFrames& frames,
                       ImportReport& report) {
    check_quaternions(request, cast, frames, report);
    if (cast.pieces.size() < 2) return;
    const float margin = static_cast<float>(kTouching) * median_size(cast);
    const Placed placed = as_in_frame(cast, frames);
    if (placed.piece.size() < 2) return;
    const Arrangement now = look_at(cast, placed, margin, request.threads);
    if (now.deep_pieces != 0) {
        report.warnings.push_back(fmt::format(
            "frame 0: {} of {} pieces lie deep in others, most of all '{}' and '{}', by {:.2g} of the smaller one's "
            "size; {}",
            now.deep_pieces, now.pieces, cast.names[now.worst_a], cast.names[now.worst_b], now.worst,
            advice_for_deep(request, frames)));
    }
    // At rest the first frame is as the files have it. Nodes of a glTF file have their meshes about their own origins.
    if (!frames.has_poses() || request.at_rest() || frames.are_of_the_file()) return;
    const Arrangement modelled = look_at(cast, as_modelled(cast, placed), margin, request.threads);
    const bool arranged = modelled.touching != 0 && modelled.deep_pairs * kFlung <= modelled.touching;
    if (!arranged || now.touching * kFlung >= modelled.touching) return;
    report.warnings.push_back(fmt::format(
        "frame 0: {} pairs of pieces touch as the files have them, but only {} where the poses put them: the pieces "
        "are flung apart. If the poses say where pieces are that the files have at their places, use {}--pieces-at "
        "rest",
        modelled.touching, now.touching, request.poses_are == PosesAre::relative_to_rest ? "--poses-are world " : ""));
}

void check_pairs(const ImportRequest& request, const Cast& cast, std::uint64_t pairs, bool all_frames,
                 ImportReport& report) {
    if (pairs != 0) return;
    const auto warn = [&](std::string text) { report.warnings.push_back(std::move(text)); };
    if (cast.pieces.size() == 1) {
        return warn(
            "there is one piece, so nothing can touch. A piece is a group (g) of an object (o), in glTF a node with a "
            "mesh: were they exported?");
    }
    const bool one_group =
        !cast.group.empty() && std::all_of(cast.group.begin(), cast.group.end(),
                                           [&](std::uint32_t g) { return g != 0 && g == cast.group[0]; });
    if (one_group && request.groups == ImportGroups::none) {
        return warn(fmt::format("all {} pieces are parts of one, so nothing can touch", cast.pieces.size()));
    }
    if (one_group) {
        return warn(fmt::format(
            "all {} pieces are of one {}, and these never collide with each other, so no frame has a pair; --group-by "
            "none lets them",
            cast.pieces.size(), request.groups == ImportGroups::file ? "file" : "object"));
    }
    const bool none_moves =
        std::all_of(cast.inverse_mass.begin(), cast.inverse_mass.end(), [](float inverse) { return inverse == 0; });
    if (none_moves) return warn("all pieces are --fixed, so no frame has a pair");
    if (all_frames) {
        warn(fmt::format("no frame has a candidate pair at margin {}: all pieces are further apart", request.margin));
    }
}

}  // namespace lanefold::tools
