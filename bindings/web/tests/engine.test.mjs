// SPDX-License-Identifier: MIT
//
// The engine as WebAssembly, in node, against this machine: the golden hashes of the stored scenes, the
// fingerprints of their hulls, and every answer to the page's requests, byte for byte.
//
//   LANEFOLD_ENGINE   engine.js, as emscripten made it
//   LANEFOLD_LINES    the same engine as a program of this machine
//   LANEFOLD_PROGRAM  lanefold: says the fingerprints of scenes
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";

import { readNpy } from "./npy.mjs";

const data = join(import.meta.dirname, "../../../tests/data");
const engine = await createRequire(import.meta.url)(process.env.LANEFOLD_ENGINE)();

const answer = (text) => engine.ccall("lanefold_answer", "string", ["string"], [text]);

/** A typed array in the module's memory. */
function place(array) {
  const at = engine._malloc(array.byteLength);
  engine.HEAPU8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
  return at;
}

function bodies(scene) {
  const hull = readNpy(join(scene, "body_hull.npy")).values;
  const position = readNpy(join(scene, "position.npy")).values;
  const orientation = readNpy(join(scene, "orientation.npy")).values;
  const out = new DataView(new ArrayBuffer(32 * hull.length));
  for (let i = 0; i < hull.length; i += 1) {
    for (let k = 0; k < 3; k += 1) out.setFloat32(32 * i + 4 * k, position[3 * i + k], true);
    out.setUint32(32 * i + 12, hull[i], true);
    for (let k = 0; k < 4; k += 1) out.setFloat32(32 * i + 16 + 4 * k, orientation[4 * i + k], true);
  }
  return new Uint8Array(out.buffer);
}

for (const name of ["boxes_pile", "debris_pile"]) {
  test(`golden hashes of ${name}, and the fingerprint of its hulls`, () => {
    const folder = join(data, "scenes", name);
    const offsets = readNpy(join(folder, "hull_offsets.npy"));
    const pairs = readNpy(join(folder, "pairs.npy"));
    const all = bodies(folder);
    const arrays = [readNpy(join(folder, "hull_vertices.npy")).values, offsets.values, all, pairs.values].map(place);
    const info = execFileSync(process.env.LANEFOLD_PROGRAM, ["info", folder], { encoding: "utf8" });
    const golden = readFileSync(join(data, "golden", `${name}.txt`), "utf8").split("\n")
      .filter((line) => line && !line.startsWith("#")).map((line) => line.split(" "));
    assert.equal(golden.length, 4);
    const { isas } = JSON.parse(answer("{\"op\": \"about\"}"));
    assert.deepEqual(isas, ["scalar", "sse4.2"]);
    const fingerprints = new Set();
    for (const [margin, preference, capacity, hash] of golden) {
      for (const isa of isas) {
        const said = engine.ccall("lanefold_scene_hash", "string", [...Array(10).fill("number"), "string"],
          [arrays[0], arrays[1], offsets.values.length - 1, arrays[2], all.byteLength / 32, arrays[3], pairs.shape[0],
            Number(margin), Number(preference), Number(capacity), isa]).split(" ");
        assert.equal(said[1], hash, `${name}, margin ${margin}, ${isa}`);
        fingerprints.add(said[0]);
      }
    }
    for (const at of arrays) engine._free(at);
    assert.equal(fingerprints.size, 1);
    const [fingerprint] = fingerprints;
    assert.ok(info.includes(fingerprint), `${fingerprint} is not what this machine has: ${info}`);
  });
}

/** Requests about every preset and method, about pairs in motion, about hulls of many points, and broken ones. */
function requests() {
  const { presets } = JSON.parse(answer("{\"op\": \"presets\"}"));
  const { methods } = JSON.parse(answer("{\"op\": \"about\"}"));
  const out = [{ op: "presets" }];
  for (const p of presets) {
    for (const method of methods) {
      for (const capacity of [4, 16]) {
        const margin = method === "clip" || method === "patch" ? 0.02 : 0;
        out.push({ op: "pair", a: p.a, b: p.b, method, capacity, margin });
      }
    }
    out.push({ op: "react", a: { ...p.a, velocity: [0, 0, 0], inverse_mass: 0 },
      b: { ...p.b, velocity: [0, -1, 0], inverse_mass: 1 }, gravity: [0, -9.81, 0], step: 1 / 60, restitution: 0.5 });
  }
  let seed = 12345;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  };
  const cloud = (n) => Array.from({ length: 3 * n }, () => Math.fround(random()));
  for (let i = 0; i < 300; i += 1) {
    const body = () => {
      const q = [random(), random(), random(), random()];
      const length = Math.hypot(...q);
      return { vertices: cloud(4 + i % 60), position: [random(), random(), random()],
        orientation: q.map((x) => Math.fround(x / length)) };
    };
    out.push({ op: "pair", a: body(), b: body(), margin: i % 3 * 0.1, method: i % 2 ? "clip" : "patch", capacity: 16 });
  }
  const cube = presets.find((p) => p.name === "aligned");
  const flat = { ...cube.a, vertices: cube.a.vertices.map((x, i) => (i % 3 === 2 ? 0 : x)) };
  out.push({ op: "pair", a: flat, b: cube.b }, { op: "nonsense" }, { op: "pair" }, { op: "pair", a: cube.a, b: 7 },
    { op: "pair", ...cube, margin: -1 }, { op: "pair", ...cube, method: "guess" },
    { op: "pair", ...cube, b: { ...cube.b, orientation: [0, 0, 0, 0] } }, { op: "pair", ...cube, capacity: 5 });
  return out;
}

test("every answer is this machine's, byte for byte", () => {
  const lines = requests().map((r) => JSON.stringify(r)).concat(["no json"]);
  const machine = execFileSync(process.env.LANEFOLD_LINES, { input: `${lines.join("\n")}\n`, encoding: "utf8",
    maxBuffer: 2 ** 28 }).trimEnd().split("\n");
  assert.equal(machine.length, lines.length);
  const kinds = {};
  lines.forEach((line, i) => {
    const here = answer(line);
    const at = [...here].findIndex((c, k) => c !== machine[i][k]);
    assert.ok(here === machine[i], `request ${i}, from character ${at}: here ${here.slice(at - 80, at + 60)}, ` +
      `machine ${machine[i].slice(at - 80, at + 60)}; the request: ${line.slice(0, 4000)}`);
    const told = JSON.parse(here);
    const kind = told.error ? "error" : told.record?.kind ?? "other";
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  });
  console.log("answers by kind:", JSON.stringify(kinds));
  for (const kind of ["none", "face_a", "face_b", "edge_edge", "error"]) assert.ok(kinds[kind] >= 8, `few of ${kind}`);
});

test("steps of the float64 methods are in the story", () => {
  const { presets } = JSON.parse(answer("{\"op\": \"presets\"}"));
  const ask = (name, method) => {
    const p = presets.find((x) => x.name === name);
    return JSON.parse(answer(JSON.stringify({ op: "pair", a: p.a, b: p.b, method, capacity: 16 }))).story;
  };
  const clip = ask("offset", "sutherland-hodgman");
  const { cuts, corners } = clip.face_clip;
  assert.equal(cuts.length, 4);
  assert.equal(clip.steps.length, 4);
  cuts.forEach((cut, k) => {
    assert.deepEqual(cut.before, k === 0 ? clip.incident : cuts[k - 1].after);
    assert.deepEqual(cut.after, clip.steps[k].left);
    assert.equal(clip.steps[k].side.length, 2);
  });
  assert.deepEqual(corners.map((c) => c.at), cuts[3].after);
  assert.ok(corners.every((c) => c.fate === "kept" && Math.abs(c.plane_ray + 1 / 32) < 1e-6));
  const fates = ask("edge-face", "sutherland-hodgman").face_clip.corners.map((c) => c.fate).sort();
  assert.deepEqual(fates, ["above", "above", "kept", "kept"]);

  const grown = ask("aligned", "features").features;
  assert.deepEqual(grown.a.stages.map((s) => s.feature.type), ["face"]);
  assert.deepEqual(grown.b.stages.map((s) => s.feature.type), ["vertex", "edge", "face"]);
  assert.deepEqual(grown.b.stages.map((s) => s.gauss_map.length), [3, 2, 1]);
  assert.deepEqual(grown.b.candidates.filter((c) => c.chosen).map((c) => c.feature.type), ["edge", "face"]);
  assert.equal(ask("aligned", "clip").features, undefined);
  assert.equal(ask("aligned", "clip").face_clip, undefined);
});

test("hulls and texts of broken requests", () => {
  const flat = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], position: [0, 0, 0], orientation: [0, 0, 0, 1] };
  const told = JSON.parse(answer(JSON.stringify({ op: "pair", a: flat, b: flat })));
  assert.equal(told.reports.length, 2);
  assert.equal(told.reports[0].error, "flat");
  assert.match(JSON.parse(answer("[1, 2")).error, /no JSON/);
});
