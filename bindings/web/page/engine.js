// SPDX-License-Identifier: MIT
//
// The engine as WebAssembly. `createLanefold` is what emscripten made of bindings/web/engine; it stands in the page
// before this script.

/* global createLanefold */

export class Engine {
  static async start() {
    const engine = new Engine();
    engine.module = await createLanefold();
    engine.about = engine.call({ op: "about" });
    return engine;
  }

  /** One request, one answer: bindings/web/engine/engine.hpp. */
  call(request) {
    return JSON.parse(this.module.ccall("lanefold_answer", "string", ["string"], [JSON.stringify(request)]));
  }
}
