// SPDX-License-Identifier: MIT
//
// Import: the pieces of all files become hulls and bodies, objects become groups, and the pose file gives their poses.

#include "import/scene.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <lanefold/detail/hull_block.hpp>
#include <lanefold/hull_builder.hpp>
#include <lanefold/limits.hpp>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/thread_count.hpp"
#include "files/staged_folder.hpp"
#include "import/obj.hpp"
#include "import/poses.hpp"
#include "scene/find_pairs.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

namespace {

// Largest depth of a vertex or face inside its hull, relative to the hull's size. Rounding and tessellation stay below
// it; a group with a deeper one is not convex.
constexpr double kConvexTolerance = 0.01;

// One body of the scene.
struct Piece {
    const ObjFile* file = nullptr;
    const ObjPiece* source = nullptr;
    std::uint32_t object = 0;  // over all files
    std::uint32_t file_number = 0;
    Vec3d centre;  // subtracted from its vertices
};

struct Cast {
    std::vector<ObjFile> files;
    std::vector<Piece> pieces;
    std::vector<std::string> objects;
    std::vector<std::uint64_t> offsets{0};
    std::vector<Vec3f> vertices;
    HullSet hulls;
    std::vector<std::uint32_t> body_hull;
    std::vector<std::uint32_t> group;
    std::vector<float> inverse_mass;
};

Vec3d middle(const std::vector<Vec3d>& points) {
    Vec3d low = points[0];
    Vec3d high = points[0];
    for (const Vec3d& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {low.x + 0.5 * (high.x - low.x), low.y + 0.5 * (high.y - low.y), low.z + 0.5 * (high.z - low.z)};
}

void read_files(const ImportRequest& request, Cast& cast) {
    cast.files.reserve(request.files.size());
    for (const std::filesystem::path& path : request.files) {
        const ObjFile& file = cast.files.emplace_back(read_obj(path));
        const auto first_object = static_cast<std::uint32_t>(cast.objects.size());
        cast.objects.insert(cast.objects.end(), file.objects.begin(), file.objects.end());
        for (const ObjPiece& source : file.pieces) {
            Piece piece{
                &file, &source, first_object + source.object, static_cast<std::uint32_t>(cast.files.size() - 1), {}};
            if (request.recentre) piece.centre = middle(source.points) * request.scale;
            for (std::size_t i = 0; i < source.points.size(); ++i) {
                const Vec3d p = source.points[i] * request.scale - piece.centre;
                cast.vertices.push_back(to_float(p));
                if (is_finite(cast.vertices.back())) continue;
                throw bad_input(
                    "{}:{}: with --scale {} the vertex is ({:.3g}, {:.3g}, {:.3g}), beyond what float32 holds",
                    path.string(), source.point_lines[i], request.scale, p.x, p.y, p.z);
            }
            cast.offsets.push_back(cast.vertices.size());
            cast.pieces.push_back(piece);
        }
    }
}

void build(const ImportRequest& request, Cast& cast) {
    BuildOptions options;
    options.threads = request.threads;
    BuildResult built = build_hulls(cast.vertices, cast.offsets, options);
    if (!built) {
        const HullReport& failure = built.failures.front();
        const Piece& piece = cast.pieces[failure.hull];
        std::string others;
        if (built.failures.size() > 1) others = fmt::format("; {} more cannot be built", built.failures.size() - 1);
        const std::vector<std::uint64_t>& lines = piece.source->point_lines;
        const std::string where =
            failure.culprit < lines.size() ? fmt::format(" (vertex of line {})", lines[failure.culprit]) : "";
        throw bad_input("{}: {}: {}{}{}", piece.file->describe(*piece.source), to_string(failure.error), failure.what,
                        where, others);
    }
    cast.hulls = std::move(built.hulls);
}

void assign(const ImportRequest& request, Cast& cast) {
    for (const std::string& name : request.fixed) {
        if (std::find(cast.objects.begin(), cast.objects.end(), name) == cast.objects.end()) {
            throw bad_input("--fixed {}: no object has that name", name);
        }
    }
    for (std::uint32_t i = 0; i < cast.pieces.size(); ++i) {
        const Piece& piece = cast.pieces[i];
        cast.body_hull.push_back(i);
        cast.group.push_back(request.groups == ImportGroups::file ? piece.file_number + 1 : piece.object + 1);
        const std::string& name = cast.objects[piece.object];
        const bool fixed = std::find(request.fixed.begin(), request.fixed.end(), name) != request.fixed.end();
        const double mass = request.density * cast.hulls.info(i).mass.volume;
        cast.inverse_mass.push_back(fixed ? 0.0F : static_cast<float>(1.0 / mass));
        if (!fixed && !(std::isnormal(cast.inverse_mass.back()))) {
            throw bad_input("{}: its mass, {:.3g}, is out of range; choose another --density",
                            piece.file->describe(*piece.source), mass);
        }
    }
    if (request.groups == ImportGroups::none) cast.group.clear();
}

// Says where a piece is not convex: which vertices or middles of faces lie inside its hull. A list of points always
// means its hull.
std::optional<std::string> not_convex(const Cast& cast, std::uint32_t i, double scale) {
    const Piece& piece = cast.pieces[i];
    const ObjPiece& source = *piece.source;
    if (source.face_centres.empty()) return std::nullopt;
    const HullRecord& record = cast.hulls[i];
    const detail::HullView view(record);
    const PoseD frame = view.internal_to_input();
    const auto size = static_cast<double>(record.size);
    double deepest = 0;
    std::uint64_t line = 0;  // of the deepest
    const auto count_inside = [&](const std::vector<Vec3d>& points, const std::vector<std::uint64_t>& lines) {
        std::uint64_t count = 0;
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Vec3d p = transpose_times(frame.rotation, points[k] * scale - piece.centre - frame.position);
            double outside = -size;
            for (std::uint32_t f = 0; f < record.face_count; ++f) {
                outside = std::max(outside, dot(view.normal(f), p) - static_cast<double>(view.offset(f)));
            }
            const double depth = -outside / size;
            if (depth <= kConvexTolerance) continue;
            ++count;
            if (depth <= deepest) continue;
            deepest = depth;
            line = lines[k];
        }
        return count;
    };
    const std::uint64_t vertices = count_inside(source.points, source.point_lines);
    const std::uint64_t faces = count_inside(source.face_centres, source.face_lines);
    if (vertices + faces == 0) return std::nullopt;
    return fmt::format(
        "{}: not convex: {} of {} vertices and {} of {} faces lie inside its hull, the one of line {} by {:.0f}% of "
        "its "
        "size",
        piece.file->describe(source), vertices, source.points.size(), faces, source.face_centres.size(), line,
        100 * deepest);
}

void judge(const ImportRequest& request, const Cast& cast, ImportReport& report) {
    std::uint64_t far = 0;
    for (std::uint32_t i = 0; i < cast.pieces.size(); ++i) {
        if (const std::optional<std::string> text = not_convex(cast, i, request.scale)) {
            if (!request.accept_concave) {
                throw bad_input("{}. Split it into convex groups, or take its hull with --accept-concave", *text);
            }
            report.warnings.push_back(*text + "; its hull was taken");
        }
        far += (cast.hulls[i].flags & HullRecord::kFar) != 0 ? 1U : 0U;
    }
    if (far != 0) {
        report.warnings.push_back(
            fmt::format("{} of {} pieces lie more than {} sizes from their origin: they collide on the slower float64 "
                        "path; --recentre moves their origins",
                        far, cast.pieces.size(), kPreciseCentreOffset));
    }
}

// Poses of a frame, by piece.
class Frames {
public:
    Frames(const ImportRequest& request, const Cast& cast) : request_(request), cast_(cast) {
        if (request.poses.empty()) return;
        file_.emplace(request.poses, request.w_first);
        const std::uint64_t rows = file_->rows();
        by_object_ = rows != cast.pieces.size();
        if (by_object_ && rows != cast.objects.size()) {
            throw bad_input("{}: poses of {} bodies, but the files have {} pieces in {} objects",
                            request.poses.string(), rows, cast.pieces.size(), cast.objects.size());
        }
    }

    std::uint64_t count() const { return file_ ? file_->frames() : 1; }
    // Positions of bodies without poses and of moved origins are float64 sums, and are stored as float64.
    bool is_double() const { return !file_ || file_->is_double() || request_.recentre; }

    void read(std::uint64_t frame) {
        if (file_) file_->read(frame, poses_);
        position.clear();
        orientation.clear();
        for (std::size_t i = 0; i < cast_.pieces.size(); ++i) {
            const Piece& piece = cast_.pieces[i];
            PoseFile::Pose pose;
            if (file_) pose = poses_[by_object_ ? piece.object : i];
            const Quat& q = pose.orientation;
            const Vec3d p = pose.position * request_.scale + rotation(q) * piece.centre;
            if (!is_finite(p) || (!is_double() && !is_finite(to_float(p)))) {
                throw bad_input(
                    "{}: frame {}: with --scale {} a position is ({:.3g}, {:.3g}, {:.3g}), beyond what {} holds",
                    request_.poses.empty() ? "--recentre" : request_.poses.string(), frame, request_.scale, p.x, p.y,
                    p.z, is_double() ? "float64" : "float32");
            }
            position.insert(position.end(), {p.x, p.y, p.z});
            orientation.insert(orientation.end(), {static_cast<float>(q.x), static_cast<float>(q.y),
                                                   static_cast<float>(q.z), static_cast<float>(q.w)});
        }
        position_float.assign(is_double() ? 0 : position.size(), 0.0F);
        for (std::size_t i = 0; i < position_float.size(); ++i) position_float[i] = static_cast<float>(position[i]);
    }

    BodyView view() const {
        const std::size_t n = cast_.pieces.size();
        return is_double()
                   ? BodyView::from_arrays(position.data(), orientation.data(), cast_.body_hull.data(), n)
                   : BodyView::from_arrays(position_float.data(), orientation.data(), cast_.body_hull.data(), n);
    }

    std::vector<double> position;
    std::vector<float> position_float;  // empty when positions are float64
    std::vector<float> orientation;

private:
    const ImportRequest& request_;
    const Cast& cast_;
    std::optional<PoseFile> file_;
    bool by_object_ = false;
    std::vector<PoseFile::Pose> poses_;
};

void check(const ImportRequest& request) {
    if (request.files.empty()) throw bad_input("no OBJ file given");
    if (!(request.scale > 0) || !std::isfinite(request.scale)) throw bad_input("--scale must be above 0");
    if (!(request.density > 0) || !std::isfinite(request.density)) throw bad_input("--density must be above 0");
    if (!(request.margin >= 0) || !std::isfinite(request.margin)) throw bad_input("--margin must be 0 or more");
    if (!is_utf8(request.unit)) throw bad_input("--unit {}: is not UTF-8, and scene.json must be", request.unit);
    static_cast<void>(thread_count(request.threads));
}

}  // namespace

ImportReport import_scene(const ImportRequest& request) {
    check(request);
    Cast cast;
    read_files(request, cast);
    build(request, cast);
    assign(request, cast);

    ImportReport report;
    report.objects = cast.objects.size();
    report.pieces = cast.pieces.size();
    report.vertices = cast.vertices.size();
    for (std::size_t i = 0; i < cast.hulls.size(); ++i) report.boxes += cast.hulls[i].is_box() ? 1U : 0U;
    judge(request, cast, report);

    Frames frames(request, cast);
    report.frames = frames.count();
    StagedFolder folder(request.folder, request.replace);
    SceneWriter::Contents contents;
    contents.info.unit = request.unit;
    if (request.pairs) contents.info.pairs_margin = static_cast<double>(request.margin);
    contents.hull_offsets = cast.offsets;
    contents.hull_vertices = cast.vertices;
    contents.body_hull = cast.body_hull;
    contents.inverse_mass = cast.inverse_mass;
    contents.group = cast.group;
    contents.positions_are_double = frames.is_double();
    contents.with_pairs = request.pairs;
    SceneWriter writer(folder.path(), contents);
    PairFinder finder(request.threads);
    Progress progress(request.progress, "import", "frames", report.frames);
    for (std::uint64_t frame = 0; frame < report.frames; ++frame) {
        if (request.stop.stop_requested()) throw Failure(ExitCode::interrupted, "interrupted; nothing was written");
        frames.read(frame);
        std::span<const Pair> pairs;
        if (request.pairs) {
            pairs = finder.find(cast.hulls, frames.view(), cast.inverse_mass, cast.group, request.margin);
        }
        if (frames.is_double()) {
            writer.add_frame(std::span<const double>(frames.position), frames.orientation, pairs);
        } else {
            writer.add_frame(std::span<const float>(frames.position_float), frames.orientation, pairs);
        }
        report.pairs += pairs.size();
        progress.update(frame + 1);
    }
    writer.commit();
    folder.commit();
    return report;
}

}  // namespace lanefold::tools
