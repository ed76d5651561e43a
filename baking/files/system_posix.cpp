// SPDX-License-Identifier: MIT
//
// POSIX, with what Linux and macOS add to it.
#ifndef _WIN32

#include "files/system.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#ifdef __linux__
#include <linux/fs.h>
#if defined(__GLIBC__)
#if !__GLIBC_PREREQ(2, 28)
#define LANEFOLD_NO_RENAMEAT2
#include <sys/syscall.h>
#endif
#endif
#endif

namespace lanefold::tools::system {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFileMode = 0644;

// Calls until no signal interrupts the call.
template <class Call>
auto whole(const Call& call) {
    for (;;) {
        const auto result = call();
        if (result >= 0 || errno != EINTR) return result;
    }
}

fs::file_type type_of(mode_t mode) {
    if (S_ISREG(mode)) return fs::file_type::regular;
    if (S_ISDIR(mode)) return fs::file_type::directory;
    if (S_ISFIFO(mode)) return fs::file_type::fifo;
    if (S_ISSOCK(mode)) return fs::file_type::socket;
    return S_ISBLK(mode) ? fs::file_type::block : fs::file_type::character;
}

#ifdef __APPLE__
constexpr unsigned kUnlessThere = RENAME_EXCL;
constexpr unsigned kExchange = RENAME_SWAP;

bool rename_with(const fs::path& from, const fs::path& to, unsigned how) {
    return ::renamex_np(from.c_str(), to.c_str(), how) == 0;
}
#else
constexpr unsigned kUnlessThere = RENAME_NOREPLACE;
constexpr unsigned kExchange = RENAME_EXCHANGE;

bool rename_with(const fs::path& from, const fs::path& to, unsigned how) {
#ifdef LANEFOLD_NO_RENAMEAT2
    // A portable wheel: glibc lacks the call, which the kernel has from 3.15 on.
    return ::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), how) == 0;
#else
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), how) == 0;
#endif
}
#endif

}  // namespace

int open_input(const fs::path& path) {
    return whole([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); });
}

int create(const fs::path& path) {
    return whole([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode); });
}

int open_folder(const fs::path& path) {
    return whole([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW); });
}

// O_NONBLOCK: a FIFO of that name would block the program.
int open_leftover(const fs::path& path) {
    return whole([&] { return ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW); });
}

void close(int file) { ::close(file); }

std::optional<FileStatus> status(int file) {
    struct stat status {};
    if (::fstat(file, &status) != 0) return std::nullopt;
    return FileStatus{type_of(status.st_mode), static_cast<std::uint64_t>(status.st_size),
                      static_cast<std::uint64_t>(status.st_nlink)};
}

std::ptrdiff_t read(int file, std::span<std::byte> out) {
    return whole([&] { return ::read(file, out.data(), out.size()); });
}

std::ptrdiff_t read_at(int file, std::uint64_t offset, std::span<std::byte> out) {
    return whole([&] { return ::pread(file, out.data(), out.size(), static_cast<off_t>(offset)); });
}

std::ptrdiff_t write(int file, std::span<const std::byte> bytes) {
    return whole([&] { return ::write(file, bytes.data(), bytes.size()); });
}

std::ptrdiff_t write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
    return whole([&] { return ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
}

std::ptrdiff_t write_both_at(int file, std::uint64_t offset, std::span<const std::byte> first,
                             std::span<const std::byte> second) {
    iovec parts[2];
    int count = 0;
    for (const std::span<const std::byte> part : {first, second}) {
        if (!part.empty()) parts[count++] = {const_cast<std::byte*>(part.data()), part.size()};
    }
    return whole([&] { return ::pwritev(file, parts, count, static_cast<off_t>(offset)); });
}

bool rewind(int file) { return ::lseek(file, 0, SEEK_SET) == 0; }

bool is_same(int file, const fs::path& path) {
    struct stat here {};
    struct stat there {};
    return ::fstat(file, &here) == 0 && ::stat(path.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

bool bypass_cache(int file, bool bypass) {
#ifdef __APPLE__
    return ::fcntl(file, F_NOCACHE, bypass ? 1 : 0) == 0;
#else
    const int flags = ::fcntl(file, F_GETFL);
    return flags >= 0 && ::fcntl(file, F_SETFL, bypass ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
#endif
}

bool lock(int file) {
    return whole([&] { return ::flock(file, LOCK_EX | LOCK_NB); }) == 0;
}

bool sync(int file) {
    return whole([&] { return ::fsync(file); }) == 0;
}

bool sync(const fs::path& path) {
    const int handle = whole([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
    if (handle < 0) return false;
    const bool synced = sync(handle) || errno == EINVAL;  // some file systems cannot sync a folder
    const int reason = errno;
    ::close(handle);
    errno = reason;
    return synced;
}

std::uint64_t memory_limit() {
    rlimit limit{};
    const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? limit.rlim_cur : UINT64_MAX;
}

std::string host_name() {
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    return name;
}

bool make_private_folder(std::string& name) { return ::mkdtemp(name.data()) != nullptr; }

bool remove_file(const fs::path& path) { return ::unlink(path.c_str()) == 0; }

bool rename_file(const fs::path& from, const fs::path& to) { return ::rename(from.c_str(), to.c_str()) == 0; }

bool rename_folder(const fs::path& from, const fs::path& to) { return rename_file(from, to); }

bool rename_unless_there(const fs::path& from, const fs::path& to) {
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return true;
    }
    // A folder, or a file system without hard links: an exclusive rename does the same where it is supported.
    return errno != EEXIST && rename_with(from, to, kUnlessThere);
}

bool exchange_names(const fs::path& a, const fs::path& b) { return rename_with(a, b, kExchange); }

}  // namespace lanefold::tools::system

#endif
