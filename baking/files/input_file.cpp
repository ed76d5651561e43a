// SPDX-License-Identifier: MIT
//
// Opens files and says what a path names if it is no file.

#include "files/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

}  // namespace

int open_input(const fs::path& path) {
    int file = -1;
    // O_NONBLOCK: to open a FIFO for reading would block until another process writes to it.
    do {
        file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    } while (file < 0 && errno == EINTR);
    if (file < 0) {
        const int error = errno;
        const std::string why = fmt::format("{}: cannot open it: {}", path.string(), std::strerror(error));
        if (error == ENOENT) throw NotThere(why);
        throw bad_input("{}", why);
    }
    struct stat status {};
    if (::fstat(file, &status) != 0) {
        const std::string why = std::strerror(errno);
        ::close(file);
        throw io_failure("{}: {}", path.string(), why);
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(file);
        throw bad_input("{}: is {}, not a file", path.string(), kind_of(status.st_mode));
    }
    return file;
}

InputFile::InputFile(const fs::path& path) : path_(path), file_(open_input(path)) {}

InputFile::~InputFile() { ::close(file_); }

std::size_t InputFile::read(std::span<std::byte> out) {
    ssize_t got = -1;
    do {
        got = ::read(file_, out.data(), out.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) throw io_failure("{}: cannot read: {}", path_.string(), std::strerror(errno));
    return static_cast<std::size_t>(got);
}

bool InputFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
        const ssize_t got = ::pread(file_, out.data(), out.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw io_failure("{}: cannot read: {}", path_.string(), std::strerror(errno));
        if (got == 0) return false;
        offset += static_cast<std::uint64_t>(got);
        out = out.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

std::uint64_t InputFile::size() const {
    struct stat status {};
    if (::fstat(file_, &status) != 0) throw io_failure("{}: {}", path_.string(), std::strerror(errno));
    return static_cast<std::uint64_t>(status.st_size);
}

bool is_there(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    throw bad_input("{}: {}", path.string(), std::strerror(errno));
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
    struct stat status {};
    if (::stat(target.c_str(), &status) != 0) {
        if (errno != ENOENT) throw bad_input("{}: {}", path.string(), std::strerror(errno));
        return target;
    }
    if (!S_ISREG(status.st_mode)) {
        throw bad_input("{}: is {}; name a file to write", path.string(), kind_of(status.st_mode));
    }
    return target;
}

}  // namespace lanefold::tools
