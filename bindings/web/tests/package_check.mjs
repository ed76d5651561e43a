// SPDX-License-Identifier: MIT
//
// The package of npm as a project has it: the golden hashes of the stored scenes, contacts against closed forms, and
// what is refused.
//
//   LANEFOLD_DATA  tests/data
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { KINDS, load } from "lanefold";

import { readNpy } from "./npy.mjs";

const lanefold = await load();
const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
const standing = [0, 0, 0, 1];

for (const name of ["boxes_pile", "debris_pile"]) {
  test(`golden hashes of ${name}`, () => {
    const folder = join(process.env.LANEFOLD_DATA, "scenes", name);
    const read = (file) => readNpy(join(folder, `${file}.npy`)).values;
    const vertices = read("hull_vertices");
    const offsets = Array.from(read("hull_offsets"), Number);
    const clouds = offsets.slice(1).map((end, i) => vertices.subarray(3 * offsets[i], 3 * end));
    const hulls = lanefold.buildHulls(clouds);
    const hull = read("body_hull");
    const bodies = { position: read("position").subarray(0, 3 * hull.length),
      orientation: read("orientation").subarray(0, 4 * hull.length), hull };
    const golden = readFileSync(join(process.env.LANEFOLD_DATA, "golden", `${name}.txt`), "utf8").split("\n")
      .filter((line) => line && !line.startsWith("#")).map((line) => line.split(" "));
    assert.equal(golden.length, 4);
    for (const [margin, preference, capacity, hash] of golden) {
      const options = { margin: Number(margin), facePreference: Number(preference), capacity: Number(capacity) };
      const result = lanefold.collide(hulls, bodies, read("pairs"), options);
      assert.equal(result.frameHash, hash, `margin ${margin}, capacity ${capacity}`);
      assert.ok(result.contacts.count > 100 && result.contacts.count >= result.touching);
      assert.equal(result.contacts.points.reduce((a, b) => a + b), result.points);
    }
    hulls.free();
  });
}

test("two cubes, a ball on a half-space, and distances", () => {
  const hulls = lanefold.buildHulls([cube, [0, 0, 0]], { radius: [0, 0.5] }).append(
    lanefold.buildHalfSpaces([0, 0, 1, 0]));
  assert.equal(hulls.size, 3);
  const bodies = { position: [0, 0, 0, 0.5, 0, 1.9, 9, 9, 0.4, 0, 0, 0],
    orientation: [...standing, ...standing, ...standing, ...standing], hull: [0, 0, 1, 2] };
  const { contacts, touching } = lanefold.collide(hulls, bodies, [0, 1, 0, 2, 3, 2]);
  assert.equal(touching, 2);
  assert.deepEqual([...contacts.candidate], [0, 2]);
  assert.deepEqual([...contacts.pair], [0, 1, 3, 2]);
  assert.equal(KINDS[contacts.kind[0]], "face_a");
  assert.equal(contacts.points[0], 4);
  assert.ok(Math.abs(contacts.distance[0] + 0.1) < 1e-6 && Math.abs(contacts.distance[1] + 0.1) < 1e-6);
  assert.deepEqual([...contacts.normal], [0, 0, 1, 0, 0, 1]);
  for (let p = 0; p < 4; p += 1) assert.ok(Math.abs(contacts.point[3 * p + 2] - 0.95) < 1e-6);
  const apart = lanefold.collide(hulls, bodies, [0, 2], { margin: 100, capacity: 0 });
  const gap = Math.hypot(8, 8) - 0.5;
  assert.ok(Math.abs(apart.contacts.distance[0] - gap) < 1e-5, `${apart.contacts.distance[0]}, expected ${gap}`);
});

test("bad input is refused or told, with the place", () => {
  assert.throws(() => lanefold.buildHulls([cube, [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]]), /hull 1: .*plane/);
  assert.throws(() => lanefold.buildHulls([[0, 1]]), /points of hull 0 has 2 numbers/);
  const hulls = lanefold.buildHulls([cube]);
  const bodies = { position: [0, 0, 0, NaN, 0, 0], orientation: [...standing, ...standing], hull: [0, 0] };
  assert.throws(() => lanefold.collide(hulls, bodies, [0, 1], { margin: -1 }), /margin/);
  assert.throws(() => lanefold.collide(hulls, { ...bodies, hull: [0] }, [0, 1]), /bodies.position has 6 numbers/);
  assert.throws(() => lanefold.collide(hulls, bodies, [0, 1], { capacity: 5 }), /capacity/);
  for (const id of [-1, 0.5, NaN, 2 ** 32]) {
    assert.throws(() => lanefold.collide(hulls, { ...bodies, hull: [0, id] }, [0, 1]), /bodies.hull has \S+ at 1/);
    assert.throws(() => lanefold.collide(hulls, bodies, [0, id]), /pairs has \S+ at 1, expected whole numbers/);
  }
  const { contacts } = lanefold.collide(hulls, bodies, [0, 1, 0, 7]);
  assert.deepEqual([...contacts.status], [1, 2]);
  hulls.free();
  assert.throws(() => hulls.size, /freed/);
});

test("memory does not grow with calls", () => {
  const hulls = lanefold.buildHulls([cube]);
  const bodies = { position: [0, 0, 0, 0.5, 0, 1.9], orientation: [...standing, ...standing], hull: [0, 0] };
  const pairs = new Uint32Array(20000).map((_, i) => i % 2);
  lanefold.collide(hulls, bodies, pairs);
  const before = lanefold.engine.HEAPU8.byteLength;
  for (let i = 0; i < 50; i += 1) lanefold.collide(hulls, bodies, pairs);
  assert.equal(lanefold.engine.HEAPU8.byteLength, before);
});
