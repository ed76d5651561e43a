// SPDX-License-Identifier: MIT
//
// Events on the page's time line, in node: which frame an event belongs to, the list of a frame, a click. A browser
// shows them in frames.test.mjs.
import assert from "node:assert/strict";
import test from "node:test";

import { FrameEvents } from "../page/frames_events.js";

/** A scene whose page has these frames; events are [begin, end, closing, impulse, a, b, flags]. */
function sceneOf(frames, list) {
  return { frames, arrays: {
    event_time: Float32Array.from(list.flatMap(([begin, end]) => [begin, end])),
    event_numbers: Float32Array.from(list.flatMap(([, , closing, impulse]) => [closing, 0, impulse, impulse])),
    event_pair: Uint32Array.from(list.flatMap(([, , , , a, b]) => [a, b])),
    event_flags: Uint8Array.from(list.map((e) => e[6])),
  } };
}

const kEvents = [[0, 2, 0.5, 1, 0, 1, 1], [1.25, 1.5, 3, 2, 0, 2, 4], [1.5, 4, 7, 3, 1, 2, 0], [2.4, 3, 5, 4, 0, 1, 2],
  [4, 4, 1, 5, 2, 3, 24]];

test("each event is in the frame that is nearest, the fastest first", () => {
  const events = FrameEvents.of(sceneOf([0, 1, 2, 3, 4], kEvents));
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => events.inFrame(i)), [[0], [1], [2, 3], [], [4]]);
  assert.equal(events.fastest, 7);
  assert.deepEqual(events.pair(3), [0, 1]);
  assert.equal(events.impulse(3), 4);
});

test("frames that are left out do not move events", () => {
  const events = FrameEvents.of(sceneOf([0, 4], kEvents));
  assert.deepEqual([0, 1].map((i) => events.inFrame(i)), [[2, 1, 0], [3, 4]]);
  assert.equal(events.place(1), 1.25 / 4);
  const one = FrameEvents.of(sceneOf([2], kEvents.slice(3)));
  assert.deepEqual(one.inFrame(0), [0, 1]);
});

test("a click means the fastest event within reach, or none", () => {
  const events = FrameEvents.of(sceneOf([0, 1, 2, 3, 4], kEvents));
  assert.equal(events.near(1.4, 0.2), 2);
  assert.equal(events.near(1.3, 0.1), 1);
  assert.equal(events.near(3.2, 0.2), -1);
  assert.equal(events.near(9, 0.5), -1);
});

test("what is said of an event names its end and its flags", () => {
  const events = FrameEvents.of(sceneOf([0, 1, 2, 3, 4], kEvents));
  assert.equal(events.words(2), "until frame 4.00");
  assert.equal(events.words(4), "until frame 4.00; cut; an estimated bounce");
});

test("a page without events has none, and broken ones are refused", () => {
  assert.equal(FrameEvents.of({ frames: [0], arrays: {} }), null);
  const scene = sceneOf([0, 1], kEvents.slice(0, 1));
  scene.arrays.event_pair = new Uint32Array(1);
  assert.throws(() => FrameEvents.of(scene), /differ in length/);
});
