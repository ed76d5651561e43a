// SPDX-License-Identifier: MIT
//
// Lets the pair react: a stands, b falls, contacts are answered by the project's contact response (linear motion).

const kStep = 1 / 60;
const kSeconds = 8;

export class Play {
  constructor(owner) {
    this.owner = owner;
    this.running = false;
    this.restitution = 0.3;
    this.gravity = true;
  }

  toggle() {
    if (this.running) this.stop();
    else this.start();
  }

  start() {
    this.running = true;
    this.velocity = [0, 0, 0];
    this.steps = 0;
    this.frame = requestAnimationFrame(() => this.tick());
    this.owner.panel.update();
  }

  stop() {
    if (!this.running) return;
    this.running = false;
    cancelAnimationFrame(this.frame);
    this.owner.panel.update();
  }

  tick() {
    if (!this.running) return;
    const { owner } = this;
    const { pair } = owner;
    // A pull of ten sizes a second squared, whatever the unit.
    const pull = this.gravity ? -5 * owner.answer.hulls[1].report.size : 0;
    const answer = owner.engine.call({
      op: "react", ...pair, method: "clip", step: kStep, restitution: this.restitution, gravity: [0, pull, 0],
      a: { ...pair.a, velocity: [0, 0, 0], inverse_mass: 0 },
      b: { ...pair.b, velocity: this.velocity, inverse_mass: 1 },
    });
    if (answer.error || this.steps * kStep > kSeconds) {
      this.stop();
      return;
    }
    this.velocity = answer.b.velocity;
    this.steps += 1;
    owner.change((p) => { p.b.position = answer.b.position; });
    this.frame = requestAnimationFrame(() => this.tick());
  }
}
