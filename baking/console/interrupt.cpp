// SPDX-License-Identifier: MIT
//
// The thread that waits for signals.

#include "console/interrupt.hpp"

#include <unistd.h>

#include <ctime>

#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

// The longest time that the end of the program waits for this thread. Nothing else ends a call of sigtimedwait.
constexpr timespec kPoll{0, 20'000'000};

}  // namespace

Interrupt::Interrupt() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    // The end of a terminal, unless somebody said that the program outlives it (nohup).
    struct sigaction hangup {};
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    watcher_ = std::thread([this, signals] {
        while (!end_.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &kPoll) <= 0) continue;
            if (stop_.stop_requested()) ::_exit(static_cast<int>(ExitCode::interrupted));
            stop_.request_stop();
        }
    });
}

Interrupt::~Interrupt() {
    end_.request_stop();
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace lanefold::tools
