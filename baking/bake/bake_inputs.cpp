// SPDX-License-Identifier: MIT
//
// See the header.

#include "bake/bake_inputs.hpp"

#include <fmt/format.h>

#include <lanefold/isa.hpp>

#include "console/failure.hpp"
#include "console/printable.hpp"

namespace lanefold::tools {
namespace {

Options options_with(const ContactsSettings& settings, Isa asked, int threads) {
    const IsaChoice isa = choose_isa(asked);
    if (!isa.status) throw bad_input("{}", isa.status.what);
    Options options = call_options(settings);
    options.isa = isa.isa;
    options.threads = static_cast<std::uint32_t>(threads);
    return options;
}

// Decides between stored pairs and pairs that the tool finds. Stored pairs are complete up to one margin; beyond it
// contacts would be missing without a word. If the scene does not name that margin, the note says so.
std::string decide_pairs(const Scene& scene, ContactsSettings& settings) {
    if (!scene.has_pairs()) settings.find_pairs = true;
    if (settings.find_pairs) return {};
    const std::string file = (scene.folder() / "scene.json").string();
    if (!scene.info().pairs_margin) {
        if (!(settings.margin > 0)) return {};
        return fmt::format(
            "{} does not say for which margin its pairs were collected; contacts of missing pairs are not found at "
            "--margin {} (--find-pairs finds the pairs again)",
            printable(file), settings.margin);
    }
    const double stored = *scene.info().pairs_margin;
    if (static_cast<double>(settings.margin) > stored && settings.margin > static_cast<float>(stored)) {
        throw bad_input(
            "{}: the stored pairs were collected for margin {}, but --margin is {}; --find-pairs finds them again",
            file, stored, settings.margin);
    }
    return {};
}

HullSet build_for(const Scene& scene, const FrameRange& frames, int threads) {
    if (scene.frames() == 0) throw bad_input("{}: the scene has no frames", scene.folder().string());
    static_cast<void>(frames.select(scene.frames()));  // refuses a bad range
    return scene.build_hulls(static_cast<std::uint32_t>(threads));
}

}  // namespace

BakeInputs::BakeInputs(const std::filesystem::path& folder, const FrameRange& frames, const ContactsSettings& asked,
                       Isa isa, int threads)
    : options(options_with(asked, isa, threads)),
      scene(folder),
      settings(asked),
      note(decide_pairs(scene, settings)),
      hulls(build_for(scene, frames, threads)) {
    if (is_reference(settings.method)) {
        const CallStatus known = check_reference_hulls(hulls);
        if (!known) throw bad_input("--method {}: {} {}", to_string(settings.method), known.what, known.where);
        reference = {settings.method, settings.points, static_cast<double>(settings.feature_angle)};
    }
}

}  // namespace lanefold::tools
