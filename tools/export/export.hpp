// SPDX-License-Identifier: MIT
//
// Frames of a scene and its contacts as files of other programs: USD, VTK, PLY, CSV. Frames stream through with bounded
// memory; every file is written whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lanefold/hull_set.hpp>
#include <lanefold/stop.hpp>

#include "console/progress.hpp"
#include "contacts/io.hpp"
#include "export/axes.hpp"
#include "scene/io.hpp"

namespace lanefold::tools {

enum class ExportFormat : std::uint8_t { usd, vtk, ply, csv, json_lines };

struct ExportRequest {
    std::filesystem::path scene;
    std::filesystem::path contacts;  // or events; empty: bodies only
    std::filesystem::path output;    // .usda, .pvd, .ply or .csv; of events .usda, .csv or .jsonl
    std::string frames;              // as --frames; empty: all, with contacts all that are there
    std::uint32_t threads = 0;
    ProgressMode progress = ProgressMode::automatic;
    StopToken stop;
};

struct ExportReport {
    ExportFormat format = ExportFormat::usd;
    std::uint64_t frames = 0;
    std::uint64_t bodies = 0;
    std::uint64_t hulls = 0;
    std::uint64_t points = 0;          // contact points written
    std::uint64_t records = 0;         // that they come from
    std::uint64_t without_points = 0;  // records with a bad status or without points: nothing to write
    std::uint64_t events = 0;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> notes;  // what a reader of the files should know
};

// Throws Failure.
ExportReport run_export(const ExportRequest& request);

// The same of an events folder (export/events.cpp): events that begin in the frames asked for.
ExportReport export_events(const ExportRequest& request, ExportFormat format);

// The input of the formats' writers.
struct ExportInput {
    const Scene& scene;
    const HullSet& hulls;
    const HullSet& drawn;            // the same, as drawn_hulls() draws them
    const ContactsReader* contacts;  // null: bodies only
    std::vector<std::uint64_t> frames;
    std::filesystem::path output;
    Axes axes;
    StopToken stop;
    Progress& progress;  // counts frames, and passes over them
};

// Each adds what it wrote to the report.
void export_usd(const ExportInput& input, ExportReport& report);
void export_vtk(const ExportInput& input, ExportReport& report);
void export_ply(const ExportInput& input, ExportReport& report);
void export_csv(const ExportInput& input, ExportReport& report);

// Throws Failure(interrupted) when the request was stopped.
void throw_if_stopped(const ExportInput& input);

// "out.1001.ply" of "out.ply": the number that people give to a frame, with at least four digits.
std::filesystem::path numbered(const std::filesystem::path& path, const std::string& tail, std::int64_t number);

}  // namespace lanefold::tools
