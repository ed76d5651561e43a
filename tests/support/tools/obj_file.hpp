// SPDX-License-Identifier: MIT
//
// OBJ files and poses for tests of the import.
#pragma once

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <lanefold/vec.hpp>

#include "files/npy.hpp"
#include "support/program.hpp"

namespace lanefold::test {

// An OBJ file, statement by statement.
class Obj {
public:
    Obj& object(const std::string& name) { return add("o " + name); }

    Obj& box(const std::string& group, const Vec3d& centre, const Vec3d& half) {
        add("g " + group);
        for (unsigned c = 0; c < 8; ++c) {
            vertex(centre + Vec3d{(c & 1U) != 0 ? half.x : -half.x, (c & 2U) != 0 ? half.y : -half.y,
                                  (c & 4U) != 0 ? half.z : -half.z});
        }
        for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}) add_face(face);
        first_ += 8;
        return *this;
    }

    // An L of two arms, one unit thick: every corner is on the surface of its hull, two walls are not.
    Obj& angle(const std::string& group) {
        add("g " + group);
        const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
        for (const double z : {0.0, 1.0}) {
            for (const auto& p : outline) vertex({p[0], p[1], z});
        }
        add_face("6 5 4 3 2 1");
        add_face("7 8 9 10 11 12");
        for (int i = 0; i < 6; ++i) {
            const int j = (i + 1) % 6;
            std::string corners;
            for (const int corner : {i + 1, j + 1, j + 7, i + 7}) corners += std::to_string(corner) + ' ';
            corners.pop_back();
            add_face(corners);
        }
        first_ += 12;
        return *this;
    }

    Obj& vertex(const Vec3d& p) {
        std::ostringstream line;
        line.precision(std::numeric_limits<double>::max_digits10);
        line << "v " << p.x << ' ' << p.y << ' ' << p.z;
        return add(line.str());
    }
    Obj& add(const std::string& line) {
        text_ += line + "\n";
        return *this;
    }
    std::string write(const std::filesystem::path& path) const {
        write_bytes(path, text_);
        return path.string();
    }

private:
    // Corners counted from the piece's first vertex, written with the parts that texture and normal would have.
    void add_face(const std::string& corners) {
        std::string line = "f";
        for (std::size_t at = 0; at < corners.size();) {
            const std::size_t end = std::min(corners.find(' ', at), corners.size());
            line += ' ';
            line += std::to_string(first_ - 1 + std::stoul(corners.substr(at, end - at)));
            line += "//1";
            at = end + 1;
        }
        add(line);
    }

    std::string text_ = "# made by a test\nvn 0 0 1\nusemtl grey\n";
    std::size_t first_ = 1;
};

// A table, whose leg reaches into its top, and a cup, which is 1/64 deep in the top.
inline Obj table_and_cup() {
    return Obj()
        .object("table")
        .box("top", {0, 1, 0}, {1, 0.125, 1})
        .box("leg", {0, 0.5, 0}, {0.125, 0.4375, 0.125})
        .object("cup")
        .box("cup", {0.25, 1.234375, 0}, {0.125, 0.125, 0.125});
}

using Row = std::vector<double>;  // x y z and quaternion

inline void write_poses(const std::filesystem::path& path, std::uint64_t frames, std::uint64_t rows,
                        const std::vector<Row>& poses) {
    std::vector<double> flat;
    for (const Row& row : poses) flat.insert(flat.end(), row.begin(), row.end());
    tools::write_npy(path, std::span<const double>(flat), {frames, rows, 7});
}

}  // namespace lanefold::test
