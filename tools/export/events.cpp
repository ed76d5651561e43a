// SPDX-License-Identifier: MIT
//
// Events as CSV, JSON lines and USD. The first two have a row for each event, in the numbers and axes of the scene.
// In USD /World/Events are points: the sample of a frame has the events that begin from it to the next.

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "console/failure.hpp"
#include "contacts/chosen_frames.hpp"
#include "events/folder.hpp"
#include "export/export.hpp"
#include "export/output.hpp"
#include "export/text.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

// Width of a point as a part of the median size of the bodies' hulls.
constexpr double kPointWidth = 0.1;

struct EventsInput {
    const Scene& scene;
    const EventsFolder& folder;
    std::vector<Event> events;
    std::vector<std::uint64_t> frames;
    double width = 1;  // of points
    Axes axes;

    std::uint32_t group(std::uint32_t body) const {
        return folder.bodies().group.empty() ? 0 : folder.bodies().group[body];
    }
    std::string name(std::uint32_t body) const {
        return folder.bodies().names.empty() ? std::string() : folder.bodies().names[body];
    }
};

std::uint64_t frame_of(const Event& event) { return static_cast<std::uint64_t>(event.begin); }

void write_csv(const EventsInput& input, ExportFile& file) {
    file.text(
        "begin,end,begin_seconds,end_seconds,x,y,z,nx,ny,nz,closing_speed,sliding_speed,impulse,impulse_peak,impulse_"
        "sum,slip,"
        "body_a,body_b,name_a,name_b,group_a,group_b,flags\r\n");
    const double rate = input.folder.description().settings.rate;
    const auto quoted = [&](std::uint32_t body) {
        return input.folder.bodies().names.empty() ? std::string() : csv_quoted(input.name(body));
    };
    for (const Event& e : input.events) {
        file.print("{},{},{},{},{},{},{},{},{},{},", e.begin, e.end, e.begin / rate, e.end / rate, e.place.x, e.place.y,
                   e.place.z, e.normal[0], e.normal[1], e.normal[2]);
        file.print("{},{},{},{},{},{},", e.closing, e.sliding, e.impulse, e.impulse_peak, e.impulse_sum, e.slip);
        file.print("{},{},{},{},{},{},{}\r\n", e.pair.a, e.pair.b, quoted(e.pair.a), quoted(e.pair.b),
                   input.group(e.pair.a), input.group(e.pair.b), e.flags);
    }
}

void write_json_lines(const EventsInput& input, ExportFile& file) {
    const double rate = input.folder.description().settings.rate;
    const auto quoted = [&](std::uint32_t body) { return nlohmann::json(input.name(body)).dump(); };
    for (const Event& e : input.events) {
        file.print("{{\"begin\":{},\"end\":{},\"begin_seconds\":{},\"end_seconds\":{},", e.begin, e.end, e.begin / rate,
                   e.end / rate);
        file.print("\"place\":[{},{},{}],\"normal\":[{},{},{}],", e.place.x, e.place.y, e.place.z, e.normal[0],
                   e.normal[1], e.normal[2]);
        file.print("\"closing_speed\":{},\"sliding_speed\":{},\"impulse\":{},\"impulse_peak\":{},\"impulse_sum\":{},",
                   e.closing, e.sliding, e.impulse, e.impulse_peak, e.impulse_sum);
        file.print("\"slip\":{},\"bodies\":[{},{}],\"groups\":[{},{}],", e.slip, e.pair.a, e.pair.b,
                   input.group(e.pair.a), input.group(e.pair.b));
        if (!input.folder.bodies().names.empty()) {
            file.print("\"names\":[{},{}],", quoted(e.pair.a), quoted(e.pair.b));
        }
        file.print("\"flags\":{}}}\n", e.flags);
    }
}

class UsdEvents {
public:
    UsdEvents(const EventsInput& input, ExportFile& file) : input_(input), file_(file) {}

    std::optional<std::string> write() {
        const SceneInfo& info = input_.scene.info();
        SceneInfo timed = info;
        timed.frames_per_second = input_.folder.description().settings.rate;
        const std::optional<std::string> note =
            write_usd_head(file_, timed, input_.axes, {time(input_.frames.front()), time(input_.frames.back())});
        // Points are float32: they count from the first event, in whole units.
        if (!input_.events.empty()) {
            const Vec3d p = input_.axes.vector(input_.events.front().place);
            origin_ = {std::round(p.x), std::round(p.y), std::round(p.z)};
        }
        file_.print(
            "def Xform \"World\"\n{{\n    def Points \"Events\"\n    {{\n"
            "        double3 xformOp:translate = ({}, {}, {})\n"
            "        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
            "        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
            origin_.x, origin_.y, origin_.z, static_cast<float>(input_.width));
        write_names();
        list("point3f[] points", [&](const Event& e) { return vector(input_.axes.vector(e.place) - origin_); });
        const auto normal = [&](const Event& e) {
            return vector(input_.axes.vector(to_double({e.normal[0], e.normal[1], e.normal[2]})));
        };
        list("normal3f[] normals", normal);
        primvar("normal3f", "normal", normal);
        write_numbers();
        file_.text("    }\n}\n");
        return note;
    }

private:
    std::int64_t time(std::uint64_t frame) const { return input_.scene.info().number_of(frame); }

    static std::string vector(const Vec3d& v) {
        const Vec3f f = to_float(v);
        return fmt::format("({}, {}, {})", f.x, f.y, f.z);
    }

    void write_names() {
        const std::vector<std::string>& names = input_.folder.bodies().names;
        if (names.empty()) return;
        file_.text("        custom string[] lanefold:names = [");
        for (std::size_t i = 0; i < names.size(); ++i) file_.print("{}{}", i == 0 ? "" : ", ", usd_quoted(names[i]));
        file_.text("]\n");
    }

    void write_numbers() {
        const auto number = [&](const char* type, const char* name, const auto& value) {
            primvar(type, name, [&](const Event& e) { return fmt::format("{}", value(e)); });
        };
        // In the file's numbers of frames, as points have them.
        const auto first = static_cast<double>(time(0));
        number("double", "begin", [&](const Event& e) { return first + e.begin; });
        number("double", "end", [&](const Event& e) { return first + e.end; });
        number("float", "closingSpeed", [](const Event& e) { return e.closing; });
        number("float", "slidingSpeed", [](const Event& e) { return e.sliding; });
        number("float", "impulse", [](const Event& e) { return e.impulse; });
        number("float", "impulsePeak", [](const Event& e) { return e.impulse_peak; });
        number("float", "impulseSum", [](const Event& e) { return e.impulse_sum; });
        number("float", "slip", [](const Event& e) { return e.slip; });
        number("int", "bodyA", [](const Event& e) { return e.pair.a; });
        number("int", "bodyB", [](const Event& e) { return e.pair.b; });
        number("int", "groupA", [&](const Event& e) { return static_cast<std::int32_t>(input_.group(e.pair.a)); });
        number("int", "groupB", [&](const Event& e) { return static_cast<std::int32_t>(input_.group(e.pair.b)); });
        number("int", "flags", [](const Event& e) { return e.flags; });
    }

    template <class Text>
    void primvar(const char* type, const char* name, const Text& text) {
        const std::string attribute = fmt::format("{}[] primvars:{}", type, name);
        file_.print("        {} (\n            interpolation = \"vertex\"\n        )\n", attribute);
        list(attribute, text);
    }

    // The events of each frame; a frame without any has an empty list, because samples hold until the next.
    template <class Text>
    void list(const std::string& attribute, const Text& text) {
        file_.print("        {}.timeSamples = {{\n", attribute);
        std::size_t at = 0;
        bool some = true;
        for (const std::uint64_t frame : input_.frames) {
            const std::size_t first = at;
            while (at < input_.events.size() && frame_of(input_.events[at]) == frame) ++at;
            if (first == at && !some) continue;
            some = first != at;
            file_.print("            {}: [", time(frame));
            for (std::size_t i = first; i < at; ++i) {
                file_.print("{}{}", i == first ? "" : ", ", text(input_.events[i]));
            }
            file_.text("],\n");
        }
        file_.text("        }\n");
    }

    const EventsInput& input_;
    ExportFile& file_;
    Vec3d origin_;
};

double median_size(const Scene& scene, std::uint32_t threads) {
    const HullSet hulls = scene.build_hulls(threads);
    std::vector<float> sizes;
    for (const std::uint32_t hull : scene.body_hull()) sizes.push_back(hulls[hull].size + hulls[hull].round_radius);
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return static_cast<double>(*middle);
}

void check_scene(const EventsFolder& folder, const Scene& scene) {
    if (folder.description().frames == scene.frames() && folder.description().bodies == scene.bodies()) return;
    throw bad_input("{}: made from a scene of {} bodies in {} frames, {} has {} in {}",
                    (folder.path() / kEventsFile).string(), folder.description().bodies, folder.description().frames,
                    scene.folder().string(), scene.bodies(), scene.frames());
}

}  // namespace

ExportReport export_events(const ExportRequest& request, ExportFormat format) {
    const bool usd = format == ExportFormat::usd;
    if (!usd && format != ExportFormat::csv && format != ExportFormat::json_lines) {
        throw bad_input("{}: events are written as .usda, .csv or .jsonl", request.output.string());
    }
    const fs::path into = fs::absolute(output_file(request.output)).parent_path();
    const Scene scene(request.scene);
    const EventsFolder folder(request.contacts);
    check_scene(folder, scene);
    EventsInput input{scene,
                      folder,
                      folder.read_events(),
                      choose_frames(request.frames, scene.frames(), nullptr),
                      1,
                      usd ? Axes(scene.info(), true) : Axes()};
    std::erase_if(input.events, [&](const Event& event) {
        return !std::binary_search(input.frames.begin(), input.frames.end(), frame_of(event));
    });
    if (usd) input.width = kPointWidth * median_size(scene, request.threads);
    remove_stale_temporaries(into);
    ExportReport report;
    report.format = format;
    report.frames = input.frames.size();
    report.bodies = scene.bodies();
    report.hulls = scene.hulls();
    report.events = input.events.size();
    ExportFile file(request.output);
    if (usd) {
        if (const auto note = UsdEvents(input, file).write()) report.notes.push_back(*note);
    } else if (format == ExportFormat::csv) {
        write_csv(input, file);
    } else {
        write_json_lines(input, file);
    }
    report.bytes = file.commit();
    report.files = 1;
    if (input.axes.mirrored()) report.notes.emplace_back("the left-handed axes of the scene are mirrored in the file");
    if (input.events.empty()) report.notes.emplace_back("there is no event");
    return report;
}

}  // namespace lanefold::tools
