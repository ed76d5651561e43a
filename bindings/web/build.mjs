// SPDX-License-Identifier: MIT
//
// One HTML file out of bindings/web/page, three.js and the engine: node build.mjs ENGINE.JS MODULES OUTPUT. Scripts and
// styles stand in the file, so that it opens from disk without a network. The notices of the package of npm alone:
// node build.mjs --licences OUTPUT.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const licence = (title, file) => `${title}\n\n${readFileSync(file, "utf8").trim()}\n`;
const joined = (texts) => texts.join(`\n${"=".repeat(100)}\n\n`);
const engineLicences = () => [
  licence("emscripten (the C and C++ library inside the engine, and what starts it)",
    "/usr/share/doc/emscripten/copyright"),
  licence("xsimd", "/usr/share/doc/libxsimd-dev/copyright"),
  licence("xxHash", "/usr/share/doc/libxxhash-dev/copyright"),
];
if (process.argv[2] === "--licences") {
  writeFileSync(process.argv[3], joined(engineLicences()));
  process.exit(0);
}

const [engineFile, modules, output] = process.argv.slice(2);
const page = join(import.meta.dirname, "page");
const esbuild = createRequire(join(modules, "x.js"))("esbuild");
const licences = joined([
  licence("lanefold", join(import.meta.dirname, "../../LICENSE")),
  licence("three.js", join(modules, "three/LICENSE")),
  licence("{fmt}", "/usr/share/doc/libfmt-dev/copyright"),
  licence("nlohmann-json", "/usr/share/doc/nlohmann-json3-dev/copyright"),
  ...engineLicences(),
]);

const { outputFiles } = await esbuild.build({
  entryPoints: [join(page, "main.js")],
  bundle: true, minify: true, write: false, format: "iife", target: "es2022", nodePaths: [modules],
  define: { LICENCES: JSON.stringify(licences) }, legalComments: "none", charset: "utf8",
});

// Escapes the texts that would end the script element that holds them.
const script = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const parts = {
  "/*STYLE*/": readFileSync(join(page, "style.css"), "utf8"),
  "/*ENGINE*/": script(readFileSync(engineFile, "utf8")),
  "/*PAGE*/": script(outputFiles[0].text),
};
let html = readFileSync(join(page, "index.html"), "utf8");
for (const [place, text] of Object.entries(parts)) {
  if (html.split(place).length !== 2) throw new Error(`index.html must have one ${place}`);
  html = html.replace(place, () => text);
}
writeFileSync(output, html);
console.log(`${output}: ${(html.length / 1e6).toFixed(2)} MB`);
