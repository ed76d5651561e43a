// SPDX-License-Identifier: MIT
//
// The page: starts the engine, reads what `lanefold view` put into the page, and shows a pair or frames.
import { byId, make, problem } from "./dom.js";
import { Engine } from "./engine.js";
import { FramesView } from "./frames_view.js";
import { readScene } from "./frames_data.js";
import { PairView } from "./pair_view.js";
import { fromFragment } from "./state.js";
import { View } from "./view.js";
import { showLicences } from "./licences.js";

class Page {
  constructor(engine) {
    this.engine = engine;
    this.view = new View();
    this.pair = new PairView(this.view, engine);
    this.frames = null;
    this.mode = null;
  }

  bar() {
    const { pair } = this;
    const button = (id, text, title, work) => make("button", { id, title, onclick: work }, text);
    const scene = this.frames?.scene;
    byId("bar").replaceChildren(
      make("span", { class: "name" }, "lanefold",
        make("small", {}, scene ? `${scene.name}, ${scene.bodies} bodies`
          : `${this.engine.about.version}, contacts live`)),
      ...(this.frames ? [button("go-frames", "frames", "all bodies, frame by frame", () => this.go("frames")),
        button("go-pair", "pair", "two bodies from near", () => this.go("pair"))] : []),
      make("span", { class: "space" }),
      make("span", { id: "pair-tools", style: "display:flex;gap:8px" },
        button("link", "link", "an address that holds the whole pair", () => pair.link()),
        button("as-cpp", "copy as C++", "a program that computes this pair", () => pair.copyProgram()),
        button("as-scene", "copy as scene", "a Python program that writes the scene folder", () => pair.copyScene())),
      button("home", "whole view", "look at everything", () => this.home()),
      button("licences", "licences", "of what is in this page", showLicences));
  }

  home() {
    if (this.mode === "frames") this.frames.home();
    else if (this.pair.answer) this.pair.drawing.begin(this.pair.pair, this.pair.answer);
  }

  go(mode) {
    if (mode === this.mode) return;
    this[this.mode]?.leave();
    this.mode = mode;
    this[mode].enter();
    if (mode === "pair" && !this.pair.pair) this.pair.loadPreset("rotated");
    else if (mode === "pair" && this.pair.answer) this.home();
    byId("go-frames")?.classList.toggle("on", mode === "frames");
    byId("go-pair")?.classList.toggle("on", mode === "pair");
    byId("pair-tools").style.display = mode === "pair" ? "flex" : "none";
    document.body.dataset.mode = mode;
  }

  openPair(pair, title) {
    this.go("pair");
    this.pair.load(pair, title);
  }

  fromAddress() {
    const pair = fromFragment(location.hash);
    if (pair instanceof Error) {
      this.go("pair");
      problem(pair.message);
    } else if (pair) {
      this.openPair(pair, "from the address");
    }
    return pair !== null;
  }
}

async function start() {
  const page = new Page(await Engine.start());
  globalThis.lanefoldPage = page;  // for the tests
  let wrong = "";
  try {
    const scene = readScene(document);
    if (scene) page.frames = new FramesView(page.view, scene, (pair, title) => page.openPair(pair, title));
  } catch (error) {
    wrong = `the data in this page is broken: ${error.message}`;
  }
  page.bar();
  if (!page.fromAddress()) page.go(page.frames ? "frames" : "pair");
  if (wrong) problem(wrong);
  window.addEventListener("hashchange", () => page.fromAddress());
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  problem(`The page could not start. It needs WebGL 2 and WebAssembly.\n${error.message}`);
  throw error;
});
