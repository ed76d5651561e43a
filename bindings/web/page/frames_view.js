// SPDX-License-Identifier: MIT
//
// The view of frames: bodies, contacts, the time line, and the body or pair that was picked.
import { Box3, BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Vector3 } from "three";
import { Bodies } from "./frames_bodies.js";
import { Contacts } from "./frames_contacts.js";
import { KINDS } from "./frames_data.js";
import { FrameEvents } from "./frames_events.js";
import { EventMarks } from "./frames_marks.js";
import { FramesPanel } from "./frames_panel.js";
import { Picker } from "./frames_pick.js";
import { heatColour, hullColour } from "./colours.js";
import { byId, make, number, problem } from "./dom.js";

// As the screen has it: the shader of the bodies does not convert.
const bytes = (colour) => {
  const c = colour.clone().convertLinearToSRGB();
  return [c.r, c.g, c.b].map((x) => Math.round(255 * x));
};

export class FramesView {
  constructor(view, scene, openPair) {
    this.view = view;
    this.scene = scene;
    this.openPair = openPair;
    this.frame = scene.length - 1;
    this.body = -1;    // picked
    this.contact = -1; // of the frame's list
    this.filter = { kinds: new Set(KINDS.slice(1)), least: -Infinity, most: Infinity };
    this.look = { bodies: true, stage: true, points: true, normals: false, through: false, heat: false };
    this.root = new Group();
    this.root.visible = false;
    view.scene.add(this.root);
    this.measure();
    this.drawn = new Bodies(scene);
    this.contacts = new Contacts(scene, this.size);
    this.picker = new Picker(scene);
    this.picked = new Group();
    this.root.add(this.drawn.group, this.contacts.group, this.picked);
    this.palette = Array.from({ length: scene.hulls }, (_, hull) => bytes(hullColour(hull)));
    this.heat = new Float32Array(scene.bodies);
    this.events = FrameEvents.of(scene);
    this.panel = new FramesPanel(this);
    this.timeline();
    view.onClick((event) => { if (this.active) this.onClick(event); });
  }

  /** Sizes, and which bodies are floor and walls. */
  measure() {
    const { scene } = this;
    const hullSize = Array.from({ length: scene.hulls }, (_, hull) => {
      const points = scene.vertices(hull);
      const box = new Box3();
      for (let i = 0; i < points.length; i += 3) box.expandByPoint(new Vector3(...points.subarray(i, i + 3)));
      return box.isEmpty() ? 0 : box.getSize(new Vector3()).length() / 2;
    });
    const sizes = [...scene.arrays.body_hull].map((h) => hullSize[h]);
    const moving = sizes.filter((_, b) => this.moves(b));
    const sorted = (moving.length ? moving : sizes).sort((x, y) => x - y);
    this.size = sorted[Math.floor(sorted.length / 2)] || 1;
    // Hills of the ground are no walls that hide the pile.
    this.stage = Uint8Array.from(scene.arrays.body_hull, (h, b) =>
      (hullSize[h] > 4 * this.size && !scene.isSurface(h) && (!scene.arrays.inverse_mass || !this.moves(b)) ? 1 : 0));
  }

  moves(body) {
    const mass = this.scene.arrays.inverse_mass;
    return !mass || mass[body] !== 0;
  }

  enter() {
    this.active = true;
    this.root.visible = true;
    byId("timeline").hidden = false;
    byId("hint").textContent = "drag: turn · wheel: zoom · right drag: move · click a body to read its contacts";
    this.show(this.frame);
    this.panel.show();
    this.view.resize();
    this.home();
  }

  leave() {
    this.active = false;
    this.stop();
    this.root.visible = false;
    byId("timeline").hidden = true;
    this.view.clearLabels();
    this.view.resize();
    problem("");
  }

  /** The box of all bodies that are not floor or walls, or of all when there is nothing else. */
  box() {
    const { position, bodies } = this.scene;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const every of [false, true]) {
      for (let b = 0; b < bodies; b += 1) {
        if ((this.stage[b] && !every) || !this.scene.there(b)) continue;
        for (let k = 0; k < 3; k += 1) {
          const x = position[3 * b + k];
          if (x < low[k]) low[k] = x;
          if (x > high[k]) high[k] = x;
        }
      }
      if (low[0] <= high[0]) break;
    }
    if (low[0] > high[0]) return new Box3(new Vector3(), new Vector3()).expandByScalar(this.size); // nobody is there
    return new Box3(new Vector3(...low), new Vector3(...high)).expandByScalar(this.size);
  }

  home() {
    const box = this.box();
    const up = new Vector3().setComponent(this.scene.up, 1);
    const from = new Vector3(0.75, 0.75, 0.75).setComponent(this.scene.up, 0.62);
    this.view.frame(box.getCenter(new Vector3()), box.getSize(new Vector3()).length() / 2.2, from, up);
  }

  timeline() {
    const { scene } = this;
    this.slider = make("input", { type: "range", min: "0", max: String(scene.length - 1), step: "1",
      "aria-label": "frame", id: "frame" });
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.playButton = make("button", { id: "play-frames", onclick: () => (this.playing ? this.stop() : this.start()) },
      "play");
    this.frameText = make("span", { class: "mono", id: "frame-number" });
    const step = (by) => { this.stop(); this.show((this.frame + by + scene.length) % scene.length); };
    const arrow = (by, name, text) => make("button", { onclick: () => step(by), "aria-label": name }, text);
    const ways = make("div", { id: "ways" }, this.slider);
    if (this.events) {
      this.marks = new EventMarks(this.events, (e) => this.goTo(e));
      ways.append(this.marks.canvas);
    }
    byId("timeline").replaceChildren(this.playButton, arrow(-1, "back", "‹"), arrow(1, "forward", "›"), ways,
      this.frameText);
  }

  /** Shows the frame of an event, with its body picked, and its contact if that frame has it. */
  goTo(e) {
    this.stop();
    const [a, b] = this.events.pair(e);
    this.show(this.events.frameOf(e));
    this.choose(this.moves(b) ? b : a);
    const k = this.list.at.findIndex((_, i) => this.list.a[i] === a && this.list.b[i] === b);
    if (k >= 0) this.chooseContact(k);
  }

  start() {
    this.playing = true;
    this.playButton.textContent = "stop";
    let last = 0;
    const next = (now) => {
      if (!this.playing) return;
      if (now - last > 1000 / (this.scene.frames_per_second ?? 30)) {
        last = now;
        this.show((this.frame + 1) % this.scene.length);
      }
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }

  stop() {
    this.playing = false;
    this.playButton.textContent = "play";
  }

  /** Frame number i of those in the page. */
  show(i) {
    const start = performance.now();
    this.frame = i;
    this.slider.value = String(i);
    this.frameText.textContent = this.scene.frameName(i);
    this.scene.pose(i);
    this.drawn.place();
    const box = this.box();
    const { up } = this.scene;
    const low = box.min.getComponent(up);
    this.kerb = low + this.size + 0.04 * (box.max.getComponent(up) - low);
    this.drawn.kerb(this.kerb);
    this.marks?.draw(i);
    this.list = this.scene.contacts(i);
    this.contact = this.findContact();
    this.refresh();
    this.cost = performance.now() - start;
  }

  /** The contact of the picked pair in this frame. */
  findContact() {
    if (!this.pairOf || this.contact < 0) return -1;
    return this.list.at.findIndex((_, k) => this.list.a[k] === this.pairOf[0] && this.list.b[k] === this.pairOf[1]);
  }

  passes(k) {
    const depth = -this.list.distance[k];
    return this.filter.kinds.has(KINDS[this.list.kind[k]]) && depth >= this.filter.least && depth <= this.filter.most;
  }

  seen(b) {
    if (!this.scene.there(b)) return false;
    return this.stage[b] ? this.look.stage : this.look.bodies;
  }

  /** After a change of frame, filter, look or choice. */
  refresh() {
    this.heat.fill(0);
    let most = 1;
    this.passing = 0;
    for (let k = 0; k < this.list.at.length; k += 1) {
      if (!this.passes(k)) continue;
      this.passing += 1;
      most = Math.max(most, this.heat[this.list.a[k]] += 1, this.heat[this.list.b[k]] += 1);
    }
    this.hottest = Math.min(most, 12);
    this.paint();
    this.contacts.points.visible = this.look.points;
    this.contacts.normals.visible = this.look.normals;
    this.contacts.through(this.look.through);
    this.points = this.contacts.draw(this.list, (k) => this.passes(k));
    this.outline();
    this.panel.update();
    this.view.invalidate();
  }

  /** Colours of all bodies, again only where something that they depend on is new. */
  paint() {
    const partner = this.contact >= 0 ? [this.list.a[this.contact], this.list.b[this.contact]] : [];
    const { look, body, stage, palette } = this;
    const heat = look.heat ? `${this.frame} ${this.passing}` : "";
    const why = [look.bodies, look.stage, heat, body, partner].join();
    if (why === this.painted) return;
    this.painted = why;
    const hot = Array.from({ length: 13 }, (_, n) => bytes(heatColour(n / this.hottest)));
    const hulls = this.scene.arrays.body_hull;
    this.drawn.paint((b) => {
      if (stage[b] ? !look.stage : !look.bodies) return null;
      if (b === body) return [74, 135, 198];
      if (b === partner[0] || b === partner[1]) return [227, 154, 76];
      if (stage[b]) return [205, 210, 216];
      return look.heat ? hot[Math.min(this.heat[b], 12)] : palette[hulls[b]];
    }, stage);
  }

  /** Edges of the picked body, seen through everything. */
  outline() {
    this.picked.traverse((part) => { part.geometry?.dispose(); });
    this.picked.clear();
    if (this.body < 0 || !this.scene.there(this.body)) return;
    const { scene } = this;
    const hull = scene.arrays.body_hull[this.body];
    const points = scene.vertices(hull);
    const corners = scene.triangles(hull);
    const at = [];
    for (let i = 0; i < corners.length; i += 3) {
      for (const [x, y] of [[0, 1], [1, 2], [2, 0]]) {
        for (const c of [corners[i + x], corners[i + y]]) at.push(points[3 * c], points[3 * c + 1], points[3 * c + 2]);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(at), 3));
    const lines = new LineSegments(geometry, new LineBasicMaterial({
      color: "#123a66", depthTest: false, transparent: true, opacity: 0.55,
    }));
    lines.renderOrder = 6;
    lines.position.set(...scene.position.subarray(3 * this.body, 3 * this.body + 3));
    lines.quaternion.set(...scene.orientation.subarray(4 * this.body, 4 * this.body + 4));
    this.picked.add(lines);
  }

  onClick(event) {
    this.choose(this.bodyAt(event));
  }

  /** The body that is drawn where the pointer is, or -1. Floor and walls are drawn up to the kerb only. */
  bodyAt(event) {
    const { up } = this.scene;
    const hulls = this.scene.arrays.body_hull;
    return this.picker.pick(this.view.rayAt(event).ray, (b) => this.seen(b) && !this.scene.isSurface(hulls[b]),
      (b, place) => !this.stage[b] || place.getComponent(up) <= this.kerb);
  }

  choose(body) {
    this.body = body;
    this.contact = -1;
    this.pairOf = null;
    this.refresh();
  }

  chooseContact(k) {
    this.contact = this.contact === k ? -1 : k;
    this.pairOf = this.contact < 0 ? null : [this.list.a[k], this.list.b[k]];
    this.refresh();
  }

  /** The chosen pair with the poses that the page has, for the pair view. */
  open() {
    const { scene } = this;
    const body = (b) => ({
      vertices: [...scene.vertices(scene.arrays.body_hull[b])],
      position: [...scene.position.subarray(3 * b, 3 * b + 3)].map((x, k) => x + scene.origin[k]),
      orientation: [...scene.orientation.subarray(4 * b, 4 * b + 4)],
    });
    const [a, b] = this.pairOf;
    const title = `${scene.name}, ${scene.frameName(this.frame)}: ${a} and ${b}`;
    this.openPair({ ...scene.settings, a: body(a), b: body(b) }, title);
  }

  depthText(k) { return number(this.list.distance[k], 5); }
}
