// SPDX-License-Identifier: MIT
//
// See the header.

#include "export/export.hpp"

#include <optional>

#include "console/failure.hpp"
#include "contacts/chosen_frames.hpp"
#include "events/job.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "scene/drawn_hulls.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

ExportFormat format_of(const fs::path& path) {
    const std::string extension = path.extension().string();
    if (extension == ".usda") return ExportFormat::usd;
    if (extension == ".pvd") return ExportFormat::vtk;
    if (extension == ".ply") return ExportFormat::ply;
    if (extension == ".csv") return ExportFormat::csv;
    if (extension == ".jsonl") return ExportFormat::json_lines;
    throw bad_input(
        "{}: the end of the name says the format: .usda (USD), .pvd (VTK, with a folder of .vtp beside it), .ply, "
        ".csv, or .jsonl (JSON lines, of events){}",
        path.string(),
        extension == ".usd" || extension == ".usdc" ? "; usdcat of OpenUSD, or python -m lanefold.usd out.usda -o "
                                                      "out.usdc (pip install usd-core), makes it of .usda"
                                                    : "");
}

// Frames are read again for each part of a USD file.
std::uint64_t passes(ExportFormat format) { return format == ExportFormat::usd ? 2 : 1; }

void check_contacts(const ExportInput& input) {
    const ContactsReader& contacts = *input.contacts;
    if (contacts_description(input.scene, input.hulls, contacts.settings()) == contacts.description()) return;
    throw bad_input("{}: these contacts were not made from the scene {}",
                    (contacts.folder() / "contacts.json").string(), input.scene.folder().string());
}

void add_notes(const ExportInput& input, ExportReport& report) {
    const SceneInfo& info = input.scene.info();
    if (input.axes.mirrored()) report.notes.emplace_back("the left-handed axes of the scene are mirrored in the file");
    if (input.axes.exchanged()) report.notes.emplace_back("x up of the scene is y up in the file");
    const bool timed = report.format == ExportFormat::usd || report.format == ExportFormat::vtk;
    if (timed && !info.frames_per_second && input.frames.size() > 1) {
        report.notes.emplace_back(report.format == ExportFormat::usd
                                      ? "the scene does not say its frames per second: 24 are taken"
                                      : "the scene does not say its frames per second: times are frame numbers");
    }
    if (input.contacts != nullptr && report.points == 0) report.notes.emplace_back("there is no contact point");
    if (report.without_points != 0) {
        report.notes.push_back(
            fmt::format("{} records have a bad status or no points, and are left out", report.without_points));
    }
}

}  // namespace

ExportReport run_export(const ExportRequest& request) {
    ExportReport report;
    report.format = format_of(request.output);
    if (is_events_folder(request.contacts)) return export_events(request, report.format);
    if (report.format == ExportFormat::json_lines) {
        throw bad_input("{}: JSON lines are of an events folder", request.output.string());
    }
    // Refuses what is no file before the work begins.
    const fs::path folder = fs::absolute(output_file(request.output)).parent_path();
    const Scene scene(request.scene);
    std::optional<ContactsReader> contacts;
    if (!request.contacts.empty()) contacts.emplace(request.contacts);
    const ContactsReader* const reader = contacts ? &*contacts : nullptr;
    if (reader != nullptr && reader->frames_in_scene() != scene.frames()) {
        throw bad_input("{}: made from a scene of {} frames, {} has {}", request.contacts.string(),
                        reader->frames_in_scene(), request.scene.string(), scene.frames());
    }
    const std::vector<std::uint64_t> frames = choose_frames(request.frames, scene.frames(), reader);
    if (frames.empty()) throw bad_input("{}: there are no frames to export", request.scene.string());
    const HullSet hulls = scene.build_hulls(request.threads);
    const HullSet drawn =
        report.format == ExportFormat::csv ? hulls : drawn_hulls(scene, hulls, frames.front(), request.threads);
    const Axes axes =
        report.format == ExportFormat::csv ? Axes() : Axes(scene.info(), report.format == ExportFormat::usd);
    Progress progress(request.progress, "export", "frames", frames.size() * passes(report.format));
    const ExportInput input{scene, hulls, drawn, reader, frames, request.output, axes, request.stop, progress};
    if (reader != nullptr) check_contacts(input);
    remove_stale_temporaries(folder);
    report.frames = frames.size();
    report.bodies = scene.bodies();
    report.hulls = scene.hulls();
    switch (report.format) {
        case ExportFormat::usd:
            export_usd(input, report);
            break;
        case ExportFormat::vtk:
            export_vtk(input, report);
            break;
        case ExportFormat::ply:
            export_ply(input, report);
            break;
        default:
            export_csv(input, report);
    }
    add_notes(input, report);
    const std::string missing = left_out(request.frames, frames.size(), scene.frames());
    if (!missing.empty()) report.notes.push_back(missing);
    return report;
}

void throw_if_stopped(const ExportInput& input) {
    if (input.stop.stop_requested())
        throw Failure(ExitCode::interrupted, "interrupted; files that are there are whole");
}

fs::path numbered(const fs::path& path, const std::string& tail, std::int64_t number) {
    fs::path out = path;
    out.replace_filename(fmt::format("{}{}.{:04}{}", path.stem().string(), tail, number, path.extension().string()));
    return out;
}

}  // namespace lanefold::tools
