// SPDX-License-Identifier: MIT
//
// `lanefold info`: what is in a scene, contacts or events folder. It reads and checks everything: it builds a scene's
// hulls and reads all frames; it counts and hashes the records of a contacts folder again.

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/hash.hpp>

#include "commands/commands.hpp"
#include "commands/info_events.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/printable.hpp"
#include "console/progress.hpp"
#include "console/surface_findings.hpp"
#include "console/table.hpp"
#include "contacts/completeness.hpp"
#include "contacts/frame_range.hpp"
#include "contacts/io.hpp"
#include "events/job.hpp"
#include "files/input_file.hpp"
#include "files/json.hpp"
#include "scene/hull_sources.hpp"
#include "scene/io.hpp"
#include "scene/unit.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

std::string range(std::uint32_t least, std::uint32_t most) {
    return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

struct Range {
    std::uint32_t least = ~0U;
    std::uint32_t most = 0;
    void add(std::uint32_t value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    std::string text() const { return range(least, most); }
};

// Counts of the hulls of a scene.
struct HullCounts {
    Range vertices;
    Range faces;
    Range edges;
    Range children;
    std::uint64_t hulls = 0;
    std::uint64_t boxes = 0;
    std::uint64_t rounded = 0;
    std::uint64_t half_spaces = 0;
    std::uint64_t compounds = 0;
    std::uint64_t surfaces = 0;
    std::uint64_t height_fields = 0;
    std::uint64_t triangles = 0;
    std::uint64_t surface_bytes = 0;
    SurfaceReport found;  // the counts of all surfaces
    std::uint64_t merged = 0;
    std::uint64_t flickering = 0;
    float smallest = 0;
    float largest = 0;

    void add(const HullSet& set, std::size_t i) {
        const HullRecord& hull = set[i];
        if (hull.shape == lanefold::ShapeKind::half_space) {
            ++half_spaces;
            return;
        }
        if (hull.shape == lanefold::ShapeKind::compound) {
            ++compounds;
            children.add(static_cast<std::uint32_t>(set.child_count(i)));
            return;
        }
        if (const Surface* const surface = set.surface(i)) return add(*surface);
        vertices.add(hull.vertex_count);
        faces.add(hull.face_count);
        edges.add(hull.edge_count);
        boxes += hull.is_box() ? 1U : 0U;
        merged += set.info(i).merged_faces;
        flickering += set.info(i).may_flicker ? 1U : 0U;
        rounded += hull.round_radius > 0 ? 1U : 0U;
        const float size = hull.size + hull.round_radius;
        smallest = hulls == 0 ? size : std::min(smallest, size);
        largest = std::max(largest, size);
        ++hulls;
    }

private:
    void add(const Surface& surface) {
        ++surfaces;
        height_fields += surface.is_height_field() ? 1U : 0U;
        triangles += surface.triangle_count();
        surface_bytes += surface.bytes();
        for (const SurfaceFindingKind& kind : kSurfaceFindings)
            (found.*kind.finding).count += (surface.report().*kind.finding).count;
        found.border_edges += surface.report().border_edges;
    }
};

void add_hulls(Table& table, const HullSet& hulls) {
    HullCounts counts;
    for (std::size_t i = 0; i < hulls.size(); ++i) counts.add(hulls, i);
    table.add({"hulls", fmt::format("{} ({} boxes)", with_commas(counts.hulls), with_commas(counts.boxes))});
    if (counts.rounded > 0) table.add({"  rounded by a radius", with_commas(counts.rounded)});
    if (counts.hulls > 0) {
        table.add({"  vertices", counts.vertices.text()});
        table.add({"  faces", counts.faces.text()});
        table.add({"  edges", counts.edges.text()});
        table.add({"  size (half diagonal)", fmt::format("{:.4g} to {:.4g}", counts.smallest, counts.largest)});
        table.add({"  triangles merged into larger faces", with_commas(counts.merged)});
        table.add({"  with faces less than 10 degrees apart", with_commas(counts.flickering)});
    }
    if (counts.half_spaces > 0) table.add({"half-spaces", with_commas(counts.half_spaces)});
    if (counts.compounds > 0) {
        table.add({"compounds", with_commas(counts.compounds)});
        table.add({"  children", counts.children.text()});
    }
    if (counts.surfaces > 0) {
        table.add({"surfaces", fmt::format("{} ({} height fields)", with_commas(counts.surfaces),
                                           with_commas(counts.height_fields))});
        table.add({"  of triangles", with_commas(counts.triangles)});
        add_findings(table, counts.found);
        table.add({"  memory", short_number(static_cast<double>(counts.surface_bytes)) + "B"});
    }
    if (hulls.empty()) return;
    table.add({"  memory the kernels touch", short_number(static_cast<double>(hulls.hot_bytes())) + "B"});
    table.add({"  fingerprint", hash_string(hulls.fingerprint())});
}

void add_scales(Table& table, const Scene& scene) {
    if (scene.body_scale().empty()) return;
    const auto [least, most] = std::minmax_element(scene.body_scale().begin(), scene.body_scale().end());
    const auto own =
        std::count_if(scene.body_scale().begin(), scene.body_scale().end(), [](float s) { return s != 1; });
    table.add({"bodies with a scale",
               fmt::format("{} ({:.4g} to {:.4g})", with_commas(static_cast<std::uint64_t>(own)), *least, *most)});
    table.add({"  hulls made for them", with_commas(scene.hulls() - scene.hulls_in_files())});
}

// The contents of scene.json.
void add_description(Table& table, const Scene& scene) {
    const SceneInfo& info = scene.info();
    table.add({"version", fmt::format("{}", info.version)});
    const std::optional<double> metre = metres_of(info.unit);
    table.add({"unit", metre ? info.unit : info.unit + " (not a known length: simulate needs --unit)"});
    if (info.up) table.add({"up", axis_name(*info.up)});
    if (info.handedness) table.add({"axes", fmt::format("{}-handed", to_string(*info.handedness))});
    table.add({"frames", with_commas(scene.frames())});
    if (info.first_frame && scene.frames() > 0) {
        table.add(
            {"  people call them", fmt::format("{} to {}", info.number_of(0), info.number_of(scene.frames() - 1))});
    }
    if (info.frames_per_second) {
        const double seconds = static_cast<double>(scene.frames()) / *info.frames_per_second;
        table.add({"  per second", fmt::format("{:g} ({:.4g} s in all)", *info.frames_per_second, seconds)});
    }
}

// Reads and checks every frame.
void add_frames(Table& table, const Scene& scene) {
    SceneFrame frame;
    Range there;
    std::uint64_t of_absent = 0;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t hash = 0;
    Progress progress(ProgressMode::automatic, "check", "frames", scene.frames());
    for (std::uint64_t i = 0; i < scene.frames(); ++i) {
        scene.read_frame(i, frame);
        there.add(static_cast<std::uint32_t>(std::count(frame.active.begin(), frame.active.end(), 1)));
        of_absent += scene.pairs_in_frame(i) - frame.pairs.size();
        least = std::min(least, scene.pairs_in_frame(i));
        hash += mix_frame_hash(i, Scene::frame_hash(frame, scene.has_pairs()));
        progress.update(i + 1);
    }
    if (scene.has_mask()) table.add({"bodies there in a frame", there.text()});
    if (scene.has_pairs()) {
        table.add({"stored pairs", with_commas(scene.pairs_in_all_frames())});
        if (scene.frames() > 1) {
            table.add({"  in a frame",
                       fmt::format("{} to {}", with_commas(least), with_commas(scene.max_pairs_in_a_frame()))});
        }
        if (of_absent != 0) {
            table.add({"  with a body that is not there, left out", with_commas(of_absent)});
        }
        table.add({"  collected for margin", fmt::format("{}", scene.info().pairs_margin.value_or(0.0))});
    } else {
        table.add({"stored pairs", "none; collide finds them"});
    }
    table.add({"hash of poses and pairs", hash_string(hash)});
}

void describe_scene(const fs::path& path) {
    const Scene scene(path);
    Table table("scene " + path.string());
    add_description(table, scene);
    const auto immovable = std::count(scene.inverse_mass().begin(), scene.inverse_mass().end(), 0.0F);
    table.add(
        {"bodies",
         fmt::format("{} ({} immovable)", with_commas(scene.bodies()),
                     scene.inverse_mass().empty() ? "unknown" : with_commas(static_cast<std::uint64_t>(immovable)))});
    if (!scene.group().empty()) {
        std::vector<std::uint32_t> groups(scene.group().begin(), scene.group().end());
        std::sort(groups.begin(), groups.end());
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
        const std::size_t count = groups.size() - (groups.front() == 0 ? 1 : 0);
        table.add({"groups that do not collide within", with_commas(count)});
    }
    if (!scene.names().empty()) {
        table.add({"names", fmt::format("{} to {}", scene.names().front(), scene.names().back())});
    }
    add_scales(table, scene);
    table.add({"positions", scene.positions_are_double() ? "float64" : "float32"});
    add_hulls(table, scene.build_hulls());
    if (const auto sources = read_hull_sources(scene); !sources.empty()) {
        table.add({"  in float64, as their source has them", with_commas(sources.size())});
    }
    if (scene.has_source_vertices()) {
        static_cast<void>(scene.read_source_vertices());  // checks them
        const std::uint64_t rows = scene.hull_offsets()[scene.hulls_in_files()];
        table.add({"  numbers of the imported files, in float64", with_commas(rows)});
    }
    add_frames(table, scene);
    table.print();
}

struct Arguments {
    std::string path;
    std::string scene;
    bool check = false;
    bool complete = false;
    bool missing = false;
    bool json = false;
};

// The same as JSON, in one line.
void print_json(const FolderCheck& check, const ContactsReader& contacts) {
    const Json json{{"frames", contacts.frames_in_scene()},
                    {"whole", check.whole},
                    {"damaged", check.damaged},
                    {"missing", check.missing.size()},
                    {"missing_frames", frame_list(check.missing)},
                    {"not_part_of_the_results", contacts.strangers().size()},
                    {"pairs", check.total.pairs},
                    {"records", check.total.records},
                    {"touching", check.total.touching},
                    {"overlapping", check.total.overlapping},
                    {"points", check.total.points},
                    {"hash", hash_string(check.total.hash)}};
    fmt::print("{}\n", json.dump());
}

void add_settings(Table& table, const ContactsSettings& settings) {
    table.add({"margin", fmt::format("{}", settings.margin)});
    table.add({"face preference", fmt::format("{}", settings.face_preference)});
    table.add({"capacity", fmt::format("{} points", settings.capacity)});
    table.add({"method, points", fmt::format("{}, {}", to_string(settings.method), to_string(settings.points))});
    table.add({"pairs", settings.find_pairs ? "found by the tool" : "stored in the scene"});
    if (settings.select) table.add({"kept: distance below", fmt::format("{}", -settings.select_depth)});
    if (settings.compression != Compression::none) table.add({"compression", to_string(settings.compression)});
}

void print_check(const Arguments& arguments, const FolderCheck& check, const ContactsReader& contacts) {
    Table table("contacts " + arguments.path);
    add_settings(table, contacts.settings());
    table.add({"frames", fmt::format("{} of {}", with_commas(contacts.frames().size()),
                                     with_commas(contacts.frames_in_scene()))});
    table.add({"pairs", with_commas(check.total.pairs)});
    table.add({"records", with_commas(check.total.records)});
    if (contacts.settings().select) table.add({"touching, left out", with_commas(check.total.left_out)});
    table.add({"touching", with_commas(check.total.touching)});
    table.add({"overlapping", with_commas(check.total.overlapping)});
    table.add({"contact points", with_commas(check.total.points)});
    table.add({"hash", hash_string(check.total.hash)});
    table.add({"complete, with the right checksums", with_commas(check.whole)});
    table.add({"damaged frames", with_commas(check.damaged.size())});
    table.add({"missing frames", with_commas(check.missing.size() - check.damaged.size())});
    table.print();
    for (const std::string& name : contacts.strangers())
        std::printf("  not part of the results: %s\n", printable(name).c_str());
    if (check.missing.empty()) return;
    std::printf("%s: %s\nmade by: %s\n", check.damaged.empty() ? "missing" : "missing or damaged",
                frame_list(check.missing).c_str(),
                printable(command_for(contacts, check.missing, arguments.scene)).c_str());
}

void describe_contacts(const Arguments& arguments) {
    const ContactsReader contacts(arguments.path);
    const Interrupt interrupt;
    Progress progress(ProgressMode::automatic, "check", "frames", contacts.frames().size());
    const FolderCheck check = check_folder(
        contacts, [&](std::uint64_t done) { progress.update(done); }, interrupt.token());
    if (arguments.missing) {
        std::printf("%s\n", frame_list(check.missing).c_str());
    } else if (arguments.json) {
        print_json(check, contacts);
    } else if (arguments.check) {
        std::printf("%s: %s of %s frames are there, %s complete and with the right checksums\n",
                    printable(arguments.path).c_str(), with_commas(contacts.frames().size()).c_str(),
                    with_commas(contacts.frames_in_scene()).c_str(),
                    check.damaged.empty() ? "each of them" : with_commas(check.whole).c_str());
    } else {
        print_check(arguments, check, contacts);
    }
    for (const std::string& what : check.damage) std::fprintf(stderr, "lanefold: %s\n", printable(what).c_str());
    if (!check.damaged.empty() && !arguments.missing) {
        throw Failure(ExitCode::violation, fmt::format("{}: {} damaged frame{}", arguments.path, check.damaged.size(),
                                                       check.damaged.size() == 1 ? "" : "s"));
    }
    if (arguments.complete && !check.missing.empty()) {
        throw Failure(ExitCode::violation, fmt::format("{}: {} of {} frames are missing", arguments.path,
                                                       check.missing.size(), contacts.frames_in_scene()));
    }
}

void run(const Arguments& arguments) {
    const fs::path path = arguments.path;
    if (is_there(path / "scene.json")) {
        if (arguments.check || arguments.complete || arguments.missing || arguments.json) {
            throw bad_input("{}: is a scene; --check, --complete, --missing and --json are of contacts", path.string());
        }
        describe_scene(path);
    } else if (is_there(path / "contacts.json")) {
        describe_contacts(arguments);
    } else if (is_events_folder(path)) {
        if (arguments.complete || arguments.missing)
            throw bad_input("{}: holds events; --complete and --missing are of contacts", path.string());
        describe_events(path, arguments.json);
    } else {
        if (!fs::exists(path)) throw bad_input("{}: there is no such folder", path.string());
        throw bad_input(
            "{}: neither a scene (scene.json) nor a folder of contacts (contacts.json) or events (events.json)",
            path.string());
    }
}

}  // namespace

void add_info(CLI::App& app) {
    CLI::App* const command =
        app.add_subcommand("info", "Show what a scene, contacts or events folder holds; check all of it");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("path", arguments->path, "Scene, contacts or events folder")->required()->type_name("PATH");
    command->add_flag(
        "--check", arguments->check,
        "One line: are the frames that are there complete, with the right checksums? If not, exit code 1");
    command->add_flag("--complete", arguments->complete, "Exit code 1 also when frames are missing");
    command->add_flag("--missing", arguments->missing, "Only the frames that are not, as --frames takes them");
    command->add_flag("--json", arguments->json, "One line of JSON instead of the table");
    command->add_option("--scene", arguments->scene, "Named in the command that makes missing frames")
        ->type_name("SCENE");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
