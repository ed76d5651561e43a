// SPDX-License-Identifier: MIT
//
// Writes a temporary file, syncs it, renames it, and syncs the folder. The writer holds a lock on its temporary file,
// so a file without a lock belongs to a process that was killed.

#include "files/atomic_file.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include "console/failure.hpp"
#include "files/input_file.hpp"
#include "files/system.hpp"

namespace lanefold::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporarySuffix = ".tmp";

std::string reason() { return std::strerror(errno); }

fs::path temporary_name(const fs::path& path) {
    static std::random_device random;
    const std::uint64_t unique = (std::uint64_t{random()} << 32U) | random();
    return path.parent_path() / fmt::format(".{}.{:016x}{}", path.filename().string(), unique, kTemporarySuffix);
}

// True if `entry` is a name from temporary_name() for the file `name`, or for any file when `name` is empty. Hidden
// files of other programs may end in .tmp, too; they must stay.
bool is_temporary(std::string_view entry, std::string_view name) {
    constexpr std::size_t kDigits = 16;
    if (entry.size() < 2 + kDigits + 1 + kTemporarySuffix.size() || !entry.starts_with('.')) return false;
    if (!entry.ends_with(kTemporarySuffix)) return false;
    entry.remove_prefix(1);
    entry.remove_suffix(kTemporarySuffix.size());
    const std::string_view digits = entry.substr(entry.size() - kDigits);
    if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
    entry.remove_suffix(kDigits);
    if (!entry.ends_with('.')) return false;
    entry.remove_suffix(1);
    return name.empty() || entry == name;
}

// Opens a new temporary file and locks it. If another process removes it between the two steps, it tries again.
int open_temporary(const fs::path& path, fs::path& temporary) {
    for (;;) {
        temporary = temporary_name(path);
        const int file = system::create(temporary);
        if (file < 0) throw io_failure("{}: cannot create a file in this folder: {}", path.string(), reason());
        if (!system::lock(file)) {
            // On a file system without locks nobody can lock the file to remove it, so it is safe without one.
            if (errno != EWOULDBLOCK) return file;
        } else {
            const std::optional<system::FileStatus> status = system::status(file);
            if (!status || status->names > 0) return file;
        }
        system::close(file);  // somebody removes it
    }
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(path) { file_ = open_temporary(path_, temporary_); }

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, -1)),
      uncached_(std::exchange(other.uncached_, std::nullopt)),
      sync_seconds_(other.sync_seconds_) {}

AtomicFile::~AtomicFile() {
    if (file_ < 0) return;
    system::remove_file(temporary_);
    close_file();
}

void AtomicFile::close_file() { system::close(std::exchange(file_, -1)); }

void AtomicFile::bypass_cache() { uncached_.emplace(file_); }

void AtomicFile::finish_uncached() {
    if (uncached_ && !uncached_->finish()) throw io_failure("{}: cannot write: {}", path_.string(), reason());
    uncached_.reset();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (uncached_) {
        if (!uncached_->append(bytes)) throw io_failure("{}: cannot write: {}", path_.string(), reason());
        return;
    }
    while (!bytes.empty()) {
        const std::ptrdiff_t written = system::write(file_, bytes);
        if (written < 0) throw io_failure("{}: cannot write: {}", path_.string(), reason());
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void AtomicFile::rewrite(std::uint64_t offset, std::string_view text) {
    if (uncached_ && uncached_->rewrite(offset, std::as_bytes(std::span(text)))) return;
    finish_uncached();
    while (!text.empty()) {
        const std::ptrdiff_t written = system::write_at(file_, offset, std::as_bytes(std::span(text)));
        if (written < 0) throw io_failure("{}: cannot write: {}", path_.string(), reason());
        text.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
}

void AtomicFile::sync() {
    const auto start = std::chrono::steady_clock::now();
    if (!system::sync(file_)) throw io_failure("{}: cannot sync: {}", path_.string(), reason());
    sync_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Makes a rename or link durable.
void AtomicFile::sync_folder() {
    const auto start = std::chrono::steady_clock::now();
    sync_path(folder_of(path_));
    sync_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void AtomicFile::commit(Durability durability) {
    finish_uncached();
    if (durability == Durability::synced) sync();
    if (!system::rename_file(temporary_, path_)) {
        throw io_failure("{}: cannot rename the finished file: {}", path_.string(), reason());
    }
    close_file();
    if (durability == Durability::synced) sync_folder();
}

bool AtomicFile::commit_exclusive() {
    finish_uncached();
    sync();
    if (!system::rename_unless_there(temporary_, path_)) {
        if (errno == EEXIST) return false;
        throw io_failure("{}: cannot publish the finished file: {}", path_.string(), reason());
    }
    close_file();
    sync_folder();
    return true;
}

void sync_path(const fs::path& path) {
    if (!system::sync(path)) throw io_failure("{}: cannot sync: {}", path.string(), reason());
}

void write_file(const fs::path& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

bool write_file_exclusive(const fs::path& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    return file.commit_exclusive();
}

std::string read_file(const fs::path& path, std::uint64_t limit) {
    InputFile file(path);
    std::string text;
    std::array<std::byte, 16384> block;
    while (const std::size_t got = file.read(block)) {
        text.append(reinterpret_cast<const char*>(block.data()), got);
        if (text.size() > limit) {
            throw bad_input("{}: larger than {} bytes; this is not such a file", path.string(), limit);
        }
    }
    return text;
}

void write_output(const fs::path& path, std::string_view text) {
    const fs::path file = output_file(path);
    remove_stale_temporaries(folder_of(file), file.filename().string());
    write_file(file, text);
}

std::size_t remove_stale_temporaries(const fs::path& folder, std::string_view name) {
    std::size_t removed = 0;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (!is_temporary(entry.path().filename().string(), name)) continue;
        const int file = system::open_leftover(entry.path());
        if (file < 0) continue;
        if (system::lock(file) && system::remove_file(entry.path())) ++removed;
        system::close(file);
    }
    return removed;
}

}  // namespace lanefold::tools
