// SPDX-License-Identifier: MIT
//
// The panel of the pair view. It is built once a pair, and then only brought up to date.
import { byId, make, number, numberField, row, section, vector } from "./dom.js";
import { METHODS_OF_OVERLAPS, pointsToText, textToPoints } from "./state.js";
import { recordSection, reportText, storySection } from "./pair_record.js";

export class PairPanel {
  constructor(owner) {
    this.owner = owner;
    this.fields = [];
  }

  show() {
    if (!this.owner.active || !this.owner.pair) return;
    this.updates = [];
    byId("panel").replaceChildren(this.presetSection(), this.resultSection(), this.pointsSection(),
      this.settingsSection(), this.editSection(), this.bodySection("a"), this.bodySection("b"), this.drawSection());
    this.update();
  }

  update() {
    if (!this.owner.active || !this.owner.pair || !this.updates) return;
    for (const work of this.updates) work();
  }

  presetSection() {
    const { owner } = this;
    const list = owner.presets.presets;
    const select = make("select", { "aria-label": "preset", style: "flex:1", id: "preset" },
      ...(list.some((p) => p.name === owner.title) ? [] : [make("option", { value: "" }, owner.title ?? "a pair")]),
      ...list.map((p) => make("option", { value: p.name }, p.name)));
    select.value = list.some((p) => p.name === owner.title) ? owner.title : "";
    select.addEventListener("change", () => { if (select.value) owner.loadPreset(select.value); });
    const step = (by) => {
      const at = list.findIndex((p) => p.name === owner.title);
      owner.loadPreset(list[(at + by + list.length) % list.length].name);
    };
    const shows = list.find((p) => p.name === owner.title)?.shows ?? "";
    return section("Preset", make("div", { style: "display:flex;gap:6px" },
      make("button", { onclick: () => step(-1), "aria-label": "previous preset" }, "‹"), select,
      make("button", { onclick: () => step(1), "aria-label": "next preset" }, "›")),
    make("p", { class: "soft" }, shows));
  }

  resultSection() {
    const { owner } = this;
    const big = make("div", { class: "big", id: "distance" });
    const text = make("p", { id: "result" });
    const play = make("button", { onclick: () => owner.play.toggle(), id: "play" }, "play");
    const resolve = make("button", { onclick: () => owner.resolve(), id: "resolve",
      title: "move B by the minimum translation" }, "resolve");
    const bounce = numberField("restitution", (x) => { owner.play.restitution = x; }, (x) => x >= 0 && x <= 1);
    bounce.style.width = "52px";
    const story = make("div");
    this.updates.push(() => {
      const { record, story: told } = owner.answer;
      const apart = record.kind === "none";
      const distance = apart ? told.oracle.distance : record.distance;
      big.className = `big ${distance < 0 ? "deep" : "gap"}`;
      big.replaceChildren(number(distance, 7), make("small", {}, apart ? "apart, beyond the margin"
        : distance < 0 ? "overlapping" : "touching, within the margin"));
      const translation = record.normal.map((x) => x * -told.separation_along_normal);
      text.replaceChildren(apart ? "" : `normal ${vector(record.normal)}`, make("br"),
        apart || told.separation_along_normal >= 0 ? make("span", { class: "soft" }, "no translation needed")
          : `minimum translation of B ${vector(translation)}`);
      resolve.disabled = apart || !(told.separation_along_normal < 0);
      play.textContent = owner.play.running ? "stop" : "play";
      play.classList.toggle("on", owner.play.running);
      bounce.show(owner.play.restitution);
      story.replaceChildren(...storySection(owner));
    });
    return section([make("span", { class: "chip axis" }), "Separating axis"], big, text,
      make("div", { style: "display:flex;gap:6px;align-items:center;margin:6px 0" }, resolve, play,
        make("span", { class: "soft", title: "share of the closing velocity that comes back" }, "restitution"), bounce),
      story);
  }

  settingsSection() {
    const { owner } = this;
    const method = this.choice("method", owner.engine.about.methods);
    const points = this.choice("points", ["all", "impact"]);
    const capacity = this.choice("capacity", [4, 16]);
    const field = (name, most) => {
      const input = numberField(name, (x) => owner.change((p) => { p[name] = x; }), (x) => x >= 0 && x <= most);
      this.updates.push(() => {
        input.show(owner.pair[name]);
        const reference = METHODS_OF_OVERLAPS.includes(owner.pair.method);
        input.disabled = (name === "band" && owner.pair.method !== "patch")
          || (name === "feature_angle" && owner.pair.method !== "features")
          || (reference && (name === "margin" || name === "face_preference"));
      });
      return input;
    };
    return section("Method and options", row("method", method), row("margin", field("margin", 1e30)),
      row("face preference", field("face_preference", 1e30)), row("band (patch)", field("band", 1)),
      row("feature angle", field("feature_angle", 0.785)), row("points", points, capacity));
  }

  choice(name, values) {
    const { owner } = this;
    const select = make("select", { "aria-label": name, id: `set-${name}` },
      ...values.map((v) => make("option", { value: v }, name === "capacity" ? `at most ${v}` : String(v))));
    select.addEventListener("change", () => owner.change((p) => {
      p[name] = name === "capacity" ? Number(select.value) : select.value;
    }));
    this.updates.push(() => { select.value = String(owner.pair[name]); });
    return select;
  }

  bodySection(name) {
    const { owner } = this;
    const fields = (part, n) => Array.from({ length: n }, (_, k) => {
      const input = numberField(`${part} ${"xyzw"[k]} of ${name}`, (x) => {
        const body = { ...owner.pair[name], [part]: owner.pair[name][part].map((old, i) => (i === k ? x : old)) };
        if (part === "orientation" && Math.hypot(...body.orientation) < 1e-6) return;
        owner.setPose(name, body.position, body.orientation);
      });
      input.id = `${name}-${part}-${"xyzw"[k]}`;
      this.updates.push(() => input.show(owner.pair[name][part][k]));
      return input;
    });
    const take = make("button", { onclick: () => owner.select(name), id: `take-${name}` }, "take");
    const report = make("div", { class: "soft", id: `report-${name}` });
    this.updates.push(() => {
      take.classList.toggle("on", owner.selected === name);
      report.textContent = reportText(owner.answer.hulls[name === "a" ? 0 : 1].report);
    });
    return section([make("span", { class: `chip ${name}` }), `Body ${name.toUpperCase()}`,
      make("span", { class: "space" }), take], row("position", ...fields("position", 3)),
    row("orientation", ...fields("orientation", 4)), report);
  }

  pointsSection() {
    const box = make("div");
    this.updates.push(() => box.replaceChildren(...recordSection(this.owner)));
    return section("Contact points", box);
  }

  editSection() {
    const { owner } = this;
    const { gizmo } = owner;
    const turn = (name, text) => {
      const button = make("button", { onclick: () => gizmo.mode(name), id: `mode-${name}` }, text);
      this.updates.push(() => button.classList.toggle("on", gizmo.controls.mode === name));
      return button;
    };
    const edit = make("button", { onclick: () => gizmo.edit(!gizmo.editing), id: "edit" }, "edit vertices");
    const add = make("button", { onclick: () => gizmo.addVertex(), id: "add-vertex" }, "add");
    const remove = make("button", { onclick: () => gizmo.deleteVertex(), id: "delete-vertex" }, "delete");
    const area = make("textarea", { spellcheck: "false", "aria-label": "vertices, one a line", id: "vertices" });
    area.addEventListener("input", () => {
      const points = textToPoints(area.value);
      area.classList.toggle("wrong", points === null);
      if (points) owner.change((pair) => { pair[owner.selected].vertices = points; });
    });
    const held = make("span", { class: "soft" });
    this.updates.push(() => {
      edit.classList.toggle("on", gizmo.editing);
      for (const part of [add, remove, area, held]) part.hidden = !gizmo.editing;
      remove.disabled = gizmo.vertex < 0;
      held.textContent = gizmo.vertex < 0 ? "click a point" : `point ${gizmo.vertex}`;
      if (document.activeElement !== area) area.value = pointsToText(owner.pair[owner.selected].vertices);
    });
    return section("Handles", make("div", { style: "display:flex;gap:6px;flex-wrap:wrap;align-items:center" },
      turn("translate", "move"), turn("rotate", "turn"), edit, add, remove, held), area);
  }

  drawSection() {
    const { owner } = this;
    const { shown } = owner.drawing;
    const boxes = Object.entries({ axis: "axis", mtv: "B after resolving", faces: "faces and edges", clip: "clipping",
      points: "points", labels: "labels" }).map(([name, text]) => {
      const box = make("input", { type: "checkbox", id: `show-${name}` });
      box.checked = shown[name];
      box.addEventListener("change", () => {
        shown[name] = box.checked;
        owner.drawing.drawOverlay(owner.pair, owner.answer);
        owner.view.invalidate();
      });
      return make("label", { style: "display:inline-block;width:48%" }, box, ` ${text}`);
    });
    return section("Drawn", ...boxes);
  }
}
