// SPDX-License-Identifier: MIT
//
// `lanefold view` and the view of frames in a browser: slider, play, pick, filters, heat, a pair opened in the pair
// view, broken files, and what a picture of 20,000 bodies costs.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";

import { launch, open, shot } from "./browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "lanefold-frames-"));
const program = process.env.LANEFOLD_PROGRAM;
const at = (name) => join(folder, name);
const run = (...list) => execFileSync(program, list, { encoding: "utf8" });
const view = (...list) => run("view", ...list, "--page", process.env.LANEFOLD_PAGE_FILE);

let browser;
before(async () => {
  browser = await launch();
  run("generate", "debris", at("pile"), "--bodies", "400", "--frames", "12", "--hulls", "40", "--seed", "3",
    "--seconds", "2.5", "--progress", "none");
  run("collide", at("pile"), "-o", at("contacts"), "--margin", "0.02", "--progress", "none");
  console.log(view(at("pile"), at("contacts"), "-o", at("pile.html")).trim());
}, { timeout: 300000 });
after(async () => { await browser.close(); });

async function clean(file, work) {
  const { page, messages, requests, context } = await open(browser, file);
  await work(page);
  assert.deepEqual(messages, []);
  assert.deepEqual(requests, []);
  await context.close();
}

const setFrame = (page, i) => page.$eval("#frame", (e, k) => {
  e.value = String(k);
  e.dispatchEvent(new Event("input"));
}, i);

/** Shows the picked pair and returns what the frames view says of it. */
const pickDeepest = (page) => page.evaluate(() => {
  const { frames } = globalThis.lanefoldPage;
  const { list } = frames;
  let best = 0;
  for (let k = 0; k < list.at.length; k += 1) {
    if (list.distance[k] < list.distance[best] && !frames.stage[list.a[k]]) best = k;
  }
  frames.choose(list.b[best]);
  frames.chooseContact(best);
  return frames.scene.record(list.at[best]);
});

/** A test on the page of the pile. */
const onPile = (name, work) => test(name, { timeout: 400000 }, () => clean(at("pile.html"), work));

onPile("frames, contacts and counts are those of the contacts folder", async (page) => {
  for (const i of [0, 5, 11]) {
    await setFrame(page, i);
    const summary = JSON.parse(readFileSync(join(at("contacts"), `frame_${String(i).padStart(6, "0")}.json`), "utf8"));
    const seen = await page.evaluate(() => {
      const { list } = globalThis.lanefoldPage.frames;
      return [list.at.length, list.distance.filter((d) => d < 0).length, list.count.reduce((x, y) => x + y, 0)];
    });
    assert.deepEqual(seen, [summary.touching, summary.overlapping, summary.points]);
    await shot(page, `frames-${i}`);
  }
  await page.click("#play-frames");
  await page.waitForFunction(() => globalThis.lanefoldPage.frames.frame !== 11, null, { timeout: 20000 });
  await page.click("#play-frames");
});

test("events are marks on the time line and a list, and a click shows one", { timeout: 400000 }, async () => {
  run("collide", at("pile"), "--events", at("events"), "--no-impulses", "--fps", "24", "--progress", "none");
  console.log(view(at("pile"), at("contacts"), "--events", at("events"), "-o", at("events.html")).trim());
  await clean(at("events.html"), async (page) => {
    const seen = await page.evaluate(() => {
      const { events, marks } = globalThis.lanefoldPage.frames;
      const e = events.near(0, 1e9);
      return { e, length: events.length, fastest: events.fastest, x: marks.x(events.place(e)),
        frame: events.frameOf(e), pair: events.pair(e) };
    });
    assert.ok(seen.length > 100 && seen.fastest > 0);
    await page.click("#event-marks", { position: { x: seen.x, y: 9 } });
    const shown = () => page.evaluate(() => {
      const { frame, body } = globalThis.lanefoldPage.frames;
      return { frame, body };
    });
    const { frame, body } = await shown();
    assert.equal(frame, seen.frame);
    assert.ok(seen.pair.includes(body));
    await setFrame(page, frame);
    const rows = await page.$$eval("#events tr.pick", (list) => list.length);
    assert.ok(rows > 0);
    await page.click("#events tr.pick:first-child, #events tr.pick");
    assert.equal((await shown()).frame, frame);
    await shot(page, "events");
  });
});

onPile("a body and a pair are picked, read, and opened in the pair view", async (page) => {
  await setFrame(page, 11);
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
  assert.ok(await page.evaluate(() => globalThis.lanefoldPage.frames.body) >= 0, "the middle of the pile is a body");
  const record = await pickDeepest(page);
  assert.deepEqual(JSON.parse(await page.textContent("#frame-record")), JSON.parse(JSON.stringify(record)));
  await shot(page, "frames-picked");
  await page.click("#open-pair");
  const told = await page.evaluate(() => globalThis.lanefoldPage.pair.answer.record);
  // Poses in this page are exact: so is the record.
  assert.equal(told.kind, record.kind);
  assert.equal(told.distance, record.distance);
  assert.deepEqual(told.points.map((p) => p.feature), record.points.map((p) => p.feature));
  assert.deepEqual(told.normal, record.normal);
  await shot(page, "frames-opened");
  await page.click("#go-frames");
  assert.equal(await page.isVisible("#timeline"), true);
});

/** The drawing at places of a grid: "body", "stage", or null for neither or an edge; and what a click there meets. */
const drawnAndPicked = (page, across) => page.evaluate((n) => {
  const { frames, view: shown } = globalThis.lanefoldPage;
  frames.palette.fill([255, 0, 0]);
  frames.painted = "";
  frames.look.points = false;
  frames.choose(-1);
  shown.draw();
  const { width, height } = shown.canvas;
  const gl = shown.renderer.getContext();
  const pixels = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const kind = (x, y) => {
    const [r, g, , alpha] = pixels.subarray(4 * ((height - 1 - y) * width + x));
    return alpha < 255 ? null : r - g > 40 ? "body" : "stage";
  };
  const box = shown.canvas.getBoundingClientRect();
  const out = [];
  for (let i = 1; i < n; i += 1) {
    for (let j = 1; j < n; j += 1) {
      const [x, y] = [Math.round(i * width / n), Math.round(j * height / n)];
      const around = [-2, 0, 2].flatMap((dx) => [-2, 0, 2].map((dy) => kind(x + dx, y + dy)));
      const event = { clientX: box.left + (x + 0.5) * box.width / width,
        clientY: box.top + (y + 0.5) * box.height / height };
      const body = frames.bodyAt(event);
      const first = frames.picker.pick(shown.rayAt(event).ray, (b) => frames.seen(b), () => true);
      out.push({ ...event, body, drawn: around.every((k) => k === around[0]) ? around[0] : null,
        picked: body < 0 ? null : frames.stage[body] ? "stage" : "body",
        hidden: first >= 0 && frames.stage[first] === 1 && first !== body });
    }
  }
  return out;
}, across);

onPile("a click picks what is drawn there: the pile behind walls that are cut, not the walls", async (page) => {
  await setFrame(page, 11);
  const places = (await drawnAndPicked(page, 60)).filter((p) => p.drawn);
  const behind = places.filter((p) => p.hidden && p.drawn === "body");
  console.log(`${places.length} places, ${behind.length} of them on the pile behind a wall, `
    + `${places.filter((p) => p.drawn === "stage").length} on floor and walls`);
  assert.ok(behind.length >= 30 && places.some((p) => p.drawn === "stage"));
  for (const p of places) assert.equal(p.picked, p.drawn, `at ${p.clientX}, ${p.clientY}`);
  for (const p of behind.slice(0, 30)) {
    await page.mouse.click(p.clientX, p.clientY);
    assert.equal(await page.evaluate(() => globalThis.lanefoldPage.frames.body), p.body);
  }
  await shot(page, "frames-behind-walls");
  // Without floor and walls nothing but the pile is picked.
  await page.click("#look-stage");
  assert.ok((await drawnAndPicked(page, 30)).every((p) => p.picked !== "stage"));
});

onPile("colours of depth run to that of 95 of 100 points, and the legend says so", async (page) => {
  const found = await page.evaluate(() => {
    const { frames } = globalThis.lanefoldPage;
    const { scene } = frames;
    const depths = [];
    const distinct = new Set();
    let last = 0;
    for (let i = 0; i < scene.length; i += 1) {
      frames.show(i);
      const all = frames.list.at.flatMap((at) => scene.record(at).points.map((p) => -p.separation));
      const colours = frames.contacts.points.geometry.attributes.color.array;
      const end = frames.contacts.ramp[frames.contacts.ramp.length - 1].map(Math.fround).join();
      all.forEach((depth, n) => {
        if (!(depth > 0)) return;
        depths.push(depth);
        const colour = [...colours.subarray(3 * n, 3 * n + 3)].join();
        distinct.add(colour);
        last += colour === end ? 1 : 0;
      });
    }
    return { depths, last, distinct: distinct.size, usual: scene.usual_depth, deepest: scene.deepest,
      legend: document.querySelector("#depth-legend").textContent };
  });
  const sorted = found.depths.sort((x, y) => x - y);
  assert.ok(sorted.length > 1000);
  assert.equal(found.usual, sorted[Math.ceil(0.95 * sorted.length) - 1]);
  assert.equal(found.deepest, sorted[sorted.length - 1]);
  // The ramp has 64 colours, 48 of them for depths.
  assert.ok(found.distinct > 40, `${found.distinct} colours`);
  assert.ok(found.last >= 0.05 * sorted.length - 1 && found.last < 0.1 * sorted.length, `${found.last} at the end`);
  assert.match(found.legend, /^95 of 100 overlapping points are at most [\d.]+ deep; .* down to [\d.]+, have/);
});

for (const width of [390, 320]) {
  test(`${width} pixels are wide enough: nothing is cut off or scrolls sideways`, { timeout: 400000 }, async () => {
    const { page, messages, context } = await open(browser, at("pile.html"), "", { width, height: 844 });
    /** Everything in bar, time line and panel that is beyond the window or wider than its box. */
    const beyond = () => page.evaluate(() => [...document.querySelectorAll("html, body, body > *, #bar *, #timeline *, "
      + "#panel, #panel section, #panel button, #panel input, #panel table, #panel label")].filter((e) => {
      const box = e.getBoundingClientRect();
      const wide = e.matches("html, body, #bar, #timeline, #panel") && e.scrollWidth > e.clientWidth;
      return box.width > 0 && (wide || box.left < 0 || box.right > innerWidth);
    }).map((e) => `${e.tagName} ${e.id} ${e.textContent.slice(0, 30)}`));
    assert.deepEqual(await beyond(), []);
    await pickDeepest(page);
    assert.deepEqual(await beyond(), []);
    await shot(page, `frames-${width}`);
    await page.locator("#panel").evaluate((e) => { e.scrollTop = 260; });
    await shot(page, `frames-${width}-panel`);
    await page.click("#open-pair");
    assert.deepEqual(await beyond(), []);
    await shot(page, `pair-${width}`);
    assert.deepEqual(messages, []);
    await context.close();
  });
}

onPile("filters by kind and depth, and heat", async (page) => {
  await setFrame(page, 11);
  const passing = () => page.evaluate(() => globalThis.lanefoldPage.frames.passing);
  const all = await passing();
  await page.click("#kind-edge_edge");
  const without = await passing();
  assert.ok(without < all && without > 0, `${without} of ${all}`);
  await page.fill("#depth-least", "0");
  assert.ok(await passing() < without);
  await page.fill("#depth-least", "");
  assert.equal(await passing(), without);
  await page.click("#kind-edge_edge");
  assert.equal(await passing(), all);
  await page.click("#look-heat");
  await page.click("#look-points");
  await shot(page, "frames-heat");
});

test("without contacts, of a few frames, and small: poses of 16 bits", { timeout: 400000 }, async () => {
  view(at("pile"), "-o", at("bodies.html"), "--frames", "3:5");
  await clean(at("bodies.html"), async (page) => {
    assert.equal(await page.textContent("#frame-number"), "frame 4");  // it begins with the last one
    assert.match(await page.textContent("#panel"), /without contacts/);
  });
  const size = statSync(at("pile.html")).size / 1e6;
  const said = view(at("pile"), at("contacts"), "-o", at("small.html"), "--max-size", String(size - 0.01));
  assert.match(said, /poses of 16 bits/);
  assert.ok(statSync(at("small.html")).size <= (size - 0.01) * 1e6);
  const poses = (file) => open(browser, file).then(async ({ page, context }) => {
    await setFrame(page, 7);
    const list = await page.evaluate(() => [[...globalThis.lanefoldPage.frames.scene.position],
      Math.max(...(globalThis.lanefoldPage.frames.scene.quantised?.step ?? [0]))]);
    await context.close();
    return list;
  });
  const [exact] = await poses(at("pile.html"));
  const [rounded, step] = await poses(at("small.html"));
  const worst = Math.max(...exact.map((x, i) => Math.abs(x - rounded[i])));
  assert.ok(worst > 0 && worst <= step * 0.51, `${worst} of ${step}`);
});

/** The pile with a scene.json of version 2, names, and every third body gone in all frames but the last. */
function writeVersion2() {
  cpSync(at("pile"), at("two"), { recursive: true });
  const count = JSON.parse(readFileSync(join(at("contacts"), "contacts.json"), "utf8")).inputs.bodies;
  const names = Array.from({ length: count }, (_, b) => `heap/<b>${b}</b>`);
  writeFileSync(join(at("two"), "names.json"), JSON.stringify({ bodies: names }));
  const header = { format: "lanefold-scene", version: 2, unit: "m", first_frame: 1001, frames_per_second: 25 };
  writeFileSync(join(at("two"), "scene.json"), JSON.stringify(header));
  const head = `{'descr': '|b1', 'fortran_order': False, 'shape': (12, ${count}), }`.padEnd(117) + "\n";
  const mask = Uint8Array.from({ length: 12 * count }, (_, i) => (i >= 11 * count || (i % count) % 3 ? 1 : 0));
  writeFileSync(join(at("two"), "active.npy"),
    Buffer.concat([Buffer.from([0x93]), Buffer.from("NUMPY"), Buffer.from([1, 0, 118, 0]), Buffer.from(head), mask]));
  return count;
}

test("bodies that are not there are neither drawn nor picked, and frames have people's numbers",
  { timeout: 400000 }, async () => {
    const count = writeVersion2();
    for (const [name, size] of [["two.html", "128"], ["two-small.html", "0"]]) {
      const limit = size === "0" ? String(statSync(at("two.html")).size / 1e6 - 0.01) : size;
      const said = view(at("two"), "-o", at(name), "--max-size", limit);
      assert.match(said, size === "0" ? /poses of 16 bits/ : /poses exact/);
      await clean(at(name), async (page) => {
        const state = () => page.evaluate(() => {
          const { frames } = globalThis.lanefoldPage;
          const { scene } = frames;
          const all = Array.from({ length: scene.bodies }, (_, b) => b);
          const seen = all.filter((b) => frames.seen(b));
          const box = frames.box();
          frames.choose(3);
          return { there: all.filter((b) => scene.there(b)).length, seen: seen.filter((b) => b % 3 === 0).length,
            finite: box.min.toArray().every(Number.isFinite), outlines: frames.picked.children.length,
            said: document.querySelector("#panel").textContent };
        });
        assert.equal(await page.textContent("#frame-number"), "frame 1012 (11)");
        const last = await state();
        assert.equal(last.there, count);
        assert.equal(last.outlines, 1);
        assert.match(last.said, /body 3, heap\/<b>3<\/b>/);
        await setFrame(page, 4);
        assert.equal(await page.textContent("#frame-number"), "frame 1005 (4)");
        const gone = await state();
        assert.equal(gone.there, count - Math.ceil(count / 3));
        assert.equal(gone.seen, 0);
        assert.equal(gone.outlines, 0);
        assert.ok(gone.finite);
        assert.match(gone.said, /not there in this frame/);
        await shot(page, `frames-${name.replace(".html", "")}`);
      });
    }
  });

test("what cannot be done is said", () => {
  const refuse = (...list) => {
    const done = spawnSync(program, ["view", ...list], { encoding: "utf8" });
    assert.equal(done.status, 2, done.stderr);
    return done.stderr;
  };
  const page = ["--page", process.env.LANEFOLD_PAGE_FILE];
  const both = [at("pile"), at("contacts"), "-o", at("x.html"), ...page];
  const little = String(statSync(process.env.LANEFOLD_PAGE_FILE).size / 1e6 + 0.25);
  assert.match(refuse(...both, "--max-size", little), /--frames 0:\d+ fits/);
  assert.match(refuse(...both, "--max-size", "1"), /not even one frame/);
  assert.match(refuse(at("pile"), "-o", at("x.txt"), ...page), /must end in .html/);
  assert.match(refuse(...both, "--frames", "40"), /frame/);
  writeFileSync(at("wrong.html"), "<html></html>");
  assert.match(refuse(at("pile"), "-o", at("x.html"), "--page", at("wrong.html")), /no live page/);
  assert.match(refuse(at("pile"), "-o", at("x.html"), "--page", at("absent.html")), /absent.html/);
  assert.equal(existsSync(at("x.html")), false);
});

test("a file that was cut or changed says so, and the pair view still works", { timeout: 400000 }, async () => {
  const text = readFileSync(at("pile.html"), "utf8");
  const piece = text.indexOf("application/x-lanefold-bytes");
  const broken = {
    "bytes missing": [text.slice(0, piece + 4000) + text.slice(piece + 8000), /the file was cut/],
    "no base64": [`${text.slice(0, piece + 4000)}###${text.slice(piece + 4003)}`, /the data in this page is broken/],
    "no header": [text.replace("\"format\":\"lanefold-view\"", "\"format\":"), /no JSON/],
    "another version": [text.replace("\"version\":1", "\"version\":9"), /another version/],
  };
  for (const [name, [html, expected]] of Object.entries(broken)) {
    writeFileSync(at("broken.html"), html);
    await clean(at("broken.html"), async (page) => {
      assert.match(await page.textContent("#problem"), expected, name);
      assert.ok((await page.textContent("#distance")).length > 0);
      await shot(page, `broken-${name.replace(" ", "-")}`);
    });
  }
});

test("20,000 bodies: script a picture, and no more draw calls than hulls", { timeout: 500000 }, async () => {
  run("generate", "debris", at("many"), "--bodies", "20000", "--frames", "3", "--seconds", "0.5", "--progress",
    "none");
  run("collide", at("many"), "-o", at("many_contacts"), "--margin", "0.02", "--progress", "none");
  console.log(view(at("many"), at("many_contacts"), "-o", at("many.html")).trim());
  await clean(at("many.html"), async (page) => {
    const cost = await page.evaluate(() => {
      const { frames, view: shown } = globalThis.lanefoldPage;
      const time = { turn: [], frame: [] };
      for (let i = 0; i < 30; i += 1) {
        shown.camera.position.multiplyScalar(1.001);
        shown.orbit.update();
        shown.draw();
        time.turn.push(shown.cost.script);
      }
      const { calls } = shown.cost;
      for (let i = 0; i < 9; i += 1) {
        const start = performance.now();
        frames.show(i % 3);
        time.frame.push(performance.now() - start);
        shown.draw();
      }
      const middle = (list) => list.sort((x, y) => x - y)[Math.floor(list.length / 2)];
      return { turn: middle(time.turn), frame: middle(time.frame), calls, hulls: frames.scene.hulls,
        bodies: frames.scene.bodies, contacts: frames.list.at.length };
    });
    console.log("20,000 bodies:", JSON.stringify(cost));
    assert.ok(cost.bodies >= 20000);
    assert.ok(cost.calls <= cost.hulls, `${cost.calls} draw calls of ${cost.hulls} hulls`);
    await shot(page, "frames-20000");
  });
});
