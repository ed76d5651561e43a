// SPDX-License-Identifier: MIT
//
// PLY, binary: for each frame the bodies as triangles with the number of their body, and the contacts as points. One
// frame is FILE.ply and FILE_contacts.ply; several have their numbers in the names.

#include <bit>

#include "export/geometry.hpp"
#include "export/output.hpp"

namespace lanefold::tools {
namespace {

static_assert(std::endian::native == std::endian::little);

// Bytes of a file, number after number.
class Bytes {
public:
    template <class T>
    void add(T value) {
        const auto raw = std::as_bytes(std::span(&value, 1));
        bytes_.insert(bytes_.end(), raw.begin(), raw.end());
    }
    void move_to(ExportFile& file) {
        file.bytes(bytes_);
        bytes_.clear();
    }

private:
    std::vector<std::byte> bytes_;
};

// Coordinates are float64 where the scene's positions are.
class PlyWriter {
public:
    PlyWriter(const ExportInput& input, ExportReport& report)
        : input_(input), report_(report), meshes_(hull_meshes(input)), double_(input.scene.positions_are_double()) {}

    void write_frame(std::uint64_t number) {
        input_.scene.read_frame(number, frame_);
        write_bodies(path_of(""));
        if (input_.contacts != nullptr) write_contacts(path_of("_contacts"));
    }

private:
    std::filesystem::path path_of(const std::string& tail) const {
        const std::filesystem::path& path = input_.output;
        if (input_.frames.size() > 1) return numbered(path, tail, input_.scene.info().number_of(frame_.index));
        std::filesystem::path out = path;
        out.replace_filename(path.stem().string() + tail + path.extension().string());
        return out;
    }

    void begin(ExportFile& file, const char* what) const {
        file.print("ply\nformat binary_little_endian 1.0\ncomment lanefold: {}, frame {}\n", what,
                   input_.scene.info().number_of(frame_.index));
    }

    void coordinates(ExportFile& file) const {
        for (const char axis : {'x', 'y', 'z'}) file.print("property {} {}\n", double_ ? "double" : "float", axis);
    }

    void add(const Vec3d& p) {
        for (const double x : {p.x, p.y, p.z}) {
            if (double_) bytes_.add(x);
            if (!double_) bytes_.add(static_cast<float>(x));
        }
    }

    void write_bodies(const std::filesystem::path& path) {
        std::uint64_t vertices = 0;
        std::uint64_t triangles = 0;
        for_each_body(input_, frame_, [&](std::size_t, std::uint32_t hull, const PoseD&) {
            const HullMesh& mesh = meshes_[hull];
            vertices += mesh.vertices.size();
            triangles += mesh.loops.size() - 2 * mesh.loop_size.size();
        });
        ExportFile file(path);
        begin(file, "bodies");
        file.print("element vertex {}\n", vertices);
        coordinates(file);
        file.print("element face {}\nproperty list uchar int vertex_indices\nproperty int body\nend_header\n",
                   triangles);
        for_each_body(input_, frame_, [&](std::size_t, std::uint32_t hull, const PoseD& pose) {
            for (const Vec3d& v : meshes_[hull].vertices) add(transform(pose, v));
            bytes_.move_to(file);
        });
        std::uint32_t base = 0;
        for_each_body(input_, frame_, [&](std::size_t body, std::uint32_t hull, const PoseD&) {
            add_triangles(meshes_[hull], base, static_cast<std::int32_t>(body));
            base += static_cast<std::uint32_t>(meshes_[hull].vertices.size());
            bytes_.move_to(file);
        });
        finish(file);
    }

    // Fans of the loops.
    void add_triangles(const HullMesh& mesh, std::uint32_t base, std::int32_t body) {
        std::size_t first = 0;
        for (const std::uint32_t size : mesh.loop_size) {
            for (std::uint32_t k = 1; k + 1 < size; ++k) {
                bytes_.add(std::uint8_t{3});
                for (const std::size_t corner : {first, first + k, first + k + 1}) {
                    bytes_.add(base + mesh.loops[corner]);
                }
                bytes_.add(body);
            }
            first += size;
        }
    }

    void write_contacts(const std::filesystem::path& path) {
        const ContactCount count = read_contacts(input_, frame_, rows_);
        ExportFile file(path);
        begin(file, "contact points");
        file.print("element vertex {}\n", rows_.size());
        coordinates(file);
        file.text(
            "property float nx\nproperty float ny\nproperty float nz\nproperty float separation\n"
            "property float distance\nproperty int body_a\nproperty int body_b\nproperty uint feature\n"
            "property uchar kind\nend_header\n");
        for (const ContactRow& r : rows_) {
            add(r.position);
            for (const double x : {r.normal.x, r.normal.y, r.normal.z}) bytes_.add(static_cast<float>(x));
            bytes_.add(r.separation);
            bytes_.add(r.distance);
            bytes_.add(r.a);
            bytes_.add(r.b);
            bytes_.add(r.feature);
            bytes_.add(static_cast<std::uint8_t>(r.kind));
        }
        bytes_.move_to(file);
        finish(file);
        report_.points += rows_.size();
        report_.records += count.records;
        report_.without_points += count.without_points;
    }

    void finish(ExportFile& file) {
        report_.bytes += file.commit();
        report_.files += 1;
    }

    const ExportInput& input_;
    ExportReport& report_;
    std::vector<HullMesh> meshes_;
    bool double_;
    SceneFrame frame_;
    std::vector<ContactRow> rows_;
    Bytes bytes_;
};

}  // namespace

void export_ply(const ExportInput& input, ExportReport& report) {
    PlyWriter writer(input, report);
    for (std::size_t i = 0; i < input.frames.size(); ++i) {
        throw_if_stopped(input);
        writer.write_frame(input.frames[i]);
        input.progress.update(i + 1);
    }
}

}  // namespace lanefold::tools
