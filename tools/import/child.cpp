// SPDX-License-Identifier: MIT
//
// posix_spawn with one pipe for both outputs, which is polled beside the stop token.
#ifndef _WIN32

#include "import/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include "console/failure.hpp"

#ifdef __APPLE__
extern char** environ;
#endif

namespace lanefold::tools {
namespace {

// How soon a stop is noticed.
constexpr int kPollMilliseconds = 50;
// How long the child may take to end itself after SIGTERM.
constexpr std::chrono::seconds kGrace{2};
constexpr std::size_t kKept = 4096;

// The attributes of posix_spawn; the child has the default signals, which Interrupt blocks here.
class Setup {
public:
    explicit Setup(int output) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
        posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    Setup(const Setup&) = delete;
    Setup& operator=(const Setup&) = delete;
    ~Setup() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    const posix_spawn_file_actions_t* actions() const { return &actions_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

// A pipe that only this program has.
bool make_pipe(int (&ends)[2]) {
#ifdef __APPLE__
    if (::pipe(ends) != 0) return false;
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    return true;
#else
    return ::pipe2(ends, O_CLOEXEC) == 0;
#endif
}

// A running child. Its group does not outlive this object.
class Child {
public:
    explicit Child(const std::vector<std::string>& arguments) {
        int ends[2];
        if (!make_pipe(ends)) throw io_failure("cannot make a pipe: {}", std::strerror(errno));
        output_ = ends[0];
        std::vector<char*> argv;
        for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        const Setup setup(ends[1]);
        const int error = ::posix_spawnp(&pid_, argv[0], setup.actions(), setup.attributes(), argv.data(), environ);
        ::close(ends[1]);
        if (error == 0) return;
        ::close(output_);
        throw bad_input("cannot run '{}': {}", arguments[0], std::strerror(error));
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (!ended_) {
            ::kill(-pid_, SIGKILL);
            while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
            }
        }
        ::close(output_);
    }

    // The status with which it has ended; nothing while it runs. The processes that it started end with it.
    std::optional<int> status() {
        if (!ended_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) {
            ended_ = true;
            ::kill(-pid_, SIGKILL);
        }
        return ended_ ? std::optional(status_) : std::nullopt;
    }
    // Waits a moment for output; returns what there is. Empty: nothing, or all has been read.
    std::string_view read() {
        pollfd wait{output_, POLLIN, 0};
        if (closed_ || ::poll(&wait, 1, kPollMilliseconds) <= 0) {
            if (closed_) std::this_thread::sleep_for(std::chrono::milliseconds(kPollMilliseconds));
            return {};
        }
        const ssize_t count = ::read(output_, buffer_, sizeof buffer_);
        closed_ = count == 0;
        return {buffer_, count > 0 ? static_cast<std::size_t>(count) : 0};
    }
    bool has_output() const {
        pollfd now{output_, POLLIN, 0};
        return !closed_ && ::poll(&now, 1, 0) > 0;
    }
    void terminate() {
        ::kill(-pid_, SIGTERM);
        const auto end = std::chrono::steady_clock::now() + kGrace;
        while (!status() && std::chrono::steady_clock::now() < end) read();
    }

private:
    pid_t pid_ = -1;
    int output_ = -1;
    int status_ = 0;
    bool ended_ = false;
    bool closed_ = false;
    char buffer_[4096] = {};
};

// Gives whole lines on.
class Lines {
public:
    explicit Lines(const std::function<void(std::string_view)>& on_line) : on_line_(on_line) {}
    void add(std::string_view text) {
        said.append(text);
        if (said.size() > kKept) said.erase(0, said.size() - kKept);
        for (const char c : text) {
            if (c != '\n') {
                if (line_.size() < kKept) line_ += c;
                continue;
            }
            on_line_(line_);
            line_.clear();
        }
    }
    std::string said;

private:
    const std::function<void(std::string_view)>& on_line_;
    std::string line_;
};

}  // namespace

ChildOutcome run_child(const std::vector<std::string>& arguments, const StopToken& stop,
                       const std::function<void(std::string_view)>& on_line) {
    Child child(arguments);
    Lines lines(on_line);
    while (!child.status()) {
        if (stop.stop_requested()) {
            child.terminate();
            throw Failure(ExitCode::interrupted, "interrupted; nothing was written");
        }
        lines.add(child.read());
    }
    while (child.has_output()) {
        const std::string_view rest = child.read();
        if (rest.empty()) break;
        lines.add(rest);
    }
    const int status = child.status().value_or(0);
    ChildOutcome out;
    if (WIFEXITED(status)) out.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
        out.signal = WTERMSIG(status);
        out.signal_name = ::strsignal(out.signal);
    }
    out.said = lines.said;
    return out;
}

}  // namespace lanefold::tools

#endif
