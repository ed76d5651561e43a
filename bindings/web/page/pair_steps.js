// SPDX-License-Identifier: MIT
//
// The panel's text on the steps of Sutherland-Hodgman clipping and of contact features.
import { make, number, vector } from "./dom.js";

const FATES = { kept: "kept", above: "deleted: above", repeated: "deleted: twice", edge_on: "deleted: edge on" };
const featureText = (f) => `${f.type} ${f.index}`;
const heading = (...names) => make("tr", {}, ...names.map((name) => make("th", {}, name)));
const cells = (...texts) => texts.map((text) => make("td", {}, text));

/** The significant faces, and both depths of each corner that the cuts left. */
export function faceClipSteps(story) {
  const told = story.face_clip;
  const faces = ["a", "b"].map((name) => {
    const { vertex, face, alignment } = told[name];
    const role = (name === "b") === told.reference_on_b ? "reference" : "incident";
    return make("tr", {}, ...cells(name.toUpperCase(), String(vertex), String(face), number(alignment, 7), role));
  });
  const corners = told.corners.map((c) => make("tr", { class: c.fate === "kept" ? "" : "soft" },
    ...cells(vector(c.at, 4), number(c.plane_ray, 6), number(c.furthest_vertex, 6), FATES[c.fate])));
  return [make("p", {}, "significant faces"),
    make("table", { id: "significant" }, heading("", "vertex", "face", "cosine", ""), ...faces),
    make("p", {}, "deletion above the reference face, and depth"),
    make("table", { id: "depths" }, heading("corner", "plane and ray", "furthest vertex", ""), ...corners)];
}

/** How the features of both bodies grew, their Gauss maps, and the cap of the tolerance angle. */
export function featureSteps(owner, story) {
  const { drawing } = owner;
  const told = story.features;
  const most = Math.max(told.a.stages.length, told.b.stages.length);
  if (drawing.stage >= most) drawing.stage = -1;
  const range = make("input", { type: "range", min: "0", max: String(most - 1), step: "1", id: "growth-stage",
    "aria-label": "stage of growth" });
  range.value = String(drawing.stage < 0 ? most - 1 : drawing.stage);
  const maps = make("div", { style: "display:flex;gap:8px;flex-wrap:wrap", id: "gauss-maps" });
  const text = make("p", { class: "soft", id: "growth" });
  const show = () => {
    const upTo = (growth) => growth.stages.slice(0, Number(range.value) + 1);
    text.textContent = ["a", "b"].map((name) =>
      `${name.toUpperCase()}: ${upTo(told[name]).map((s) => featureText(s.feature)).join(" → ")}`).join("; ");
    maps.replaceChildren(...["a", "b"].flatMap((name) => [Math.PI, Math.min(4 * told[name].angle || 0.01, Math.PI)]
      .map((limit) => gaussMap(told[name], upTo(told[name]), name, limit))));
  };
  range.addEventListener("input", () => {
    drawing.stage = Number(range.value);
    show();
    drawing.drawOverlay(owner.pair, owner.answer);
    owner.view.invalidate();
  });
  show();
  const notes = [told.tied ? "grown again by ties only, because the features did not meet" : "",
    told.as_found ? "they do not meet: the point is that of the collision" : ""].filter(Boolean);
  return [make("p", {}, "contact features, as they grow"), range, text, ...notes.map((note) => make("p", {}, note)),
    maps, make("p", { class: "soft" }, "Gauss maps seen along the normal: the whole sphere, and around the cap of the "
      + "tolerance angle (green)"), ...["a", "b"].map((name) => candidates(told[name], name))];
}

function candidates(growth, name) {
  return make("table", { class: "candidates" }, heading(`around ${name.toUpperCase()}'s`, "steepest side", ""),
    ...growth.candidates.map((c) => make("tr", { class: c.aligned ? "" : "soft" }, ...cells(featureText(c.feature),
      number(c.sine, 5), c.chosen ? "chosen" : c.aligned ? "aligned" : c.towards ? "not aligned" : "looks away"))));
}

const SIDE = 150;  // pixels of a map

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const scaled = (p, s) => p.map((x) => x * s);
const sum = (p, q) => p.map((x, k) => x + q[k]);
const unit = (p) => scaled(p, 1 / Math.hypot(...p));
const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];

/** The sphere seen along the direction: the distance from the middle is the angle to it, up to `limit`. */
function gaussMap(growth, stages, name, limit) {
  const s = growth.direction;
  const across = unit(cross(Math.abs(s[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], s));
  const along = cross(s, across);
  const middle = SIDE / 2;
  const radius = (angle) => (middle - 1) * angle / limit;
  const place = (n) => {
    const flat = sum(n, scaled(s, -dot(n, s)));
    const size = Math.hypot(...flat);
    const r = size > 0 ? radius(Math.atan2(size, dot(n, s))) / size : 0;
    return [middle + r * dot(flat, across), middle - r * dot(flat, along)];
  };
  const arc = (from, to) => Array.from({ length: 25 }, (_, i) =>
    `${i === 0 ? "M" : "L"}${place(unit(sum(scaled(from, 1 - i / 24), scaled(to, i / 24)))).join(" ")}`).join("");
  const colour = name === "a" ? "#2b5fa8" : "#c2701c";
  const parts = stages.flatMap((stage, k) => {
    const map = stage.gauss_map;
    const bold = k === stages.length - 1;
    const d = map.slice(map.length < 3 ? 1 : 0).map((n, i) =>
      (map.length < 3 ? arc(map[i], n) : arc(n, map[(i + 1) % map.length]))).join("");
    const path = svg("path", { d, fill: "none", stroke: colour, "stroke-width": bold ? 2.5 : 1,
      "stroke-dasharray": bold ? "none" : "4 3" });
    return [path, ...map.map((n) => {
      const [cx, cy] = place(n);
      return svg("circle", { class: `gauss-${stage.feature.type}`, cx, cy, r: bold ? 4 : 2.5, fill: colour });
    })];
  });
  const cap = svg("circle", { class: "cap", cx: middle, cy: middle, r: radius(growth.angle), fill: "#3d9950",
    "fill-opacity": 0.3, stroke: "#3d9950" });
  const rim = svg("circle", { cx: middle, cy: middle, r: middle - 1, fill: "#fff", stroke: "#8a929e" });
  return svg("svg", { width: SIDE, height: SIDE, viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img",
    style: "overflow:hidden;border-radius:50%", "aria-label": `Gauss map of ${name.toUpperCase()}` },
  rim, cap, ...parts);
}
