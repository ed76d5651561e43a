// SPDX-License-Identifier: MIT
//
// All bodies of a scene in few draw calls: one for each hull that many bodies have, and one for all other bodies
// together. Poses and colours are textures that the vertex shader reads by the body's number, so that a frame costs the
// script one copy, whatever the number of bodies.
import {
  BufferAttribute, DataTexture, FloatType, InstancedBufferAttribute, InstancedBufferGeometry, BufferGeometry, Mesh,
  GLSL3, Group, NearestFilter, RGBAFormat, ShaderMaterial, UnsignedByteType, Vector3,
} from "three";

// Bodies of a hull from which it is worth a draw call of its own.
const kWorthACall = 24;
const kWidth = 1024;  // texels a row of the textures

const VERTEX = `
precision highp float;
uniform highp sampler2D poses;
uniform lowp sampler2D colours;
uniform vec3 up;
in float body;
out vec3 world;
out float height;
flat out vec4 tint;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  int b = int(body);
  ivec2 at = ivec2((2 * b) % ${kWidth}, (2 * b) / ${kWidth});
  vec4 place = texelFetch(poses, at, 0);
  vec4 rotation = texelFetch(poses, at + ivec2(1, 0), 0);
  tint = texelFetch(colours, ivec2(b % ${kWidth}, b / ${kWidth}), 0);
  vec3 at_world = turn(rotation, position) + place.xyz;
  height = dot(at_world, up);
  vec4 seen = viewMatrix * vec4(at_world, 1.0);
  world = seen.xyz;
  // A body without colour, or one that is not there and so has no rotation, is not drawn.
  gl_Position = tint.a < 0.01 || rotation == vec4(0.0) ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * seen;
}`;

const FRAGMENT = `
precision highp float;
uniform float kerb;
uniform vec3 up;
in vec3 world;
in float height;
flat in vec4 tint;
out vec4 colour;
void main() {
  // Floor and walls are half opaque in the texture of colours; walls that would hide the pile end at the kerb.
  if (tint.a < 0.75 && height > kerb) discard;
  // The face's own normal, from how the place changes across the picture.
  vec3 n = normalize(cross(dFdx(world), dFdy(world)));
  float sky = 0.5 + 0.5 * dot(n, (viewMatrix * vec4(up, 0.0)).xyz);
  float sun = max(0.0, dot(n, normalize((viewMatrix * vec4(up + vec3(0.5, 0.35, 0.7), 0.0)).xyz)));
  float rim = pow(1.0 - max(0.0, dot(n, normalize(-world))), 3.0);
  vec3 light = mix(vec3(0.46, 0.50, 0.57), vec3(0.80, 0.82, 0.84), sky) + vec3(0.36, 0.33, 0.28) * sun;
  colour = vec4(tint.rgb * light + rim * 0.06, 1.0);
}`;

function texture(data, bodies, texels, type) {
  const height = Math.max(1, Math.ceil(bodies * texels / kWidth));
  const out = new DataTexture(new data(4 * kWidth * height), kWidth, height, RGBAFormat, type);
  out.minFilter = NearestFilter;
  out.magFilter = NearestFilter;
  return out;
}

export class Bodies {
  constructor(scene) {
    this.scene = scene;
    this.poses = texture(Float32Array, scene.bodies, 2, FloatType);
    this.colours = texture(Uint8Array, scene.bodies, 1, UnsignedByteType);
    this.material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, glslVersion: GLSL3,
      uniforms: { poses: { value: this.poses }, colours: { value: this.colours }, kerb: { value: Infinity },
        up: { value: new Vector3().setComponent(scene.up, 1) } },
    });
    this.group = new Group();
    this.build();
  }

  build() {
    const lists = Array.from({ length: this.scene.hulls }, () => []);
    this.scene.arrays.body_hull.forEach((hull, body) => lists[hull].push(body));
    const single = [];
    lists.forEach((bodies, hull) => {
      if (bodies.length >= kWorthACall) this.addMesh(this.instanced(hull, bodies));
      else single.push(...bodies.map((body) => [hull, body]));
    });
    if (single.length) this.addMesh(this.merged(single));
  }

  addMesh(geometry) {
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    this.group.add(mesh);
  }

  instanced(hull, bodies) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.scene.vertices(hull)), 3));
    geometry.setIndex(new BufferAttribute(new Uint32Array(this.scene.triangles(hull)), 1));
    geometry.setAttribute("body", new InstancedBufferAttribute(new Float32Array(bodies), 1));
    geometry.instanceCount = bodies.length;
    return geometry;
  }

  merged(list) {
    let vertices = 0;
    let corners = 0;
    for (const [hull] of list) {
      vertices += this.scene.vertices(hull).length / 3;
      corners += this.scene.triangles(hull).length;
    }
    const position = new Float32Array(3 * vertices);
    const body = new Float32Array(vertices);
    const index = new Uint32Array(corners);
    let v = 0;
    let c = 0;
    for (const [hull, number] of list) {
      const points = this.scene.vertices(hull);
      position.set(points, 3 * v);
      body.fill(number, v, v + points.length / 3);
      for (const corner of this.scene.triangles(hull)) {
        index[c] = v + corner;
        c += 1;
      }
      v += points.length / 3;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(position, 3));
    geometry.setAttribute("body", new BufferAttribute(body, 1));
    geometry.setIndex(new BufferAttribute(index, 1));
    return geometry;
  }

  /** The poses of the frame that the scene holds. */
  place() {
    const { position, orientation, bodies } = this.scene;
    const out = this.poses.image.data;
    for (let b = 0; b < bodies; b += 1) {
      const at = 8 * b;
      out[at] = position[3 * b];
      out[at + 1] = position[3 * b + 1];
      out[at + 2] = position[3 * b + 2];
      out[at + 4] = orientation[4 * b];
      out[at + 5] = orientation[4 * b + 1];
      out[at + 6] = orientation[4 * b + 2];
      out[at + 7] = orientation[4 * b + 3];
    }
    this.poses.needsUpdate = true;
  }

  /** Height up to which floor and walls are drawn. */
  kerb(height) { this.material.uniforms.kerb.value = height; }

  /** `colour(body)` gives [r, g, b] of 0 to 255, or null for a body that is not drawn; `stage`: floor and walls. */
  paint(colour, stage) {
    const out = this.colours.image.data;
    for (let b = 0; b < this.scene.bodies; b += 1) {
      const c = colour(b);
      if (c) out.set(c, 4 * b);
      out[4 * b + 3] = c ? (stage[b] ? 128 : 255) : 0;
    }
    this.colours.needsUpdate = true;
  }
}
