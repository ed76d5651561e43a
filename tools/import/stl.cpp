// SPDX-License-Identifier: MIT
//
// See the header. The binary form: 80 bytes, the number of triangles, 50 bytes a triangle (twelve float32, little
// endian, of which the first three are the normal, and two bytes that mean nothing).

#include "import/stl.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "console/failure.hpp"
#include "console/printable.hpp"
#include "files/atomic_file.hpp"
#include "import/surface.hpp"

namespace lanefold::tools {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30U;
constexpr std::size_t kHead = 84;
constexpr std::size_t kTriangle = 50;
constexpr std::string_view kBlanks = " \t\r";

void add_triangle(Surface& surface) {
    const auto first = static_cast<std::uint32_t>(surface.corners.size());
    for (std::uint32_t k = 0; k < 3; ++k) surface.corners.push_back(first + k);
    surface.face_ends.push_back(first + 3);
}

Surface read_binary(const std::string& bytes, std::uint32_t count, const std::string& name) {
    Surface out;
    for (std::uint32_t t = 0; t < count; ++t) {
        float numbers[9];
        std::memcpy(numbers, bytes.data() + kHead + t * kTriangle + 12, sizeof numbers);
        for (int k = 0; k < 3; ++k) {
            const Vec3f p{numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
            if (!is_finite(p)) throw bad_input("{}: triangle {}: a coordinate is not finite", name, t);
            out.points.push_back(to_double(p));
        }
        add_triangle(out);
    }
    return out;
}

std::string lower(std::string_view word) {
    std::string out(word);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

// Does the file begin as text does? Some programs write capitals.
bool begins_as_text(std::string_view bytes) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    return lower(bytes.substr(0, 5)) == "solid" && bytes.find('\0') == std::string_view::npos;
}

// The text form, line by line.
class TextReader {
public:
    TextReader(std::string_view text, SourceFile& file, std::span<const std::string> whole)
        : text_(text), file_(file), whole_(whole), name_(file.path.string()) {}

    void read() {
        while (next_line()) {
            const std::string word = lower(next_word());
            if (word == "solid") {
                open_ = true;
                finish();
                const std::size_t begin = std::min(rest_.find_first_not_of(kBlanks), rest_.size());
                solid_ = printable(std::string(rest_.substr(begin)));
            } else if (word == "endsolid") {
                open_ = false;
            } else if (word == "vertex") {
                add_vertex();
            } else if (word == "endfacet" || word == "endloop") {
                if (corners_ % 3 != 0) throw wrong("a facet has {} corners, expected 3", corners_ % 3);
            }
        }
        if (open_ || corners_ % 3 != 0) throw wrong("the file ends without endsolid: it is cut off");
        finish();
    }

private:
    bool next_line() {
        if (text_.empty()) return false;
        ++line_;
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        rest_ = text_.substr(0, end);
        while (!rest_.empty() && kBlanks.find(rest_.back()) != std::string_view::npos) rest_.remove_suffix(1);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        return true;
    }
    std::string_view next_word() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
        const std::string_view word = rest_.substr(0, std::min(rest_.find_first_of(kBlanks), rest_.size()));
        rest_.remove_prefix(word.size());
        return word;
    }
    void add_vertex() {
        double c[3];
        for (double& x : c) {
            std::string_view word = next_word();
            if (word.starts_with('+')) word.remove_prefix(1);
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
            if (word.empty() || error != std::errc() || end != word.data() + word.size() || !std::isfinite(x)) {
                throw wrong("a vertex needs three numbers");
            }
        }
        if (!next_word().empty()) throw wrong("a vertex has more than three numbers");
        surface_.points.push_back({c[0], c[1], c[2]});
        if (++corners_ % 3 == 0) add_triangle(surface_);
    }

    void finish() {
        if (!surface_.points.empty()) add_surface(surface_, solid_.empty() ? stem() : solid_, file_, whole_);
        surface_ = {};
        corners_ = 0;
    }
    std::string stem() const { return printable(file_.path.stem().string()); }

    template <class... Args>
    [[nodiscard]] Failure wrong(fmt::format_string<Args...> text, Args&&... args) const {
        return bad_input("{}:{}: {}", name_, line_, fmt::format(text, std::forward<Args>(args)...));
    }

    std::string_view text_;
    std::string_view rest_;  // of the line
    SourceFile& file_;
    std::span<const std::string> whole_;
    std::string name_;
    std::string solid_;
    bool open_ = false;
    std::uint64_t line_ = 0;
    std::uint64_t corners_ = 0;
    Surface surface_;
};

}  // namespace

SourceFile read_stl(const std::filesystem::path& path, std::span<const std::string> whole) {
    const std::string bytes = read_file(path, kLargestFile);
    const std::string name = path.string();
    SourceFile out;
    out.path = path;
    std::uint32_t count = 0;
    if (bytes.size() >= kHead) std::memcpy(&count, bytes.data() + kHead - sizeof count, sizeof count);
    const std::uint64_t needed = kHead + std::uint64_t{count} * kTriangle;
    // Binary files may begin with "solid", too; their length tells.
    if (bytes.size() != needed && begins_as_text(bytes)) {
        TextReader(bytes, out, whole).read();
    } else if (bytes.size() < kHead || bytes.size() < needed) {
        throw bad_input("{}: cut off, or no STL file: {} triangles need {} bytes, but there are {}", name, count,
                        needed, bytes.size());
    } else {
        if (bytes.size() > needed) {
            out.notes.push_back(fmt::format("{}: {} bytes behind the last of {} triangles are left out", name,
                                            bytes.size() - needed, count));
        }
        out.float_numbers = true;
        add_surface(read_binary(bytes, count, name), printable(path.stem().string()), out, whole);
    }
    if (out.pieces.empty()) throw bad_input("{}: no triangle", name);
    return out;
}

}  // namespace lanefold::tools
