// SPDX-License-Identifier: MIT
//
// Draws a pair: both bodies, and over them what the engine says of their contact. The origin of the drawing is where
// body a was when the pair came, so that float32 of the graphics card is enough wherever the pair is.
import {
  ArrowHelper, BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, SphereGeometry, Vector3,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { COLOURS } from "./colours.js";
import { number } from "./dom.js";

const vec = (v) => new Vector3(v[0], v[1], v[2]);

/** Triangles of all faces, three corners each, for flat shading; and for each triangle its face. */
function faceTriangles(hull, faces = hull.loops.map((_, i) => i)) {
  const corners = [];
  const face = [];
  for (const f of faces) {
    const loop = hull.loops[f];
    for (let k = 1; k + 1 < loop.length; k += 1) {
      for (const v of [loop[0], loop[k], loop[k + 1]]) corners.push(...hull.vertices.slice(3 * v, 3 * v + 3));
      face.push(f);
    }
  }
  return { corners: new Float32Array(corners), face };
}

function solid(corners, material) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return new Mesh(geometry, material);
}

function edgeLines(hull, colour) {
  const at = [];
  for (const edge of hull.edges) for (const v of edge) at.push(...hull.vertices.slice(3 * v, 3 * v + 3));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(at), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.85 }));
}

/** A body's mesh in the hull's own frame; its group is placed by the pose. */
function makeBody(hull, name) {
  const group = new Group();
  const { corners, face } = faceTriangles(hull);
  const look = { color: COLOURS[name], roughness: 0.75, metalness: 0, transparent: true, flatShading: true };
  // Behind first, so that the far side shows through the near one.
  const back = solid(corners, new MeshStandardMaterial({ ...look, side: 1, opacity: 0.28, depthWrite: false }));
  const front = solid(corners, new MeshStandardMaterial({ ...look, side: FrontSide, opacity: 0.5, depthWrite: false }));
  back.renderOrder = 1;
  front.renderOrder = 2;
  front.userData = { face };
  const edges = edgeLines(hull, name === "a" ? COLOURS.edgeA : COLOURS.edgeB);
  edges.renderOrder = 3;
  group.add(back, front, edges);
  group.userData = { front };
  return group;
}

function thickLines(points, colour, width, options = {}) {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(points);
  const look = { color: colour, linewidth: width, depthTest: false, transparent: true };
  const material = new LineMaterial({ ...look, ...options });
  const line = new LineSegments2(geometry, material);
  if (options.dashed) line.computeLineDistances();
  line.renderOrder = 6;
  return line;
}

const loopSegments = (polygon) => polygon.flatMap((p, i) => [...p, ...polygon[(i + 1) % polygon.length]]);

function polygonMesh(polygon, colour, opacity) {
  const corners = [];
  for (let k = 1; k + 1 < polygon.length; k += 1) corners.push(...polygon[0], ...polygon[k], ...polygon[k + 1]);
  const mesh = solid(new Float32Array(corners), new MeshBasicMaterial({
    color: colour, transparent: true, opacity, side: DoubleSide, depthTest: false, depthWrite: false,
  }));
  mesh.renderOrder = 4;
  return mesh;
}

export class PairScene {
  constructor(view) {
    this.view = view;
    this.root = new Group();
    this.overlay = new Group();
    this.root.add(this.overlay);
    view.scene.add(this.root);
    this.bodies = { a: null, b: null };
    this.hulls = { a: null, b: null };
    this.origin = [0, 0, 0];
    this.shown = { axis: true, mtv: true, faces: true, clip: true, points: true, labels: true };
    this.step = -1;  // of clipping; -1: all
    this.stage = -1;  // of the growth of features; -1: the last
  }

  /** Begins with another pair: where the origin is, and what the camera sees. */
  begin(pair, answer) {
    this.origin = [...pair.a.position];
    this.radius = 0;  // until draw() has placed the bodies
    this.draw(pair, answer);
    const { centre, radius } = this.ball(answer);
    // Not along the normal, which would hide what it separates.
    const from = [new Vector3(0.75, 0.5, 1), new Vector3(-0.9, 0.45, 0.9)].map((v) => v.normalize());
    const along = Math.abs(from[0].dot(vec(answer.record.normal)));
    this.view.frame(centre, radius, from[along < 0.75 ? 0 : 1], new Vector3(0, 1, 0));
  }

  /** The ball around both bodies. */
  ball(answer) {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = low.clone().negate();
    for (const [i, name] of ["a", "b"].entries()) {
      const { vertices } = answer.hulls[i];
      for (let k = 0; k < vertices.length; k += 3) {
        const p = vec(vertices.slice(k, k + 3)).applyMatrix4(this.bodies[name].matrixWorld);
        low.min(p);
        high.max(p);
      }
    }
    const centre = low.clone().add(high).multiplyScalar(0.5);
    this.radius = Math.max(high.distanceTo(low) / 2, 1e-9);
    return { centre, radius: this.radius };
  }

  draw(pair, answer) {
    for (const [i, name] of ["a", "b"].entries()) {
      const hull = answer.hulls[i];
      const text = JSON.stringify([hull.vertices, hull.loops]);
      if (this.hulls[name] !== text) {
        this.replaceBody(name, makeBody(hull, name));
        this.hulls[name] = text;
      }
      this.place(name, pair[name]);
    }
    if (!this.radius) this.ball(answer);
    this.drawOverlay(pair, answer);
    this.view.invalidate();
  }

  replaceBody(name, group) {
    const old = this.bodies[name];
    if (old) {
      this.root.remove(old);
      old.traverse((part) => { part.geometry?.dispose(); part.material?.dispose(); });
    }
    group.name = name;
    this.bodies[name] = group;
    this.root.add(group);
  }

  place(name, body) {
    const group = this.bodies[name];
    group.position.set(...body.position.map((x, k) => x - this.origin[k]));
    group.quaternion.set(...body.orientation).normalize();
    group.updateMatrixWorld(true);
  }

  /** Offsets in records are from a's position. */
  at(offset, pair) {
    return vec(offset).add(this.bodies.a.position);
  }

  drawOverlay(pair, answer) {
    this.overlay.traverse((part) => { part.geometry?.dispose(); part.material?.dispose(); });
    this.overlay.clear();
    this.view.clearLabels();
    const { record, story } = answer;
    if (this.shown.faces) this.drawFaces(story);
    if (this.shown.clip) this.drawClipping(story);
    if (this.shown.faces && story.features) this.drawFeatures(story, answer);
    if (record.kind !== "none") {
      if (this.shown.faces && record.kind === "edge_edge" && !story.features) this.drawEdges(record, answer);
      if (this.shown.axis) this.drawAxis(record);
      if (this.shown.mtv && story.separation_along_normal < 0) this.drawTranslation(pair, answer);
      if (this.shown.points) this.drawPoints(record);
    } else if (this.shown.axis) {
      this.drawGap(story);
    }
    if (this.shown.labels) {
      for (const name of ["a", "b"]) this.view.label(name.toUpperCase(), this.bodies[name].position.clone(), name);
    }
  }

  drawFaces(story) {
    for (const [polygon, colour] of [[story.reference, COLOURS.reference], [story.incident, COLOURS.incident]]) {
      if (polygon.length < 3) continue;
      const mesh = polygonMesh(polygon, colour, 0.26);
      const outline = thickLines(loopSegments(polygon), colour, 2.5);
      mesh.position.copy(this.bodies.a.position);
      outline.position.copy(this.bodies.a.position);
      this.overlay.add(mesh, outline);
    }
  }

  drawEdges(record, answer) {
    for (const [i, name] of ["a", "b"].entries()) {
      const edge = answer.hulls[i].edges[i === 0 ? record.feature_a : record.feature_b];
      if (!edge) continue;
      const ends = edge.map((v) => vec(answer.hulls[i].vertices.slice(3 * v, 3 * v + 3))
        .applyMatrix4(this.bodies[name].matrixWorld));
      this.overlay.add(thickLines([...ends[0].toArray(), ...ends[1].toArray()],
        name === "a" ? COLOURS.reference : COLOURS.incident, 4));
    }
  }

  /** The rest of the incident face after the chosen step, the face before it, and the side that cut it. */
  drawClipping(story) {
    const { steps } = story;
    if (steps.length === 0) return;
    const last = this.step < 0 ? steps.length - 1 : Math.min(this.step, steps.length - 1);
    const left = steps[last].left;
    if (left.length >= 2) {
      const line = thickLines(loopSegments(left), COLOURS.clip, 3);
      line.position.copy(this.bodies.a.position);
      this.overlay.add(line);
    }
    if (this.step < 0) {
      this.drawDeleted(story);
      return;
    }
    const before = last === 0 ? story.incident : steps[last - 1].left;
    if (before.length >= 2) {
      const look = { dashed: true, dashSize: this.radius / 30, gapSize: this.radius / 40 };
      const line = thickLines(loopSegments(before), COLOURS.incident, 2, look);
      line.position.copy(this.bodies.a.position);
      this.overlay.add(line);
    }
    const side = thickLines(steps[last].side.flat(), COLOURS.deep, 5);
    side.position.copy(this.bodies.a.position);
    this.overlay.add(side);
  }

  /** Crosses where Sutherland-Hodgman deletes corners above the reference face. */
  drawDeleted(story) {
    const half = this.radius * 0.03;
    for (const corner of story.face_clip?.corners ?? []) {
      if (corner.fate === "kept") continue;
      const [x, y, z] = this.at(corner.at).toArray();
      this.overlay.add(thickLines([x - half, y - half, z, x + half, y + half, z, x - half, y + half, z, x + half,
        y - half, z], COLOURS.deep, 3));
    }
  }

  /** The contact features at the chosen stage of their growth. */
  drawFeatures(story, answer) {
    for (const [i, name] of ["a", "b"].entries()) {
      const { stages } = story.features[name];
      const last = stages.length - 1;
      const { vertices, feature } = stages[this.stage < 0 ? last : Math.min(this.stage, last)];
      const order = feature.type === "face" ? answer.hulls[i].loops[feature.index] : vertices;
      const corners = order.map((v) => vec(answer.hulls[i].vertices.slice(3 * v, 3 * v + 3))
        .applyMatrix4(this.bodies[name].matrixWorld));
      const colour = name === "a" ? COLOURS.reference : COLOURS.incident;
      if (corners.length > 1) {
        this.overlay.add(thickLines(loopSegments(corners.map((c) => c.toArray())), colour, 5));
        continue;
      }
      const ball = new Mesh(new SphereGeometry(this.radius * 0.03, 20, 14),
        new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true }));
      ball.position.copy(corners[0]);
      ball.renderOrder = 7;
      this.overlay.add(ball);
    }
  }

  middle(record) {
    const sum = new Vector3();
    for (const p of record.points) sum.add(vec(p.position));
    return sum.divideScalar(Math.max(1, record.points.length)).add(this.bodies.a.position);
  }

  drawAxis(record) {
    const normal = vec(record.normal);
    const from = this.middle(record);
    const length = this.radius * 0.75;
    this.overlay.add(this.arrow(normal, from, length, COLOURS.axis));
    const line = thickLines([...from.clone().addScaledVector(normal, -length).toArray(), ...from.toArray()],
      COLOURS.axis, 1.5, { dashed: true, dashSize: this.radius / 22, gapSize: this.radius / 30 });
    this.overlay.add(line);
    if (this.shown.labels) this.view.label("normal", from.clone().addScaledVector(normal, length), "axis");
  }

  arrow(direction, from, length, colour) {
    const head = this.radius * 0.11;
    const arrow = new ArrowHelper(direction, from, length, colour, head, head * 0.55);
    for (const part of [arrow.line, arrow.cone]) {
      part.material.depthTest = false;
      part.material.transparent = true;
      part.renderOrder = 7;
    }
    return arrow;
  }

  /** The place of b after the minimum translation, as an outline. */
  drawTranslation(pair, answer) {
    const move = vec(answer.record.normal).multiplyScalar(-answer.story.separation_along_normal);
    const ghost = edgeLines(answer.hulls[1], COLOURS.ghost);
    ghost.material.opacity = 0.55;
    ghost.position.copy(this.bodies.b.position).add(move);
    ghost.quaternion.copy(this.bodies.b.quaternion);
    this.overlay.add(ghost);
  }

  drawGap(story) {
    const middle = this.bodies.a.position.clone().add(this.bodies.b.position).multiplyScalar(0.5);
    this.overlay.add(this.arrow(vec(story.oracle.normal), middle, this.radius * 0.5, COLOURS.ghost));
    if (this.shown.labels) this.view.label(`apart by ${number(story.oracle.distance, 4)}`, middle, "axis");
  }

  drawPoints(record) {
    const size = this.radius * 0.021;
    const ball = new SphereGeometry(1, 20, 14);
    record.points.forEach((p, i) => {
      const colour = p.separation < 0 ? COLOURS.deep : COLOURS.gap;
      const chosen = i === this.chosen;
      const mesh = new Mesh(ball, new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true }));
      mesh.scale.setScalar(size * (chosen ? 1.7 : 1));
      mesh.position.copy(this.at(p.position));
      mesh.renderOrder = 8;
      const ends = [...this.at(p.witness_a).toArray(), ...this.at(p.witness_b).toArray()];
      this.overlay.add(mesh, thickLines(ends, colour, 3));
      if (this.shown.labels) this.view.label(String(i), this.at(p.position));
    });
  }

  /** The body under the pointer, and its face: {name, face}, or null. */
  pick(event) {
    const fronts = ["a", "b"].map((name) => this.bodies[name].userData.front);
    const hit = this.view.rayAt(event).intersectObjects(fronts, false)[0];
    if (!hit) return null;
    return { name: hit.object.parent.name, face: hit.object.userData.face[hit.faceIndex], point: hit.point };
  }
}
