// SPDX-License-Identifier: MIT
//
// glTF files for tests of the import: boxes at nodes, keys of animations, written as text or as .glb.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "files/base64.hpp"
#include "support/program.hpp"

namespace lanefold::test {

class GltfWriter {
public:
    using Json = nlohmann::json;

    Json root{{"asset", {{"version", "2.0"}}}, {"scene", 0}, {"scenes", {{{"nodes", Json::array()}}}}};

    GltfWriter() {
        for (const char* list : {"nodes", "meshes", "accessors", "bufferViews"}) root[list] = Json::array();
    }

    // Numbers of one accessor: its number.
    template <class T>
    int numbers(const std::vector<T>& values, const char* type, int components, int component_type) {
        while (bytes_.size() % 4 != 0) bytes_ += '\0';
        root["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", values.size() * sizeof(T)}});
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        root["accessors"].push_back({{"bufferView", root["bufferViews"].size() - 1},
                                     {"componentType", component_type},
                                     {"type", type},
                                     {"count", values.size() / static_cast<std::size_t>(components)}});
        return static_cast<int>(root["accessors"].size()) - 1;
    }

    // A mesh of a triangle list: its number.
    int mesh(const std::vector<float>& points, const std::vector<std::uint16_t>& corners) {
        const int position = numbers(points, "VEC3", 3, 5126);
        const int indices = numbers(corners, "SCALAR", 1, 5123);
        root["meshes"].push_back({{"primitives", {{{"attributes", {{"POSITION", position}}}, {"indices", indices}}}}});
        return static_cast<int>(root["meshes"].size()) - 1;
    }

    // A box of half sizes x, y, z about the origin.
    int box(float x, float y, float z) {
        std::vector<float> points;
        for (unsigned c = 0; c < 8; ++c) {
            points.insert(points.end(), {(c & 1U) != 0 ? x : -x, (c & 2U) != 0 ? y : -y, (c & 4U) != 0 ? z : -z});
        }
        return mesh(points, {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                             2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5});
    }

    // An L, whose corners are all on its hull.
    int angle() {
        const float outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
        std::vector<float> points;
        for (const float z : {0.0F, 1.0F}) {
            for (const auto& p : outline) points.insert(points.end(), {p[0], p[1], z});
        }
        std::vector<std::uint16_t> corners;
        for (std::uint16_t i = 0; i < 6; ++i) {
            const auto j = static_cast<std::uint16_t>((i + 1) % 6);
            const auto up = [](std::uint16_t v) { return static_cast<std::uint16_t>(v + 6); };
            corners.insert(corners.end(), {i, j, up(j), i, up(j), up(i)});
        }
        for (const int base : {0, 6}) {
            for (const int v : {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5})
                corners.push_back(static_cast<std::uint16_t>(base + v));
        }
        return mesh(points, corners);
    }

    // A node of the scene, or a child of another one: its number.
    int node(Json json, int parent = -1) {
        root["nodes"].push_back(std::move(json));
        const int number = static_cast<int>(root["nodes"].size()) - 1;
        Json& list =
            parent < 0 ? root["scenes"][0]["nodes"] : root["nodes"][static_cast<std::size_t>(parent)]["children"];
        list.push_back(number);
        return number;
    }

    // Keys of a node; `path`: translation, rotation or scale.
    void animate(int node, const std::string& path, const std::vector<float>& times, const std::vector<float>& values,
                 const std::string& how = "LINEAR", std::size_t animation = 0) {
        Json& list = root["animations"];
        while (list.size() <= animation) {
            list.push_back({{"name", "clip" + std::to_string(list.size())},
                            {"channels", Json::array()},
                            {"samplers", Json::array()}});
        }
        const bool turn = path == "rotation";
        const int input = numbers(times, "SCALAR", 1, 5126);
        const int output = numbers(values, turn ? "VEC4" : "VEC3", turn ? 4 : 3, 5126);
        Json& clip = list[animation];
        clip["channels"].push_back(
            {{"sampler", clip["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
        clip["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", how}});
    }

    // As text with the bytes in it.
    std::string text() const {
        Json json = root;
        const std::string data = tools::base64(std::as_bytes(std::span(bytes_)));
        json["buffers"] = {{{"byteLength", bytes_.size()}, {"uri", "data:application/octet-stream;base64," + data}}};
        return json.dump();
    }

    std::string binary() const {
        Json json = root;
        json["buffers"] = {{{"byteLength", bytes_.size()}}};
        std::string text = json.dump();
        text.resize((text.size() + 3) / 4 * 4, ' ');
        std::string raw = bytes_;
        raw.resize((raw.size() + 3) / 4 * 4, '\0');
        const auto word = [](std::size_t value) {
            const auto number = static_cast<std::uint32_t>(value);
            return std::string(reinterpret_cast<const char*>(&number), sizeof number);
        };
        return "glTF" + word(2) + word(28 + text.size() + raw.size()) + word(text.size()) + "JSON" + text +
               word(raw.size()) + std::string("BIN\0", 4) + raw;
    }

    const std::string& bytes() const { return bytes_; }

    // By the end of the name.
    std::string write(const std::filesystem::path& path) const {
        write_bytes(path, path.extension() == ".glb" ? binary() : text());
        return path.string();
    }

private:
    static_assert(std::endian::native == std::endian::little);
    std::string bytes_;
};

}  // namespace lanefold::test
