// SPDX-License-Identifier: MIT
//
// Opens files and says what a path names if it is no file.

#include "files/input_file.hpp"

#include <cerrno>
#include <cstring>

#include "console/failure.hpp"
#include "files/system.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

const char* kind_of(fs::file_type type) {
    if (type == fs::file_type::directory) return "a folder";
    if (type == fs::file_type::fifo) return "a FIFO";
    if (type == fs::file_type::socket) return "a socket";
    return "a device";
}

}  // namespace

int open_input(const fs::path& path) {
    const int file = system::open_input(path);
    if (file < 0) {
        const int error = errno;
        const std::string why = fmt::format("{}: cannot open it: {}", path.string(), std::strerror(error));
        if (error == ENOENT) throw NotThere(why);
        throw bad_input("{}", why);
    }
    const std::optional<system::FileStatus> status = system::status(file);
    if (!status) {
        const std::string why = std::strerror(errno);
        system::close(file);
        throw io_failure("{}: {}", path.string(), why);
    }
    if (status->type != fs::file_type::regular) {
        system::close(file);
        throw bad_input("{}: is {}, not a file", path.string(), kind_of(status->type));
    }
    return file;
}

InputFile::InputFile(const fs::path& path) : path_(path), file_(open_input(path)) {}

InputFile::~InputFile() { system::close(file_); }

std::size_t InputFile::read(std::span<std::byte> out) {
    const std::ptrdiff_t got = system::read(file_, out);
    if (got < 0) throw io_failure("{}: cannot read: {}", path_.string(), std::strerror(errno));
    return static_cast<std::size_t>(got);
}

bool InputFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
        const std::ptrdiff_t got = system::read_at(file_, offset, out);
        if (got < 0) throw io_failure("{}: cannot read: {}", path_.string(), std::strerror(errno));
        if (got == 0) return false;
        offset += static_cast<std::uint64_t>(got);
        out = out.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

std::uint64_t InputFile::size() const {
    const std::optional<system::FileStatus> status = system::status(file_);
    if (!status) throw io_failure("{}: {}", path_.string(), std::strerror(errno));
    return status->size;
}

bool is_there(const fs::path& path) {
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    if (type == fs::file_type::none) throw bad_input("{}: {}", path.string(), error.message());
    return type != fs::file_type::not_found;
}

fs::path output_file(const fs::path& path) {
    fs::path target = path;
    // A link may name a file that does not exist yet: is_there() does not see it, and canonical() refuses it.
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == 40) throw bad_input("{}: {}", path.string(), std::strerror(ELOOP));
        const fs::path to = fs::read_symlink(target, error);
        if (error) throw bad_input("{}: cannot follow the link: {}", path.string(), error.message());
        target = to.is_absolute() ? to : target.parent_path() / to;
    }
    const fs::file_type type = fs::status(target, error).type();
    if (type == fs::file_type::not_found) {
        // A folder on the way that is a file.
        if (error == std::errc::not_a_directory) throw bad_input("{}: {}", path.string(), error.message());
        return target;
    }
    if (type == fs::file_type::none) throw bad_input("{}: {}", path.string(), error.message());
    if (type != fs::file_type::regular) {
        throw bad_input("{}: is {}; name a file to write", path.string(), kind_of(type));
    }
    return target;
}

}  // namespace lanefold::tools
