// SPDX-License-Identifier: MIT
//
// Contact points of a frame, coloured by depth, and their normals: two draw calls, whatever their number.
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial,
} from "three";
import { depthColour, depthPlace } from "./colours.js";

const kRamp = 64;

/** Arrays that grow and never shrink, so that playing does not make new buffers. */
class Buffers {
  constructor(object) {
    this.object = object;
    this.room = 0;
  }

  reserve(points) {
    if (points > this.room) {
      this.room = Math.ceil(points * 1.5) + 64;
      this.object.geometry.dispose();
      this.object.geometry = new BufferGeometry();
      for (const name of ["position", "color"]) {
        const attribute = new BufferAttribute(new Float32Array(3 * this.room), 3);
        attribute.setUsage(DynamicDrawUsage);
        this.object.geometry.setAttribute(name, attribute);
      }
    }
    const { position, color } = this.object.geometry.attributes;
    return { position: position.array, color: color.array };
  }

  done(points) {
    const { geometry } = this.object;
    geometry.setDrawRange(0, points);
    geometry.attributes.position.needsUpdate = true;
    geometry.attributes.color.needsUpdate = true;
  }
}

/** Depth is measured this much nearer to the camera: points between bodies show, those deep inside a pile do not. */
function pull(material, length) {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace("#include <project_vertex>", `#include <project_vertex>
      vec4 pulled = projectionMatrix * (mvPosition + vec4(0.0, 0.0, ${length.toExponential(6)}, 0.0));
      gl_Position.z = pulled.z / pulled.w * gl_Position.w;`);
  };
}

export class Contacts {
  constructor(scene, size) {
    this.scene = scene;
    this.size = size;  // of a usual body: the length of normals
    this.group = new Group();
    const points = new Points(new BufferGeometry(), new PointsMaterial({
      size: 5, sizeAttenuation: false, vertexColors: true,
    }));
    const normals = new LineSegments(new BufferGeometry(), new LineBasicMaterial({
      vertexColors: true, transparent: true, opacity: 0.8,
    }));
    for (const object of [points, normals]) {
      object.frustumCulled = false;
      object.renderOrder = 5;
      this.group.add(object);
    }
    pull(points.material, 0.35 * size);
    pull(normals.material, 0.35 * size);
    this.points = points;
    this.normals = normals;
    this.buffers = [new Buffers(points), new Buffers(normals)];
    this.ramp = Array.from({ length: kRamp }, (_, i) => depthColour(i / (kRamp - 1)).toArray());
  }

  /** Whether points are seen through bodies. */
  through(on) {
    this.points.material.depthTest = !on;
    this.normals.material.depthTest = !on;
  }

  /** The contacts that pass the filter. Returns the number of points. */
  draw(list, passes) {
    let most = 0;
    for (let i = 0; i < list.at.length; i += 1) if (passes(i)) most += list.count[i];
    const dots = this.buffers[0].reserve(most + 1);
    const lines = this.buffers[1].reserve(2 * most + 2);
    const { position, view, margin, usual_depth: usual } = this.scene;
    let n = 0;
    for (let i = 0; i < list.at.length; i += 1) {
      if (!passes(i)) continue;
      const at = list.at[i];
      const a = 3 * list.a[i];
      for (let k = 0; k < list.count[i]; k += 1) {
        const p = at + 36 + 20 * k;
        const depth = -view.getFloat32(p + 12, true);
        const c = this.ramp[Math.round((kRamp - 1) * Math.max(depthPlace(depth, margin, usual), 0))];
        for (let d = 0; d < 3; d += 1) {
          const x = position[a + d] + view.getFloat32(p + 4 * d, true);
          dots.position[3 * n + d] = x;
          lines.position[6 * n + d] = x;
          lines.position[6 * n + 3 + d] = x + 0.35 * this.size * view.getFloat32(at + 8 + 4 * d, true);
        }
        for (let d = 0; d < 3; d += 1) {
          dots.color[3 * n + d] = c[d];
          lines.color[6 * n + d] = c[d];
          lines.color[6 * n + 3 + d] = c[d];
        }
        n += 1;
      }
    }
    this.buffers[0].done(n);
    this.buffers[1].done(2 * n);
    return n;
  }
}
