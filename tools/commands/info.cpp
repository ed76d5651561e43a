// SPDX-License-Identifier: MIT
//
// `lanefold info`: what is in a scene or contacts folder. It reads and checks everything: it builds a scene's hulls and
// reads all frames; it counts and hashes the records of a contacts folder again.

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/hash.hpp>

#include "commands/commands.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"
#include "console/progress.hpp"
#include "console/table.hpp"
#include "contacts/io.hpp"
#include "files/input_file.hpp"
#include "scene/io.hpp"

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

void add_hulls(Table& table, const HullSet& hulls) {
    Range vertices;
    Range faces;
    Range edges;
    std::uint64_t boxes = 0;
    std::uint64_t merged = 0;
    std::uint64_t flickering = 0;
    float smallest = 0;
    float largest = 0;
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        const HullRecord& hull = hulls[i];
        vertices.add(hull.vertex_count);
        faces.add(hull.face_count);
        edges.add(hull.edge_count);
        boxes += hull.is_box() ? 1U : 0U;
        merged += hulls.info(i).merged_faces;
        flickering += hulls.info(i).may_flicker ? 1U : 0U;
        smallest = i == 0 ? hull.size : std::min(smallest, hull.size);
        largest = std::max(largest, hull.size);
    }
    table.add({"hulls", fmt::format("{} ({} boxes)", with_commas(hulls.size()), with_commas(boxes))});
    if (hulls.empty()) return;
    table.add({"  vertices", vertices.text()});
    table.add({"  faces", faces.text()});
    table.add({"  edges", edges.text()});
    table.add({"  size (half diagonal)", fmt::format("{:.4g} to {:.4g}", smallest, largest)});
    table.add({"  triangles merged into larger faces", with_commas(merged)});
    table.add({"  with faces less than 10 degrees apart", with_commas(flickering)});
    table.add({"  memory the kernels touch", short_number(static_cast<double>(hulls.hot_bytes())) + "B"});
    table.add({"  fingerprint", hash_string(hulls.fingerprint())});
}

void describe_scene(const fs::path& path) {
    const Scene scene(path);
    Table table("scene " + path.string());
    table.add({"unit", scene.info().unit});
    table.add({"frames", with_commas(scene.frames())});
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
    table.add({"positions", scene.positions_are_double() ? "float64" : "float32"});
    add_hulls(table, scene.build_hulls());
    SceneFrame frame;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t hash = 0;
    Progress progress(ProgressMode::automatic, "check", "frames", scene.frames());
    for (std::uint64_t i = 0; i < scene.frames(); ++i) {
        scene.read_frame(i, frame);
        least = std::min(least, scene.pairs_in_frame(i));
        hash += mix_frame_hash(i, Scene::frame_hash(frame, scene.has_pairs()));
        progress.update(i + 1);
    }
    if (scene.has_pairs()) {
        table.add({"stored pairs", with_commas(scene.pairs_in_all_frames())});
        if (scene.frames() > 1) {
            table.add({"  in a frame",
                       fmt::format("{} to {}", with_commas(least), with_commas(scene.max_pairs_in_a_frame()))});
        }
        table.add({"  collected for margin", fmt::format("{}", scene.info().pairs_margin.value_or(0.0))});
    } else {
        table.add({"stored pairs", "none; collide finds them"});
    }
    table.add({"hash of poses and pairs", hash_string(hash)});
    table.print();
}

void describe_contacts(const fs::path& path) {
    const ContactsReader contacts(path);
    Table table("contacts " + path.string());
    const ContactsSettings& settings = contacts.settings();
    table.add({"margin", fmt::format("{}", settings.margin)});
    table.add({"face preference", fmt::format("{}", settings.face_preference)});
    table.add({"capacity", fmt::format("{} points", settings.capacity)});
    table.add({"method, points", fmt::format("{}, {}", to_string(settings.method), to_string(settings.points))});
    table.add({"pairs", settings.find_pairs ? "found by the tool" : "stored in the scene"});
    table.add({"frames", fmt::format("{} of {}", with_commas(contacts.frames().size()),
                                     with_commas(contacts.frames_in_scene()))});
    FrameSummary total;
    std::uint64_t hash = 0;
    std::vector<std::string> damage;
    Progress progress(ProgressMode::automatic, "check", "frames", contacts.frames().size());
    std::uint64_t done = 0;
    for (const std::uint64_t frame : contacts.frames()) {
        try {
            const FrameSummary claimed = contacts.summary(frame);
            const FrameSummary found = recount(contacts.open_records(frame, claimed), claimed, settings.capacity);
            if (!(found == claimed)) {
                damage.push_back(fmt::format("{}: the records do not match their summary (hash {}, expected {})",
                                             (path / frame_file_name(frame, ".npy")).string(), hash_string(found.hash),
                                             hash_string(claimed.hash)));
            }
            total.pairs += found.pairs;
            total.touching += found.touching;
            total.overlapping += found.overlapping;
            total.points += found.points;
            total.records += found.records;
            hash += mix_frame_hash(frame, found.hash);
        } catch (const Failure& failure) {
            damage.emplace_back(failure.what());
        }
        progress.update(++done);
    }
    table.add({"pairs", with_commas(total.pairs)});
    table.add({"records", with_commas(total.records)});
    table.add({"touching", with_commas(total.touching)});
    table.add({"overlapping", with_commas(total.overlapping)});
    table.add({"contact points", with_commas(total.points)});
    table.add({"hash", hash_string(hash)});
    table.add({"damaged frames", with_commas(damage.size())});
    table.print();
    for (const std::string& name : contacts.strangers())
        std::printf("  not part of the results: %s\n", printable(name).c_str());
    for (const std::string& what : damage) std::fprintf(stderr, "lanefold: %s\n", printable(what).c_str());
    if (!damage.empty()) {
        throw Failure(ExitCode::violation, fmt::format("{}: {} damaged frame{}", path.string(), damage.size(),
                                                       damage.size() == 1 ? "" : "s"));
    }
}

void run(const fs::path& path) {
    if (is_there(path / "scene.json")) {
        describe_scene(path);
    } else if (is_there(path / "contacts.json")) {
        describe_contacts(path);
    } else {
        throw bad_input("{}: neither a scene (scene.json) nor a contacts folder (contacts.json)", path.string());
    }
}

}  // namespace

void add_info(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("info", "Show what a scene or contacts folder holds; check all of it");
    auto path = std::make_shared<std::string>();
    command->add_option("path", *path, "Scene or contacts folder")->required()->type_name("PATH");
    command->callback([path] { run(*path); });
}

}  // namespace lanefold::tools
