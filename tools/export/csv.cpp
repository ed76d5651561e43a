// SPDX-License-Identifier: MIT
//
// CSV (RFC 4180): a row for each contact point; without contacts, for each body and frame. Numbers and axes are those
// of the scene; floats have the digits that give them back.

#include <lanefold/manifold.hpp>

#include "export/geometry.hpp"
#include "export/output.hpp"
#include "export/text.hpp"

namespace lanefold::tools {
namespace {

std::string name_of(const Scene& scene, std::uint32_t body) {
    return scene.names().empty() ? std::string() : csv_quoted(scene.names()[body]);
}

void write_contacts(const ExportInput& input, const SceneFrame& frame, ExportFile& file, ExportReport& report) {
    std::vector<ContactRow> rows;
    const ContactCount count = read_contacts(input, frame, rows);
    const Scene& scene = input.scene;
    for (const ContactRow& r : rows) {
        file.print("{},{},{},{},{},{},{},{},", frame.index, scene.info().number_of(frame.index), r.a, r.b,
                   name_of(scene, r.a), name_of(scene, r.b), to_string(r.kind), r.point);
        file.print("{},{},{},", r.position.x, r.position.y, r.position.z);
        file.print("{},{},{},", static_cast<float>(r.normal.x), static_cast<float>(r.normal.y),
                   static_cast<float>(r.normal.z));
        file.print("{},{},{}\r\n", r.separation, r.distance, r.feature);
    }
    report.points += rows.size();
    report.records += count.records;
    report.without_points += count.without_points;
}

void write_bodies(const ExportInput& input, const SceneFrame& frame, ExportFile& file) {
    const Scene& scene = input.scene;
    for (std::uint32_t b = 0; b < scene.bodies(); ++b) {
        if (!frame.is_there(b)) continue;
        file.print("{},{},{},{},{},", frame.index, scene.info().number_of(frame.index), b, name_of(scene, b),
                   scene.body_hull()[b]);
        if (scene.positions_are_double()) {
            const double* const p = frame.position_double.data() + std::size_t{3} * b;
            file.print("{},{},{},", p[0], p[1], p[2]);
        } else {
            const float* const p = frame.position.data() + std::size_t{3} * b;
            file.print("{},{},{},", p[0], p[1], p[2]);
        }
        const float* const q = frame.orientation.data() + std::size_t{4} * b;
        file.print("{},{},{},{}\r\n", q[0], q[1], q[2], q[3]);
    }
}

}  // namespace

std::string csv_quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

void export_csv(const ExportInput& input, ExportReport& report) {
    ExportFile file(input.output);
    file.text(
        input.contacts == nullptr
            ? "frame,number,body,name,hull,x,y,z,qx,qy,qz,qw\r\n"
            : "frame,number,body_a,body_b,name_a,name_b,kind,point,x,y,z,nx,ny,nz,separation,distance,feature\r\n");
    SceneFrame frame;
    for (std::size_t i = 0; i < input.frames.size(); ++i) {
        throw_if_stopped(input);
        input.scene.read_frame(input.frames[i], frame);
        if (input.contacts == nullptr) {
            write_bodies(input, frame, file);
        } else {
            write_contacts(input, frame, file, report);
        }
        input.progress.update(i + 1);
    }
    report.bytes += file.commit();
    report.files += 1;
}

}  // namespace lanefold::tools
