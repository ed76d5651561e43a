// SPDX-License-Identifier: MIT
//
// A program as users write it: the compiler of TypeScript must accept it, and refuse the lines that it is told to.
import { KINDS, load, type CollideResult, type Hulls } from "lanefold";

const lanefold = await load();
const hulls: Hulls = lanefold.buildHulls([new Float32Array(24), [0, 0, 0]], { radius: [0, 0.5] });
const all = hulls.append(lanefold.buildHalfSpaces([0, 0, 1, 0]));
const bodies = { position: new Float32Array(6), orientation: [0, 0, 0, 1, 0, 0, 0, 1], hull: [0, 1] };
const result: CollideResult = lanefold.collide(all, bodies, [0, 1], { margin: 0.02, capacity: 16 });
const kind: string | undefined = KINDS[result.contacts.kind[0] ?? 0];
console.log(kind, result.contacts.normal.length, result.hash.length);
// @ts-expect-error: no such capacity
lanefold.collide(all, bodies, [0, 1], { capacity: 5 });
// @ts-expect-error: bodies without hulls
lanefold.collide(all, { position: [0, 0, 0], orientation: [0, 0, 0, 1] }, [0, 1]);
