// SPDX-License-Identifier: MIT
//
// Windows. A file is opened so that others may rename and remove it meanwhile; it takes the place of another only if
// nobody has that open. A folder cannot be locked, and two names cannot be exchanged: callers know file systems that
// lack both.
#ifdef _WIN32

#include "files/system.hpp"

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>

namespace lanefold::tools::system {
namespace {

namespace fs = std::filesystem;

// Bytes of one call, which Windows counts in 32 bits.
constexpr std::size_t kMost = std::size_t{1} << 30U;
// A byte that no file has: a lock forbids others to read what it covers.
constexpr DWORD kLockedHigh = 0x4000'0000;

// Sets errno by what Windows says; false.
bool failed() {
    switch (::GetLastError()) {
        case ERROR_FILE_NOT_FOUND:
        case ERROR_PATH_NOT_FOUND:
        case ERROR_INVALID_NAME:
            errno = ENOENT;
            break;
        case ERROR_FILE_EXISTS:
        case ERROR_ALREADY_EXISTS:
            errno = EEXIST;
            break;
        case ERROR_ACCESS_DENIED:
        case ERROR_SHARING_VIOLATION:
            errno = EACCES;
            break;
        case ERROR_DIR_NOT_EMPTY:
            errno = ENOTEMPTY;
            break;
        case ERROR_LOCK_VIOLATION:
        case ERROR_IO_PENDING:
            errno = EWOULDBLOCK;
            break;
        case ERROR_DISK_FULL:
        case ERROR_HANDLE_DISK_FULL:
            errno = ENOSPC;
            break;
        case ERROR_DIRECTORY:
            errno = ENOTDIR;
            break;
        default:
            errno = EIO;
    }
    return false;
}

int opened(const fs::path& path, DWORD access, DWORD disposition, DWORD flags) {
    const HANDLE handle = ::CreateFileW(path.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                        nullptr, disposition, FILE_ATTRIBUTE_NORMAL | flags, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        failed();
        return -1;
    }
    const int file = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_BINARY | _O_NOINHERIT);
    if (file < 0) ::CloseHandle(handle);
    return file;
}

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

OVERLAPPED place(std::uint64_t offset) {
    OVERLAPPED out{};
    out.Offset = static_cast<DWORD>(offset);
    out.OffsetHigh = static_cast<DWORD>(offset >> 32U);
    return out;
}

DWORD bytes_of_call(std::size_t bytes) { return static_cast<DWORD>(std::min(bytes, kMost)); }

std::ptrdiff_t read_with(int file, OVERLAPPED* where, std::span<std::byte> out) {
    DWORD got = 0;
    if (::ReadFile(handle_of(file), out.data(), bytes_of_call(out.size()), &got, where) != 0) return got;
    if (::GetLastError() == ERROR_HANDLE_EOF) return 0;
    failed();
    return -1;
}

std::ptrdiff_t write_with(int file, OVERLAPPED* where, std::span<const std::byte> bytes) {
    DWORD written = 0;
    if (::WriteFile(handle_of(file), bytes.data(), bytes_of_call(bytes.size()), &written, where) != 0) return written;
    failed();
    return -1;
}

// ReadFile and WriteFile at a place move the file's own place, which pread and pwrite leave.
template <class Call>
std::ptrdiff_t keeping_place(int file, const Call& call) {
    LARGE_INTEGER before{};
    ::SetFilePointerEx(handle_of(file), {}, &before, FILE_CURRENT);
    const std::ptrdiff_t bytes = call();
    const int reason = errno;
    ::SetFilePointerEx(handle_of(file), before, nullptr, FILE_BEGIN);
    errno = reason;
    return bytes;
}

bool moved(const fs::path& from, const fs::path& to, DWORD flags) {
    return ::MoveFileExW(from.c_str(), to.c_str(), flags) != 0 || failed();
}

}  // namespace

int open_input(const fs::path& path) {
    return opened(path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);  // a folder, too, which callers name
}

int create(const fs::path& path) { return opened(path, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW, 0); }

int open_folder(const fs::path& path) {
    constexpr DWORD kFlags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
    const int file = opened(path, GENERIC_READ, OPEN_EXISTING, kFlags);
    if (file < 0) return -1;
    if (const auto what = status(file); what && what->type == fs::file_type::directory) return file;
    close(file);
    errno = ENOTDIR;
    return -1;
}

int open_leftover(const fs::path& path) {
    return opened(path, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
}

void close(int file) { ::_close(file); }

std::optional<FileStatus> status(int file) {
    const HANDLE handle = handle_of(file);
    if (::GetFileType(handle) != FILE_TYPE_DISK) return FileStatus{fs::file_type::character, 0, 1};
    BY_HANDLE_FILE_INFORMATION information{};
    if (::GetFileInformationByHandle(handle, &information) == 0) {
        failed();
        return std::nullopt;
    }
    const bool folder = (information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return FileStatus{folder ? fs::file_type::directory : fs::file_type::regular,
                      std::uint64_t{information.nFileSizeHigh} << 32U | information.nFileSizeLow,
                      information.nNumberOfLinks};
}

std::ptrdiff_t read(int file, std::span<std::byte> out) { return read_with(file, nullptr, out); }

std::ptrdiff_t read_at(int file, std::uint64_t offset, std::span<std::byte> out) {
    OVERLAPPED where = place(offset);
    return keeping_place(file, [&] { return read_with(file, &where, out); });
}

std::ptrdiff_t write(int file, std::span<const std::byte> bytes) { return write_with(file, nullptr, bytes); }

std::ptrdiff_t write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
    OVERLAPPED where = place(offset);
    return keeping_place(file, [&] { return write_with(file, &where, bytes); });
}

std::ptrdiff_t write_both_at(int file, std::uint64_t offset, std::span<const std::byte> first,
                             std::span<const std::byte> second) {
    return write_at(file, offset, first.empty() ? second : first);  // callers write the rest again
}

bool rewind(int file) { return ::SetFilePointerEx(handle_of(file), {}, nullptr, FILE_BEGIN) != 0 || failed(); }

bool is_same(int file, const fs::path& path) {
    const int other = open_input(path);
    if (other < 0) return false;
    BY_HANDLE_FILE_INFORMATION a{};
    BY_HANDLE_FILE_INFORMATION b{};
    const bool known = ::GetFileInformationByHandle(handle_of(file), &a) != 0 &&
                       ::GetFileInformationByHandle(handle_of(other), &b) != 0;
    close(other);
    return known && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
           a.nFileIndexLow == b.nFileIndexLow;
}

bool bypass_cache(int, bool) {
    errno = ENOSYS;
    return false;
}

bool lock(int file) {
    const HANDLE handle = handle_of(file);
    OVERLAPPED where{};
    where.OffsetHigh = kLockedHigh;
    return ::LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where) != 0 || failed();
}

bool sync(int file) { return ::FlushFileBuffers(handle_of(file)) != 0 || failed(); }

bool sync(const fs::path&) { return true; }

std::uint64_t memory_limit() { return UINT64_MAX; }

std::string host_name() {
    char name[MAX_COMPUTERNAME_LENGTH + 1] = {};
    DWORD size = sizeof name;
    return ::GetComputerNameA(name, &size) != 0 ? std::string(name, size) : std::string();
}

// The folder of temporary files is the user's own.
bool make_private_folder(std::string& name) {
    return ::_mktemp(name.data()) != nullptr && (::CreateDirectoryW(fs::path(name).c_str(), nullptr) != 0 || failed());
}

bool remove_file(const fs::path& path) { return ::DeleteFileW(path.c_str()) != 0 || failed(); }

bool rename_file(const fs::path& from, const fs::path& to) { return moved(from, to, MOVEFILE_REPLACE_EXISTING); }

bool rename_folder(const fs::path& from, const fs::path& to) {
    if (::RemoveDirectoryW(to.c_str()) == 0 && !failed() && errno != ENOENT) return false;
    return moved(from, to, 0);
}

bool rename_unless_there(const fs::path& from, const fs::path& to) { return moved(from, to, 0); }

bool exchange_names(const fs::path&, const fs::path&) {
    errno = ENOSYS;
    return false;
}

}  // namespace lanefold::tools::system

#endif
