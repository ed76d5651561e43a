// SPDX-License-Identifier: MIT
//
// SIGINT and SIGTERM as a stop token. A thread waits for the signals, so no code runs inside a signal handler.
// Construct it before any other thread starts, because the signals must be blocked in all threads. A second signal ends
// the process at once.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace lanefold::tools {

class Interrupt {
public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    std::stop_token token() const { return source_.get_token(); }
    bool requested() const { return source_.stop_requested(); }

private:
    std::stop_source source_;
    sigset_t before_{};
    std::jthread watcher_;
};

}  // namespace lanefold::tools
