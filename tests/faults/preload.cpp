// SPDX-License-Identifier: MIT
//
// System calls that fail on request, for programs that are started with this library in LD_PRELOAD. LANEFOLD_FAULT =
// CALL:N:KIND lets the N-th CALL (from 1) of the process fail. KIND is a number of errno, `short` for half of the
// bytes, or `signal15` for a signal that comes just before the call, which then succeeds. With LANEFOLD_FAULT_COUNT =
// FILE nothing fails, and at the end the file holds the number of each call. With LANEFOLD_CLOCK the time of day jumps
// by an hour back or a day ahead whenever it is read.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

// NOLINTBEGIN(readability-identifier-naming): names of functions, which they would hide.
enum Call {
    open_,
    read_,
    pread_,
    write_,
    pwrite_,
    pwritev_,
    fsync_,
    rename_,
    link_,
    unlink_,
    mkdir_,
    flock_,
    close_,
    calls_
};
// NOLINTEND(readability-identifier-naming)
const char* const kNames[calls_] = {"open",   "read", "pread",  "write", "pwrite", "pwritev", "fsync",
                                    "rename", "link", "unlink", "mkdir", "flock",  "close"};

struct Plan {
    int call = -1;
    long number = 0;
    int error = 0;   // 0: short
    int signal = 0;  // 0: the call fails
    std::atomic<long> made[calls_] = {};

    Plan() {
        const char* text = std::getenv("LANEFOLD_FAULT");
        if (text == nullptr) return;
        char name[16] = {};
        char kind[16] = {};
        if (std::sscanf(text, "%15[^:]:%ld:%15s", name, &number, kind) != 3) return;
        for (int i = 0; i < calls_; ++i) {
            if (std::strcmp(name, kNames[i]) == 0) call = i;
        }
        if (std::strncmp(kind, "signal", 6) == 0) signal = std::atoi(kind + 6);
        error = std::strcmp(kind, "short") == 0 ? 0 : std::atoi(kind);
    }
    ~Plan() {
        const char* path = std::getenv("LANEFOLD_FAULT_COUNT");
        std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
        if (file == nullptr) return;
        long before[calls_];
        for (int i = 0; i < calls_; ++i) before[i] = made[i];
        for (int i = 0; i < calls_; ++i) std::fprintf(file, "%s %ld\n", kNames[i], before[i]);
        std::fclose(file);
    }
};

// Made at the first call, because the order of static initialisation is not known.
Plan& plan() {
    static Plan the_plan;
    return the_plan;
}

bool hit(Call call) {
    Plan& p = plan();
    if (++p.made[call] != p.number || p.call != call) return false;
    if (p.signal != 0) ::kill(::getpid(), p.signal);
    return p.signal == 0;
}

template <class F>
F* next(const char* name) {
    return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

#define LANEFOLD_FAIL(call)   \
    if (hit(call)) {          \
        errno = plan().error; \
        return -1;            \
    }

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library has its own names.
extern "C" {

int open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    LANEFOLD_FAIL(open_)
    return next<int(const char*, int, ...)>("open")(path, flags, mode);
}

ssize_t read(int file, void* out, size_t count) {
    if (hit(read_)) {
        if (plan().error == 0) return next<ssize_t(int, void*, size_t)>("read")(file, out, (count + 1) / 2);
        errno = plan().error;
        return -1;
    }
    return next<ssize_t(int, void*, size_t)>("read")(file, out, count);
}

ssize_t pread(int file, void* out, size_t count, off_t at) {
    if (hit(pread_)) {
        if (plan().error == 0) return next<ssize_t(int, void*, size_t, off_t)>("pread")(file, out, (count + 1) / 2, at);
        errno = plan().error;
        return -1;
    }
    return next<ssize_t(int, void*, size_t, off_t)>("pread")(file, out, count, at);
}

ssize_t write(int file, const void* bytes, size_t count) {
    if (hit(write_)) {
        if (plan().error == 0) return next<ssize_t(int, const void*, size_t)>("write")(file, bytes, (count + 1) / 2);
        errno = plan().error;
        return -1;
    }
    return next<ssize_t(int, const void*, size_t)>("write")(file, bytes, count);
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
    using F = ssize_t(int, const void*, size_t, off_t);
    if (hit(pwrite_)) {
        if (plan().error == 0) return next<F>("pwrite")(file, bytes, (count + 1) / 2, at);
        errno = plan().error;
        return -1;
    }
    return next<F>("pwrite")(file, bytes, count, at);
}

ssize_t pwritev(int file, const iovec* parts, int count, off_t at) {
    using F = ssize_t(int, const iovec*, int, off_t);
    if (hit(pwritev_)) {
        errno = plan().error;
        if (errno != 0) return -1;
        // Half of the last part: it ends inside it, and inside a block.
        std::vector<iovec> less(parts, parts + count);
        if (!less.empty()) less.back().iov_len = (less.back().iov_len + 1) / 2;
        return next<F>("pwritev")(file, less.data(), count, at);
    }
    return next<F>("pwritev")(file, parts, count, at);
}

int fsync(int file) {
    LANEFOLD_FAIL(fsync_)
    return next<int(int)>("fsync")(file);
}

int rename(const char* from, const char* to) noexcept {
    LANEFOLD_FAIL(rename_)
    return next<int(const char*, const char*)>("rename")(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
    LANEFOLD_FAIL(rename_)
    return next<int(int, const char*, int, const char*, unsigned)>("renameat2")(from_folder, from, to_folder, to,
                                                                                flags);
}

int link(const char* from, const char* to) noexcept {
    LANEFOLD_FAIL(link_)
    return next<int(const char*, const char*)>("link")(from, to);
}

int unlink(const char* path) noexcept {
    LANEFOLD_FAIL(unlink_)
    return next<int(const char*)>("unlink")(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
    LANEFOLD_FAIL(mkdir_)
    return next<int(const char*, mode_t)>("mkdir")(path, mode);
}

int flock(int file, int operation) noexcept {
    LANEFOLD_FAIL(flock_)
    return next<int(int, int)>("flock")(file, operation);
}

int clock_gettime(clockid_t clock, timespec* out) noexcept {
    const int done = next<int(clockid_t, timespec*)>("clock_gettime")(clock, out);
    static std::atomic<long> looks{0};
    if (clock == CLOCK_REALTIME && std::getenv("LANEFOLD_CLOCK") != nullptr) {
        out->tv_sec += ++looks % 2 == 0 ? 86400 : -3600;
    }
    return done;
}

// The descriptor is closed in spite of the error, as on Linux.
int close(int file) {
    const bool fail = hit(close_);
    const int done = next<int(int)>("close")(file);
    if (!fail) return done;
    errno = plan().error;
    return -1;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
