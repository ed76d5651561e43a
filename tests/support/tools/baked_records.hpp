// SPDX-License-Identifier: MIT
//
// Records of a contacts folder, for tests of bakes: read, compared, and changed so that only verify can know.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include <lanefold/manifold.hpp>

#include "contacts/io.hpp"
#include "support/tools/program.hpp"

namespace lanefold::test {

template <class M>
std::vector<M> read_records(const std::filesystem::path& contacts, std::uint64_t frame = 0) {
    const tools::ContactsReader reader(contacts);
    const tools::FrameSummary summary = reader.summary(frame);
    std::vector<M> out(summary.records);
    reader.open_records(frame, summary).read(0, std::span(out));
    return out;
}

template <class M>
bool same_bytes(const std::vector<M>& a, const std::vector<M>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(M)) == 0;
}

// Replaces a frame's records and its summary.
inline void replace_records(const std::filesystem::path& contacts,
                            const std::function<void(std::vector<Manifold4>&)>& change) {
    const tools::ContactsReader reader(contacts);
    tools::FrameSummary summary = reader.summary(0);
    std::vector<Manifold4> records = read_records<Manifold4>(contacts);
    change(records);
    const tools::ContactsWriter writer(contacts, reader.description());
    tools::RecordsWriter file = writer.begin_frame(0, 4);
    file.append(std::span<const Manifold4>(records));
    summary.records = records.size();
    file.commit();
    summary = tools::recount(tools::RecordsReader(contacts / "frame_000000.npy", 4), summary, 4);
    write_bytes(contacts / "frame_000000.json", summary.json());
}

}  // namespace lanefold::test
