// SPDX-License-Identifier: MIT
//
// Hostile files: wrong types and depths of JSON, FIFOs, devices, folders and loops of links instead of any file, escape
// sequences in names. Each quickly gets an error that names the file, and exit code 2.

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "contacts/io.hpp"
#include "files/npy.hpp"
#include "support/tools/program.hpp"
#include "support/tools/scenes.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::program;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;

// Expects that the program refuses `file` with a message and does nothing else.
void expect_refused(const std::vector<std::string>& arguments, const std::string& file,
                    const std::string& reason = "") {
    const Outcome outcome = program(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments[0] << ", signal " << outcome.signal << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
    if (!reason.empty()) {
        EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(outcome.err.find("json.exception"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("filesystem error"), std::string::npos) << outcome.err;
}

std::string copy_scene(const TemporaryFolder& folder) {
    fs::copy(test::stored_scene("boxes_pile"), folder / "scene");
    return (folder / "scene").string();
}

std::string make_contacts(const TemporaryFolder& folder, const std::string& scene) {
    std::string contacts = (folder / "contacts").string();
    EXPECT_EQ(program({"collide", scene, "-o", contacts}).exit_code, 0);
    return contacts;
}

TEST(HostileJson, SceneDescriptions) {
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    const auto nested = [](const char* open) {
        std::string text = "{\"format\": \"lanefold-scene\", \"version\":";
        for (int i = 0; i < 100000; ++i) text += open;
        return text;
    };
    for (const std::string& text :
         {nested("["), nested("{\"a\":"), std::string("[]"), std::string("7"), std::string("\"scene\""), std::string(),
          std::string("{"), std::string("{\"format\": []}"),
          std::string("{\"format\": \"lanefold-scene\", \"version\": {}}"),
          std::string("{\"format\": \"lanefold-scene\", \"version\": 1, \"unit\": []}"),
          std::string("{\"format\": \"lanefold-scene\", \"version\": 1, \"unit\": \"\xff\"}"),
          std::string("{\"format\": \"lanefold-scene\", \"version\": 1, \"pairs_margin\": []}"),
          std::string("{\"format\": \"lanefold-scene\", \"version\": 1, \"pairs_margin\": 1e999}"),
          std::string("{\"format\": \"lanefold-scene\", \"version\": 1, \"pairs_margin\": -1}")}) {
        write_bytes(folder / "scene" / "scene.json", text);
        for (const std::string command : {"info", "collide"}) expect_refused({command, scene}, "scene.json");
    }
}

TEST(HostileJson, ContactsDescriptions) {
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    const std::string contacts = make_contacts(folder, scene);
    const std::string good = read_bytes(folder / "contacts" / "contacts.json");
    const auto replaced = [&](const std::string& key, const std::string& value) {
        std::string text = good;
        const std::size_t at = text.find("\"" + key + "\": ") + key.size() + 4;
        const bool object = text[at] == '{';
        const std::size_t end = object ? text.find('}', at) + 1 : text.find_first_of(",\n", at);
        return text.replace(at, end - at, value);
    };
    for (const std::string key : {"inputs", "settings", "frames", "margin", "capacity", "method", "points", "pairs"}) {
        for (const std::string value : {"[]", "{}", "null", "true", "[[[[]]]]", "1e999"}) {
            if (key == "inputs" && value == "{}") continue;
            write_bytes(folder / "contacts" / "contacts.json", replaced(key, value));
            expect_refused({"info", contacts}, "contacts.json");
            expect_refused({"verify", scene, contacts}, "contacts.json");
            expect_refused({"collide", scene, "-o", contacts, "--resume"}, "contacts.json");
        }
    }
}

TEST(HostileJson, DamagedSummariesAreMadeAgain) {
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    const std::string contacts = make_contacts(folder, scene);
    const fs::path summary = folder / "contacts" / "frame_000000.json";
    const std::string good = read_bytes(summary);
    for (const std::string text : {"[]", "{}", "", "{\"frame\": []}", "nonsense", "{\"frame\": 0, \"pairs\": {}}"}) {
        write_bytes(summary, text);
        EXPECT_EQ(program({"info", contacts}).exit_code, 1);
        const Outcome outcome = program({"collide", scene, "-o", contacts, "--resume"});
        EXPECT_EQ(outcome.exit_code, 0) << text << ": " << outcome.err;
        EXPECT_EQ(read_bytes(summary), good);
    }
    for (const std::string key : {"kind", "status"}) {
        std::string text = good;
        const std::size_t at = text.find("\"" + key + "\": {") + key.size() + 4;
        text.replace(at, text.find('}', at) + 1 - at, "[]");
        write_bytes(summary, text);
        EXPECT_EQ(program({"collide", scene, "-o", contacts, "--resume"}).exit_code, 0) << text;
        EXPECT_EQ(read_bytes(summary), good);
    }
}

// Each file of a scene in turn is replaced by something that is no regular file.
TEST(HostileFiles, FifosDevicesFoldersAndLoopsAreRefused) {
    for (const std::string name :
         {"scene.json", "hull_offsets.npy", "hull_vertices.npy", "body_hull.npy", "position.npy", "orientation.npy",
          "pairs.npy", "pair_offsets.npy", "body_inverse_mass.npy", "body_group.npy"}) {
        const TemporaryFolder folder;
        const std::string scene = copy_scene(folder);
        const fs::path file = folder / "scene" / name;
        fs::remove(file);
        ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
        expect_refused({"collide", scene}, name, "FIFO");
        fs::remove(file);
        fs::create_symlink("/dev/zero", file);
        expect_refused({"collide", scene}, name, "device");
        fs::remove(file);
        fs::create_directory(file);
        expect_refused({"collide", scene}, name, "folder");
        fs::remove(file);
        fs::create_symlink(name, file);
        expect_refused({"collide", scene}, name, "symbolic links");
    }
}

TEST(HostileFiles, TruncatedAnywhereAreRefused) {
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    for (const std::string name : {"hull_offsets.npy", "hull_vertices.npy", "position.npy", "pairs.npy"}) {
        const fs::path file = folder / "scene" / name;
        const std::string good = read_bytes(file);
        for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{11}, std::size_t{64},
                                         std::size_t{127}, std::size_t{129}, good.size() - 1}) {
            write_bytes(file, good.substr(0, length));
            expect_refused({"collide", scene}, name);
        }
        write_bytes(file, good);
    }
}

// Shapes of nearly 2^64 elements, of zero, and of the right product but other axes.
TEST(HostileFiles, HugeShapesInHeadersAreRefused) {
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    const fs::path file = folder / "scene" / "position.npy";
    const std::string good = read_bytes(file);
    const std::string data = good.substr(128);
    for (const std::vector<std::uint64_t>& shape :
         std::vector<std::vector<std::uint64_t>>{{1, ~std::uint64_t{0}, 3},
                                                 {std::uint64_t{1} << 62U, 1, 4},
                                                 {0, 0, 0},
                                                 {std::uint64_t{1} << 32U, std::uint64_t{1} << 31U, 3},
                                                 {},
                                                 {3}}) {
        write_bytes(file, make_npy_header("<f4", shape) + data);
        expect_refused({"collide", scene}, "position.npy");
    }
}

TEST(HostileFiles, UnreadableFilesAreRefused) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    ASSERT_EQ(::chmod((folder / "scene" / "position.npy").c_str(), 0), 0);
    expect_refused({"collide", scene}, "position.npy", "ermission");
}

TEST(HostileFiles, ObjAndPosesThatAreNoFiles) {
    const TemporaryFolder folder;
    const std::string out = (folder / "scene").string();
    ASSERT_EQ(::mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
    expect_refused({"import", (folder / "pipe.obj").string(), "-o", out}, "pipe.obj", "FIFO");
    expect_refused({"import", "/dev/zero", "-o", out}, "/dev/zero", "device");
    expect_refused({"import", folder.path().string(), "-o", out}, folder.path().string(), "folder");
    write_bytes(folder / "one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    ASSERT_EQ(::mkfifo((folder / "poses.npy").c_str(), 0600), 0);
    expect_refused({"import", (folder / "one.obj").string(), "-o", out, "--poses", (folder / "poses.npy").string()},
                   "poses.npy", "FIFO");
    EXPECT_FALSE(fs::exists(out));
}

TEST(HostileFiles, WrongIndicesOfTextureAndNormalAreRefused) {
    const TemporaryFolder folder;
    const std::string obj = (folder / "one.obj").string();
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\n";
    const std::string rest = "f 1/1/1 4/1/1 3/1/1\nf 1/1 2/1 4/1\nf 2//1 3//1 4//1\n";
    for (const std::string face : {"f 1/9/1 3/1/1 2/1/1", "f 1/1/2 3/1/1 2/1/1", "f 1/x 3 2", "f 1/ 3 2", "f 1/0/1 3 2",
                                   "f 1//7 3//1 2//1", "f 1/1/1/1 3 2", "f 1/-2 3 2", "f 1/99999999999 3 2"}) {
        write_bytes(obj, std::string(head).append(face).append("\n").append(rest));
        expect_refused({"import", obj, "-o", (folder / "scene").string()}, "one.obj:7");
    }
    write_bytes(obj, head + "f 1/1/1 3/-1/-1 2//1\n" + rest);
    const Outcome good = program({"import", obj, "-o", (folder / "scene").string()});
    EXPECT_EQ(good.exit_code, 0) << good.err;
}

TEST(HostileFiles, EscapeSequencesAreNotObeyed) {
    const TemporaryFolder folder;
    const std::string scene = copy_scene(folder);
    const std::string evil = "\x1b]0;owned\x07\x1b[2Jm";
    write_bytes(folder / "scene" / "scene.json",
                "{\"format\": \"lanefold-scene\", \"version\": 1, \"unit\": \"\\u001b]0;owned\\u0007\\u001b[2Jm\"}");
    const Outcome info = program({"info", scene});
    EXPECT_EQ(info.exit_code, 0) << info.err;
    EXPECT_EQ(info.out.find('\x1b'), std::string::npos);
    EXPECT_NE(info.out.find("\\x1b]0;owned"), std::string::npos) << info.out;

    write_bytes(folder / "evil.obj", "o " + evil + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
    const Outcome import = program({"import", (folder / "evil.obj").string(), "-o", (folder / "out").string()});
    EXPECT_EQ(import.exit_code, 2);
    EXPECT_EQ(import.err.find('\x1b'), std::string::npos) << import.err;

    // Also a name that is not there, a line of an OBJ file, an unknown command.
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"info", "no" + evil}, {evil}, {"collide", scene, "--isa", evil}, {"collide", scene, "--frames", evil}}) {
        const Outcome outcome = program(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
    }
}

TEST(HostileFiles, NamesThatAreNoUtf8) {
    const TemporaryFolder folder;
    write_bytes(folder / "one.obj", "o \xff\xfe\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    const std::string obj = (folder / "one.obj").string();
    expect_refused({"import", obj, "-o", (folder / "scene").string(), "--unit", "\xff"}, "--unit", "UTF-8");
    EXPECT_FALSE(fs::exists(folder / "scene"));
    EXPECT_EQ(program({"import", obj, "-o", (folder / "scene").string()}).exit_code, 0);
    // A scene whose folder has such a name.
    const Outcome outcome = program({"generate", "boxes", (folder / "\xff").string(), "--bodies", "3", "--frames", "1",
                                     "--seconds", "0.1", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\\\\xff"), std::string::npos) << outcome.out;
}

// The differences of such positions overflow. The result of two bodies in the middle does not change.
TEST(HostileFiles, PositionsAtTheEndOfFloat64) {
    const TemporaryFolder folder;
    const double most = std::numeric_limits<double>::max();
    const std::vector<double> position{-most,  0,      0,      most, 0, 0, 1e308, 1e308, 1e308,
                                       -1e308, -1e308, -1e308, 0,    0, 0, 0.5,   0,     1.9};
    const std::size_t bodies = position.size() / 3;
    std::vector<float> orientation;
    for (std::size_t i = 0; i < bodies; ++i) orientation.insert(orientation.end(), {0, 0, 0, 1});
    std::vector<Vec3f> cube;
    for (int k = 0; k < 8; ++k) {
        cube.push_back({(k & 1) != 0 ? 1.0F : -1.0F, (k & 2) != 0 ? 1.0F : -1.0F, (k & 4) != 0 ? 1.0F : -1.0F});
    }
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < bodies; ++a) {
        for (std::uint32_t b = a + 1; b < bodies; ++b) pairs.push_back({a, b});
    }
    const std::vector<std::uint64_t> offsets{0, 8};
    const std::vector<std::uint32_t> body_hull(bodies, 0);
    SceneWriter::Contents contents;
    contents.hull_offsets = offsets;
    contents.hull_vertices = cube;
    contents.body_hull = body_hull;
    contents.positions_are_double = true;
    contents.with_pairs = true;
    const std::string scene = (folder / "scene").string();
    SceneWriter writer(scene, contents);
    writer.add_frame(std::span<const double>(position), orientation, pairs);
    writer.commit();
    for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{{}, {"--find-pairs"}}) {
        const std::string contacts = (folder / (way.empty() ? "stored" : "found")).string();
        std::vector<std::string> collide{"collide", scene, "-o", contacts};
        collide.insert(collide.end(), way.begin(), way.end());
        const Outcome outcome = program(collide);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.signal << outcome.err;
        EXPECT_EQ(test::count_of(outcome.out, "touching (distance <= margin)"), 1U) << outcome.out;
        const Outcome verify = program({"verify", scene, contacts});
        EXPECT_EQ(verify.exit_code, 0) << verify.signal << verify.out << verify.err;
    }
    EXPECT_EQ(program({"info", scene}).exit_code, 0);
    EXPECT_EQ(program({"show", scene, "--pair", "0,1"}).exit_code, 0);
    const Outcome picture = program({"picture", scene, "-o", (folder / "p.svg").string()});
    EXPECT_EQ(picture.exit_code, 0) << picture.signal;
    EXPECT_NE(picture.err.find("nothing is in sight"), std::string::npos) << picture.err;
}

}  // namespace
}  // namespace lanefold::tools
