// SPDX-License-Identifier: MIT
//
// The panel of the frames view: what is there, what is drawn, filters, and what was picked.
import { depthColour, gradient, heatColour, kTouching } from "./colours.js";
import { byId, count, make, number, numberField, row, section, vector } from "./dom.js";
import { KINDS } from "./frames_data.js";

const KIND_NAMES = { face_a: "face of A", face_b: "face of B", edge_edge: "two edges", vertex_edge: "vertex and edge",
  edge_vertex: "edge and vertex", vertex_vertex: "two vertices" };

// Contacts of a body that the list shows.
const kMostRows = 60;
// Events of a frame that the list shows: more would push away what was picked.
const kMostEvents = 12;

export class FramesPanel {
  constructor(owner) { this.owner = owner; }

  show() {
    this.updates = [];
    byId("panel").replaceChildren(this.sceneSection(), ...(this.owner.events ? [this.eventsSection()] : []),
      this.pickedSection(), this.drawnSection(), this.filterSection());
    this.update();
  }

  update() {
    if (!this.owner.active || !this.updates) return;
    for (const work of this.updates) work();
  }

  sceneSection() {
    const { owner } = this;
    const { scene } = owner;
    const text = make("div", { id: "frame-counts" });
    const exact = scene.quantised
      ? `poses to ${number(Math.max(...scene.quantised.step) / 2, 2)} ${scene.unit}, records exact`
      : "poses and records exact";
    this.updates.push(() => {
      const touching = owner.list.at.length;
      const overlapping = owner.list.distance.filter((d) => d < 0).length;
      text.replaceChildren(make("div", { class: "big" }, count(touching), make("small", {}, "touching pairs")),
        make("p", {}, `${count(overlapping)} overlapping, ${count(owner.points)} points drawn`));
    });
    return section(`Frame of ${scene.length}`, text, make("p", { class: "soft" }, `${count(scene.bodies)} bodies, `
      + `${count(scene.hulls)} hulls; margin ${number(scene.margin)} ${scene.unit}; ${exact}`),
    ...(scene.arrays.records ? this.depthLegend()
      : [make("p", { class: "soft" }, "without contacts: lanefold view SCENE CONTACTS -o page.html shows them")]));
  }

  /** The ramp of points' colours. It ends at the depth of 95 of 100 points that overlap, in all frames. */
  depthLegend() {
    const { margin, deepest, usual_depth: usual } = this.owner.scene;
    const beyond = deepest > usual ? " and deeper" : "";
    return [make("div", { class: "ramp", style: `background:${gradient(depthColour)}` }),
      make("div", { class: "ends", style: "position:relative" }, make("span", {}, `gap ${number(margin, 3)}`),
        make("span", { style: `position:absolute;left:${100 * kTouching}%` }, "0"),
        make("span", {}, `depth ${number(usual, 3)}${beyond}`)),
      make("p", { class: "soft", id: "depth-legend" }, beyond
        ? `95 of 100 overlapping points are at most ${number(usual, 3)} deep; deeper ones, down to `
          + `${number(deepest, 3)}, have the last colour`
        : `no point is deeper than ${number(deepest, 3)}`)];
  }

  drawnSection() {
    const { owner } = this;
    const names = { bodies: "bodies", stage: "floor and walls", points: "contact points", normals: "normals",
      through: "points through bodies", heat: "heat: contacts a body" };
    const boxes = Object.entries(names).map(([name, text]) => {
      const box = make("input", { type: "checkbox", id: `look-${name}` });
      box.checked = owner.look[name];
      box.addEventListener("change", () => {
        owner.look[name] = box.checked;
        owner.refresh();
      });
      return make("label", { style: "display:inline-block;width:49%" }, box, ` ${text}`);
    });
    const ends = make("div", { class: "ends" });
    const heat = make("div", {}, make("div", { class: "ramp", style: `background:${gradient(heatColour)}` }), ends);
    this.updates.push(() => {
      heat.hidden = !owner.look.heat;
      ends.replaceChildren(make("span", {}, "0"), make("span", {}, "contacts of a body"),
        make("span", {}, `${owner.hottest}${owner.hottest === 12 ? " and more" : ""}`));
    });
    return section("Drawn", ...boxes, heat);
  }

  filterSection() {
    const { owner } = this;
    const kinds = KINDS.slice(1).map((kind) => {
      const box = make("input", { type: "checkbox", id: `kind-${kind}` });
      box.checked = owner.filter.kinds.has(kind);
      box.addEventListener("change", () => {
        owner.filter.kinds[box.checked ? "add" : "delete"](kind);
        owner.refresh();
      });
      return make("label", { style: "display:inline-block;width:49%" }, box, ` ${KIND_NAMES[kind]}`);
    });
    const field = (name) => {
      const input = numberField(`${name} depth`, (x) => { owner.filter[name] = x; owner.refresh(); });
      input.id = `depth-${name}`;
      input.placeholder = name === "least" ? number(-owner.scene.margin, 4) : number(owner.scene.deepest, 4);
      input.addEventListener("input", () => {
        if (input.value.trim() !== "") return;
        input.classList.remove("wrong");
        owner.filter[name] = name === "least" ? -Infinity : Infinity;
        owner.refresh();
      });
      return input;
    };
    const text = make("p", { class: "soft", id: "passing" });
    this.updates.push(() => {
      text.textContent = `${count(owner.passing)} of ${count(owner.list.at.length)} contacts pass`;
    });
    return section("Filter", ...kinds, row("depth from, to", field("least"), field("most")), text);
  }

  /** The events that begin nearer to this frame than to any other, the fastest first. */
  eventsSection() {
    const { owner } = this;
    const { events, scene } = owner;
    const box = make("div");
    this.updates.push(() => {
      const mine = events.inFrame(owner.frame);
      const rows = mine.slice(0, kMostEvents).map((e) => {
        const tr = make("tr", { class: "pick" }, make("td", {}, events.begin(e).toFixed(2)),
          make("td", {}, events.pair(e).join(", ")), make("td", {}, number(events.closing(e), 3)),
          make("td", {}, number(events.impulse(e), 3)));
        tr.title = events.words(e);
        tr.addEventListener("click", () => owner.goTo(e));
        return tr;
      });
      box.replaceChildren(make("p", { class: "soft" }, `${count(mine.length)} of ${count(events.length)} begin here`
        + `${mine.length > kMostEvents ? `, the ${kMostEvents} fastest` : ""}`), ...(rows.length ? [make("table",
        { id: "events" }, make("tr", {}, make("th", {}, "frame"), make("th", {}, "bodies"),
          make("th", {}, `closing, ${scene.unit}/s`), make("th", {}, "impulse")), ...rows)] : []));
    });
    return section("Events", box);
  }

  pickedSection() {
    const box = make("div");
    this.updates.push(() => box.replaceChildren(...this.picked()));
    return section("Picked", box);
  }

  picked() {
    const { owner } = this;
    const { scene, list, body } = owner;
    if (body < 0) return [make("p", { class: "soft" }, "nothing; click a body")];
    const out = [make("p", {}, make("b", {}, scene.bodyName(body)), `, hull ${scene.arrays.body_hull[body]}`
      + `${owner.moves(body) ? "" : ", immovable"}`, make("br"),
    make("span", { class: "soft" }, `at ${vector([...scene.position.subarray(3 * body, 3 * body + 3)]
      .map((x, k) => x + scene.origin[k]))}`))];
    if (!scene.there(body)) out.push(make("p", { class: "soft" }, "not there in this frame"));
    const mine = [];
    for (let k = 0; k < list.at.length; k += 1) if (list.a[k] === body || list.b[k] === body) mine.push(k);
    mine.sort((x, y) => list.distance[x] - list.distance[y]);
    out.push(make("p", { class: "soft" }, `${mine.length} ${mine.length === 1 ? "contact" : "contacts"} in this frame`
      + `${mine.length > kMostRows ? `, the ${kMostRows} deepest` : ""}`));
    if (mine.length) out.push(this.contactTable(mine.slice(0, kMostRows)));
    if (owner.contact >= 0) out.push(...this.record());
    return out;
  }

  contactTable(mine) {
    const { owner } = this;
    const { list } = owner;
    return make("table", { id: "contacts" }, make("tr", {}, make("th", {}, "with"), make("th", {}, "kind"),
      make("th", {}, "distance"), make("th", {}, "points")), ...mine.map((k) => {
      const other = list.a[k] === owner.body ? list.b[k] : list.a[k];
      const tr = make("tr", { class: k === owner.contact ? "pick chosen" : "pick" }, make("td", {}, String(other)),
        make("td", {}, KINDS[list.kind[k]]), make("td", { class: list.distance[k] < 0 ? "deep" : "gap" },
          owner.depthText(k)), make("td", {}, String(list.count[k])));
      tr.addEventListener("click", () => owner.chooseContact(k));
      return tr;
    }));
  }

  record() {
    const { owner } = this;
    const record = owner.scene.record(owner.list.at[owner.contact]);
    const ground = owner.pairOf.some((b) => owner.scene.isSurface(owner.scene.arrays.body_hull[b]));
    return [make("div", { style: "margin-top:8px" }, ground ? "a pair with a surface has no pair view"
      : make("button", { id: "open-pair", onclick: () => owner.open() }, "open in the pair view")),
    make("pre", { id: "frame-record" }, JSON.stringify(record, null, 1))];
  }
}
