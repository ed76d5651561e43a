// SPDX-License-Identifier: MIT
//
// See the header. The header of a file lists elements with their properties; their numbers follow in this order.

#include "import/ply.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "files/atomic_file.hpp"
#include "import/surface.hpp"

namespace lanefold::tools {
namespace {

// Corners are counted by 32 bits, and one takes a byte or more.
constexpr std::uint64_t kLargestFile = std::uint64_t{4} << 30U;
// Corners of a face. More are a damaged count.
constexpr double kMostCorners = 1e6;
constexpr std::string_view kBlanks = " \t\r\n";

enum class Type : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
constexpr std::array<std::size_t, 8> kBytes{1, 1, 2, 2, 4, 4, 4, 8};
constexpr std::pair<std::string_view, Type> kTypes[] = {
    {"char", Type::int8},     {"int8", Type::int8},       {"uchar", Type::uint8},    {"uint8", Type::uint8},
    {"short", Type::int16},   {"int16", Type::int16},     {"ushort", Type::uint16},  {"uint16", Type::uint16},
    {"int", Type::int32},     {"int32", Type::int32},     {"uint", Type::uint32},    {"uint32", Type::uint32},
    {"float", Type::float32}, {"float32", Type::float32}, {"double", Type::float64}, {"float64", Type::float64}};

struct Property {
    std::string name;
    Type type = Type::float32;
    bool is_list = false;
    Type count = Type::uint8;  // of a list's length
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

enum class Format : std::uint8_t { text, little, big };

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : name_(path.string()), bytes_(read_file(path, kLargestFile)) {}

    Surface read() {
        read_header();
        for (const Element& element : elements_) {
            if (element.name == "tristrips" && element.count != 0) {
                throw bad_input("{}: its triangles are strips; export triangles or polygons", name_);
            }
            read_element(element);
        }
        for (const std::uint32_t corner : surface_.corners) {
            if (corner < surface_.points.size()) continue;
            throw bad_input("{}: a face refers to vertex {}, but there are {}", name_, corner, surface_.points.size());
        }
        return std::move(surface_);
    }

    bool has_float_numbers() const { return float_numbers_ && format_ != Format::text; }

private:
    std::vector<std::string_view> next_line() {
        if (at_ >= bytes_.size()) throw bad_input("{}: no end_header: cut off, or no PLY file", name_);
        const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
        std::string_view line = std::string_view(bytes_).substr(at_, end - at_);
        at_ = std::min(end + 1, bytes_.size());
        std::vector<std::string_view> words;
        while (!(line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size())), line.empty())) {
            words.push_back(line.substr(0, std::min(line.find_first_of(kBlanks), line.size())));
            line.remove_prefix(words.back().size());
        }
        return words;
    }

    Type type_of(std::string_view word) const {
        for (const auto& [name, type] : kTypes) {
            if (word == name) return type;
        }
        throw bad_input("{}: the header has a property of type '{}', which PLY does not know", name_,
                        printable(std::string(word)));
    }

    void read_header() {
        if (bytes_.substr(0, 3) != "ply") throw bad_input("{}: does not begin with 'ply': no PLY file", name_);
        bool has_format = false;
        for (std::vector<std::string_view> w = next_line(); w.empty() || w[0] != "end_header"; w = next_line()) {
            if (w.size() >= 2 && w[0] == "format") {
                has_format = w[1] == "ascii" || w[1] == "binary_little_endian" || w[1] == "binary_big_endian";
                format_ = w[1] == "ascii" ? Format::text : w[1] == "binary_big_endian" ? Format::big : Format::little;
            } else if (w.size() == 3 && w[0] == "element") {
                Element& element = elements_.emplace_back();
                element.name = w[1];
                const auto [end, error] = std::from_chars(w[2].data(), w[2].data() + w[2].size(), element.count);
                if (error != std::errc() || end != w[2].data() + w[2].size()) {
                    throw bad_input("{}: '{}' is no number of elements", name_, printable(std::string(w[2])));
                }
            } else if (w.size() >= 3 && w[0] == "property") {
                if (elements_.empty()) throw bad_input("{}: a property before any element", name_);
                const bool list = w[1] == "list";
                if (list != (w.size() == 5)) throw bad_input("{}: a property of {} words", name_, w.size());
                Property property{std::string(w.back()), type_of(w[list ? 3 : 1]), list, Type::uint8};
                if (list) property.count = type_of(w[2]);
                elements_.back().properties.push_back(std::move(property));
            }
        }
        if (!has_format) throw bad_input("{}: no format that PLY knows", name_);
    }

    void read_element(const Element& element) {
        const bool vertices = element.name == "vertex";
        std::size_t axes[3] = {};
        if (vertices) find_axes(element, axes);
        std::vector<double> row(element.properties.size());
        for (std::uint64_t i = 0; i < element.count; ++i) {
            // No row of anything takes no bytes, or a count of nothing would never end.
            if (element.properties.empty()) throw bad_input("{}: element {} has no property", name_, element.name);
            for (std::size_t k = 0; k < row.size(); ++k) {
                const Property& property = element.properties[k];
                const double value = next(property.is_list ? property.count : property.type, element, i);
                row[k] = value;
                if (property.is_list) read_list(property, value, element, i);
            }
            if (!vertices) continue;
            const Vec3d p{row[axes[0]], row[axes[1]], row[axes[2]]};
            if (!is_finite(p)) throw bad_input("{}: vertex {} is not finite", name_, i);
            surface_.points.push_back(p);
        }
    }

    void find_axes(const Element& element, std::size_t* axes) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto at = std::find_if(element.properties.begin(), element.properties.end(), [&](const Property& p) {
                return !p.is_list && p.name == std::string(1, "xyz"[axis]);
            });
            if (at == element.properties.end()) throw bad_input("{}: vertices without {}", name_, "xyz"[axis]);
            axes[axis] = static_cast<std::size_t>(at - element.properties.begin());
            float_numbers_ = float_numbers_ || at->type == Type::float32;
        }
    }

    void read_list(const Property& property, double length, const Element& element, std::uint64_t row) {
        if (!(length >= 0 && length <= kMostCorners) || length != std::floor(length)) {
            throw bad_input("{}: {} {}: a list of {} entries", name_, element.name, row, length);
        }
        const bool corners = element.name == "face" && property.name.starts_with("vertex_ind");
        if (corners && length < 3) {
            throw bad_input("{}: face {}: a face needs at least three vertices, this one has {}", name_, row, length);
        }
        for (double k = 0; k < length; ++k) {
            const double value = next(property.type, element, row);
            if (!corners) continue;
            if (!(value >= 0 && value < 4294967295.0) || value != std::floor(value)) {
                throw bad_input("{}: face {}: {} is no vertex", name_, row, value);
            }
            surface_.corners.push_back(static_cast<std::uint32_t>(value));
        }
        if (corners) surface_.face_ends.push_back(static_cast<std::uint32_t>(surface_.corners.size()));
    }

    double next(Type type, const Element& element, std::uint64_t row) {
        if (format_ != Format::text) return next_binary(type, element, row);
        at_ = std::min(bytes_.find_first_not_of(kBlanks, at_), bytes_.size());
        const std::size_t end = std::min(bytes_.find_first_of(kBlanks, at_), bytes_.size());
        if (at_ == end) throw cut_off(element, row);
        std::string_view word = std::string_view(bytes_).substr(at_, end - at_);
        at_ = end;
        if (word.starts_with('+')) word.remove_prefix(1);
        double value = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error == std::errc() && stop == word.data() + word.size()) return value;
        throw bad_input("{}: {} {}: '{}' is no number", name_, element.name, row, printable(std::string(word)));
    }

    double next_binary(Type type, const Element& element, std::uint64_t row) {
        const std::size_t size = kBytes[static_cast<std::size_t>(type)];
        if (size > bytes_.size() - at_) throw cut_off(element, row);
        std::array<char, 8> raw{};
        std::memcpy(raw.data(), bytes_.data() + at_, size);
        at_ += size;
        if (format_ == Format::big) std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(size));
        const auto as = [&]<class T>(T value) {
            std::memcpy(&value, raw.data(), sizeof value);
            return static_cast<double>(value);
        };
        switch (type) {
            case Type::int8:
                return as(std::int8_t{});
            case Type::uint8:
                return as(std::uint8_t{});
            case Type::int16:
                return as(std::int16_t{});
            case Type::uint16:
                return as(std::uint16_t{});
            case Type::int32:
                return as(std::int32_t{});
            case Type::uint32:
                return as(std::uint32_t{});
            case Type::float32:
                return as(float{});
            case Type::float64:
                break;
        }
        return as(double{});
    }

    Failure cut_off(const Element& element, std::uint64_t row) const {
        return bad_input("{}: cut off in {} {} of {}", name_, printable(element.name), row, element.count);
    }

    std::string name_;
    std::string bytes_;
    std::size_t at_ = 0;
    Format format_ = Format::text;
    std::vector<Element> elements_;
    bool float_numbers_ = false;
    Surface surface_;
};

}  // namespace

SourceFile read_ply(const std::filesystem::path& path, std::span<const std::string> whole) {
    SourceFile out;
    out.path = path;
    Reader reader(path);
    add_surface(reader.read(), printable(path.stem().string()), out, whole);
    out.float_numbers = reader.has_float_numbers();
    if (out.pieces.empty()) throw bad_input("{}: no face and no vertex", path.string());
    return out;
}

}  // namespace lanefold::tools
