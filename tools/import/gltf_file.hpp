// SPDX-License-Identifier: MIT
//
// glTF 2.0 files (.gltf with buffers in it or beside it, and .glb): the JSON and the numbers that its accessors name.
// Every index, offset and count is checked here, because a file may hold anything. The readers of glTF that Debian has
// trust indices of images and need the images' files; pieces need none of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/json.hpp"

namespace lanefold::tools {

// The elements of an accessor: scalars, vectors or matrices, wherever and however the file has them.
class GltfNumbers {
public:
    std::uint64_t count() const { return count_; }
    int components() const { return components_; }
    // As a number; normalised integers as the fraction that they mean.
    double get(std::uint64_t element, int component) const;
    // An element of an accessor of whole numbers.
    std::uint32_t index(std::uint64_t element) const;
    bool has_floats() const { return type_ == 5126; }
    bool has_indices() const { return type_ == 5121 || type_ == 5123 || type_ == 5125; }

private:
    friend class GltfFile;
    std::span<const std::byte> bytes_;
    std::shared_ptr<const std::vector<std::byte>> own_;  // of a sparse accessor, whose bytes no buffer has
    std::uint64_t count_ = 0;
    std::uint64_t stride_ = 0;
    int components_ = 1;
    int type_ = 5126;  // glTF's number of a component's type
    bool normalised_ = false;
};

class GltfFile {
public:
    // Throws Failure(bad_input) for what is no glTF 2.0, and for extensions that are required and change geometry.
    explicit GltfFile(const std::filesystem::path& path);
    GltfFile(const GltfFile&) = delete;  // numbers refer to its buffers
    GltfFile& operator=(const GltfFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    const Json& root() const { return root_; }
    // The length of a list of the root: "nodes", "meshes", ...
    std::uint64_t length(const char* list) const;
    // Its element. `from` says who asks, for messages: "nodes[3].mesh".
    const Json& at(const char* list, std::uint64_t i, const std::string& from) const;
    GltfNumbers numbers(std::uint64_t accessor, const std::string& from) const;

    // A member that is an index, if it is there.
    std::optional<std::uint64_t> index(const Json& object, const char* key, const std::string& where) const;
    // `count` finite numbers of a member that is a list of them; false if it is not there.
    bool list(const Json& object, const char* key, const std::string& where, std::span<double> out) const;
    // A member that is a list; an empty one if it is not there.
    const Json& elements(const Json& object, const char* key, const std::string& where) const;

private:
    void open(const std::string& bytes);
    void check_header() const;
    void load_buffers();
    void take_view(std::uint64_t number, std::uint64_t offset, std::uint64_t element, const std::string& where,
                   GltfNumbers& out) const;
    void replace_sparse(const Json& sparse, std::uint64_t element, const std::string& where, GltfNumbers& out) const;
    std::vector<std::byte> load_uri(const std::string& uri, const std::string& where) const;

    std::filesystem::path path_;
    Json root_;
    std::vector<std::byte> chunk_;  // the binary chunk of a .glb
    bool has_chunk_ = false;
    std::vector<std::vector<std::byte>> buffers_;
};

}  // namespace lanefold::tools
