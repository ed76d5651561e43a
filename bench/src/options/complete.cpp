// SPDX-License-Identifier: MIT
//
// Completes the command line and refuses what cannot be measured.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/machine.hpp"
#include "options/arguments.hpp"
#include "options/numbers.hpp"
#include "options/sweeps.hpp"
#include "scenes/placements.hpp"
#include "scenes/round.hpp"
#include "scenes/stacks.hpp"
#include "scenes/synthetic.hpp"

namespace lanefold::bench {
namespace {

namespace fs = std::filesystem;

template <class... Args>
[[nodiscard]] std::runtime_error refusal(fmt::format_string<Args...> text, Args&&... args) {
    return std::runtime_error(fmt::format(text, std::forward<Args>(args)...));
}

// The experiment that the command line asks for instead of the selection, or an empty name.
std::string only(const Arguments& a) {
    std::vector<std::string> chosen;
    if (a.methods) chosen.emplace_back("--methods");
    if (a.cliffs) chosen.emplace_back("--cliffs");
    if (a.steady) chosen.emplace_back("--steady");
    if (a.round) chosen.emplace_back("--round");
    if (a.certificates) chosen.emplace_back("--certificates");
    if (a.warm) chosen.emplace_back("--warm");
    if (a.moving) chosen.emplace_back("--moving");
    if (a.scaling) chosen.emplace_back("--scaling");
    if (a.count != 0) chosen.emplace_back("--count");
    if (chosen.size() > 1) throw refusal("one at a time, not all of {}", fmt::join(chosen, ", "));
    return chosen.empty() ? "" : chosen.front();
}

void find_scenes(Arguments& a) {
    if (!a.scene_root.empty()) {
        if (!fs::is_directory(a.scene_root)) throw refusal("--scenes {}: there is no such folder", a.scene_root);
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(a.scene_root)) {
            if (fs::exists(entry.path() / "scene.json")) found.push_back(entry.path().string());
        }
        if (found.empty()) throw refusal("--scenes {}: no scene folder is in it (DIR/NAME/scene.json)", a.scene_root);
        std::sort(found.begin(), found.end());
        a.scenes.insert(a.scenes.end(), found.begin(), found.end());
    }
    for (const std::string& folder : a.scenes) {
        if (!fs::exists(fs::path(folder) / "scene.json"))
            throw refusal("--scene {}: this is no scene folder: it has no scene.json", folder);
    }
}

void check_synthetic(const char* option, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (!is_synthetic(name))
            throw refusal("{} {}: there is no such scene; there are {}", option, name, synthetic_names());
    }
}

void check_kinds(const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const RoundKind& k : round_kinds()) known.push_back(k.name);
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw refusal("--kinds {}: there is no such kind; there are {}", name, fmt::join(known, ", "));
    }
}

void check_placements(const Arguments& a) {
    if (!a.placements.empty() && !a.cliffs && !a.steady) throw refusal("--placements requires --cliffs or --steady");
    std::vector<std::string> known;
    if (a.steady)
        known = trembling_names();
    else
        for (const Placement& p : placements()) known.push_back(p.name);
    for (const std::string& name : a.placements) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw refusal("--placements {}: there is no such family; there are {}", name, fmt::join(known, ", "));
    }
}

void choose_processor(Arguments& a) {
    const std::vector<int>& allowed = allowed_processors();
    if (a.processor < 0) a.processor = allowed.back();
    if (std::find(allowed.begin(), allowed.end(), a.processor) == allowed.end())
        throw refusal("--processor {}: this process may run on {}", a.processor, fmt::join(allowed, ", "));
}

void take_slow_apart(Arguments& a) {
    if (a.slow.empty()) return;
    const std::size_t at = a.slow.find('=');
    const auto share = at == std::string::npos ? std::nullopt : parse_number(a.slow.substr(at + 1));
    if (!share || *share < 0)
        throw refusal("--slow {}: must be ENGINE=SHARE with a share of 0 or more, e.g. lanefold=0.05", a.slow);
    a.slowed = a.slow.substr(0, at);
    a.slowed_by = *share;
}

// Opens the file without a change, so that what cannot be written is known before hours of measurements.
void check_writable(const std::string& file) {
    std::error_code ignored;
    const bool existed = fs::exists(file, ignored);
    const bool opened = std::ofstream(file, std::ios::app).is_open();
    if (!opened) throw refusal("--json {}: cannot be written: {}", file, std::strerror(errno));
    if (!existed) fs::remove(file, ignored);
}

void choose_scenes(Arguments& a, const std::string& mode) {
    if (mode == "--warm" || mode == "--certificates" || mode == "--moving") {
        if (a.scenes.empty() || !a.synthetic.empty())
            throw refusal("{} takes the frames of scene folders: give --scene DIR or --scenes DIR{}", mode,
                          a.synthetic.empty() ? "" : ", and no --synthetic");
        return;
    }
    check_synthetic("--synthetic", a.synthetic);
}

}  // namespace

void complete(Arguments& a) {
    const std::string mode = only(a);
    choose_processor(a);
    take_slow_apart(a);
    find_scenes(a);
    const bool none = a.synthetic == std::vector<std::string>{"none"};
    if (none) a.synthetic.clear();
    choose_scenes(a, mode);
    check_placements(a);
    check_kinds(a.kinds);
    check_synthetic("--stream-scenes", a.stream_scenes);
    const bool more = !single_sweeps(a.sweeps).empty() || a.stream_pairs != 0;
    if (a.synthetic.empty() && a.scenes.empty() && !none && !a.scaling) {
        for (const SyntheticInfo& s : synthetic_scenes()) {
            if (s.quick) a.synthetic.push_back(s.name);
        }
    }
    if (a.scaling && a.synthetic.empty() && a.scenes.empty() && !none) a.synthetic = {"boxes", "debris"};
    if (a.synthetic.empty() && a.scenes.empty() && (a.scaling || mode == "--count" || (mode.empty() && !more)))
        throw refusal(
            "nothing to measure: give --scene DIR, --scenes DIR, --synthetic NAME, --sweep NAME or --stream N");
    if (a.scaling && a.json.empty())
        throw refusal("--scaling needs --json FILE; ./dev bench --scaling prints the tables");
    if (a.json.empty()) return;
    constexpr std::string_view kWriting[] = {"", "--scaling", "--count", "--moving", "--steady"};
    if (std::find(std::begin(kWriting), std::end(kWriting), mode) == std::end(kWriting))
        throw refusal("--json {}: {} only prints", a.json, mode);
    check_writable(a.json);
}

}  // namespace lanefold::bench
