// SPDX-License-Identifier: MIT
//
// Runs a program by fork and exec, with files for the two outputs, and wait4 for the peak memory.

#include "program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lanefold::test {
namespace {

namespace fs = std::filesystem;

void limit(int resource, std::uint64_t value) {
    if (value == 0) return;
    const rlimit limits{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

void redirect(const fs::path& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, descriptor);
    ::close(file);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lanefold_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments, const RunOptions& options) {
    const TemporaryFolder outputs;
    const fs::path out = outputs / "out";
    const fs::path err = outputs / "err";
    std::vector<std::string> strings{program};
    strings.insert(strings.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& text : strings) argv.push_back(text.data());
    argv.push_back(nullptr);

    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
        redirect(out, STDOUT_FILENO);
        redirect(err, STDERR_FILENO);
        limit(RLIMIT_FSIZE, options.max_file_bytes);
        limit(RLIMIT_AS, options.max_address_bytes);
        ::execv(program.c_str(), argv.data());
        ::_exit(127);
    }
    if (options.meanwhile) options.meanwhile(child);
    int status = 0;
    rusage usage{};
    while (::wait4(child, &status, 0, &usage) < 0) {
    }
    Outcome outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.out = read_bytes(out);
    outcome.err = read_bytes(err);
    outcome.max_resident_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return outcome;
}

std::map<std::string, std::string> files_below(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = fs::relative(entry.path(), folder).string();
        if (entry.is_regular_file() && !name.starts_with("log/")) files[name] = read_bytes(entry.path());
    }
    return files;
}

std::string read_bytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

void write_bytes(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace lanefold::test
