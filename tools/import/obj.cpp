// SPDX-License-Identifier: MIT
//
// Reads OBJ files line by line.

#include "import/obj.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <tiny_obj_loader.h>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/system.hpp"

namespace lanefold::tools {

namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The next word of a line; empty at its end.
std::string_view next_word(std::string_view& rest) {
    const std::size_t begin = std::min(rest.find_first_not_of(kBlanks), rest.size());
    rest.remove_prefix(begin);
    const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

bool read_any_number(std::string_view word, double& x) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);  // from_chars refuses a plus
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), x);
    return !word.empty() && code == std::errc() && end == word.data() + word.size();
}
bool read_number(std::string_view word, double& x) { return read_any_number(word, x) && std::isfinite(x); }

// Does the statement go on in the next line? It does after a backslash, but for one that ends a comment or a name: in
// "# C:\temp\", "g left\" and "usemtl A\B\" it is a character like any other. Numbers end before a backslash, names
// of groups only before one that stands alone.
bool goes_on(std::string_view line) {
    const std::size_t last = line.find_last_not_of(kBlanks);
    if (last == std::string_view::npos || line[last] != '\\') return false;
    std::string_view rest = line.substr(0, last);
    const bool alone = last == 0 || kBlanks.find(line[last - 1]) != std::string_view::npos;
    const std::string_view word = next_word(rest);
    for (const std::string_view name : {"g", "o"}) {
        if (word == name) return alone;
    }
    if (line.find('#') < last) return false;
    for (const std::string_view numbers : {"v", "vt", "vn", "vp", "f", "fo", "l", "p"}) {
        if (word == numbers) return true;
    }
    return false;
}

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) {
        file_.path = path;
        system::close(open_input(path));  // refuses what is no file; a FIFO would block the stream
        in_.open(path, std::ios::binary);
        if (!in_) throw bad_input("{}: cannot open it: {}", path.string(), std::strerror(errno));
        callbacks_.vertex_cb = [](void* self, auto, auto, auto, auto) { static_cast<Reader*>(self)->add_vertex(); };
        callbacks_.index_cb = [](void* self, tinyobj::index_t* indices, int count) {
            static_cast<Reader*>(self)->add_face({indices, static_cast<std::size_t>(count)});
        };
        callbacks_.group_cb = [](void* self, const char** names, int count) {
            static_cast<Reader*>(self)->open_group({names, static_cast<std::size_t>(count)});
        };
        callbacks_.object_cb = [](void* self, const char* name) { static_cast<Reader*>(self)->open_object(name); };
    }

    SourceFile read();

private:
    // A piece while the file is read. It holds indices of vertices; their coordinates follow at the end.
    struct Draft {
        // A line that opens the piece, and where the corners of its faces begin.
        struct Opening {
            std::uint64_t line = 0;
            std::size_t first = 0;
        };

        std::string group;
        std::uint32_t object = 0;
        std::uint64_t line = 0;
        std::vector<std::uint64_t> corners;  // of its faces
        std::vector<std::uint32_t> face_ends;
        std::vector<std::uint64_t> standing;  // vertices defined inside its group
        std::vector<std::uint64_t> face_lines;
        std::vector<Opening> openings;
    };

    bool next_statement();
    void parse_statement();
    void check_corners(std::string_view corners) const;
    void check_other_index(std::int64_t index, std::int64_t count, bool texture, std::string_view word) const;
    void check_behind_coordinates(std::string_view rest, const Vec3d& p) const;
    void add_vertex();
    void add_face(std::span<const tinyobj::index_t> corners);
    void open_group(std::span<const char* const> names);
    void open_object(const char* name);
    Draft& current();
    SourcePiece finish(Draft& draft) const;
    static std::uint64_t opened_apart(const Draft& draft);

    template <class... Args>
    [[nodiscard]] Failure wrong(fmt::format_string<Args...> text, Args&&... args) const {
        return bad_input("{}:{}: {}", file_.path.string(), line_, fmt::format(text, std::forward<Args>(args)...));
    }

    std::ifstream in_;
    tinyobj::callback_t callbacks_;
    SourceFile file_;
    std::string text_;        // the statement being read
    std::uint64_t line_ = 0;  // its first line
    std::uint64_t lines_read_ = 0;
    std::vector<Vec3d> vertices_;
    std::vector<std::uint64_t> vertex_lines_;
    std::int64_t texture_coordinates_ = 0;
    std::int64_t normals_ = 0;
    std::vector<Draft> drafts_;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> by_name_;
    std::map<std::string, std::uint32_t> object_by_name_;
    std::string group_;
    std::string object_;
    std::uint64_t opened_ = 1;  // the line of the o or g that is in force
    bool any_face_ = false;
};

SourceFile Reader::read() {
    while (next_statement()) parse_statement();
    if (in_.bad()) throw io_failure("{}: reading failed after line {}", file_.path.string(), lines_read_);
    if (vertices_.empty()) throw bad_input("{}: no vertices; is it an OBJ file?", file_.path.string());
    // Objects are numbered by the pieces that are left, in order.
    std::vector<std::string> names(object_by_name_.size());
    for (const auto& [name, number] : object_by_name_) names[number] = name;
    std::map<std::uint32_t, std::uint32_t> renumbered;
    for (Draft& draft : drafts_) {
        SourcePiece piece = finish(draft);
        if (piece.points.empty()) continue;
        const auto [at, added] = renumbered.emplace(draft.object, static_cast<std::uint32_t>(renumbered.size()));
        if (added) file_.objects.push_back(names[draft.object]);
        piece.object = at->second;
        file_.pieces.push_back(std::move(piece));
    }
    if (file_.pieces.empty()) throw bad_input("{}: no group with faces or vertices", file_.path.string());
    return std::move(file_);
}

// Reads the next statement: a line, with the next one if it goes on there, and so on. False at the end of the file.
bool Reader::next_statement() {
    if (!std::getline(in_, text_)) return false;
    line_ = ++lines_read_;
    // Some editors begin a file with the three bytes of the UTF-8 byte order mark; the first vertex would be lost.
    if (line_ == 1 && text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
    while (goes_on(text_)) {
        text_.erase(text_.find_last_not_of(kBlanks));
        std::string more;
        if (!std::getline(in_, more)) break;  // the file ends with the backslash
        ++lines_read_;
        text_ += ' ';
        text_ += more;
    }
    return true;
}

// Passes vertices, faces, groups and objects to the parser and counts texture coordinates and normals. All other
// statements are ignored.
void Reader::parse_statement() {
    std::string_view rest = text_;
    const std::string_view word = next_word(rest);
    if (word == "vt") ++texture_coordinates_;
    if (word == "vn") ++normals_;
    if (word != "v" && word != "f" && word != "g" && word != "o") return;
    if (word == "v" || word == "f") {
        // A comment may follow numbers. In a name, # is a character like any other.
        if (const std::size_t comment = text_.find('#'); comment != std::string::npos) text_.erase(comment);
    }
    if (word == "f") check_corners(std::string_view(text_).substr(text_.find('f') + 1));
    if (word == "g" && next_word(rest).empty()) {
        group_.clear();
        opened_ = line_;
        return;
    }
    std::istringstream one(text_);
    std::string warning;
    std::string error;
    if (!tinyobj::LoadObjWithCallback(one, callbacks_, this, nullptr, &warning, &error)) throw wrong("{}", error);
}

// A corner is v, v/vt, v//vn or v/vt/vn, whole numbers. The check is needed because tinyobjloader reads 1.5, 1x and
// 4294967297 as 1.
void Reader::check_corners(std::string_view corners) const {
    const auto no_corner = [&](std::string_view word) {
        return wrong("'{}' is no corner of a face ('{}')", word, text_);
    };
    for (std::string_view word = next_word(corners); !word.empty(); word = next_word(corners)) {
        const char* at = word.data();
        const char* const end = at + word.size();
        for (int part = 0; at != end; ++part) {
            if (part > 2) throw no_corner(word);
            if (part > 0 && *at == '/' && part == 1) {  // v//vn
                ++at;
                continue;
            }
            std::int32_t index = 0;
            const auto [stop, code] = std::from_chars(at, end, index);
            if (code != std::errc() || (stop != end && *stop != '/') || (stop != end && stop + 1 == end)) {
                throw no_corner(word);
            }
            if (part > 0) check_other_index(index, part == 1 ? texture_coordinates_ : normals_, part == 1, word);
            at = stop == end ? end : stop + 1;
        }
    }
}

void Reader::check_other_index(std::int64_t index, std::int64_t count, bool texture, std::string_view word) const {
    const char* const what = texture ? "texture coordinate" : "normal";
    // Some exporters write the indices without the lists. They are accepted, except for 0.
    if (index != 0 && (count == 0 || (index > 0 ? index : -index) <= count)) return;
    throw wrong("the corner '{}' refers to {} {}, but there are {} so far", word, what, index, count);
}

// Behind the coordinates may be a weight, or a colour of three or four numbers, which nobody reads.
void Reader::check_behind_coordinates(std::string_view rest, const Vec3d& p) const {
    const auto not_behind_a_vertex = [&] {
        return wrong("behind a vertex may be its weight or a colour, but the line is '{}'", text_);
    };
    double numbers[4] = {1, 0, 0, 0};
    std::size_t count = 0;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest), ++count) {
        if (count < 4 && read_any_number(word, numbers[count])) continue;
        throw not_behind_a_vertex();
    }
    if (count == 1 && !std::isfinite(numbers[0])) throw not_behind_a_vertex();
    if (count == 2) throw wrong("five numbers are no vertex with a weight or a colour: '{}'", text_);
    const double w = numbers[0];
    if (count != 1 || w == 1) return;
    if (w == 0) throw wrong("the vertex has the weight w = 0, which is infinitely far away; leave the weight out");
    throw wrong(
        "the vertex has the weight w = {}, and programs differ on what that means; leave it out, or write the vertex "
        "that it means by division, 'v {} {} {}'",
        w, p.x / w, p.y / w, p.z / w);
}

void Reader::add_vertex() {
    std::string_view rest = text_;
    next_word(rest);
    double c[3];
    for (double& x : c) {
        if (!read_number(next_word(rest), x)) {
            throw wrong("a vertex needs three numbers, but the line is '{}'", text_);
        }
    }
    check_behind_coordinates(rest, {c[0], c[1], c[2]});
    vertices_.push_back({c[0], c[1], c[2]});
    vertex_lines_.push_back(line_);
    current().standing.push_back(vertices_.size() - 1);
}

void Reader::add_face(std::span<const tinyobj::index_t> corners) {
    if (corners.size() < 3) throw wrong("a face needs at least three vertices, this one has {}", corners.size());
    any_face_ = true;
    Draft& draft = current();
    for (const tinyobj::index_t& corner : corners) {
        // Indices start at 1; negative ones count back from the latest vertex.
        const auto index = static_cast<std::int64_t>(corner.vertex_index);
        const auto count = static_cast<std::int64_t>(vertices_.size());
        const std::int64_t at = index > 0 ? index - 1 : count + index;
        if (index == 0 || at < 0 || at >= count) {
            throw wrong("the face refers to vertex {}, but there are {} so far ('{}')", index, count, text_);
        }
        draft.corners.push_back(static_cast<std::uint64_t>(at));
    }
    draft.face_ends.push_back(static_cast<std::uint32_t>(draft.corners.size()));
    draft.face_lines.push_back(line_);
}

void Reader::open_group(std::span<const char* const> names) {
    group_.clear();
    for (const char* name : names) {
        if (!group_.empty()) group_ += ' ';
        group_ += name;
    }
    opened_ = line_;
}

void Reader::open_object(const char* name) {
    object_ = name;
    object_.erase(std::min(object_.find_last_not_of(kBlanks) + 1, object_.size()));
    object_.erase(0, std::min(object_.find_first_not_of(kBlanks), object_.size()));
    group_.clear();
    opened_ = line_;
}

Reader::Draft& Reader::current() {
    const auto object = static_cast<std::uint32_t>(object_by_name_.size());
    const std::uint32_t number = object_by_name_.emplace(object_, object).first->second;
    const auto [at, added] = by_name_.emplace(std::pair(number, group_), drafts_.size());
    if (added) drafts_.push_back({group_, number, opened_, {}, {}, {}, {}, {}});
    Draft& draft = drafts_[at->second];
    if (draft.openings.empty() || draft.openings.back().line != opened_) {
        draft.openings.push_back({opened_, draft.corners.size()});
    }
    return draft;
}

// The first line in which the piece opens again with faces of which no vertex is one of the faces before; 0: none. A
// piece with several materials opens again with vertices that it has.
std::uint64_t Reader::opened_apart(const Draft& draft) {
    std::unordered_set<std::uint64_t> known;
    for (std::size_t i = 0; i < draft.openings.size(); ++i) {
        const std::size_t end = i + 1 < draft.openings.size() ? draft.openings[i + 1].first : draft.corners.size();
        const auto corners = std::span(draft.corners).subspan(draft.openings[i].first, end - draft.openings[i].first);
        const bool apart = std::none_of(corners.begin(), corners.end(), [&](auto v) { return known.contains(v); });
        if (!known.empty() && !corners.empty() && apart) return draft.openings[i].line;
        known.insert(corners.begin(), corners.end());
    }
    return 0;
}

SourcePiece Reader::finish(Draft& draft) const {
    SourcePiece piece;
    piece.group = draft.group;
    piece.line = draft.line;
    piece.again = opened_apart(draft);
    std::vector<std::uint64_t> wanted = any_face_ ? draft.corners : std::move(draft.standing);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    for (const std::uint64_t v : wanted) {
        piece.points.push_back(vertices_[v]);
        piece.point_lines.push_back(vertex_lines_[v]);
    }
    for (const std::uint64_t corner : draft.corners) {
        const auto at = std::lower_bound(wanted.begin(), wanted.end(), corner);
        piece.corners.push_back(static_cast<std::uint32_t>(at - wanted.begin()));
    }
    piece.face_ends = std::move(draft.face_ends);
    piece.face_lines = std::move(draft.face_lines);
    return piece;
}

}  // namespace

std::string SourceFile::describe(const SourcePiece& piece) const {
    const std::string part = piece.part == 0 ? "" : fmt::format("part {} of ", piece.part - 1);
    if (piece.line == 0) {
        return fmt::format("{}: {}{} '{}'", path.string(), part, poses ? "node" : "piece", objects[piece.object]);
    }
    std::string out = fmt::format("{}:{}: {}", path.string(), piece.line, part);
    const std::string& object = objects[piece.object];
    if (piece.group.empty()) return out + (object.empty() ? "the file's faces" : fmt::format("object '{}'", object));
    out += fmt::format("group '{}'", piece.group);
    return object.empty() ? out : out + fmt::format(" of object '{}'", object);
}

SourceFile read_obj(const std::filesystem::path& path) { return Reader(path).read(); }

}  // namespace lanefold::tools
