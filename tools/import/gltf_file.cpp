// SPDX-License-Identifier: MIT
//
// See the header. Numbers of formats are those of the glTF 2.0 specification (ISO/IEC 12113).

#include "import/gltf_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/base64.hpp"
#include "files/input_file.hpp"

namespace lanefold::tools {
namespace {

// Lengths in a .glb are of 32 bits.
constexpr std::uint64_t kLargestFile = std::uint64_t{4} << 30U;
// Nodes may carry data of programs ("extras"), which nest deeper than what this reader looks at.
constexpr int kMostLevels = 128;
constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;

// Extensions that change neither places nor shapes, or whose numbers are read here. Others that a file requires are
// refused.
constexpr std::string_view kHarmless[] = {"KHR_mesh_quantization", "KHR_texture_transform", "KHR_texture_basisu",
                                          "KHR_lights_punctual",   "KHR_xmp_json_ld",       "EXT_texture_webp"};

std::uint32_t word(std::string_view bytes, std::size_t at) {
    std::uint32_t out = 0;
    std::memcpy(&out, bytes.data() + at, sizeof out);
    return out;
}

std::uint64_t component_bytes(std::int64_t type) {
    if (type == 5120 || type == 5121) return 1;
    if (type == 5122 || type == 5123) return 2;
    if (type == 5125 || type == 5126) return 4;
    return 0;
}

int components_of(const std::string& type) {
    constexpr std::pair<std::string_view, int> kTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                           {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (const auto& [name, components] : kTypes) {
        if (name == type) return components;
    }
    return 0;
}

// %20 and the like.
std::string decoded(std::string_view uri) {
    const auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool code = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
        out += code ? static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2])) : uri[i];
        if (code) i += 2;
    }
    return out;
}

template <class T>
T number_at(std::span<const std::byte> bytes, std::uint64_t at) {
    T out;
    std::memcpy(&out, bytes.data() + at, sizeof out);
    return out;
}

}  // namespace

double GltfNumbers::get(std::uint64_t element, int component) const {
    const std::uint64_t size = component_bytes(type_);
    const std::uint64_t at = element * stride_ + static_cast<std::uint64_t>(component) * size;
    const auto fraction = [&](double value, double largest) {
        return normalised_ ? std::max(value / largest, -1.0) : value;
    };
    if (type_ == 5120) return fraction(number_at<std::int8_t>(bytes_, at), 127);
    if (type_ == 5121) return fraction(number_at<std::uint8_t>(bytes_, at), 255);
    if (type_ == 5122) return fraction(number_at<std::int16_t>(bytes_, at), 32767);
    if (type_ == 5123) return fraction(number_at<std::uint16_t>(bytes_, at), 65535);
    if (type_ == 5125) return number_at<std::uint32_t>(bytes_, at);
    return static_cast<double>(number_at<float>(bytes_, at));
}

std::uint32_t GltfNumbers::index(std::uint64_t element) const {
    const std::uint64_t at = element * stride_;
    if (type_ == 5121) return number_at<std::uint8_t>(bytes_, at);
    if (type_ == 5123) return number_at<std::uint16_t>(bytes_, at);
    return number_at<std::uint32_t>(bytes_, at);
}

GltfFile::GltfFile(const std::filesystem::path& path) : path_(path) {
    open(read_file(path, kLargestFile));
    check_header();
    load_buffers();
}

// The text of a .gltf, or the chunks of a .glb.
void GltfFile::open(const std::string& bytes) {
    const std::string name = path_.string();
    if (bytes.size() < 4 || word(bytes, 0) != kMagic) {
        root_ = parse_json_object(bytes, name, kMostLevels);
        return;
    }
    if (bytes.size() < 20) throw bad_input("{}: the file is cut off in its header", name);
    if (word(bytes, 4) != 2)
        throw bad_input("{}: glTF of version {}; this program reads version 2", name, word(bytes, 4));
    const std::uint64_t length = word(bytes, 8);
    if (length > bytes.size()) throw bad_input("{}: cut off: {} bytes of {}", name, bytes.size(), length);
    std::uint64_t at = 12;
    for (int chunk = 0; at + 8 <= length; ++chunk) {
        const std::uint64_t size = word(bytes, at);
        const std::uint32_t kind = word(bytes, at + 4);
        at += 8;
        if (size > length - at) throw bad_input("{}: chunk {} is longer than the file", name, chunk);
        const std::string_view content = std::string_view(bytes).substr(at, size);
        if (chunk == 0 && kind != kJsonChunk) throw bad_input("{}: the first chunk is not JSON", name);
        if (chunk == 0) root_ = parse_json_object(content, name, kMostLevels);
        if (chunk == 1 && kind == kBinaryChunk) {
            const auto raw = std::as_bytes(std::span(content));
            chunk_.assign(raw.begin(), raw.end());
            has_chunk_ = true;
        }
        at += size;
    }
    if (!root_.is_object()) throw bad_input("{}: there is no JSON chunk", name);
}

void GltfFile::check_header() const {
    const std::string name = path_.string();
    const Json& version = member(member(root_, "asset"), "version");
    if (!version.is_string()) throw bad_input("{}: \"asset\" has no \"version\": is it a glTF file?", name);
    if (!version.get<std::string>().starts_with("2")) {
        throw bad_input("{}: glTF of version {}; this program reads version 2", name, version.dump());
    }
    for (const Json& extension : elements(root_, "extensionsRequired", "the file")) {
        const std::string what = extension.is_string() ? extension.get<std::string>() : extension.dump();
        const bool harmless = what.starts_with("KHR_materials_") ||
                              std::find(std::begin(kHarmless), std::end(kHarmless), what) != std::end(kHarmless);
        if (harmless) continue;
        const bool packed = what == "KHR_draco_mesh_compression" || what == "EXT_meshopt_compression";
        throw bad_input("{}: the file needs the extension {}, which this program does not read{}", name, what,
                        packed ? "; export it without compression" : "");
    }
}

void GltfFile::load_buffers() {
    const std::uint64_t count = length("buffers");
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string where = fmt::format("buffers[{}]", i);
        const Json& buffer = at("buffers", i, where);
        const Json& uri = member(buffer, "uri");
        if (!uri.is_null() && !uri.is_string()) throw bad_input("{}: {}.uri is no text", path_.string(), where);
        if (uri.is_null() && !(i == 0 && has_chunk_)) {
            throw bad_input("{}: {} has no uri, and there is no binary chunk for it", path_.string(), where);
        }
        buffers_.push_back(uri.is_null() ? std::move(chunk_) : load_uri(uri.get<std::string>(), where));
        const std::uint64_t length = parse_count(buffer, "byteLength", path_.string() + ": " + where);
        if (length > buffers_.back().size()) {
            throw bad_input("{}: {} should have {} bytes, but there are {}", path_.string(), where, length,
                            buffers_.back().size());
        }
    }
}

std::vector<std::byte> GltfFile::load_uri(const std::string& uri, const std::string& where) const {
    if (uri.starts_with("data:")) {
        const std::size_t comma = uri.find(";base64,");
        std::vector<std::byte> out;
        if (comma == std::string::npos || !from_base64(std::string_view(uri).substr(comma + 8), out)) {
            throw bad_input("{}: {}.uri is not in base64", path_.string(), where);
        }
        return out;
    }
    std::string file = decoded(uri);
    if (file.find("://") != std::string::npos || file.find('\0') != std::string::npos) {
        throw bad_input("{}: {}.uri is no file beside it: {}", path_.string(), where, uri);
    }
    // Some programs write names as they are: a file may be called "10%20mm.bin".
    if (!is_there(path_.parent_path() / file) && is_there(path_.parent_path() / uri)) file = uri;
    const std::string bytes = read_file(path_.parent_path() / file, kLargestFile);
    const auto raw = std::as_bytes(std::span(bytes));
    return {raw.begin(), raw.end()};
}

std::uint64_t GltfFile::length(const char* list) const { return elements(root_, list, "the file").size(); }

const Json& GltfFile::at(const char* list, std::uint64_t i, const std::string& from) const {
    const Json& all = elements(root_, list, "the file");
    if (i >= all.size()) {
        throw bad_input("{}: {} refers to {}[{}], but there are {}", path_.string(), from, list, i, all.size());
    }
    if (!all[i].is_object()) throw bad_input("{}: {}[{}] is no object", path_.string(), list, i);
    return all[i];
}

std::optional<std::uint64_t> GltfFile::index(const Json& object, const char* key, const std::string& where) const {
    const Json& value = member(object, key);
    if (value.is_null()) return std::nullopt;
    if (!value.is_number_unsigned()) {
        throw bad_input("{}: {}.{} is {}, expected a whole number", path_.string(), where, key, value.dump());
    }
    return value.get<std::uint64_t>();
}

bool GltfFile::list(const Json& object, const char* key, const std::string& where, std::span<double> out) const {
    const Json& value = member(object, key);
    if (value.is_null()) return false;
    const bool good = value.is_array() && value.size() == out.size() &&
                      std::all_of(value.begin(), value.end(),
                                  [](const Json& x) { return x.is_number() && std::isfinite(x.get<double>()); });
    if (!good) throw bad_input("{}: {}.{} is not a list of {} numbers", path_.string(), where, key, out.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = value[i].get<double>();
    return true;
}

const Json& GltfFile::elements(const Json& object, const char* key, const std::string& where) const {
    static const Json nothing = Json::array();
    const Json& value = member(object, key);
    if (value.is_null()) return nothing;
    if (!value.is_array()) throw bad_input("{}: {} has a \"{}\" that is no list", path_.string(), where, key);
    return value;
}

GltfNumbers GltfFile::numbers(std::uint64_t accessor, const std::string& from) const {
    const std::string where = fmt::format("accessors[{}]", accessor);
    const Json& json = at("accessors", accessor, from);
    const std::string place = path_.string() + ": " + where;
    const Json& sparse = member(json, "sparse");
    const std::optional<std::uint64_t> view_number = index(json, "bufferView", where);
    if (!view_number && sparse.is_null()) throw bad_input("{} has no bufferView, so no numbers", place);
    GltfNumbers out;
    const std::uint64_t type = parse_count(json, "componentType", place);
    const std::uint64_t bytes = type <= 5126 ? component_bytes(static_cast<std::int64_t>(type)) : 0;
    const Json& kind = member(json, "type");
    out.components_ = kind.is_string() ? components_of(kind.get<std::string>()) : 0;
    if (bytes == 0 || out.components_ == 0) {
        throw bad_input("{} has type {} of components {}, which glTF does not know", place, kind.dump(), type);
    }
    out.type_ = static_cast<int>(type);
    out.normalised_ = member(json, "normalized") == true;
    out.count_ = parse_count(json, "count", place);

    const std::uint64_t element = bytes * static_cast<std::uint64_t>(out.components_);
    if (view_number) take_view(*view_number, index(json, "byteOffset", where).value_or(0), element, where, out);
    if (!sparse.is_null()) replace_sparse(sparse, element, where, out);
    return out;
}

// The bytes of `count_` elements in a buffer view, from an offset on.
void GltfFile::take_view(std::uint64_t number, std::uint64_t offset, std::uint64_t element, const std::string& where,
                         GltfNumbers& out) const {
    const std::string place = path_.string() + ": " + where;
    const Json& view = at("bufferViews", number, where);
    const std::string view_place = fmt::format("bufferViews[{}]", number);
    const std::optional<std::uint64_t> buffer = index(view, "buffer", view_place);
    if (!buffer || *buffer >= buffers_.size()) {
        throw bad_input("{}: {} has no buffer of the {} that there are", path_.string(), view_place, buffers_.size());
    }
    const std::span<const std::byte> all = buffers_[*buffer];
    const std::uint64_t first = index(view, "byteOffset", view_place).value_or(0);
    const std::uint64_t length = parse_count(view, "byteLength", path_.string() + ": " + view_place);
    if (first > all.size() || length > all.size() - first) {
        throw bad_input("{}: {} is beyond the end of buffers[{}], which has {} bytes", path_.string(), view_place,
                        *buffer, all.size());
    }
    out.stride_ = index(view, "byteStride", view_place).value_or(element);
    const bool fits = out.count_ == 0 || (offset <= length && element <= length - offset && out.stride_ >= element &&
                                          (out.count_ - 1) <= (length - offset - element) / out.stride_);
    if (!fits) {
        throw bad_input("{}: {} elements of {} bytes are more than {} holds", place, out.count_, element, view_place);
    }
    out.bytes_ = out.count_ == 0 ? std::span<const std::byte>() : all.subspan(first + offset, length - offset);
}

// Replaces the elements that the accessor names. Without a view of its own it begins with zeros.
void GltfFile::replace_sparse(const Json& sparse, std::uint64_t element, const std::string& where,
                              GltfNumbers& out) const {
    const std::string place = path_.string() + ": " + where + ".sparse";
    if (out.count_ > kLargestFile / element) throw bad_input("{}: {} elements are too many", place, out.count_);
    const auto part = [&](const char* name) -> const Json& {
        const Json& json = member(sparse, name);
        if (!json.is_object()) throw bad_input("{} has no {}", place, name);
        return json;
    };
    const auto read = [&](const char* name, std::uint64_t size, GltfNumbers& to) {
        const std::string from = fmt::format("{}.sparse.{}", where, name);
        const std::optional<std::uint64_t> view = index(part(name), "bufferView", from);
        if (!view) throw bad_input("{} has no bufferView", path_.string() + ": " + from);
        take_view(*view, index(part(name), "byteOffset", from).value_or(0), size, from, to);
    };
    GltfNumbers indices;
    indices.count_ = parse_count(sparse, "count", place);
    const std::uint64_t type = parse_count(part("indices"), "componentType", place + ".indices");
    indices.type_ = type <= 5126 ? static_cast<int>(type) : 0;
    if (!indices.has_indices()) throw bad_input("{}.indices are no whole numbers without sign", place);
    read("indices", component_bytes(indices.type_), indices);
    GltfNumbers values;
    values.count_ = indices.count_;
    read("values", element, values);

    auto dense = std::make_shared<std::vector<std::byte>>(out.count_ * element);
    for (std::uint64_t i = 0; i < out.count_ && !out.bytes_.empty(); ++i) {
        std::memcpy(dense->data() + i * element, out.bytes_.data() + i * out.stride_, element);
    }
    for (std::uint64_t i = 0; i < indices.count_; ++i) {
        const std::uint64_t at = indices.index(i);
        if (at >= out.count_) throw bad_input("{}: index {} is {}, but there are {}", place, i, at, out.count_);
        std::memcpy(dense->data() + at * element, values.bytes_.data() + i * values.stride_, element);
    }
    out.stride_ = element;
    out.bytes_ = *dense;
    out.own_ = std::move(dense);
}

}  // namespace lanefold::tools
