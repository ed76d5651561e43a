// SPDX-License-Identifier: MIT
//
// Colours of what is drawn, and the ramps of depth and heat.
import { Color } from "three";

export const COLOURS = {
  a: new Color("#4a87c6"), b: new Color("#e39a4c"), edgeA: new Color("#1d4d82"), edgeB: new Color("#9a560f"),
  deep: new Color("#d9241c"), gap: new Color("#1f6fd6"), axis: new Color("#1a8f5a"), reference: new Color("#7a3fb0"),
  incident: new Color("#c2387f"), clip: new Color("#111a2b"), ghost: new Color("#7b8494"),
};

const mix = (stops, t) => {
  const x = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(x), stops.length - 2);
  return stops[i].clone().lerp(stops[i + 1], x - i);
};

const DEPTH = ["#1f6fd6", "#8fb8e8", "#f2c14e", "#e8702a", "#b3140c"].map((c) => new Color(c));
const HEAT = ["#e3e7ec", "#f6d27a", "#ee8a3c", "#c2321f", "#6d0f2d"].map((c) => new Color(c));

// The place of a depth of 0 on the ramp of depths.
export const kTouching = 0.25;
/** 0: a gap of the margin, kTouching: a depth of 0, 1: depths from `usual` on. */
export const depthPlace = (depth, margin, usual) => (depth < 0 ? kTouching * (1 + depth / margin)
  : kTouching + (1 - kTouching) * Math.min(depth / Math.max(usual, 1e-30), 1));
export const depthColour = (t) => mix(DEPTH, t);
export const heatColour = (t) => mix(HEAT, t);
export const gradient = (ramp) => `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1]
  .map((t) => `#${ramp(t).getHexString()}`).join(", ")})`;

/** A calm colour of its own for every hull: hues a golden angle apart. */
export function hullColour(hull) {
  return new Color().setHSL((0.11 + 0.61803398875 * hull) % 1, 0.34, 0.60 + 0.12 * ((0.754877666 * hull) % 1));
}
