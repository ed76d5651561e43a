// SPDX-License-Identifier: MIT
//
// USD as text (.usda). /World/Hulls has a mesh for each hull, as classes, which are not drawn; /World/Bodies an
// instance of one for each body, with samples of its place, its turn, and when it is there; /World/Contacts the
// contact points. Samples of an attribute stand together, so bodies are written in blocks, each of which reads all
// frames, and contacts are read again for each attribute: memory is bounded, whatever the number of frames.

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "export/geometry.hpp"
#include "export/output.hpp"
#include "export/text.hpp"
#include "scene/unit.hpp"

namespace lanefold::tools {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20U;

// A pose of a body in a frame, in the file's axes.
struct Sample {
    double position[3];
    float orientation[4];  // x, y, z, w
    bool there;
};

bool equal(const Sample& a, const Sample& b) {
    return std::equal(std::begin(a.position), std::end(a.position), std::begin(b.position)) &&
           std::equal(std::begin(a.orientation), std::end(a.orientation), std::begin(b.orientation));
}

// Names of prims have letters, digits and underscores.
std::string identifier(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        if (digit && out.empty()) out += '_';
        out += letter || digit ? c : '_';
    }
    return out;
}

std::vector<std::string> prim_names(const Scene& scene) {
    std::vector<std::string> out;
    std::unordered_set<std::string> taken;
    for (std::uint64_t b = 0; b < scene.bodies(); ++b) {
        const std::string name = scene.names().empty() ? fmt::format("body_{}", b) : identifier(scene.names()[b]);
        std::string unique = name;
        if (taken.contains(unique)) unique = fmt::format("{}_body_{}", name, b);
        while (!taken.insert(unique).second) unique += '_';
        out.push_back(unique);
    }
    return out;
}

class UsdWriter {
public:
    UsdWriter(const ExportInput& input, ExportReport& report) : input_(input), report_(report), file_(input.output) {}

    void write() {
        write_head();
        file_.text("def Xform \"World\"\n{\n");
        write_hulls();
        write_bodies();
        if (input_.contacts != nullptr) write_contacts();
        file_.text("}\n");
        report_.bytes += file_.commit();
        report_.files += 1;
    }

private:
    std::int64_t time(std::size_t i) const { return input_.scene.info().number_of(input_.frames[i]); }

    void write_head() {
        const std::optional<std::string> note =
            write_usd_head(file_, input_.scene.info(), input_.axes, {time(0), time(input_.frames.size() - 1)});
        if (note) report_.notes.push_back(*note);
    }

    void write_hulls() {
        file_.text("    class Scope \"Hulls\"\n    {\n");
        for (std::uint32_t h = 0; h < input_.drawn.size(); ++h) {
            const HullMesh mesh = hull_mesh(input_.drawn, h, input_.axes);
            file_.print("        def Xform \"hull_{}\"\n        {{\n            def Mesh \"shape\"\n            {{\n",
                        h);
            const std::string pad(16, ' ');
            write_extent(pad + "float3[] extent = ", mesh.vertices, 0, "\n");
            write_list(pad + "int[] faceVertexCounts = ", mesh.loop_size);
            write_list(pad + "int[] faceVertexIndices = ", mesh.loops);
            file_.text(pad + "point3f[] points = [");
            for (std::size_t i = 0; i < mesh.vertices.size(); ++i) write_point(i, mesh.vertices[i]);
            file_.text("]\n" + pad + "uniform token subdivisionScheme = \"none\"\n            }\n        }\n");
        }
        file_.text("    }\n\n");
    }

    void write_list(const std::string& begin, const std::vector<std::uint32_t>& values) {
        file_.text(begin + "[");
        for (std::size_t i = 0; i < values.size(); ++i) file_.print("{}{}", i == 0 ? "" : ", ", values[i]);
        file_.text("]\n");
    }

    // As float32.
    void write_point(std::size_t i, const Vec3d& p) {
        const Vec3f f = to_float(p);
        file_.print("{}({}, {}, {})", i == 0 ? "" : ", ", f.x, f.y, f.z);
    }

    void write_extent(const std::string& begin, std::span<const Vec3d> points, double beyond, const char* end) {
        Vec3d low;
        Vec3d high;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3d& p = points[i];
            low = i == 0 ? p : Vec3d{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = i == 0 ? p : Vec3d{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        file_.text(begin + "[");
        write_point(0, low - Vec3d{beyond, beyond, beyond});
        write_point(1, high + Vec3d{beyond, beyond, beyond});
        file_.print("]{}", end);
    }

    void write_bodies() {
        file_.text("    def Scope \"Bodies\"\n    {\n");
        const std::vector<std::string> names = prim_names(input_.scene);
        const std::uint64_t bodies = input_.scene.bodies();
        const std::uint64_t at_once = std::max<std::uint64_t>(kBlockBytes / sizeof(Sample) / input_.frames.size(), 1);
        for (std::uint64_t first = 0; first < bodies; first += at_once) {
            const std::uint64_t count = std::min(at_once, bodies - first);
            read_block(first, count);
            for (std::uint64_t k = 0; k < count; ++k) write_body(first + k, names[first + k], block_.data() + k, count);
            input_.progress.update(input_.frames.size() * (first + count) / bodies);
        }
        file_.text("    }\n");
    }

    // Samples of `count` bodies, frame after frame.
    void read_block(std::uint64_t first, std::uint64_t count) {
        block_.resize(count * input_.frames.size());
        SceneFrame frame;
        for (std::size_t i = 0; i < input_.frames.size(); ++i) {
            throw_if_stopped(input_);
            input_.scene.read_poses(input_.frames[i], first, count, frame);
            for (std::uint64_t k = 0; k < count; ++k) {
                Sample& sample = block_[i * count + k];
                const Vec3d p = body_position(input_.scene, frame, k, input_.axes);
                const std::array<float, 4> q = input_.axes.quaternion(frame.orientation.data() + 4 * k);
                sample = {{p.x, p.y, p.z}, {q[0], q[1], q[2], q[3]}, frame.is_there(k)};
            }
        }
        // A body that is gone stays where it was, so that nothing moves between its last two samples; and of q and -q
        // the nearer one follows, so that a reader that interpolates turns the short way.
        for (std::uint64_t k = 0; k < count; ++k) {
            const Sample* before = nullptr;
            for (std::size_t i = 0; i < input_.frames.size(); ++i) {
                Sample& sample = block_[i * count + k];
                if (before != nullptr) follow(*before, sample);
                if (sample.there || before != nullptr) before = &sample;
            }
        }
    }

    static void follow(const Sample& before, Sample& sample) {
        if (!sample.there) {
            sample = before;
            sample.there = false;
            return;
        }
        float cosine = 0;
        for (std::size_t i = 0; i < 4; ++i) cosine += before.orientation[i] * sample.orientation[i];
        if (cosine >= 0) return;
        for (float& x : sample.orientation) x = -x;
    }

    void write_body(std::uint64_t body, const std::string& name, const Sample* samples, std::size_t stride) {
        const std::size_t n = input_.frames.size();
        bool all_there = true;
        bool moves = false;
        std::size_t first = n;  // in which it is there
        for (std::size_t i = 0; i < n; ++i) {
            const Sample& sample = samples[i * stride];
            all_there = all_there && sample.there;
            if (first == n && sample.there) first = i;
            if (first < n && !equal(samples[first * stride], sample)) moves = true;
        }
        file_.print(
            "        def Xform \"{}\" (\n            instanceable = true\n"
            "            prepend references = </World/Hulls/hull_{}>\n        )\n        {{\n",
            name, input_.scene.body_hull()[body]);
        file_.print("            custom int lanefold:body = {}\n", body);
        if (!input_.scene.names().empty()) {
            file_.print("            custom string lanefold:name = {}\n", usd_quoted(input_.scene.names()[body]));
        }
        const auto samples_of = [&](const char* attribute, const auto& print) {
            if (first == n) return;
            if (!moves) {
                file_.print("            {} = ", attribute);
                print(samples[first * stride]);
                return file_.text("\n");
            }
            file_.print("            {}.timeSamples = {{\n", attribute);
            for (std::size_t i = first; i < n; ++i) {
                const Sample& sample = samples[i * stride];
                const bool changes = i == first || i + 1 == n || !equal(samples[(i - 1) * stride], sample) ||
                                     !equal(samples[(i + 1) * stride], sample);
                if (!changes) continue;
                file_.print("                {}: ", time(i));
                print(sample);
                file_.text(",\n");
            }
            file_.text("            }\n");
        };
        samples_of("double3 xformOp:translate",
                   [&](const Sample& s) { file_.print("({}, {}, {})", s.position[0], s.position[1], s.position[2]); });
        samples_of("quatf xformOp:orient", [&](const Sample& s) {
            const float* const q = s.orientation;
            file_.print("({}, {}, {}, {})", q[3], q[0], q[1], q[2]);
        });
        if (first < n) {
            file_.text("            uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n");
        }
        if (!all_there) write_visibility(samples, stride);
        file_.text("        }\n");
    }

    // Only changes: samples of words hold until the next.
    void write_visibility(const Sample* samples, std::size_t stride) {
        file_.text("            token visibility.timeSamples = {\n");
        for (std::size_t i = 0; i < input_.frames.size(); ++i) {
            const bool there = samples[i * stride].there;
            if (i > 0 && there == samples[(i - 1) * stride].there) continue;
            file_.print("                {}: \"{}\",\n", time(i), there ? "inherited" : "invisible");
        }
        file_.text("            }\n");
    }

    // Samples of one attribute of the contacts: print(rows) for each frame.
    template <class Print>
    void contact_samples(const std::string& attribute, bool counts, const Print& print) {
        file_.print("        {}.timeSamples = {{\n", attribute);
        SceneFrame frame;
        for (std::size_t i = 0; i < input_.frames.size(); ++i) {
            throw_if_stopped(input_);
            input_.scene.read_poses(input_.frames[i], 0, input_.scene.bodies(), frame);
            const ContactCount count = read_contacts(input_, frame, rows_);
            if (counts) {
                report_.points += rows_.size();
                report_.records += count.records;
                report_.without_points += count.without_points;
                input_.progress.update(input_.frames.size() + i + 1);
            }
            file_.print("            {}: ", time(i));
            print();
            file_.text(",\n");
        }
        file_.text("        }\n");
    }

    template <class Print>
    void contact_list(const std::string& attribute, const Print& print) {
        contact_samples(attribute, false, [&] {
            file_.text("[");
            for (std::size_t i = 0; i < rows_.size(); ++i) print(i, rows_[i]);
            file_.text("]");
        });
    }

    void write_contacts() {
        // Points are float32: they count from a whole number near the scene.
        const Vec3d origin = round_origin(input_);
        const double width = 0.05 * median_size();
        file_.print(
            "\n    def Points \"Contacts\"\n    {{\n        double3 xformOp:translate = ({}, {}, {})\n"
            "        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
            "        color3f[] primvars:displayColor = [(0.85, 0.14, 0.11)] (\n            interpolation = "
            "\"constant\"\n"
            "        )\n        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
            origin.x, origin.y, origin.z, static_cast<float>(width));
        contact_samples("float3[] extent", true, [&] {
            std::vector<Vec3d> points;
            for (const ContactRow& r : rows_) points.push_back(r.position - origin);
            write_extent("", points, 0.5 * width, "");
        });
        contact_list("point3f[] points",
                     [&](std::size_t i, const ContactRow& r) { write_point(i, r.position - origin); });
        contact_list("normal3f[] normals", [&](std::size_t i, const ContactRow& r) { write_point(i, r.normal); });
        const auto primvar_list = [&](const char* type, const char* name, const auto& print) {
            const std::string attribute = fmt::format("{}[] primvars:{}", type, name);
            file_.print("        {} (\n            interpolation = \"vertex\"\n        )\n", attribute);
            contact_list(attribute, print);
        };
        const auto primvar = [&](const char* type, const char* name, const auto& value) {
            primvar_list(type, name, [&](std::size_t i, const ContactRow& r) {
                file_.print("{}{}", i == 0 ? "" : ", ", value(r));
            });
        };
        // Again as a primvar: Blender reads no normals of points.
        primvar_list("normal3f", "normal", [&](std::size_t i, const ContactRow& r) { write_point(i, r.normal); });
        primvar("float", "separation", [](const ContactRow& r) { return r.separation; });
        primvar("float", "distance", [](const ContactRow& r) { return r.distance; });
        primvar("int", "bodyA", [](const ContactRow& r) { return r.a; });
        primvar("int", "bodyB", [](const ContactRow& r) { return r.b; });
        // Its 32 bits as a signed number: Blender does not read uint[].
        primvar("int", "feature", [](const ContactRow& r) { return static_cast<std::int32_t>(r.feature); });
        file_.text("    }\n");
    }

    double median_size() const {
        std::vector<float> sizes;
        for (const std::uint32_t hull : input_.scene.body_hull()) sizes.push_back(input_.drawn[hull].size);
        if (sizes.empty()) return 1;
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        return static_cast<double>(*middle);
    }

    const ExportInput& input_;
    ExportReport& report_;
    ExportFile file_;
    std::vector<Sample> block_;
    std::vector<ContactRow> rows_;
};

// USD's own default.
constexpr double kUsualRate = 24;

}  // namespace

std::string usd_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += '\\';
        if (byte < 0x20) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::optional<std::string> write_usd_head(ExportFile& file, const SceneInfo& info, const Axes& axes, TimeRange times) {
    const double length = metres_of(info.unit).value_or(0);
    const double rate = info.frames_per_second.value_or(kUsualRate);
    file.print(
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"Written by lanefold export\"\n"
        "    startTimeCode = {}\n    endTimeCode = {}\n    framesPerSecond = {}\n    timeCodesPerSecond = {}\n"
        "    metersPerUnit = {}\n    upAxis = \"{}\"\n)\n\n",
        times.first, times.last, rate, rate, length == 0 ? 1.0 : length, axes.up() == 2 ? 'Z' : 'Y');
    if (length != 0) return std::nullopt;
    return fmt::format("the unit '{}' is not known: the file says metres", info.unit);
}

void export_usd(const ExportInput& input, ExportReport& report) { UsdWriter(input, report).write(); }

}  // namespace lanefold::tools
