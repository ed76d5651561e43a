// SPDX-License-Identifier: MIT
//
// SIGINT, SIGTERM and SIGHUP as a stop token. A thread waits for the signals, so no code runs inside a signal handler.
// Construct it before any other thread starts, because the signals must be blocked in all threads. A second signal ends
// the process at once. On Windows Ctrl-C and the end of the console take their place, and there is no thread.
#pragma once

#ifndef _WIN32
#include <csignal>
#include <thread>
#endif

#include <lanefold/stop.hpp>

namespace lanefold::tools {

class Interrupt {
public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    // Valid as long as this object.
    StopToken token() const { return stop_; }
    bool requested() const { return stop_.stop_requested(); }

private:
    StopFlag stop_;
#ifndef _WIN32
    StopFlag end_;  // of the watcher
    sigset_t before_{};
    std::thread watcher_;
#endif
};

}  // namespace lanefold::tools
