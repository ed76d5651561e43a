// SPDX-License-Identifier: MIT
//
// The common part of both views: renderer, camera, light, and drawing only when something changed.
import {
  AmbientLight, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { byId, make } from "./dom.js";

export class View {
  constructor() {
    this.canvas = byId("canvas");
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 1000);
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener("change", () => this.invalidate());
    this.light();
    this.before = [];   // called before each picture
    this.labels = [];   // {at: Vector3, element}
    this.pending = false;
    /** Milliseconds of script of the last picture, and draw calls. */
    this.cost = { script: 0, calls: 0, pictures: 0 };
    this.ray = new Raycaster();
    new ResizeObserver(() => this.resize()).observe(byId("stage"));
    this.resize();
  }

  light() {
    this.scene.add(new HemisphereLight(new Color("#ffffff"), new Color("#9aa6b5"), 1.5));
    this.scene.add(new AmbientLight(new Color("#ffffff"), 0.35));
    const sun = new DirectionalLight(new Color("#fff6e8"), 1.7);
    sun.position.set(0.5, 1, 0.7);
    this.scene.add(sun);
  }

  resize() {
    const stage = byId("stage");
    const width = Math.max(1, stage.clientWidth);
    const height = Math.max(1, stage.clientHeight);
    this.size = { width, height };
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  /** Asks for a picture; many requests before the next one are one. */
  invalidate() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.pending = false;
    const start = performance.now();
    for (const work of this.before) work();
    this.renderer.render(this.scene, this.camera);
    this.placeLabels();
    this.cost = {
      script: performance.now() - start, calls: this.renderer.info.render.calls, pictures: this.cost.pictures + 1,
    };
  }

  /** Looks at a ball from the direction (x, y, z), or from where the camera is now. */
  frame(centre, radius, from, up) {
    if (up) this.camera.up.copy(up);
    const direction = from ? from.clone().normalize()
      : this.camera.position.clone().sub(this.orbit.target).normalize();
    const narrow = Math.min(1, this.camera.aspect);
    const distance = radius / (Math.sin(this.camera.fov * Math.PI / 360) * narrow);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 40;
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(centre);
    this.orbit.update();
    this.invalidate();
  }

  /** The pointer's place on the canvas, from -1 to 1. */
  pointer(event) {
    const box = this.canvas.getBoundingClientRect();
    return new Vector2(2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height);
  }

  rayAt(event) {
    this.ray.setFromCamera(this.pointer(event), this.camera);
    return this.ray;
  }

  /** Calls `pick` for clicks that did not drag. */
  onClick(pick) {
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => { down = { x: event.clientX, y: event.clientY }; });
    this.canvas.addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4) pick(event);
      down = null;
    });
  }

  label(text, at, kind = "") {
    const element = make("span", { class: kind }, text);
    byId("labels").append(element);
    this.labels.push({ at, element });
  }

  clearLabels() {
    byId("labels").replaceChildren();
    this.labels = [];
  }

  placeLabels() {
    const p = new Vector3();
    for (const { at, element } of this.labels) {
      p.copy(at).project(this.camera);
      const hidden = p.z > 1 || Math.abs(p.x) > 1.1 || Math.abs(p.y) > 1.1;
      element.style.display = hidden ? "none" : "";
      element.style.transform = `translate(${(p.x + 1) / 2 * this.size.width + 8}px,` +
        `${(1 - p.y) / 2 * this.size.height - 18}px)`;
    }
  }
}
