// SPDX-License-Identifier: MIT
//
// The meshes go to the process as an OBJ file, an object each, and the parts come back as another one.

#include "import/decompose.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include <lanefold/hull_builder.hpp>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/progress.hpp"
#include "files/atomic_file.hpp"
#include "files/system.hpp"
#include "import/child.hpp"
#include "import/convex.hpp"
#include "import/decompose_script.hpp"
#include "import/obj.hpp"
#include "import/order.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// coacd makes a mesh with holes whole on a grid of 50 cells, and rounds cuts: parts may leave the box of their piece by
// some percent of its size. Whatever lies further out is not the piece's.
constexpr double kOutside = 0.1;
// The mesh of a piece that stays as it is.
constexpr std::size_t kNoMesh = std::numeric_limits<std::size_t>::max();
// Lines of a message that are shown.
constexpr std::size_t kMessageLines = 3;

// A private folder that is removed in the end.
class Workplace {
public:
    Workplace() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "lanefold_decompose_XXXXXX").string();
        if (error || !system::make_private_folder(name)) {
            throw io_failure("--decompose: cannot make the folder {}: {}", name,
                             error ? error.message() : std::strerror(errno));
        }
        path_ = name;
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    fs::path operator/(const char* name) const { return path_ / name; }

private:
    fs::path path_;
};

// A mesh that goes to coacd, and the parts that come back.
struct Mesh {
    std::size_t piece = 0;  // the first that has it
    std::vector<SourcePiece> parts;
};

bool same_mesh(const SourcePiece& a, const SourcePiece& b) {
    const auto same = [](const Vec3d& p, const Vec3d& q) { return p.x == q.x && p.y == q.y && p.z == q.z; };
    return a.corners == b.corners && a.face_ends == b.face_ends &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), same);
}

void write_meshes(const fs::path& path, const Cast& cast, const std::vector<Mesh>& meshes) {
    std::string text;
    std::size_t first = 1;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
        const SourcePiece& piece = *cast.pieces[meshes[m].piece].source;
        text += fmt::format("o {}\n", m);
        for (const Vec3d& p : piece.points) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
        for (std::size_t f = 0; f < piece.faces(); ++f) {
            text += 'f';
            for (const std::uint32_t corner : piece.face(f)) text += fmt::format(" {}", first + corner);
            text += '\n';
        }
        first += piece.points.size();
    }
    write_file(path, text);
}

// "lanefold: mesh 3", which the script says before it begins with a mesh.
std::optional<std::size_t> mesh_of_line(std::string_view line) {
    constexpr std::string_view kBegin = "lanefold: mesh ";
    std::size_t number = 0;
    if (!line.starts_with(kBegin)) return std::nullopt;
    line.remove_prefix(kBegin.size());
    if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc()) return std::nullopt;
    return number;
}

// The last lines of what the process said, without those for the program.
std::string last_lines(const std::string& said) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < said.size();) {
        const std::size_t end = std::min(said.find('\n', at), said.size());
        const std::string line = said.substr(at, end - at);
        if (!line.empty() && !mesh_of_line(line)) lines.push_back(printable(line));
        at = end + 1;
    }
    std::string out;
    const std::size_t from = lines.size() > kMessageLines ? lines.size() - kMessageLines : 0;
    for (std::size_t i = from; i < lines.size(); ++i) out += (out.empty() ? "" : " | ") + lines[i];
    return out.empty() ? "it said nothing" : out;
}

void run_script(const ImportRequest& request, const Cast& cast, const std::vector<Mesh>& meshes,
                const Workplace& place) {
    const char* const named = std::getenv("LANEFOLD_PYTHON");
    const std::string python = named != nullptr && *named != '\0' ? named : "python3";
    write_file(place / "decompose.py", kDecomposeScript);
    const std::vector<std::string> arguments{python,
                                             (place / "decompose.py").string(),
                                             (place / "meshes.obj").string(),
                                             "-o",
                                             (place / "parts.obj").string(),
                                             "--threshold",
                                             fmt::format("{}", request.decompose_threshold),
                                             "--parent",
                                             fmt::format("{}", ::getpid())};
    Progress progress(request.progress, "decompose", "meshes", meshes.size());
    std::optional<std::size_t> latest;
    const auto follow = [&](std::string_view line) {
        const std::optional<std::size_t> mesh = mesh_of_line(line);
        if (!mesh || *mesh >= meshes.size()) return;
        latest = mesh;
        progress.update(*mesh);
    };
    ChildOutcome outcome;
    try {
        outcome = run_child(arguments, request.stop, follow);
    } catch (const Failure& failure) {
        if (failure.code() != ExitCode::bad_input) throw;
        throw bad_input(
            "--decompose: {}; install Python 3 and 'pip install coacd numpy' for it, or name another one by "
            "LANEFOLD_PYTHON",
            failure.what());
    }
    const std::string at = latest ? " at " + cast.describe(meshes[*latest].piece) : std::string();
    if (outcome.signal != 0) {
        throw io_failure("--decompose: '{}' was ended by signal {} ({}){}; nothing was written: {}", python,
                         outcome.signal, outcome.signal_name, at, last_lines(outcome.said));
    }
    if (outcome.exit_code != 0) {
        throw bad_input("--decompose: '{}' failed{}; nothing was written: {}", python, at, last_lines(outcome.said));
    }
    progress.update(meshes.size());
}

struct Box {
    Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    Vec3d high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
};

Box box_of(const std::vector<Vec3d>& points) {
    Box box;
    for (const Vec3d& p : points) {
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
    }
    return box;
}

// Does the part lie where its piece is?
bool is_at(const SourcePiece& part, const SourcePiece& piece) {
    const Box whole = box_of(piece.points);
    const Box box = box_of(part.points);
    const double slack = kOutside * 0.5 * length(whole.high - whole.low);
    return box.low.x >= whole.low.x - slack && box.low.y >= whole.low.y - slack && box.low.z >= whole.low.z - slack &&
           box.high.x <= whole.high.x + slack && box.high.y <= whole.high.y + slack &&
           box.high.z <= whole.high.z + slack;
}

void read_parts(const fs::path& path, const Cast& cast, std::vector<Mesh>& meshes) {
    const auto wrong = [](const std::string& what) {
        return io_failure("--decompose: the process ended well, but what it wrote cannot be used: {}", what);
    };
    SourceFile file;
    try {
        file = read_obj(path);
    } catch (const Failure& failure) {
        throw wrong(failure.what());
    }
    for (SourcePiece& part : file.pieces) {
        const std::string& name = file.objects[part.object];
        std::size_t number = meshes.size();
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error != std::errc() || end != name.data() + name.size() || number >= meshes.size()) {
            throw wrong(fmt::format("object '{}' was not asked for", printable(name)));
        }
        Mesh& mesh = meshes[number];
        if (!is_at(part, *cast.pieces[mesh.piece].source)) {
            throw wrong(fmt::format("a part of {} lies elsewhere", cast.describe(mesh.piece)));
        }
        mesh.parts.push_back(std::move(part));
    }
    for (const Mesh& mesh : meshes) {
        if (mesh.parts.empty()) throw wrong(fmt::format("no part of {}", cast.describe(mesh.piece)));
    }
}

// Leaves out parts of which no hull can be built.
void drop_flat_parts(const ImportRequest& request, const Cast& cast, Mesh& mesh, ImportReport& report) {
    BuildOptions options;
    options.origin = Origin::box_centre;
    const auto is_flat = [&](const SourcePiece& part) {
        std::vector<Vec3d> points;
        for (const Vec3d& p : part.points) points.push_back(p * request.scale);
        return !build_hull(points, options);
    };
    const auto kept = std::remove_if(mesh.parts.begin(), mesh.parts.end(), is_flat);
    const auto dropped = mesh.parts.end() - kept;
    if (dropped == 0) return;
    mesh.parts.erase(kept, mesh.parts.end());
    const std::string name = cast.describe(mesh.piece);
    if (mesh.parts.empty()) throw io_failure("--decompose: no part of {} has a volume", name);
    report.warnings.push_back(
        fmt::format("{}: {} of its parts are too flat for a hull and are left out", name, dropped));
}

// The pieces, with the parts in the places of those that were split. `mesh_of`: for each piece its mesh, or kNoMesh.
void take_parts(const ImportRequest& request, const std::vector<Mesh>& meshes, const std::vector<std::size_t>& mesh_of,
                Cast& cast, ImportReport& report) {
    std::vector<CastPiece> pieces;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < cast.pieces.size(); ++i) {
        if (mesh_of[i] == kNoMesh) {
            pieces.push_back(cast.pieces[i]);
            names.push_back(cast.names[i]);
            continue;
        }
        const Mesh& mesh = meshes[mesh_of[i]];
        const bool split = mesh.parts.size() > 1;
        if (split) {
            report.split.push_back({cast.names[i], mesh.parts.size()});
        } else {
            report.warnings.push_back(
                fmt::format("{}: not convex, but within --decompose-threshold {}; its hull was taken", cast.describe(i),
                            request.decompose_threshold));
        }
        for (std::size_t k = 0; k < mesh.parts.size(); ++k) {
            SourcePiece& part = cast.parts.emplace_back(mesh.parts[k]);
            const SourcePiece& whole = *cast.pieces[i].source;
            part.group = whole.group;
            part.object = whole.object;
            part.line = whole.line;
            part.part = split ? static_cast<std::uint32_t>(k + 1) : 0;
            part.point_lines.clear();
            CastPiece piece = cast.pieces[i];
            piece.source = &part;
            pieces.push_back(piece);
            names.push_back(split ? fmt::format("{}/{}", cast.names[i], k) : cast.names[i]);
        }
    }
    cast.pieces = std::move(pieces);
    cast.names = std::move(names);
    make_unique(cast.names);
}

// The concave pieces, equal ones as one mesh; `mesh_of` as for take_parts().
std::vector<Mesh> find_meshes(const ImportRequest& request, const Cast& cast, std::vector<std::size_t>& mesh_of) {
    // Hulls about the files' origins, only to judge the pieces.
    Cast trial;
    trial.pieces = cast.pieces;
    trial.names = cast.names;
    ImportRequest plain = request;
    plain.recentre = false;
    build_cast(plain, {}, trial);
    std::vector<Mesh> meshes;
    std::map<std::uint32_t, std::vector<std::size_t>> by_hull;
    for (const std::size_t i : concave_pieces(plain, trial)) {
        std::vector<std::size_t>& known = by_hull[trial.body_hull[i]];
        const auto same = std::find_if(known.begin(), known.end(), [&](std::size_t m) {
            return same_mesh(*cast.pieces[meshes[m].piece].source, *cast.pieces[i].source);
        });
        mesh_of[i] = same == known.end() ? meshes.size() : *same;
        if (same != known.end()) continue;
        known.push_back(meshes.size());
        meshes.push_back({i, {}});
    }
    return meshes;
}

}  // namespace

void decompose_pieces(const ImportRequest& request, Cast& cast, ImportReport& report) {
    std::vector<std::size_t> mesh_of(cast.pieces.size(), kNoMesh);
    std::vector<Mesh> meshes = find_meshes(request, cast, mesh_of);
    if (meshes.empty()) return;
    {
        const Workplace place;
        write_meshes(place / "meshes.obj", cast, meshes);
        run_script(request, cast, meshes, place);
        read_parts(place / "parts.obj", cast, meshes);
    }
    for (Mesh& mesh : meshes) drop_flat_parts(request, cast, mesh, report);
    take_parts(request, meshes, mesh_of, cast, report);
}

}  // namespace lanefold::tools
