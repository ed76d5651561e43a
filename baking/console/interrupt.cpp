// SPDX-License-Identifier: MIT
//
// The thread that waits for signals. On Windows a function that the system calls on a thread of its own.

#include "console/interrupt.hpp"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <atomic>
#include <cstdlib>
#else
#include <unistd.h>

#include <ctime>
#endif
#ifdef __APPLE__
#include <initializer_list>
#endif

#include "console/failure.hpp"

namespace lanefold::tools {

#ifdef _WIN32

namespace {

std::atomic<StopFlag*> watched{nullptr};

BOOL WINAPI on_event(DWORD event) {
    StopFlag* const stop = watched.load();
    if (stop == nullptr) return FALSE;
    if (stop->stop_requested()) std::_Exit(static_cast<int>(ExitCode::interrupted));
    stop->request_stop();
    // At the end of the console or the session Windows ends the program when this returns.
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(INFINITE);
    return TRUE;
}

}  // namespace

Interrupt::Interrupt() {
    watched = &stop_;
    ::SetConsoleCtrlHandler(on_event, TRUE);
}

Interrupt::~Interrupt() {
    ::SetConsoleCtrlHandler(on_event, FALSE);
    watched = nullptr;
}

#else

namespace {

// The longest time that the end of the program waits for this thread. Nothing else ends a call of sigtimedwait.
constexpr timespec kPoll{0, 20'000'000};

// Whether one of these signals came within that time. It is taken.
bool one_of(const sigset_t& signals) {
#ifdef __APPLE__
    ::nanosleep(&kPoll, nullptr);
    sigset_t pending;
    ::sigpending(&pending);
    int signal = 0;
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
        if (sigismember(&signals, each) == 1 && sigismember(&pending, each) == 1)
            return ::sigwait(&signals, &signal) == 0;
    }
    return false;
#else
    return ::sigtimedwait(&signals, nullptr, &kPoll) > 0;
#endif
}

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
            if (!one_of(signals)) continue;
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

#endif

}  // namespace lanefold::tools
