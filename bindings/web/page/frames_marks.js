// SPDX-License-Identifier: MIT
//
// Events as marks below the time line: one for each, as high as it closes in fast. A click shows the fastest one near.
import { make } from "./dom.js";

// Half the width of the slider's thumb: its ends are so far inside. CSS pixels, as are the others.
const kInset = 8;
const kHeight = 18;
// So far from a mark a click still means it.
const kReach = 5;

export class EventMarks {
  constructor(events, choose) {
    this.events = events;
    this.canvas = make("canvas", { id: "event-marks", title: "events: a click shows the fastest one here" });
    this.canvas.addEventListener("click", (event) => {
      const e = this.at(event.offsetX);
      if (e >= 0) choose(e);
    });
    this.frame = 0;
    window.addEventListener("resize", () => this.draw(this.frame));
  }

  /** The pixels of a frame, and the first of them. */
  get step() { return Math.max(1, this.canvas.clientWidth - 2 * kInset) / Math.max(1, this.events.frames.length - 1); }

  x(place) { return kInset + place * this.step; }

  at(x) { return this.events.near((x - kInset) / this.step, kReach / this.step); }

  draw(frame) {
    this.frame = frame;
    const { canvas, events } = this;
    const scale = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    if (!width) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(kHeight * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    // Slow ones first, so that none hides a fast one.
    for (const now of [false, true]) {
      pen.fillStyle = now ? "#c8553d" : "#4a87c6";
      events.byFrame.forEach((list, i) => {
        if ((i === frame) !== now) return;
        for (const e of list) {
          const share = events.fastest > 0 ? Math.sqrt(Math.max(0, events.closing(e)) / events.fastest) : 0;
          const height = 2 + share * (kHeight - 2);
          pen.fillRect(this.x(events.place(e)) - 0.75, kHeight - height, 1.5, height);
        }
      });
    }
  }
}
