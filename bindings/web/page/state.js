// SPDX-License-Identifier: MIT
//
// The pair on the page: two bodies and the settings. It is what a link holds and what the engine is asked about.

export const METHODS_OF_OVERLAPS = ["published", "published-literal", "sutherland-hodgman", "features"];

export const SETTINGS = {
  method: "clip", points: "all", margin: 0.02, face_preference: 0.005, band: 0.01, feature_angle: 0.0087, capacity: 4,
};

const body = (from) => ({
  vertices: [...from.vertices], position: [...from.position], orientation: [...from.orientation],
});

/** A pair of its own, from a preset, a link, or a scene. */
export const copyPair = (from) => ({ ...SETTINGS, ...pick(from), a: body(from.a), b: body(from.b) });

function pick(from) {
  const out = {};
  for (const name of Object.keys(SETTINGS)) if (name in from) out[name] = from[name];
  return out;
}

const numbers = (list, n) => Array.isArray(list) && (n === 0 ? list.length % 3 === 0 && list.length >= 12
  : list.length === n) && list.every((x) => typeof x === "number" && Number.isFinite(x));

/** The fault of something that should be a pair; "" when there is none. */
export function wrongWithPair(pair) {
  for (const name of ["a", "b"]) {
    const one = pair?.[name];
    if (!one) return `there is no body ${name}`;
    if (!numbers(one.vertices, 0)) return `the vertices of ${name} are no list of x, y, z of at least four points`;
    if (!numbers(one.position, 3)) return `the position of ${name} is not three numbers`;
    if (!numbers(one.orientation, 4)) return `the orientation of ${name} is not four numbers`;
  }
  return "";
}

/** The part of an address behind #: the whole pair, as base64 of JSON with -, _ and no padding. */
export function toFragment(pair) {
  const bytes = new TextEncoder().encode(JSON.stringify(pair));
  let text = "";
  for (const b of bytes) text += String.fromCharCode(b);
  return `pair=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The pair in a fragment; null when there is none, an Error when it is broken. */
export function fromFragment(fragment) {
  const found = /pair=([\w-]+)/.exec(fragment);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const pair = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))));
    const wrong = wrongWithPair(pair);
    if (wrong) return new Error(`the pair in the address is broken: ${wrong}`);
    return copyPair(pair);
  } catch {
    return new Error("the pair in the address is broken: a part of it is missing");
  }
}

/** Unit length, in float32, as a body stores it. */
export function unit(q) {
  const length = Math.hypot(...q);
  return length > 0 ? q.map((x) => Math.fround(x / length)) : [0, 0, 0, 1];
}

/** Points as text, one a line, and back; null where a line is no point. */
export function pointsToText(vertices) {
  const lines = [];
  for (let i = 0; i < vertices.length; i += 3) lines.push([...vertices.slice(i, i + 3)].join(" "));
  return lines.join("\n");
}

export function textToPoints(text) {
  const out = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const parts = line.trim().split(/[\s,]+/).map(Number);
    if (parts.length !== 3 || !parts.every(Number.isFinite)) return null;
    out.push(...parts.map(Math.fround));
  }
  return out;
}
