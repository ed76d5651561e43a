// SPDX-License-Identifier: MIT
//
// Import: the pieces of all files become hulls and bodies, objects become groups, and the pose file gives their poses.

#include "import/imported_scene.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/thread_count.hpp"
#include "files/staged_folder.hpp"
#include "import/cast.hpp"
#include "import/compounds.hpp"
#include "import/convex.hpp"
#include "import/decompose.hpp"
#include "import/first_frame.hpp"
#include "import/frames.hpp"
#include "import/scaled_pieces.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {
namespace {

void check_scales(const ImportRequest& request) {
    if (request.scales.empty()) return;
    if (request.at_rest() || request.poses_are == PosesAre::relative_to_rest)
        throw bad_input("--scales is for pieces about their own origins, but the files have them at rest");
    if (request.gltf.apply_scale) throw bad_input("--scales and --apply-scale both say sizes: leave out one of them");
}

void check(const ImportRequest& request) {
    if (request.files.empty()) throw bad_input("no file given");
    if (!(request.scale > 0) || !std::isfinite(request.scale)) throw bad_input("--scale must be above 0");
    if (!(request.density > 0) || !std::isfinite(request.density)) throw bad_input("--density must be above 0");
    if (!(request.margin >= 0) || !std::isfinite(request.margin)) throw bad_input("--margin must be 0 or more");
    if (!is_utf8(request.info.unit))
        throw bad_input("--unit {}: is not UTF-8, and scene.json must be", request.info.unit);
    const std::optional<double>& rate = request.info.frames_per_second;
    if (rate && !(*rate > 0 && *rate <= kMostFramesPerSecond)) throw bad_input("--fps must be above 0, up to 1e6");
    const std::optional<std::int64_t>& first = request.info.first_frame;
    if (first && !(*first >= -kMostFrameNumber && *first <= kMostFrameNumber)) {
        throw bad_input("--first-frame must be a whole number up to 1e9");
    }
    const auto needs_poses = [&](const char* option, bool given) {
        if (given && request.poses.empty())
            throw bad_input("{} says something of --poses, which are not given", option);
    };
    needs_poses("--pose-names", !request.pose_names.empty());
    needs_poses("--scales", !request.scales.empty());
    check_scales(request);
    needs_poses("--active", !request.active.empty());
    needs_poses("--matrices", request.form.has_value());
    if (request.poses_are == PosesAre::relative_to_rest && request.poses.empty()) {
        throw bad_input(
            "--poses-are relative-to-rest says something of --poses, which are not given; without poses every piece "
            "stays where its file has it");
    }
    needs_poses("--pieces-at rest", request.pieces_at == PiecesAt::rest);
    needs_poses("--quaternion wxyz", request.w_first);
    const bool gltf = std::any_of(request.files.begin(), request.files.end(), is_gltf);
    if (!gltf && !request.gltf.animation.name.empty()) throw bad_input("--animation is for glTF files");
    if (!gltf && request.gltf.apply_scale) throw bad_input("--apply-scale is for glTF files");
    if (!request.poses.empty() && !request.gltf.animation.name.empty()) {
        throw bad_input("--animation takes poses of the glTF file, but --poses gives others: leave out one of them");
    }
    const double threshold = request.decompose_threshold;
    if (!request.decompose && threshold != kDecomposeThreshold) {
        throw bad_input("--decompose-threshold is for --decompose, which is not given");
    }
    if (!(threshold >= 0.01 && threshold <= 1)) throw bad_input("--decompose-threshold must be from 0.01 to 1");
    if (request.decompose && request.accept_concave) {
        throw bad_input("--decompose splits concave pieces, --accept-concave takes their hulls: leave out one of them");
    }
    static_cast<void>(thread_count(request.threads));
}

void fill_report(const ImportRequest& request, const Cast& cast, const ImportFrames& frames, ImportReport& report) {
    report.objects = cast.objects.size();
    report.pieces = cast.pieces.size();
    report.hulls = cast.hulls.size() - cast.built_surfaces.size();
    report.surfaces = cast.built_surfaces;
    report.vertices = 0;
    for (const CastPiece& piece : cast.pieces) report.vertices += piece.source->points.size();
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) report.surface_pieces += cast.pieces[i].is_surface ? 1U : 0U;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) report.boxes += cast.hull_of(i).is_box() ? 1U : 0U;
    report.frames = frames.count();
    report.vertex_rounding = cast.rounding;
    report.reordered = cast.reordered;
    for (const SourceFile& file : cast.files) {
        report.warnings.insert(report.warnings.end(), file.notes.begin(), file.notes.end());
    }
    if (cast.reordered && frames.has_poses() && !frames.are_of_the_file() && !frames.rows_have_names()) {
        report.warnings.push_back(fmt::format(
            "pieces were put into the order of the numbers in their names, and row i of {} is taken for piece i of "
            "that order ('{}' to '{}'); --order file keeps the order of the files, --pose-names takes rows by name",
            request.poses.string(), cast.whole_names.front(), cast.whole_names.back()));
    }
}

SceneWriter::Contents contents_of(const ImportRequest& request, const Cast& cast, const ImportBodies& bodies,
                                  const ImportFrames& frames) {
    SceneWriter::Contents contents;
    contents.info = request.info;
    if (!contents.info.frames_per_second && frames.rate() > 0) contents.info.frames_per_second = frames.rate();
    if (request.pairs) contents.info.pairs_margin = static_cast<double>(request.margin);
    contents.hull_offsets = bodies.offsets;
    contents.hull_vertices = bodies.scale.empty() ? cast.vertices : bodies.vertices;
    contents.hull_source_vertices = bodies.scale.empty() ? cast.source_vertices : bodies.source_vertices;
    contents.body_scale = bodies.scale;
    contents.other_shapes = bodies.other_shapes;
    contents.body_hull = bodies.hull;
    contents.inverse_mass = bodies.inverse_mass;
    contents.group = bodies.group;
    contents.names = bodies.names;
    contents.positions_are_double = frames.is_double();
    contents.with_pairs = request.pairs;
    contents.with_mask = frames.has_mask();
    return contents;
}

void warn_of_coarse_poses(const ImportRequest& request, const Cast& cast, const ImportFrames& frames,
                          ImportReport& report) {
    const CoarseStep& coarse = frames.coarse();
    if (coarse.share <= CoarseStep::kCoarse) return;
    const bool keys = frames.are_of_the_file();
    report.warnings.push_back(fmt::format(
        "{}: float32 {} are as large as {:.6g}, where they have steps of {:.2g} {}, {:.2g} of the size of '{}': "
        "what is finer was lost when the file was written; {}",
        keys ? cast.pieces[coarse.piece].file->path.string() : request.poses.string(),
        keys ? "keys of the animation" : "positions", coarse.coordinate, coarse.step, request.info.unit, coarse.share,
        cast.names[coarse.piece],
        keys ? "place what moves below a node that is far, and key it about there" : "save float64 positions"));
}

}  // namespace

ImportReport import_scene(const ImportRequest& request) {
    check(request);
    Cast cast;
    read_pieces(request, cast);
    take_scales(request, cast);
    ImportReport report;
    if (request.decompose) decompose_pieces(request, cast, report);
    ImportFrames frames(request, cast);
    build_cast(request, request.at_rest() ? frames.rest() : std::vector<RigidPose>{}, cast);
    assign_cast(request, cast);
    fill_report(request, cast, frames, report);
    judge_pieces(request, cast, report);

    ImportBodies bodies = request.compounds ? compounds_of(request, cast, frames) : bodies_of(cast);
    share_scaled(request, cast, bodies, report);
    report.bodies = bodies.hull.size();
    report.compounds = bodies.compounds();
    BodyFrame places;
    StagedFolder folder(request.folder, request.replace);
    SceneWriter writer(folder.path(), contents_of(request, cast, bodies, frames));
    PairFinder finder(request.threads);
    Progress progress(request.progress, "import", "frames", report.frames);
    std::uint64_t searched = 0;  // pairs of the frames that were searched
    for (std::uint64_t frame = 0; frame < report.frames; ++frame) {
        if (request.stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; nothing was written");
        frames.read(frame);
        if (frame == 0) check_first_frame(request, cast, frames, report);
        std::span<const Pair> pairs;
        places.take(bodies, frames);
        if (request.pairs || frame == 0) {
            pairs = finder.find(bodies.hulls, places.view(bodies), bodies.inverse_mass, bodies.group, request.margin);
        }
        if (frames.is_double()) {
            writer.add_frame(std::span<const double>(places.position), places.orientation, pairs, places.active);
        } else {
            writer.add_frame(std::span<const float>(places.position_float), places.orientation, pairs, places.active);
        }
        searched += pairs.size();
        if (request.pairs) report.pairs += pairs.size();
        progress.update(frame + 1);
    }
    report.pose_rounding = frames.rounding();
    warn_of_coarse_poses(request, cast, frames, report);
    check_pairs(request, cast, searched, request.pairs || report.frames == 1, report);
    writer.commit();
    folder.commit();
    return report;
}

}  // namespace lanefold::tools
