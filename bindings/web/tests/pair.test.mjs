// SPDX-License-Identifier: MIT
//
// The pair view in a browser: each preset, handles, typed poses, vertices, settings, link, copies, play; no message on
// the console and no request to a network. Screenshots stay in LANEFOLD_SCREENSHOTS.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";

import { launch, open, shot } from "./browser.mjs";

const file = process.env.LANEFOLD_PAGE_FILE;
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

const distance = (page) => page.evaluate(() => globalThis.lanefoldPage.pair.answer.record.distance);
const record = (page) => page.evaluate(() => globalThis.lanefoldPage.pair.answer.record);
const state = (page) => page.evaluate(() => globalThis.lanefoldPage.pair.pair);
const preset = (page, name) => page.selectOption("#preset", name);

async function fill(page, selector, text) {
  await page.fill(selector, text);
  await page.evaluate(() => document.activeElement.blur());
}

/** A pair that ran clean: `work` gets the page. */
async function clean(fragment, work) {
  const { page, messages, requests, context } = await open(browser, file, fragment);
  const result = await work(page);
  assert.deepEqual(messages, []);
  assert.deepEqual(requests, []);
  await context.close();
  return result;
}

const onPage = (name, work) => test(name, { timeout: 400000 }, () => clean("", work));

onPage("every preset, with what it promises", async (page) => {
  const expected = { published: ["edge_edge", 1], aligned: ["face_a", 4], rotated: ["face_a", 4], offset: ["face_a", 4],
    "edge-edge": ["edge_edge", 1], "edge-face": ["face_a", 2], "vertex-face": ["face_a", 1], wedge: [null, 4],
    prism: [null, 4], containment: [null, null], "crossed-beams": [null, 4], gap: [null, 4],
    "corner-corner": ["vertex_vertex", 1] };
  const names = await page.$$eval("#preset option", (all) => all.map((o) => o.value));
  assert.deepEqual(names.sort(), Object.keys(expected).sort());
  for (const name of names) {
    await preset(page, name);
    const r = await record(page);
    const [kind, count] = expected[name];
    if (kind) assert.equal(r.kind, kind, name);
    if (count) assert.equal(r.count, count, name);
    assert.equal(await page.isVisible("#problem"), false, name);
    assert.equal(await page.$$eval("#points tr.pick", (rows) => rows.length), r.count);
    await shot(page, `preset-${name}`);
  }
});

onPage("a body is dragged, typed and resolved", async (page) => {
  await preset(page, "offset");
  const was = await state(page);
  // The arrow of the handle along y: where it is on the screen.
  const [x, y, tip] = await page.evaluate(() => {
    const { pair, view } = globalThis.lanefoldPage;
    const place = (p) => {
      const q = p.clone().project(view.camera);
      const box = view.canvas.getBoundingClientRect();
      return [box.left + (q.x + 1) / 2 * box.width, box.top + (1 - q.y) / 2 * box.height];
    };
    const at = pair.gizmo.handle.position.clone();
    const size = at.distanceTo(view.camera.position) * Math.min(1.9 * Math.tan(Math.PI * view.camera.fov / 360), 7);
    const end = at.clone();
    end.y += size * 0.7 / 4 * 0.45;
    return [...place(end), place(at)];
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 0.5 * (tip[1] - y), { steps: 6 });
  await shot(page, "drag");
  await page.mouse.up();
  const now = await state(page);
  assert.ok(now.b.position[1] < was.b.position[1] - 0.005, `${was.b.position} became ${now.b.position}`);
  assert.equal(now.b.position[0], was.b.position[0]);
  assert.ok(await distance(page) < -0.03);
  await page.click("#resolve");
  assert.ok(Math.abs(await distance(page)) < 1e-6);
  await fill(page, "#b-position-y", "2.5");
  assert.equal((await record(page)).kind, "none");
  await fill(page, "#b-position-y", "1.9");
  assert.ok(Math.abs(await distance(page) + 0.1) < 1e-6);
  await fill(page, "#b-orientation-z", "0.2");
  const turned = await state(page);
  assert.ok(Math.abs(Math.hypot(...turned.b.orientation) - 1) < 1e-6);
  assert.ok(turned.b.orientation[2] > 0.19);
  await page.fill("#b-position-y", "nonsense");
  assert.equal(await page.$eval("#b-position-y", (e) => e.classList.contains("wrong")), true);
  assert.deepEqual(await state(page), turned);
});

onPage("the camera turns and zooms, a click picks a body, its ring turns it, a vertex is held", async (page) => {
  await preset(page, "corner-corner");
  const box = await page.locator("#canvas").boundingBox();
  /** Places on the screen: of a body, of its ring that faces the camera, of an input point of the body that is held. */
  const places = () => page.evaluate(() => {
    const { pair, view } = globalThis.lanefoldPage;
    const rect = view.canvas.getBoundingClientRect();
    const on = (p) => {
      const q = p.clone().project(view.camera);
      return [rect.left + (q.x + 1) / 2 * rect.width, rect.top + (1 - q.y) / 2 * rect.height];
    };
    const at = pair.gizmo.handle.position.clone();
    const size = at.distanceTo(view.camera.position) * Math.min(1.9 * Math.tan(Math.PI * view.camera.fov / 360), 7);
    const right = at.clone().set(1, 0, 0).applyQuaternion(view.camera.quaternion);
    const from = view.camera.position.clone().sub(view.orbit.target);
    return { a: on(pair.drawing.bodies.a.position), b: on(pair.drawing.bodies.b.position), from: from.toArray(),
      ring: on(at.clone().addScaledVector(right, size * 0.7 / 4 * 0.75)), selected: pair.selected,
      vertex: pair.gizmo.name ? on(pair.gizmo.placeOf(7)) : null };
  });
  const drag = async ([x, y], [dx, dy]) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 6 });
    await page.mouse.up();
  };
  const long = (v) => Math.hypot(...v);
  const start = await places();
  await drag([box.x + 40, box.y + box.height - 60], [90, 30]);
  const turned = await places();
  const cosine = start.from.reduce((sum, c, k) => sum + c * turned.from[k], 0) / long(start.from) / long(turned.from);
  assert.ok(cosine < 0.99, `the camera turned: ${cosine}`);
  assert.ok(Math.abs(long(turned.from) / long(start.from) - 1) < 1e-6);
  await page.mouse.move(box.x + 40, box.y + box.height - 60);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction((far) => {
    const { view } = globalThis.lanefoldPage;
    return view.camera.position.distanceTo(view.orbit.target) < 0.95 * far;
  }, long(turned.from), { timeout: 20000 });
  for (const name of ["a", "b"]) {
    await page.click(`#take-${name === "a" ? "b" : "a"}`);
    await page.mouse.click(...(await places())[name]);
    assert.equal((await places()).selected, name);
  }
  const was = await state(page);
  await page.keyboard.press("r");
  await drag((await places()).ring, [0, 70]);
  const now = await state(page);
  assert.notDeepEqual(now.b.orientation, was.b.orientation);
  assert.deepEqual(now.b.position, was.b.position);
  assert.ok(Math.abs(long(now.b.orientation) - 1) < 1e-6);
  await shot(page, "ring");
  await page.keyboard.press("t");
  await page.click("#edit");
  await page.mouse.click(...(await places()).vertex);
  assert.equal(await page.evaluate(() => globalThis.lanefoldPage.pair.gizmo.vertex), 7);
});

onPage("vertices are moved, added, deleted; broken hulls are reported and nothing is lost", async (page) => {
  await preset(page, "aligned");
  await page.click("#edit");
  const text = await page.inputValue("#vertices");
  assert.equal(text.split("\n").length, 8);
  await page.evaluate(() => globalThis.lanefoldPage.pair.gizmo.hold(7));
  await page.click("#add-vertex");
  // The new point stands further out than the corner that it was made from.
  assert.match(await page.textContent("#report-b"), /8 vertices.*1 of 9 points inside/);
  await shot(page, "edit");
  await page.click("#delete-vertex");
  assert.match(await page.textContent("#report-b"), /8 vertices, 6 faces, 12 edges, a box/);
  const good = await record(page);
  await page.fill("#vertices", "0 0 0\n1 0 0\n0 1 0\n1 1 0");
  assert.match(await page.textContent("#problem"), /hull of B: flat/);
  await shot(page, "flat");
  assert.deepEqual(await record(page), good);
  await page.fill("#vertices", "0 0 zero");
  assert.equal(await page.$eval("#vertices", (e) => e.classList.contains("wrong")), true);
  await page.fill("#vertices", `${text}\n0 3 0`);
  assert.equal(await page.isVisible("#problem"), false);
  assert.match(await page.textContent("#report-b"), /9 vertices/);
});

onPage("methods, options, steps of clipping and a chosen point", async (page) => {
  await preset(page, "rotated");
  for (const method of ["patch", "published", "published-literal", "sutherland-hodgman", "features", "clip"]) {
    await page.selectOption("#set-method", method);
    assert.equal(await page.isVisible("#problem"), false, method);
    assert.ok(Math.abs(await distance(page) + 1 / 32) < 1e-6, method);
  }
  await page.selectOption("#set-capacity", "16");
  assert.equal((await record(page)).count, 8);
  await page.selectOption("#set-points", "impact");
  assert.equal((await record(page)).count, 8);
  await page.$eval("#clip-step", (e) => { e.value = "1"; e.dispatchEvent(new Event("input")); });
  await page.click("#points tr.pick >> nth=2");
  assert.equal(await page.$$eval("#points tr.chosen", (rows) => rows.length), 1);
  await shot(page, "clipping-step");
  await preset(page, "edge-edge");
  await fill(page, "input[aria-label=margin]", "0.5");
  await fill(page, "#b-position-y", "3.1");
  assert.equal((await record(page)).kind, "edge_edge");
  await fill(page, "input[aria-label=margin]", "0.1");
  assert.equal((await record(page)).kind, "none");
  await shot(page, "apart");
});

onPage("the steps of sutherland-hodgman and of features are told and drawn", async (page) => {
  const slide = (selector, value) => page.$eval(selector, (e, to) => {
    e.value = to;
    e.dispatchEvent(new Event("input"));
  }, value);
  const drawn = () => page.evaluate(() => globalThis.lanefoldPage.pair.drawing.overlay.children.length);
  const rows = (selector) => page.$$eval(`${selector} tr`, (all) => all.slice(1).map((tr) => tr.textContent));
  await preset(page, "edge-face");
  await page.selectOption("#set-method", "sutherland-hodgman");
  assert.deepEqual((await rows("#significant")).map((text) => /reference|incident/.exec(text)[0]).sort(),
    ["incident", "reference"]);
  const depths = await rows("#depths");
  assert.equal(depths.length, 4);
  assert.equal(depths.filter((text) => text.includes("deleted: above")).length, 2);
  const all = await drawn();
  await slide("#clip-step", "0");
  // Instead of two crosses: what was there before the cut, and the side that cuts.
  assert.equal(await drawn(), all);
  await slide("#clip-step", "2");
  assert.match(await page.textContent("#clip-step + span"), /plane of face \d+: \d+ corners become \d+/);
  await shot(page, "sutherland-hodgman");

  await preset(page, "aligned");
  await page.selectOption("#set-method", "features");
  assert.match(await page.textContent("#growth"), /A: face \d+; B: vertex \d+ → edge \d+ → face \d+/);
  assert.equal(await page.$$eval("#gauss-maps svg", (list) => list.length), 4);
  assert.equal(await page.$$eval("#gauss-maps .cap", (list) => list.length), 4);
  assert.equal(await page.$$eval("#gauss-maps .gauss-vertex", (list) => list.length), 6);
  const paths = await page.$$eval("#gauss-maps path", (list) => list.map((e) => e.getAttribute("d")).join(""));
  assert.equal(paths.includes("NaN"), false);
  await shot(page, "features");
  await slide("#growth-stage", "0");
  assert.match(await page.textContent("#growth"), /A: face \d+; B: vertex \d+$/);
  assert.equal(await page.$$eval("#gauss-maps .gauss-edge", (list) => list.length), 0);
});

test("a link holds the whole pair, and a broken one says so", async () => {
  const [address, was] = await clean("", async (page) => {
    await preset(page, "wedge");
    await fill(page, "#b-position-x", "2.25");
    await page.selectOption("#set-method", "patch");
    await page.click("#link");
    const text = await page.inputValue("dialog textarea");
    await page.click("[data-close]");
    return [text, await page.evaluate(() => globalThis.lanefoldPage.pair.answer)];
  });
  assert.match(address, /#pair=/);
  const fragment = address.slice(address.indexOf("#"));
  await clean(fragment, async (page) => {
    assert.deepEqual(await page.evaluate(() => globalThis.lanefoldPage.pair.answer), was);
  });
  await clean(fragment.slice(0, 60), async (page) => {
    assert.match(await page.textContent("#problem"), /the pair in the address is broken/);
  });
});

onPage("the pair as a program and as a scene gives the same record elsewhere", async (page) => {
  await preset(page, "offset");
  await fill(page, "#b-orientation-x", "0.015");
  const r = await record(page);
  const folder = mkdtempSync(join(tmpdir(), "lanefold-page-"));
  await page.click("#as-scene");
  writeFileSync(join(folder, "scene.py"), await page.inputValue("dialog textarea"));
  await shot(page, "copy");
  await page.click("[data-close]");
  execFileSync(process.env.LANEFOLD_PYTHON ?? "/usr/bin/python3", ["scene.py"], { cwd: folder });
  const story = execFileSync(process.env.LANEFOLD_PROGRAM, ["show", join(folder, "pair"), "--pair", "0,1", "--margin",
    "0.02"], { encoding: "utf8" });
  const said = /(\w+), distance (\S+), normal/.exec(story);
  assert.equal(said[1], r.kind);
  assert.ok(Math.abs(Number(said[2]) - r.distance) < 1e-8 * Math.abs(r.distance), `${said[2]} and ${r.distance}`);
  await page.click("#as-cpp");
  const program = await page.inputValue("dialog textarea");
  await page.click("[data-close]");
  writeFileSync(join(folder, "pair.cpp"), program);
  const root = join(import.meta.dirname, "../../..");
  const build = process.env.LANEFOLD_BUILD;
  execFileSync("g++", ["-std=c++20", "-O1", `-I${root}/core/include`, `-I${root}/simd/include`, "pair.cpp", "-o",
    "program",
    `${build}/simd/liblanefold_simd.a`, `${build}/core/liblanefold_core.a`, "-lpthread"], { cwd: folder });
  const printed = execFileSync(join(folder, "program"), { encoding: "utf8" }).split("\n");
  const [, kind, far, n] = /^(\w+), distance (\S+), (\d+) points$/.exec(printed[0]);
  assert.deepEqual([kind, Math.fround(Number(far)), Number(n)], [r.kind, Math.fround(r.distance), r.count]);
});

onPage("the pair reacts and comes to rest on A", async (page) => {
  await preset(page, "gap");
  await fill(page, "#b-position-y", "3");
  await page.evaluate(() => {
    // As fast as the machine can: 150 steps without waiting for pictures.
    const { play } = globalThis.lanefoldPage.pair;
    play.start();
    for (let i = 0; i < 150; i += 1) { cancelAnimationFrame(play.frame); play.tick(); }
    play.stop();
  });
  const now = await state(page);
  assert.ok(Math.abs(now.b.position[1] - 2) < 0.01, `${now.b.position}`);
  assert.ok(await distance(page) > -0.01);
  await page.click("#play");
  assert.equal(await page.textContent("#play"), "stop");
  await page.click("#play");
  await shot(page, "at-rest");
});

onPage("licences of everything inside", async (page) => {
  await page.click("#licences");
  const text = await page.inputValue("dialog textarea");
  for (const name of ["lanefold", "three.js", "emscripten", "fmt", "nlohmann", "xxHash", "MIT"]) {
    assert.ok(text.includes(name), name);
  }
});
