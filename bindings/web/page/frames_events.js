// SPDX-License-Identifier: MIT
//
// The events of a scene (docs/events.md) by the frames of the page. Times are frames of the scene with a fraction.

const FLAGS = { 1: "touching before", 2: "still touching at the end", 4: "between two frames", 8: "cut",
  16: "an estimated bounce" };

export class FrameEvents {
  /** All that `lanefold view --events` put into the page, or null. Throws Error for broken data. */
  static of(scene) { return scene.arrays.event_time ? new FrameEvents(scene) : null; }

  constructor(scene) {
    const { event_time: time, event_numbers: numbers, event_pair: pair, event_flags: flags } = scene.arrays;
    this.length = flags.length;
    if (time.length !== 2 * this.length || numbers.length !== 4 * this.length || pair.length !== 2 * this.length) {
      throw new Error("the events differ in length");
    }
    Object.assign(this, { time, numbers, pairs: pair, flags, frames: scene.frames });
    this.byFrame = scene.frames.map(() => []);
    for (let e = 0; e < this.length; e += 1) this.byFrame[this.frameOf(e)].push(e);
    for (const list of this.byFrame) list.sort((x, y) => this.closing(y) - this.closing(x) || x - y);
    this.fastest = Math.max(0, ...this.byFrame.map((list) => (list.length ? this.closing(list[0]) : 0)));
  }

  begin(e) { return this.time[2 * e]; }

  end(e) { return this.time[2 * e + 1]; }

  closing(e) { return this.numbers[4 * e]; }

  impulse(e) { return this.numbers[4 * e + 2]; }

  pair(e) { return [this.pairs[2 * e], this.pairs[2 * e + 1]]; }

  /** An event's flags and end in words. */
  words(e) {
    const said = Object.entries(FLAGS).filter(([bit]) => this.flags[e] & bit).map(([, text]) => text);
    return [`until frame ${this.end(e).toFixed(2)}`, ...said].join("; ");
  }

  /** The time of an event's begin in frames of the page, with a fraction: 0 is its first frame. */
  place(e) {
    const at = this.begin(e);
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.frames[middle] <= at) low = middle;
      else high = middle - 1;
    }
    const next = this.frames[low + 1];
    return next === undefined ? low : low + Math.max(0, at - this.frames[low]) / (next - this.frames[low]);
  }

  /** The frame of the page to which an event begins nearest. */
  frameOf(e) { return Math.min(Math.round(this.place(e)), this.frames.length - 1); }

  /** Events of a frame of the page, those that close in fastest first. */
  inFrame(i) { return this.byFrame[i]; }

  /** The fastest event that begins within so many frames of a place, or -1. */
  near(place, within) {
    let best = -1;
    const last = Math.min(this.frames.length - 1, Math.ceil(place + within));
    for (let i = Math.max(0, Math.floor(place - within)); i <= last; i += 1) {
      for (const e of this.byFrame[i]) {
        if (Math.abs(this.place(e) - place) <= within && (best < 0 || this.closing(e) > this.closing(best))) best = e;
      }
    }
    return best;
  }
}
