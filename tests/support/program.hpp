// SPDX-License-Identifier: MIT
//
// Runs the command-line program for tests and captures its output, in a temporary folder.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lanefold::test {

// A new empty folder, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

// A sanitizer reserves terabytes of addresses and keeps freed memory: limits and sizes mean nothing there.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kMemoryIsMeasurable = false;
#else
inline constexpr bool kMemoryIsMeasurable = true;
#endif

struct Outcome {
    int exit_code = -1;  // -1 when a signal ended it
    int signal = 0;
    std::string out;
    std::string err;
    std::uint64_t max_resident_bytes = 0;
};

struct RunOptions {
    std::map<std::string, std::string> environment;  // added to ours
    std::uint64_t max_file_bytes = 0;                // RLIMIT_FSIZE; 0: none
    std::uint64_t max_address_bytes = 0;             // RLIMIT_AS; 0: none
    std::function<void(pid_t)> meanwhile;            // called once after the start (to send a signal)
};

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const RunOptions& options = {});

// Every regular file below a folder except those below `log`: relative path -> bytes. For comparing folders.
std::map<std::string, std::string> files_below(const std::filesystem::path& folder);

std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, const std::string& bytes);

}  // namespace lanefold::test
