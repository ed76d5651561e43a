// SPDX-License-Identifier: MIT
//
// The page's engine on this machine: a request a line on standard input, an answer a line on standard output. The tests
// of the page hold WebAssembly against it.
#include <iostream>
#include <string>

#include "engine/engine.hpp"

int main() {
    lanefold::web::Engine engine;
    for (std::string line; std::getline(std::cin, line);) std::cout << engine.answer(line) << '\n';
    return 0;
}
