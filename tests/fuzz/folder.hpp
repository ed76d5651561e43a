// SPDX-License-Identifier: MIT
//
// A folder in memory that belongs to this process, for targets whose readers want files.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "console/failure.hpp"
#include "fuzz/input.hpp"

namespace lanefold::fuzz {

class Folder {
public:
    Folder() {
        const char* const base = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
        std::string path = std::string(base) + "/lanefold-fuzz-XXXXXX";
        if (mkdtemp(path.data()) == nullptr) stop("cannot make a folder in", base);
        path_ = path;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }

    void write(const std::string& name, std::string_view bytes) const {
        std::ofstream file(path_ / name, std::ios::binary | std::ios::trunc);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file) stop("cannot write", name.c_str());
    }

private:
    std::filesystem::path path_;
};

// Runs a reader. The one way it may refuse its input is a Failure with a message that names the file.
template <class Read>
void read_or_refuse(const std::string& name, const Read& read) {
    try {
        read();
    } catch (const tools::Failure& failure) {
        const std::string what = failure.what();
        if (what.find(name) == std::string::npos) stop("a message does not name the file:", what.c_str());
    }
}

}  // namespace lanefold::fuzz
