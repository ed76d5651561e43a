// SPDX-License-Identifier: MIT
//
// Debian's Chromium, without a window and without a network, drawing in software.
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const { chromium } = createRequire(join(process.env.LANEFOLD_MODULES, "x.js"))("playwright-core");
const shots = process.env.LANEFOLD_SCREENSHOTS;

export async function launch() {
  mkdirSync(shots, { recursive: true });
  return chromium.launch({
    executablePath: process.env.LANEFOLD_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
      "--allow-file-access-from-files"],
  });
}

/** A page from disk; `messages` holds what the console said, `requests` what it asked the network for. */
export async function open(browser, file, fragment = "", size = { width: 1440, height: 900 }) {
  const context = await browser.newContext({ viewport: size, offline: true });
  const page = await context.newPage();
  const messages = [];
  const requests = [];
  // Chromium says of its software drawing that reading pixels is slow; that is about this test's screenshots.
  const aboutDriver = (text) => /GPU stall due to ReadPixels|swiftshader|software WebGL/i.test(text);
  page.on("console", (message) => { if (!aboutDriver(message.text())) messages.push(message.text()); });
  page.on("pageerror", (error) => messages.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.goto(`file://${file}${fragment}`);
  await page.waitForSelector("body[data-ready=yes]", { timeout: 60000 });
  return { page, messages, requests, context };
}

export const shot = async (page, name) => {
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  // Software draws a picture of 20,000 bodies for seconds, and those that were asked for before it, too.
  await page.screenshot({ path: join(shots, `${name}.png`), timeout: 240000 });
};
