// SPDX-License-Identifier: MIT
//
// Frames of a scene and of its contacts, as `lanefold view` put them into the page (tools/view/page.cpp): a header as
// JSON, and one run of bytes, in base64 pieces, in which each array has its place.

const TYPES = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, i16: Int16Array, u8: Uint8Array };

export const KINDS = ["none", "face_a", "face_b", "edge_edge", "vertex_edge", "edge_vertex", "vertex_vertex"];

// A record: pair u32[2], normal f32[3], distance f32, features u32[2], total u16, count u8, kind u8; then the points
// that it has: position f32[3], separation f32, feature u32.
const kHeader = 36;
const kPoint = 20;

function readBytes(document, length) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of document.querySelectorAll("script[type=\"application/x-lanefold-bytes\"]")) {
    const text = atob(piece.textContent.trim());
    if (at + text.length > length) throw new Error("there are more bytes than the header says");
    for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
    at += text.length;
    piece.remove();
  }
  if (at !== length) throw new Error(`${at} of ${length} bytes are there: the file was cut`);
  return bytes;
}

/** The scene in the page, or null when there is none. Throws Error for data that is broken. */
export function readScene(document) {
  const element = document.getElementById("lanefold-scene");
  if (!element) return null;
  let header;
  try {
    header = JSON.parse(element.textContent);
  } catch {
    throw new Error("the header is no JSON");
  }
  if (header.format !== "lanefold-view" || header.version !== 1) throw new Error("this is another version of the data");
  const bytes = readBytes(document, header.bytes);
  const arrays = {};
  for (const [name, { type, at, count }] of Object.entries(header.arrays)) {
    const kind = TYPES[type];
    if (!kind || at + count * kind.BYTES_PER_ELEMENT > bytes.length) throw new Error(`'${name}' lies outside the data`);
    arrays[name] = new kind(bytes.buffer, at, count);
  }
  return new FramesData(header, arrays);
}

export class FramesData {
  constructor(header, arrays) {
    Object.assign(this, header);
    this.arrays = arrays;
    this.usual_depth ??= this.deepest;  // of a program that did not tell it
    // The poses of the frame that was asked for last: 3 and 4 numbers a body.
    this.position = new Float32Array(3 * this.bodies);
    this.orientation = new Float32Array(4 * this.bodies);
    this.at = -1;
  }

  get length() { return this.frames.length; }

  /** Puts the poses of frame number `i` of the page into position and orientation. */
  pose(i) {
    if (this.at === i) return;
    this.at = i;
    const { position, orientation } = this.arrays;
    const n = this.bodies;
    if (!this.quantised) {
      this.position.set(position.subarray(3 * n * i, 3 * n * (i + 1)));
      this.orientation.set(orientation.subarray(4 * n * i, 4 * n * (i + 1)));
      return;
    }
    const { low, step } = this.quantised;
    for (let k = 0; k < 3 * n; k += 1) this.position[k] = low[k % 3] + position[3 * n * i + k] * step[k % 3];
    for (let k = 0; k < 4 * n; k += 1) this.orientation[k] = orientation[4 * n * i + k] / 32767;
  }

  /** Is a body there in the frame that pose() got? One that is not has no rotation at all. */
  there(b) {
    const q = this.orientation;
    return q[4 * b] !== 0 || q[4 * b + 1] !== 0 || q[4 * b + 2] !== 0 || q[4 * b + 3] !== 0;
  }

  /** The names by which people call a frame and a body. */
  frameName(i) {
    const index = this.frames[i];
    return this.first_frame === undefined ? `frame ${index}` : `frame ${this.first_frame + index} (${index})`;
  }

  bodyName(b) { return this.names ? `body ${b}, ${this.names[b]}` : `body ${b}`; }

  /** Is a hull a surface of triangles? Everything else is convex, or pieces that are. */
  isSurface(hull) { return this.surfaces !== undefined && this.surfaces.includes(hull); }

  /** Vertices of a hull, as a list of numbers. */
  vertices(hull) {
    const { vertex_first: first, vertices } = this.arrays;
    return vertices.subarray(3 * first[hull], 3 * first[hull + 1]);
  }

  /** Corners of a hull's triangles, as indices of its vertices. */
  triangles(hull) {
    const { triangle_first: first, triangles } = this.arrays;
    return triangles.subarray(3 * first[hull], 3 * first[hull + 1]);
  }

  /** All contacts of a frame: where each record is, and what filters and drawing ask for. */
  contacts(i) {
    this.lists ??= [];
    if (this.lists[i]) return this.lists[i];
    const { record_first: first, records } = this.arrays;
    const out = { at: [], a: [], b: [], kind: [], distance: [], count: [] };
    if (records) {
      const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
      // Offsets of frames are in units of four bytes.
      for (let at = 4 * first[i]; at < 4 * first[i + 1];) {
        const count = view.getUint8(at + 34);
        out.at.push(at);
        out.a.push(view.getUint32(at, true));
        out.b.push(view.getUint32(at + 4, true));
        out.distance.push(view.getFloat32(at + 20, true));
        out.count.push(count);
        out.kind.push(view.getUint8(at + 35));
        at += kHeader + kPoint * count;
      }
      this.view = view;
    }
    this.lists[i] = out;
    return out;
  }

  /** A whole record, as lanefold has it. */
  record(at) {
    const v = this.view;
    const floats = (from, n) => Array.from({ length: n }, (_, k) => v.getFloat32(from + 4 * k, true));
    const out = {
      pair: [v.getUint32(at, true), v.getUint32(at + 4, true)], normal: floats(at + 8, 3),
      distance: v.getFloat32(at + 20, true), feature_a: v.getUint32(at + 24, true),
      feature_b: v.getUint32(at + 28, true), total: v.getUint16(at + 32, true), count: v.getUint8(at + 34),
      kind: KINDS[v.getUint8(at + 35)], points: [],
    };
    for (let k = 0; k < out.count; k += 1) {
      const from = at + kHeader + kPoint * k;
      out.points.push({ position: floats(from, 3), separation: v.getFloat32(from + 12, true),
        feature: v.getUint32(from + 16, true) });
    }
    return out;
  }
}
