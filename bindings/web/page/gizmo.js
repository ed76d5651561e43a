// SPDX-License-Identifier: MIT
//
// Handles in the drawing: move and turn a body, or move one of its vertices.
import { BufferAttribute, BufferGeometry, Object3D, Points, PointsMaterial, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";

export class Gizmo {
  constructor(owner) {
    this.owner = owner;
    const { view } = owner;
    this.handle = new Object3D();
    view.scene.add(this.handle);
    this.controls = new TransformControls(view.camera, view.canvas);
    this.controls.setSize(0.7);
    this.helper = this.controls.getHelper();
    view.scene.add(this.helper);
    this.controls.addEventListener("dragging-changed", (event) => { view.orbit.enabled = !event.value; });
    this.controls.addEventListener("change", () => view.invalidate());
    this.controls.addEventListener("objectChange", () => this.moved());
    this.name = null;
    this.vertex = -1;      // input point that is held; -1: the body
    this.editing = false;  // vertices are shown
    this.dots = new Points(new BufferGeometry(), new PointsMaterial({
      size: 9, sizeAttenuation: false, color: "#111a2b", depthTest: false, transparent: true,
    }));
    this.dots.renderOrder = 9;
    this.dots.visible = false;
    view.scene.add(this.dots);
    window.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (!this.owner.active || /INPUT|TEXTAREA|SELECT/.test(document.activeElement?.tagName ?? "")) return;
    if (event.key === "t" || event.key === "T") this.mode("translate");
    if (event.key === "r" || event.key === "R") this.mode("rotate");
    if (event.key === "Escape") this.attach(this.name);
  }

  /** A handle is under the pointer or being dragged. */
  busy() { return this.controls.dragging || this.controls.axis !== null; }

  mode(name) {
    this.controls.setMode(this.vertex >= 0 ? "translate" : name);
    this.owner.panel.update();
    this.owner.view.invalidate();
  }

  attach(name) {
    this.name = name;
    this.vertex = -1;
    this.follow();
    if (name) this.controls.attach(this.handle);
    this.owner.view.invalidate();
  }

  detach() {
    this.controls.detach();
    this.dots.visible = false;
    this.name = null;
  }

  edit(on) {
    this.editing = on;
    this.attach(this.owner.selected);
    this.owner.panel.update();
  }

  /** World place, in the drawing, of an input point. */
  placeOf(index) {
    const body = this.owner.pair[this.name];
    return new Vector3(...body.vertices.slice(3 * index, 3 * index + 3))
      .applyMatrix4(this.owner.drawing.bodies[this.name].matrixWorld);
  }

  /** Puts the handle where the state is. */
  follow() {
    this.dots.visible = this.editing && this.name !== null && this.owner.active;
    if (!this.name || !this.owner.drawing.bodies[this.name]) return;
    const body = this.owner.drawing.bodies[this.name];
    if (this.dots.visible) this.drawDots(body);
    if (this.controls.dragging) return;
    if (this.vertex >= 0) {
      this.handle.position.copy(this.placeOf(this.vertex));
      this.handle.quaternion.identity();
    } else {
      this.handle.position.copy(body.position);
      this.handle.quaternion.copy(body.quaternion);
    }
    this.handle.updateMatrixWorld(true);
  }

  drawDots(body) {
    const { geometry } = this.dots;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.owner.pair[this.name].vertices), 3));
    geometry.computeBoundingSphere();
    this.dots.position.copy(body.position);
    this.dots.quaternion.copy(body.quaternion);
  }

  moved() {
    const { owner } = this;
    if (this.vertex >= 0) {
      this.moveVertex();
      return;
    }
    const { origin } = owner.drawing;
    owner.setPose(this.name, this.handle.position.toArray().map((x, k) => x + origin[k]),
      this.handle.quaternion.toArray());
  }

  moveVertex() {
    const body = this.owner.drawing.bodies[this.name];
    const local = body.worldToLocal(this.handle.position.clone()).toArray().map(Math.fround);
    this.owner.change((pair) => pair[this.name].vertices.splice(3 * this.vertex, 3, ...local));
  }

  /** Takes the vertex under the pointer. */
  pickVertex(event) {
    if (!this.editing || !this.name) return false;
    const { view } = this.owner;
    const at = view.pointer(event);
    let best = 14;  // pixels
    let found = -1;
    for (let i = 0; i < this.owner.pair[this.name].vertices.length / 3; i += 1) {
      const p = this.placeOf(i).project(view.camera);
      const away = Math.hypot((p.x - at.x) * view.size.width, (p.y - at.y) * view.size.height) / 2;
      if (away < best) [best, found] = [away, i];
    }
    if (found < 0) return false;
    this.hold(found);
    return true;
  }

  hold(index) {
    this.vertex = index;
    this.controls.setMode("translate");
    this.follow();
    this.controls.attach(this.handle);
    this.owner.panel.update();
    this.owner.view.invalidate();
  }

  addVertex() {
    const { vertices } = this.owner.pair[this.name];
    // Outwards from the held vertex, or from the first: a corner that shows.
    const from = 3 * Math.max(0, this.vertex);
    const point = vertices.slice(from, from + 3).map((x) => Math.fround(x * 1.35));
    this.owner.change((pair) => pair[this.name].vertices.push(...point));
    this.hold(vertices.length / 3 - 1);
  }

  deleteVertex() {
    if (this.vertex < 0) return;
    const gone = this.vertex;
    this.vertex = -1;
    this.owner.change((pair) => pair[this.name].vertices.splice(3 * gone, 3));
    this.attach(this.name);
  }
}
