// SPDX-License-Identifier: MIT
//
// The pair view: the pair, the engine's answer, and everything that changes one of them.
import { Vector3 } from "three";
import { byId, problem, showText } from "./dom.js";
import { asProgram, asScene } from "./copies.js";
import { Gizmo } from "./gizmo.js";
import { PairPanel } from "./pair_panel.js";
import { PairScene } from "./pair_scene.js";
import { Play } from "./play.js";
import { copyPair, METHODS_OF_OVERLAPS, toFragment, unit } from "./state.js";

export class PairView {
  constructor(view, engine) {
    this.view = view;
    this.engine = engine;
    this.presets = engine.call({ op: "presets" });
    this.drawing = new PairScene(view);
    this.panel = new PairPanel(this);
    this.gizmo = new Gizmo(this);
    this.play = new Play(this);
    this.selected = "b";
    this.pair = null;
    this.answer = null;
    this.active = false;
    view.onClick((event) => { if (this.active && !this.gizmo.busy()) this.onClick(event); });
  }

  enter() {
    this.active = true;
    this.drawing.root.visible = true;
    this.panel.show();
    byId("hint").textContent = "drag: turn · wheel: zoom · right drag: move · click a body to take it · T move, R turn";
    if (this.pair) this.refresh();
  }

  leave() {
    this.active = false;
    this.play.stop();
    this.gizmo.detach();
    this.drawing.root.visible = false;
    this.view.clearLabels();
    problem("");
  }

  /** Another pair: a preset, one of a link, one of a scene. */
  load(pair, title) {
    const next = copyPair(pair);
    const answer = this.ask(next);
    this.play.stop();
    this.pair = next;
    this.title = title;
    this.drawing.step = -1;
    this.drawing.stage = -1;
    this.drawing.chosen = -1;
    this.gizmo.detach();
    if (answer.error) {
      problem(this.errorText(answer));
      return;
    }
    problem("");
    this.answer = answer;
    this.drawing.begin(this.pair, answer);
    this.panel.show();
    this.select(this.selected);
  }

  loadPreset(name) {
    const preset = this.presets.presets.find((p) => p.name === name);
    const settings = this.pair ? { ...this.pair, a: preset.a, b: preset.b } : preset;
    // As a person writes it, not as float32 has it.
    this.load({ margin: Number(this.presets.margin.toPrecision(7)), ...settings }, name);
  }

  ask(pair) {
    const reference = METHODS_OF_OVERLAPS.includes(pair.method);
    return this.engine.call({ op: "pair", ...pair, margin: reference ? 0 : pair.margin });
  }

  errorText(answer) {
    const lines = (answer.reports ?? []).map((r) =>
      `hull of ${r.body.toUpperCase()}: ${r.error}, point ${r.point}: ${r.what}`);
    return [`${answer.error}${lines.length ? ":" : ""}`, ...lines].join("\n");
  }

  /** After a change of the pair. The last good drawing stays while something is wrong. */
  refresh() {
    const answer = this.ask(this.pair);
    if (answer.error) {
      problem(this.errorText(answer));
      this.panel.update();
      return false;
    }
    problem("");
    this.answer = answer;
    this.drawing.draw(this.pair, answer);
    this.gizmo.follow();
    this.panel.update();
    return true;
  }

  change(work) {
    work(this.pair);
    this.refresh();
  }

  select(name) {
    this.selected = name;
    this.gizmo.attach(name);
    this.panel.update();
  }

  onClick(event) {
    if (this.gizmo.pickVertex(event)) return;
    const hit = this.drawing.pick(event);
    if (hit) this.select(hit.name);
  }

  setPose(name, position, orientation) {
    this.change((pair) => {
      pair[name].position = position;
      pair[name].orientation = unit(orientation);
    });
  }

  /** Moves b by the minimum translation, which leaves the bodies touching. */
  resolve() {
    const { record, story } = this.answer;
    if (record.kind === "none" || !(story.separation_along_normal < 0)) return;
    const move = new Vector3(...record.normal).multiplyScalar(-story.separation_along_normal).toArray();
    this.change((pair) => { pair.b.position = pair.b.position.map((x, k) => x + move[k]); });
  }

  link() {
    const fragment = toFragment(this.pair);
    history.replaceState(null, "", `#${fragment}`);
    showText("A link to this pair", location.href);
  }

  copyProgram() { showText("This pair as a C++ program", asProgram(this.pair)); }

  copyScene() { showText("This pair as a scene: a Python program that writes the folder", asScene(this.pair)); }
}
