// SPDX-License-Identifier: MIT
//
// lanefold as a module: the engine in WebAssembly behind typed arrays. lanefold.d.ts describes every call.
import create from "./engine.mjs";

/** Kinds of contacts, by their number in `Contacts.kind`. */
export const KINDS = ["none", "face_a", "face_b", "edge_edge", "vertex_edge", "edge_vertex", "vertex_vertex"];

/** Outcomes of pairs, by their number in `Contacts.status`. */
export const STATUSES = ["ok", "bad_pose", "bad_index", "bad_hull"];

const RECORD_BYTES = { 0: 24, 4: 128, 16: 384 };

/** Memory of the module, freed together. */
class Arena {
  constructor(engine) {
    this.engine = engine;
    this.places = [];
  }

  reserve(bytes) {
    const at = this.engine._malloc(Math.max(bytes, 1));
    if (at === 0) throw new Error("lanefold: out of memory");
    this.places.push(at);
    return at;
  }

  copy(array) {
    const at = this.reserve(array.byteLength);
    this.engine.HEAPU8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    return at;
  }

  free() {
    for (const at of this.places) this.engine._free(at);
  }
}

function within(engine, work) {
  const arena = new Arena(engine);
  try {
    return work(arena);
  } finally {
    arena.free();
  }
}

/** `numbers` as an array of `Type`, with `width` numbers for each of `count`, where that is known. */
function checked(name, numbers, Type, width, count) {
  const values = numbers.length === undefined ? Array.from(numbers) : numbers;
  const array = values instanceof Type ? values : Type.from(values);
  if (array.length % width !== 0 || (count !== undefined && array.length !== width * count)) {
    const wanted = count === undefined ? `a multiple of ${width}` : `${width * count}`;
    throw new RangeError(`lanefold: ${name} has ${array.length} numbers, expected ${wanted}`);
  }
  // Such an array wraps -1 and 2^32 round and cuts 1.5, which would name another body or hull.
  const wrong = Type === Uint32Array && array !== values ? array.findIndex((kept, i) => kept !== values[i]) : -1;
  if (wrong >= 0) {
    throw new RangeError(
      `lanefold: ${name} has ${values[wrong]} at ${wrong}, expected whole numbers from 0 to 4294967295`);
  }
  return array;
}

/** Hulls of one set, shared by all sets that they are appended to. */
class Hulls {
  constructor(engine, at) {
    this.engine = engine;
    this.at = at;
  }

  get size() { return this.engine._lanefold_size(this.here()); }

  get fingerprint() {
    return this.engine.ccall("lanefold_fingerprint", "string", ["number"], [this.here()]);
  }

  append(more) {
    const at = this.engine._lanefold_append(this.here(), more.here());
    if (at === 0) throw new Error("lanefold: out of memory");
    return new Hulls(this.engine, at);
  }

  free() {
    this.engine._lanefold_free(this.at);
    this.at = 0;
  }

  here() {
    if (this.at === 0) throw new Error("lanefold: these hulls were freed");
    return this.at;
  }
}

/** Bodies of 32 bytes each: position, hull, orientation. */
function packBodies(bodies) {
  const hull = checked("bodies.hull", bodies.hull, Uint32Array, 1);
  const position = checked("bodies.position", bodies.position, Float32Array, 3, hull.length);
  const orientation = checked("bodies.orientation", bodies.orientation, Float32Array, 4, hull.length);
  const floats = new Float32Array(8 * hull.length);
  const words = new Uint32Array(floats.buffer);
  for (let i = 0; i < hull.length; i += 1) {
    floats.set(position.subarray(3 * i, 3 * i + 3), 8 * i);
    words[8 * i + 3] = hull[i];
    floats.set(orientation.subarray(4 * i, 4 * i + 4), 8 * i + 4);
  }
  return { floats, count: hull.length };
}

/** Records of the module's memory as arrays of JavaScript's own. */
function unpack(bytes, count, capacity, candidates, pairs) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = RECORD_BYTES[capacity];
  const out = {
    count,
    candidate: candidates.slice(0, count),
    pair: new Uint32Array(2 * count),
    normal: new Float32Array(3 * count),
    distance: new Float32Array(count),
    kind: new Uint8Array(count),
    status: new Uint8Array(count),
    feature: new Uint32Array(2 * count),
    points: new Uint8Array(count),
    point: new Float32Array(3 * capacity * count),
    separation: new Float32Array(capacity * count),
    id: new Uint32Array(capacity * count),
  };
  for (let i = 0; i < count; i += 1) {
    const at = size * i;
    const normal = capacity === 0 ? at : at + 8;
    out.pair.set(pairs.subarray(2 * candidates[i], 2 * candidates[i] + 2), 2 * i);
    for (let k = 0; k < 3; k += 1) out.normal[3 * i + k] = view.getFloat32(normal + 4 * k, true);
    out.distance[i] = view.getFloat32(normal + 12, true);
    out.kind[i] = view.getUint8(capacity === 0 ? at + 16 : at + 35);
    out.status[i] = view.getUint8(capacity === 0 ? at + 17 : at + 36);
    if (capacity === 0) continue;
    out.feature[2 * i] = view.getUint32(at + 24, true);
    out.feature[2 * i + 1] = view.getUint32(at + 28, true);
    out.points[i] = view.getUint8(at + 34);
    for (let p = 0; p < out.points[i]; p += 1) {
      const point = at + 48 + 20 * p;
      for (let k = 0; k < 3; k += 1) out.point[3 * (capacity * i + p) + k] = view.getFloat32(point + 4 * k, true);
      out.separation[capacity * i + p] = view.getFloat32(point + 12, true);
      out.id[capacity * i + p] = view.getUint32(point + 16, true);
    }
  }
  return out;
}

class Lanefold {
  constructor(engine) {
    this.engine = engine;
  }

  buildHulls(pointsOfHulls, options = {}) {
    const clouds = Array.from(pointsOfHulls, (points, i) => checked(`points of hull ${i}`, points, Float32Array, 3));
    const offsets = new BigUint64Array(clouds.length + 1);
    clouds.forEach((points, i) => { offsets[i + 1] = offsets[i] + BigInt(points.length / 3); });
    const all = new Float32Array(3 * Number(offsets[clouds.length]));
    clouds.forEach((points, i) => all.set(points, 3 * Number(offsets[i])));
    const radius = options.radius ?? 0;
    const radii = typeof radius === "number" ? new Float32Array(clouds.length).fill(radius)
      : checked("radius", radius, Float32Array, 1, clouds.length);
    return within(this.engine, (arena) => this.kept(this.engine._lanefold_build(
      arena.copy(all), arena.copy(offsets), clouds.length, arena.copy(radii))));
  }

  buildHalfSpaces(planes) {
    const array = checked("half-spaces", planes, Float32Array, 4);
    return within(this.engine, (arena) => this.kept(
      this.engine._lanefold_build_half_spaces(arena.copy(array), array.length / 4)));
  }

  collide(hulls, bodies, pairList, options = {}) {
    const { margin = 0, facePreference = 0.005, capacity = 4 } = options;
    if (!(capacity in RECORD_BYTES)) throw new RangeError("lanefold: capacity must be 4, 16, or 0 for distances");
    const packed = packBodies(bodies);
    const pairs = checked("pairs", pairList, Uint32Array, 2);
    const count = pairs.length / 2;
    return within(this.engine, (arena) => {
      const [out, candidates, sums] = [RECORD_BYTES[capacity] * count, 4 * count, 64].map((n) => arena.reserve(n));
      const fault = this.engine.ccall("lanefold_collide", "string", Array(11).fill("number"), [
        hulls.here(), arena.copy(packed.floats), packed.count, arena.copy(pairs), count, margin, facePreference,
        capacity, out, candidates, sums]);
      if (fault !== "") throw new RangeError(`lanefold: ${fault}`);
      const { buffer } = this.engine.HEAPU8;
      const [written, touching, overlapping, points, ...halves] = new Float64Array(buffer, sums, 8);
      const contacts = unpack(new Uint8Array(buffer, out, RECORD_BYTES[capacity] * written), written, capacity,
        new Uint32Array(buffer, candidates, count), pairs);
      const digits = halves.map((half) => half.toString(16).padStart(8, "0")).join("");
      return { contacts, touching, overlapping, points, hash: digits.slice(0, 16), frameHash: digits.slice(16) };
    });
  }

  kept(at) {
    if (at === 0) throw new RangeError(`lanefold: ${this.engine.ccall("lanefold_fault", "string", [], [])}`);
    return new Hulls(this.engine, at);
  }
}

/** Starts the engine. */
export async function load() {
  return new Lanefold(await create());
}
