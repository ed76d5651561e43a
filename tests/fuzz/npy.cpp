// SPDX-License-Identifier: MIT
//
// Headers of .npy files, and whole files: refused by name, or as long as they say.
#include "files/npy.hpp"
#include "fuzz/folder.hpp"

namespace {

using namespace lanefold;

void read_file(const std::filesystem::path& path) {
    const tools::NpyReader reader(path);
    reader.expect_dtype<float>();
    fuzz::require(reader.header().elements() <= 1U << 28U, "more elements than the file has bytes");
    const std::vector<float> all = reader.read_all<float>();
    fuzz::require(all.size() == reader.header().elements(), "not as many elements as the header says");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    const std::string_view bytes = fuzz::Input(data, size).rest();
    fuzz::read_or_refuse("some.npy", [&] {
        const tools::NpyHeader header = tools::parse_npy_header(bytes, "some.npy");
        fuzz::require(header.data_offset <= bytes.size() || header.data_offset < 1U << 20U, "a header of a megabyte");
        // A header that was read can be written and read again.
        if (header.dtype != "<f4" || header.fortran_order) return;
        const std::string text = tools::make_npy_header(header.dtype, header.shape);
        const tools::NpyHeader again = tools::parse_npy_header(text, "some.npy");
        fuzz::require(again.shape == header.shape && again.dtype == header.dtype, "another header when written");
    });
    folder.write("file.npy", bytes);
    fuzz::read_or_refuse("file.npy", [&] { read_file(folder.path() / "file.npy"); });
    return 0;
}
