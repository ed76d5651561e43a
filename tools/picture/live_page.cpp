// SPDX-License-Identifier: MIT
//
// Puts data into the live page.
#include "picture/live_page.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <nlohmann/json.hpp>

#include "console/failure.hpp"
#include "files/atomic_file.hpp"
#include "files/base64.hpp"
#include "files/input_file.hpp"
#include "picture/live_data.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The mark that the data replace, and the largest page without data.
constexpr std::string_view kMark = "<!--DATA-->";
constexpr std::uint64_t kLargestPage = 64U << 20U;
// Bytes of data in a script element: a browser reads several elements of megabytes faster than one of a hundred. It is
// a multiple of three, so that only the last piece is padded.
constexpr std::size_t kPiece = 3U << 20U;

Json names_of(const LivePageInput& input) {
    return std::vector<std::string>(input.scene->names().begin(), input.scene->names().end());
}

// JSON for a script element. No text of a scene can end the element.
std::string for_script(const Json& json) {
    std::string out;
    for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
        if (c == '<') out += "\\u003c";
        if (c != '<') out += c;
    }
    return out;
}

Json settings_of(const LivePageInput& input) {
    const ContactsSettings settings = input.contacts == nullptr ? ContactsSettings{} : input.contacts->settings();
    return {{"method", to_string(settings.method)},
            {"points", to_string(settings.points)},
            {"margin", static_cast<double>(settings.margin)},
            {"face_preference", static_cast<double>(settings.face_preference)},
            {"band", static_cast<double>(settings.band)},
            {"feature_angle", static_cast<double>(settings.feature_angle)},
            {"capacity", settings.capacity}};
}

std::uint64_t in_base64(std::uint64_t bytes) { return (bytes + 2) / 3 * 4; }

// True if poses must be quantised. Throws when the file would be too large even then.
bool choose_form(const LivePageInput& input, std::uint64_t page_bytes) {
    const LiveSizes sizes = live_sizes(input);
    // The page, the header, and the elements around the pieces.
    const std::uint64_t names = for_script(names_of(input)).size();
    const std::uint64_t around = page_bytes + names + (64U << 10U) + 24 * input.frames.size();
    const auto whole = [&](std::uint64_t pose, std::size_t frames) {
        std::uint64_t bytes = sizes.fixed;
        for (std::size_t i = 0; i < frames; ++i) bytes += pose + sizes.records[i];
        return around + in_base64(bytes);
    };
    if (whole(sizes.exact, input.frames.size()) <= input.max_bytes) return false;
    if (whole(sizes.quantised, input.frames.size()) <= input.max_bytes) return true;
    std::size_t fit = 0;
    while (fit < input.frames.size() && whole(sizes.quantised, fit + 1) <= input.max_bytes) ++fit;
    const auto megabytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
    const std::string advice = fit == 0 ? std::string("not even one frame fits: raise --max-size")
                                        : fmt::format("--frames {}:{} fits, or raise --max-size", input.frames.front(),
                                                      input.frames[fit - 1] + 1);
    throw bad_input("{} frames make a page of {:.1f} MB, more than the {:.1f} MB of --max-size; {}",
                    input.frames.size(), megabytes(whole(sizes.quantised, input.frames.size())),
                    megabytes(input.max_bytes), advice);
}

}  // namespace

fs::path find_live_page(const fs::path& given) {
    if (!given.empty()) return given;
    const char* const named = std::getenv("LANEFOLD_PAGE");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (named != nullptr && *named != '\0') return named;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* const beside : {"../share/lanefold/page.html", "../../page/lanefold.html"}) {
        fs::path candidate = (program / beside).lexically_normal();
        std::error_code absent;
        if (!error && fs::is_regular_file(candidate, absent)) return candidate;
    }
    throw bad_input(
        "the live page is not there: './dev page' in lanefold's sources makes it (it asks for the Debian packages "
        "emscripten, nodejs and npm); then name it with --page FILE or LANEFOLD_PAGE. 'lanefold picture' needs "
        "nothing");
}

LivePageReport write_live_page(const LivePageInput& input, const fs::path& page, const fs::path& output) {
    const std::string html = read_file(page, kLargestPage);
    const std::size_t mark = html.find(kMark);
    if (mark == std::string::npos) throw bad_input("{}: this is no live page of lanefold", page.string());
    const bool quantise = choose_form(input, html.size());

    LiveArrays arrays;
    add_hulls(input, arrays);
    const LivePoses poses = add_poses(input, quantise, arrays);
    const LiveContacts contacts = add_contacts(input, arrays);
    const std::uint64_t events = input.has_events ? add_events(input, poses.origin, arrays) : 0;
    Json header{{"format", "lanefold-view"},        {"version", 1},           {"name", input.name},
                {"unit", input.scene->info().unit}, {"up", input.up},         {"bodies", input.scene->bodies()},
                {"hulls", input.hulls->size()},     {"frames", input.frames}, {"origin", poses.origin}};
    // The page calls frames as people do, and plays them in their time.
    const SceneInfo& info = input.scene->info();
    if (info.first_frame) header["first_frame"] = *info.first_frame;
    if (info.frames_per_second) header["frames_per_second"] = *info.frames_per_second;
    if (!input.scene->names().empty()) header["names"] = names_of(input);
    std::vector<std::uint32_t> surfaces;
    for (std::uint32_t h = 0; h < input.hulls->size(); ++h)
        if (input.hulls->surface(h) != nullptr) surfaces.push_back(h);
    if (!surfaces.empty()) header["surfaces"] = surfaces;
    if (quantise) header["quantised"] = {{"low", poses.low}, {"step", poses.step}};
    header["settings"] = settings_of(input);
    header["margin"] = header["settings"]["margin"];
    header["deepest"] = contacts.deepest;
    header["usual_depth"] = contacts.usual_depth;
    header["bytes"] = arrays.bytes().size();
    header["arrays"] = arrays.places();

    const fs::path target = output_file(output);
    AtomicFile file(target);
    LivePageReport report;
    const auto write = [&](std::string_view text) {
        file.write(text);
        report.bytes += text.size();
    };
    write(std::string_view(html).substr(0, mark));
    write("<script type=\"application/json\" id=\"lanefold-scene\">" + for_script(header) + "</script>\n");
    const std::span<const std::byte> bytes(arrays.bytes());
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        write("<script type=\"application/x-lanefold-bytes\">");
        write(base64(bytes.subspan(at, std::min(kPiece, bytes.size() - at))));
        write("</script>\n");
    }
    write(std::string_view(html).substr(mark + kMark.size()));
    file.commit();
    report.records = contacts.records;
    report.events = events;
    report.without_kind = contacts.without_kind;
    report.position_error = *std::max_element(poses.step.begin(), poses.step.end()) / 2;
    return report;
}

}  // namespace lanefold::tools
