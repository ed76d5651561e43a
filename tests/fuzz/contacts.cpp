// SPDX-License-Identifier: MIT
//
// A contacts folder of which one file, which the first byte chooses, is any bytes: refused by name, or read as a whole.
#include <array>

#include "contacts/io.hpp"
#include "fuzz/folder.hpp"
#include "support/tools/scenes.hpp"

namespace {

using namespace lanefold;

constexpr std::array<const char*, 3> kFiles = {"contacts.json", "frame_000000.json", "frame_000000.npy"};

void write_whole(const std::filesystem::path& folder) {
    const tools::Scene scene(test::stored_scene("boxes_pile"));
    tools::ContactsSettings settings;
    const tools::ContactsWriter writer(folder, tools::contacts_description(scene, scene.build_hulls(1), settings));
    tools::RecordsWriter records = writer.begin_frame(0, settings.capacity);
    std::vector<Manifold4> some(2);
    tools::FrameSummary summary;
    for (std::uint32_t i = 0; i < 2; ++i) {
        some[i].pair[0] = i;
        some[i].pair[1] = i + 1;
        some[i].status = Status::bad_pose;
        summary.add_record(some[i]);
    }
    summary.pairs = 2;
    records.append(std::span<const Manifold4>(some));
    writer.finish_frame(records, summary);
}

void read_whole(const std::filesystem::path& folder) {
    const tools::ContactsReader reader(folder);
    for (const std::uint64_t frame : reader.frames()) {
        const tools::FrameSummary summary = reader.summary(frame);
        const tools::RecordsReader records = reader.open_records(frame, summary);
        const tools::FrameSummary counted = tools::recount(records, summary, reader.settings().capacity);
        fuzz::require(counted.records == summary.records, "not as many records as the summary says");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    static const std::filesystem::path contacts = [] {
        write_whole(folder.path() / "whole");
        std::filesystem::copy(folder.path() / "whole", folder.path() / "contacts");
        return folder.path() / "contacts";
    }();
    fuzz::Input in(data, size);
    const char* const name = kFiles[in.take<std::uint8_t>() % kFiles.size()];
    folder.write(std::string("contacts/") + name, in.rest());
    fuzz::read_or_refuse(contacts.string(), [&] { read_whole(contacts); });
    std::filesystem::copy_file(folder.path() / "whole" / name, contacts / name,
                               std::filesystem::copy_options::overwrite_existing);
    return 0;
}
