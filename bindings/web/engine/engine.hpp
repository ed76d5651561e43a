// SPDX-License-Identifier: MIT
//
// The live page's interface to lanefold: one request and one answer, both JSON. The same source is compiled for the
// machine and for WebAssembly, and bindings/web/tests holds one against the other, byte for byte.
//
// {"op": ...} is one of
//   about     version, instruction sets, names of methods
//   presets   the pairs of `lanefold generate presets`
//   pair      two bodies -> their hulls, the builder's reports, the record, and how it came about
//   react     two bodies with velocities -> the same a step later, by the contact response
// An answer has "error" (a text for a person) where the request could not be met, and nothing else is changed.
// bindings/web/engine/pair.cpp and react.cpp have the fields. Lengths and frames are those of the C++ headers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lanefold::web {

// Remembers the hulls of the last pair, so that dragging builds none. Not thread-safe.
class Engine {
public:
    Engine();
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    std::string answer(std::string_view request);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanefold::web
