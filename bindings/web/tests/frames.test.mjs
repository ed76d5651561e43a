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
