// SPDX-License-Identifier: MIT
//
// Takes the names of --sweep apart.
#include "options/sweeps.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "scenes/synthetic.hpp"

namespace lanefold::bench {
namespace {

bool is_single(const std::string& name) {
    if (part_of(name, "vertices")) return is_synthetic(name);
    const auto scene = part_of(name, "share");
    return scene && is_synthetic(*scene);
}

}  // namespace

std::optional<std::string> part_of(const std::string& name, const std::string& kind) {
    if (name.rfind(kind + "-", 0) != 0) return std::nullopt;
    return name.substr(kind.size() + 1);
}

std::vector<std::string> single_sweeps(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const std::string& name : names) {
        if (name == "vertices") {
            for (const int v : {8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 250}) {
                out.push_back(fmt::format("vertices-{}", v));
            }
        } else if (name == "share") {
            out.insert(out.end(), {"share-boxes", "share-debris", "share-rocks42"});
        } else if (is_single(name)) {
            out.push_back(name);
        } else {
            throw std::runtime_error(fmt::format(
                "--sweep {}: there is no such sweep; there are vertices, vertices-N (N from {} to {}), share and "
                "share-SCENE (a synthetic scene, see --list)",
                name, kFewestRockVertices, kMostRockVertices));
        }
    }
    return out;
}

}  // namespace lanefold::bench
