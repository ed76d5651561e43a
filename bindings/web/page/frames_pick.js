// SPDX-License-Identifier: MIT
//
// Which body a ray meets first: balls around bodies, then the triangles of those whose ball is met.
import { Vector3 } from "three";

export class Picker {
  constructor(scene) {
    this.scene = scene;
    // About the hull's own origin, which is where a body's position is.
    this.radius = Float32Array.from({ length: scene.hulls }, (_, hull) => {
      const points = scene.vertices(hull);
      let most = 0;
      for (let i = 0; i < points.length; i += 3) {
        most = Math.max(most, Math.hypot(points[i], points[i + 1], points[i + 2]));
      }
      return most;
    });
  }

  /**
   * The nearest body that `seen` allows and that is drawn where the ray meets it, or -1. `ray`: origin and unit
   * direction. `drawn(body, place)`: whether the body's surface is drawn at that place.
   */
  pick(ray, seen, drawn) {
    const { position, bodies, arrays } = this.scene;
    const o = ray.origin;
    const d = ray.direction;
    let best = Infinity;
    let found = -1;
    const place = new Vector3();
    for (let b = 0; b < bodies; b += 1) {
      const r = this.radius[arrays.body_hull[b]];
      const x = position[3 * b] - o.x;
      const y = position[3 * b + 1] - o.y;
      const z = position[3 * b + 2] - o.z;
      const along = x * d.x + y * d.y + z * d.z;
      const away = x * x + y * y + z * z - along * along;
      if (away > r * r || along + r < 0 || along - r > best || !seen(b)) continue;
      const t = this.meet(b, ray);
      if (t < best && drawn(b, ray.at(t, place))) [best, found] = [t, b];
    }
    return found;
  }

  /** How far along the ray the body begins; Infinity where it is not met, or begins behind the eye. */
  meet(b, ray) {
    const { position, orientation, arrays } = this.scene;
    const q = orientation.subarray(4 * b, 4 * b + 4);
    const back = (v) => {
      const u = new Vector3(-q[0], -q[1], -q[2]);
      const c = new Vector3().crossVectors(u, v).addScaledVector(v, q[3]);
      return v.clone().addScaledVector(new Vector3().crossVectors(u, c), 2);
    };
    const from = back(ray.origin.clone().sub(new Vector3(...position.subarray(3 * b, 3 * b + 3))));
    const to = back(ray.direction);
    const hull = arrays.body_hull[b];
    const points = this.scene.vertices(hull);
    const corners = this.scene.triangles(hull);
    const at = (i) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    let enter = 0;
    let leave = Infinity;
    // A convex body is where all of its planes agree.
    for (let i = 0; i < corners.length; i += 3) {
      const p = at(corners[i]);
      const n = at(corners[i + 1]).sub(p).cross(at(corners[i + 2]).sub(p));
      const speed = n.dot(to);
      const height = n.dot(p.sub(from));
      if (speed < 0) enter = Math.max(enter, height / speed);
      else if (speed > 0) leave = Math.min(leave, height / speed);
      else if (height < 0) return Infinity;
    }
    // Faces are drawn from outside only: a body around the eye is not seen.
    return enter > 0 && enter <= leave ? enter : Infinity;
  }
}
