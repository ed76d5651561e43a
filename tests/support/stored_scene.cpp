// SPDX-License-Identifier: MIT
//
// Reads a stored scene.
#include "support/stored_scene.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace lanefold::test {
namespace {

[[noreturn]] void give_up(const std::string& path, const char* what) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), what);
    std::abort();
}

bool holds(const std::string& path, const char* descr) {
    std::ifstream file(path, std::ios::binary);
    char start[128] = {};
    file.read(start, sizeof start - 1);
    return std::string(start + 10).find(std::string("'") + descr + "'") != std::string::npos;
}

// The elements of a .npy file of version 1 whose type is `descr` (for example "<f4"); the caller has the
// shape from the other arrays.
template <class T>
std::vector<T> read_array(const std::string& path, const char* descr) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.size() < 10 || std::memcmp(bytes.data(), "\x93NUMPY\x01", 7) != 0) give_up(path, "not a .npy file");
    const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    if (bytes.size() < header) give_up(path, "header cut short");
    const std::string text(bytes.data() + 10, header - 10);
    if (text.find(std::string("'") + descr + "'") == std::string::npos) give_up(path, "another element type");
    if (text.find("'fortran_order': False") == std::string::npos) give_up(path, "not in C order");
    std::vector<T> out((bytes.size() - header) / sizeof(T));
    std::memcpy(out.data(), bytes.data() + header, out.size() * sizeof(T));
    return out;
}

}  // namespace

StoredScene read_stored_scene(const std::string& folder) {
    const auto offsets = read_array<std::uint64_t>(folder + "/hull_offsets.npy", "<u8");
    const auto vertices = read_array<float>(folder + "/hull_vertices.npy", "<f4");
    const auto hulls = read_array<std::uint32_t>(folder + "/body_hull.npy", "<u4");
    std::vector<double> position;
    if (holds(folder + "/position.npy", "<f8")) {
        position = read_array<double>(folder + "/position.npy", "<f8");
    } else {
        for (const float x : read_array<float>(folder + "/position.npy", "<f4")) position.push_back(double{x});
    }
    const auto orientation = read_array<float>(folder + "/orientation.npy", "<f4");
    const auto pair_offsets = read_array<std::uint64_t>(folder + "/pair_offsets.npy", "<u8");
    const auto pairs = read_array<std::uint32_t>(folder + "/pairs.npy", "<u4");
    if (position.size() < 3 * hulls.size() || orientation.size() < 4 * hulls.size()) give_up(folder, "poses missing");
    if (pair_offsets.size() < 2 || pairs.size() < 2 * pair_offsets[1]) give_up(folder, "pairs missing");

    StoredScene scene;
    std::vector<Points> lists;
    for (std::size_t h = 0; h + 1 < offsets.size(); ++h) {
        Points points;
        for (std::uint64_t v = offsets[h]; v < offsets[h + 1]; ++v) {
            points.push_back({vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]});
        }
        lists.push_back(std::move(points));
    }
    scene.library = build_library(lists);
    for (std::size_t i = 0; i < hulls.size(); ++i) {
        Body body{};
        BodyD exact{};
        for (std::size_t k = 0; k < 3; ++k) {
            exact.position[k] = position[3 * i + k];
            body.position[k] = static_cast<float>(exact.position[k]);
        }
        std::memcpy(body.orientation, &orientation[4 * i], sizeof body.orientation);
        std::memcpy(exact.orientation, &orientation[4 * i], sizeof exact.orientation);
        body.hull = exact.hull = hulls[i];
        scene.bodies.push_back(body);
        scene.double_bodies.push_back(exact);
    }
    for (std::uint64_t k = 0; k < pair_offsets[1]; ++k) scene.pairs.push_back({pairs[2 * k], pairs[2 * k + 1]});
    return scene;
}

}  // namespace lanefold::test
