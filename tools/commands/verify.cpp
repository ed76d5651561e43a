// SPDX-License-Identifier: MIT
//
// `lanefold verify`: options in, table out, exit code 1 on a violation. The work is in contacts/verify_job.cpp.

#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/diagnostics.hpp>
#include <lanefold/limits.hpp>

#include "commands/commands.hpp"
#include "commands/common_options.hpp"
#include "commands/whole_number.hpp"
#include "console/failure.hpp"
#include "console/interrupt.hpp"
#include "console/table.hpp"
#include "contacts/verify_job.hpp"

namespace lanefold::tools {
namespace {

struct Arguments {
    VerifyRequest request;
    std::string scene;
    std::string contacts;
    std::string frames;
    std::string progress = "auto";
    std::string against = "scene";
};

std::string describe(const Worst& worst) {
    if (!worst.any) return "0";
    return fmt::format("{:.2e}  (frame {}, pair {}, {})", worst.value, worst.frame, worst.a, worst.b);
}

// Says what a method other than clip promises.
void print_promise(const VerifyReport& report) {
    if (report.settings.method == Method::patch) {
        std::printf(
            "patch: points of a face contact may lie beyond the margin, up to twice the band (%g of the smaller "
            "hull's\n"
            "size) above the deepest one; where points were left out, the deepest one kept may be shallower than the\n"
            "pair by %g of that size, and the choice of four is not checked; the rest is checked as for clip\n",
            static_cast<double>(report.settings.band), static_cast<double>(kPatchSpread));
    } else if (report.settings.method == Method::published) {
        std::printf(
            "published: distance and normal as for clip; points lie on the surface of one of the two\n"
            "hulls (within 2.8e-4 of size: faces nearly flush count as flush) and on the plane of first touch;\n"
            "the method may leave a pair without points\n");
    } else if (report.settings.method == Method::published_literal) {
        std::printf(
            "published-literal: a contact is right if the source's own steps, computed again, return it; the worst\n"
            "distance below says how far that is from the oracle's\n");
    } else if (report.settings.method == Method::sutherland_hodgman) {
        std::printf(
            "sutherland-hodgman: distance and normal as for clip; points lie on the incident surface and in the plane\n"
            "of the reference face; the method may leave a pair without points\n");
    } else if (report.settings.method == Method::features) {
        std::printf(
            "features: distance, normal, depth and surfaces as for clip; a point may have a gap, up to what the angle\n"
            "of %g radians allows over a face\n",
            static_cast<double>(report.settings.feature_angle));
    }
}

void print_report(const Arguments& arguments, const VerifyReport& report) {
    Table counts("verify " + arguments.contacts);
    counts.add({"method", to_string(report.settings.method)});
    if (arguments.request.against_files) counts.add({"against", "the numbers of the imported files, in float64"});
    counts.add({"frames", with_commas(report.frames)});
    if (report.missing_frames > 0) counts.add({"  not there yet", with_commas(report.missing_frames)});
    counts.add({"candidate pairs", with_commas(report.pairs)});
    counts.add({"checked", with_commas(report.checked)});
    counts.add({"touching by the oracle", with_commas(report.touching)});
    counts.add({"overlapping by the oracle", with_commas(report.overlapping)});
    counts.add({"within the band of the margin", with_commas(report.in_band)});
    counts.add({"reported", with_commas(report.reported)});
    counts.add({"contact points checked", with_commas(report.points)});
    if (arguments.request.reuse > 0) {
        counts.add({"carried from an anchor, of all", with_commas(report.carried)});
        counts.add({"computed and anchored, of all", with_commas(report.anchored)});
    }
    counts.print();
    print_promise(report);
    const float reuse = arguments.request.reuse;
    if (reuse > 0) {
        std::printf("reuse: the records are those of a stream with reuse %g over these frames, not the folder's\n",
                    static_cast<double>(reuse));
    }
    Table errors(reuse > 0 ? fmt::format("worst errors, relative to the smaller size (distance, points: {:g} promised)",
                                         kDistanceTolerance + 2 * static_cast<double>(reuse))
                           : fmt::format("worst errors, relative to size (promised: {:g})", kDistanceTolerance));
    errors.add({"distance", describe(report.distance)});
    errors.add({"normal: short of the largest separation by", describe(report.normal)});
    errors.add({"points: off the surfaces by", describe(report.surface)});
    errors.print();
    Table violations("violations");
    for (std::size_t i = 0; i < reference::kViolationCount; ++i) {
        violations.add(
            {reference::to_string(static_cast<reference::Violation>(i)), with_commas(report.by_violation[i])});
    }
    violations.print();
    for (const std::string& example : report.examples) std::printf("  %s\n", example.c_str());
    std::fflush(stdout);
}

void run(Arguments& arguments) {
    VerifyRequest& request = arguments.request;
    request.scene = arguments.scene;
    request.contacts = arguments.contacts;
    if (!arguments.frames.empty()) request.frames.parse_frames(arguments.frames);
    if (arguments.against != "scene" && arguments.against != "files")
        throw bad_input("--against must be scene or files, not '{}'", arguments.against);
    request.against_files = arguments.against == "files";
    request.progress = read_progress_mode(arguments.progress);
    const Interrupt interrupt;
    const VerifyReport report = run_verify(request, interrupt.token());
    print_report(arguments, report);
    if (report.violations() > 0) {
        throw Failure(ExitCode::violation, fmt::format("{}: {} violations", arguments.contacts, report.violations()));
    }
}

// CLI11 reads -3 as 2^64 - 3, and its own range check prints the largest double in full.
std::string at_least_one(const std::string& text) {
    const bool positive = !text.starts_with('-') && text.find_first_not_of('0') != std::string::npos;
    return positive ? "" : "expected 1 or more, not " + text;
}

}  // namespace

void add_verify(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("verify", "Check contacts against a float64 brute-force oracle");
    auto arguments = std::make_shared<Arguments>();
    Arguments& a = *arguments;
    command->add_option("scene", a.scene, "Scene folder")->required()->type_name("SCENE");
    command->add_option("contacts", a.contacts, "Contacts folder made from it")->required()->type_name("CONTACTS");
    command->add_option("--sample", a.request.sample, "Check N candidate pairs, chosen over all frames (default: all)")
        ->check(at_least_one)
        ->type_name("N");
    command->add_option("--seed", a.request.seed, "Chooses another sample (default 1)")
        ->check(whole_number())
        ->type_name("S");
    command->add_option("--frames", a.frames, "Frames a up to, not including, b")->type_name("a:b");
    command
        ->add_option("--against", a.against,
                     "scene: the hulls as the scene has them, in float32; files: the float64 numbers of the files that "
                     "were imported")
        ->capture_default_str()
        ->type_name("WHAT");
    command
        ->add_option(
            "--reuse", a.request.reuse,
            "Judge the records of a stream with this reuse over the frames (0 to 0.1), by its bound, instead of "
            "the folder's")
        ->type_name("R");
    command->add_option("--threads", a.request.threads, "Threads; 0: as many as the machine has")
        ->check(whole_number())
        ->type_name("N");
    command
        ->add_option("--progress", a.progress, "auto (a bar on a terminal), bar, json (lines on standard error), none")
        ->type_name("HOW");
    command->callback([arguments] { run(*arguments); });
}

}  // namespace lanefold::tools
