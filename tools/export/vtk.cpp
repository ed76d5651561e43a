// SPDX-License-Identifier: MIT
//
// VTK: FILE.pvd names for every frame two .vtp files of the folder FILE beside it, the bodies as polygons with the
// number of their body and hull, and the contacts as points. Arrays are base64 (VTK's XML format, inline "binary",
// lengths as UInt64, uncompressed). The .pvd comes last, so that it names whole files only.

#include <bit>

#include "console/failure.hpp"
#include "export/geometry.hpp"
#include "export/output.hpp"
#include "files/base64.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

template <class T>
const char* vtk_type() {
    if constexpr (std::is_same_v<T, float>) return "Float32";
    if constexpr (std::is_same_v<T, double>) return "Float64";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
    if constexpr (std::is_same_v<T, std::uint32_t>) return "UInt32";
    if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
    if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
}

template <class T>
void add_array(ExportFile& file, const char* name, const std::vector<T>& values, int components = 1) {
    file.print("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n", vtk_type<T>(), name,
               components);
    const std::span<const std::byte> raw = std::as_bytes(std::span(values));
    std::vector<std::byte> bytes(sizeof(std::uint64_t) + raw.size());
    const std::uint64_t length = raw.size();
    const auto head = std::as_bytes(std::span(&length, 1));
    std::copy(head.begin(), head.end(), bytes.begin());
    std::copy(raw.begin(), raw.end(), bytes.begin() + sizeof length);
    file.text(base64(bytes));
    file.text("\n</DataArray>\n");
}

void begin(ExportFile& file, std::size_t points, std::size_t verts, std::size_t polys) {
    file.print(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        points, verts, polys);
}

void end(ExportFile& file) { file.text("</Piece>\n</PolyData>\n</VTKFile>\n"); }

// Points, as float64 where the scene's positions are.
class VtkPoints {
public:
    explicit VtkPoints(bool as_double) : double_(as_double) {}
    void add(const Vec3d& p) {
        for (const double x : {p.x, p.y, p.z}) {
            if (double_) doubles_.push_back(x);
            if (!double_) floats_.push_back(static_cast<float>(x));
        }
    }
    std::size_t size() const { return (doubles_.size() + floats_.size()) / 3; }
    void write(ExportFile& file) const {
        file.text("<Points>\n");
        if (double_) add_array(file, "Points", doubles_, 3);
        if (!double_) add_array(file, "Points", floats_, 3);
        file.text("</Points>\n");
    }

private:
    bool double_;
    std::vector<double> doubles_;
    std::vector<float> floats_;
};

void add_cells(ExportFile& file, const char* what, const std::vector<std::int64_t>& connectivity,
               const std::vector<std::int64_t>& offsets) {
    file.print("<{}>\n", what);
    add_array(file, "connectivity", connectivity);
    add_array(file, "offsets", offsets);
    file.print("</{}>\n", what);
}

std::uint64_t write_bodies(const ExportInput& input, const SceneFrame& frame, const std::vector<HullMesh>& meshes,
                           const fs::path& path) {
    VtkPoints points(input.scene.positions_are_double());
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> offsets;
    std::vector<std::int32_t> body;
    std::vector<std::int32_t> hull_of;
    for_each_body(input, frame, [&](std::size_t b, std::uint32_t hull, const PoseD& pose) {
        const auto base = static_cast<std::int64_t>(points.size());
        const HullMesh& mesh = meshes[hull];
        for (const Vec3d& v : mesh.vertices) points.add(transform(pose, v));
        for (const std::uint32_t corner : mesh.loops) connectivity.push_back(base + corner);
        auto at = offsets.empty() ? std::int64_t{0} : offsets.back();
        for (const std::uint32_t size : mesh.loop_size) offsets.push_back(at += size);
        body.resize(offsets.size(), static_cast<std::int32_t>(b));
        hull_of.resize(offsets.size(), static_cast<std::int32_t>(hull));
    });
    ExportFile file(path);
    begin(file, points.size(), 0, offsets.size());
    file.text("<CellData Scalars=\"body\">\n");
    add_array(file, "body", body);
    add_array(file, "hull", hull_of);
    file.text("</CellData>\n");
    points.write(file);
    add_cells(file, "Polys", connectivity, offsets);
    end(file);
    return file.commit();
}

std::uint64_t write_contacts(const ExportInput& input, const std::vector<ContactRow>& rows, const fs::path& path) {
    VtkPoints points(input.scene.positions_are_double());
    std::vector<float> normal;
    std::vector<float> separation;
    std::vector<float> distance;
    std::vector<std::int32_t> a;
    std::vector<std::int32_t> b;
    std::vector<std::uint32_t> feature;
    std::vector<std::uint8_t> kind;
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> offsets;
    for (const ContactRow& r : rows) {
        points.add(r.position);
        for (const double x : {r.normal.x, r.normal.y, r.normal.z}) normal.push_back(static_cast<float>(x));
        separation.push_back(r.separation);
        distance.push_back(r.distance);
        a.push_back(static_cast<std::int32_t>(r.a));
        b.push_back(static_cast<std::int32_t>(r.b));
        feature.push_back(r.feature);
        kind.push_back(static_cast<std::uint8_t>(r.kind));
        connectivity.push_back(static_cast<std::int64_t>(offsets.size()));
        offsets.push_back(connectivity.back() + 1);
    }
    ExportFile file(path);
    begin(file, rows.size(), rows.size(), 0);
    file.text("<PointData Scalars=\"separation\" Normals=\"normal\">\n");
    add_array(file, "normal", normal, 3);
    add_array(file, "separation", separation);
    add_array(file, "distance", distance);
    add_array(file, "body_a", a);
    add_array(file, "body_b", b);
    add_array(file, "feature", feature);
    add_array(file, "kind", kind);
    file.text("</PointData>\n");
    points.write(file);
    add_cells(file, "Verts", connectivity, offsets);
    end(file);
    return file.commit();
}

// The folder of the frames, and its name in the .pvd.
fs::path make_folder(const fs::path& output) {
    fs::path folder = output;
    folder.replace_extension();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error == std::errc::read_only_file_system || error == std::errc::permission_denied ||
        error == std::errc::no_space_on_device) {
        throw io_failure("{}: the folder cannot be made: {}", folder.string(), error.message());
    }
    if (error || !fs::is_directory(folder)) {
        throw bad_input("{}: the frames of {} go into a folder of this name, which cannot be made: {}", folder.string(),
                        output.filename().string(), error ? error.message() : "something else is there");
    }
    remove_stale_temporaries(folder);
    return folder;
}

// Text of an attribute.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') out += "&amp;";
        if (c == '<') out += "&lt;";
        if (c == '"') out += "&quot;";
        if (c != '&' && c != '<' && c != '"') out += c;
    }
    return out;
}

}  // namespace

void export_vtk(const ExportInput& input, ExportReport& report) {
    const fs::path folder = make_folder(input.output);
    const std::string name = escaped(folder.filename().string());
    const std::vector<HullMesh> meshes = hull_meshes(input);
    ExportFile pvd(input.output);
    pvd.text("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    const SceneInfo& info = input.scene.info();
    SceneFrame frame;
    std::vector<ContactRow> rows;
    for (std::size_t i = 0; i < input.frames.size(); ++i) {
        throw_if_stopped(input);
        input.scene.read_frame(input.frames[i], frame);
        const std::int64_t number = info.number_of(frame.index);
        const double time = static_cast<double>(number) / info.frames_per_second.value_or(1.0);
        const auto add = [&](int part, const char* what, std::uint64_t bytes, const std::string& file) {
            report.bytes += bytes;
            report.files += 1;
            pvd.print("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" name=\"{}\" file=\"{}/{}\"/>\n", time, part,
                      what, name, file);
        };
        const std::string bodies = fmt::format("bodies_{:04}.vtp", number);
        add(0, "bodies", write_bodies(input, frame, meshes, folder / bodies), bodies);
        if (input.contacts != nullptr) {
            const ContactCount count = read_contacts(input, frame, rows);
            const std::string contacts = fmt::format("contacts_{:04}.vtp", number);
            add(1, "contacts", write_contacts(input, rows, folder / contacts), contacts);
            report.points += rows.size();
            report.records += count.records;
            report.without_points += count.without_points;
        }
        input.progress.update(i + 1);
    }
    pvd.text("</Collection>\n</VTKFile>\n");
    report.bytes += pvd.commit();
    report.files += 1;
}

}  // namespace lanefold::tools
