// SPDX-License-Identifier: MIT
//
// The panel's text on the engine's answer: the story of the contact, its points, the record, the builder's report.
import { make, number, vector } from "./dom.js";
import { faceClipSteps, featureSteps } from "./pair_steps.js";

/** The builder's report in a line or two. */
export function reportText(r) {
  const parts = [`${r.vertices} vertices, ${r.faces} faces, ${r.edges} edges${r.box ? ", a box" : ""}`];
  if (r.input_points > r.vertices) parts.push(`${r.input_points - r.vertices} of ${r.input_points} points inside`);
  if (r.merged_faces > 0) parts.push(`${r.merged_faces} triangles merged`);
  if (r.dropped_vertices > 0) parts.push(`${r.dropped_vertices} corners dropped`);
  if (r.thin) parts.push("thin: float64 path");
  if (r.may_flicker) parts.push(`may flicker: faces at ${number(r.min_edge_angle * 180 / Math.PI, 3)} degrees`);
  parts.push(`volume ${number(r.volume, 5)}, size ${number(r.size, 5)}`);
  return parts.join("; ");
}

const featureText = (f) => `${f.type} ${f.index}`;

/** Why this contact: the best axes of each source, and the steps of the clipping. */
export function storySection(owner) {
  const { story, record } = owner.answer;
  const out = [make("p", {}, story.reason)];
  const rows = [];
  for (const [title, axes, who] of [["face of A", story.faces_a, (x) => x.a], ["face of B", story.faces_b, (x) => x.b],
    ["edges", story.edges, (x) => `${x.a} × ${x.b}`]]) {
    for (const axis of axes) {
      rows.push(make("tr", {}, make("td", {}, `${title} ${who(axis)}`), make("td", {}, number(axis.separation, 6)),
        make("td", {}, vector(axis.normal, 3))));
    }
  }
  if (rows.length) {
    out.push(keepOpen(owner, "axes", make("summary", {}, "axes by brute force, the best of each source"),
      make("table", {}, make("tr", {}, ...["axis", "separation", "direction"].map((name) => make("th", {}, name))),
        ...rows)));
  }
  out.push(make("p", { class: "soft" }, `oracle (float64): distance ${number(story.oracle.distance, 9)}`));
  if (story.steps.length) out.push(...clippingSteps(owner, story, record));
  if (story.face_clip) out.push(...faceClipSteps(story));
  if (story.features) out.push(...featureSteps(owner, story));
  return out;
}

/** A details element that stays as it is when the panel is brought up to date. */
function keepOpen(owner, name, ...children) {
  owner.open ??= {};
  const details = make("details", {}, ...children);
  details.open = owner.open[name] ?? false;
  details.addEventListener("toggle", () => { owner.open[name] = details.open; });
  return details;
}

function clippingSteps(owner, story, record) {
  const { drawing } = owner;
  const on = record.kind === "face_a" ? ["A", "B"] : ["B", "A"];
  const text = make("span", { class: "soft" });
  const range = make("input", { type: "range", min: "-1", max: String(story.steps.length - 1), step: "1",
    "aria-label": "step of clipping", id: "clip-step" });
  const tell = () => {
    const k = drawing.step;
    if (k < 0) {
      text.textContent = `all ${story.steps.length} sides`;
      return;
    }
    const step = story.steps[Math.min(k, story.steps.length - 1)];
    const before = k === 0 ? story.incident.length : story.steps[Math.min(k, story.steps.length - 1) - 1].left.length;
    const cut = story.face_clip?.cuts[Math.min(k, story.steps.length - 1)];
    text.textContent = `side ${k}, vertex ${step.from} to ${step.to}${cut ? `, plane of face ${cut.face}` : ""}: `
      + `${before} corners become ${step.left.length}`;
  };
  if (drawing.step >= story.steps.length) drawing.step = -1;
  range.value = String(drawing.step);
  range.addEventListener("input", () => {
    drawing.step = Number(range.value);
    tell();
    drawing.drawOverlay(owner.pair, owner.answer);
    owner.view.invalidate();
  });
  tell();
  const chip = (colour) => make("span", { class: "chip", style: `background:${colour}` });
  const [reference, incident] = record.kind === "face_a" ? [record.feature_a, record.feature_b]
    : [record.feature_b, record.feature_a];
  return [make("p", {}, chip("#7a3fb0"), ` reference face ${reference} of ${on[0]} clips `, chip("#c2387f"),
    ` incident face ${incident} of ${on[1]}`), range, text];
}

function pointRow(owner, p, i) {
  const tr = make("tr", { class: owner.drawing.chosen === i ? "pick chosen" : "pick" }, make("td", {}, String(i)),
    make("td", { class: p.separation < 0 ? "deep" : "gap" }, number(p.separation, 6)),
    make("td", {}, p.features ? `${featureText(p.features.a)} · ${featureText(p.features.b)}` : "",
      make("div", { class: "soft" }, `id ${p.feature}`)));
  tr.addEventListener("click", () => {
    owner.drawing.chosen = owner.drawing.chosen === i ? -1 : i;
    owner.refresh();
  });
  if (owner.drawing.chosen !== i) return [tr];
  const detail = (name, v) => make("div", {}, `${name} ${vector(v, 6)}`);
  return [tr, make("tr", {}, make("td", { colspan: "3", class: "mono" }, detail("midway    ", p.position),
    detail("witness A ", p.witness_a), detail("witness B ", p.witness_b)))];
}

/** The points, the hash, and the whole record as JSON. */
export function recordSection(owner) {
  const { record, fingerprint } = owner.answer;
  const out = [];
  if (record.count > 0) {
    out.push(make("p", {}, `${record.kind}, ${record.count} of ${record.total} points`));
    out.push(make("table", { id: "points" }, make("tr", {}, make("th", {}, ""), make("th", {}, "separation"),
      make("th", {}, "features of A · B")), ...record.points.flatMap((p, i) => pointRow(owner, p, i))));
  } else {
    out.push(make("p", { class: "soft" }, record.kind === "none" ? "no contact" : `${record.kind}, without points`));
  }
  out.push(make("p", { class: "soft" }, "record ", make("span", { class: "mono", id: "hash" }, record.hash),
    ", hulls ", make("span", { class: "mono", id: "fingerprint" }, fingerprint)));
  out.push(keepOpen(owner, "record", make("summary", {}, "the record as JSON"),
    make("pre", { id: "record" }, JSON.stringify(record, null, 1))));
  return out;
}
