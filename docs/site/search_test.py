#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the site's search: search_test.py HTML.

The index must have these names and words, with the pages on which people look for them. If Chromium and the page
tests' playwright are there (./dev page --test installs both), the search is also typed into a browser, from disk.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# A word of the documents or a name of the interface, and a page that must be among its results.
WANTED = {
    "collide_compact": "api/parallel/narrowphase",
    "lanefold_build_hulls": "api/bindings_c/lanefold",
    "world": "api/world_dynamics/world",
    "lanefold::pairfinder": "api/world_broadphase/broadphase",
    "hysteresi": "DESIGN",  # the index has stems of words
    "slurm": "docs/baking",
    "btcollisiondispatch": "docs/from_other_engines",
}


def indexed(html: Path) -> list[str]:
    """The names that are missing in the index of the search."""
    text = (html / "searchindex.js").read_text(encoding="utf-8")
    body = text[text.index("(") + 1 : text.rindex(")")]
    index = json.loads(re.sub(r"([{,])(\w+|\"[^\"]*\"):", lambda m: f"{m[1]}\"{m[2].strip(chr(34))}\":", body))
    names = index["docnames"]
    found: dict[str, set[str]] = {}
    for place in ("terms", "titleterms"):
        for term, where in index[place].items():
            found.setdefault(term, set()).update(names[i] for i in (where if isinstance(where, list) else [where]))
    for prefix, entries in index["objects"].items():
        rows = [(e[4], e) for e in entries] if isinstance(entries, list) else list(entries.items())
        for name, entry in rows:
            found.setdefault(name.lower(), set()).add(names[entry[0]])
    missing = []
    for word, page in WANTED.items():
        if page not in found.get(word, set()):
            missing.append(f"the index has '{word}' on {sorted(found.get(word, ())) or 'no page'}, not on {page}")
        elif not (html / f"{page}.html").is_file():
            missing.append(f"there is no {page}.html")
    return missing


BROWSER = """
const { chromium } = require('playwright-core');
(async () => {
    const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto('file://' + process.argv[3] + '/search.html?q=collide_compact');
    await page.waitForSelector('#search-results li a', { timeout: 20000 });
    const first = await page.locator('#search-results li a').first();
    const address = await first.getAttribute('href');
    await first.click();
    await page.waitForLoadState();
    const text = await page.locator('article').innerText();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (process.argv[4]) await page.screenshot({ path: process.argv[4] });
    console.log(JSON.stringify({ address, found: text.includes('collide_compact'), wide }));
    await browser.close();
})();
"""


def browsed(html: Path, modules: Path) -> list[str]:
    chromium = shutil.which("chromium")
    if not chromium or not (modules / "playwright-core").is_dir():
        print("   no browser: only the index was looked at (./dev page --test installs one)")
        return []
    script = html.parent / "search.cjs"
    script.write_text(BROWSER, encoding="utf-8")
    done = subprocess.run(["node", script, chromium, html, html.parent / "phone.png"], capture_output=True, text=True,
                          env={**os.environ, "NODE_PATH": str(modules)})
    if done.returncode != 0:
        return [f"the browser failed: {done.stderr[-2000:]}"]
    seen = json.loads(done.stdout)
    print(f"   in Chromium, from disk, 390 pixels wide: collide_compact is on {seen['address']}")
    return ([] if seen["found"] else ["the first result does not have collide_compact"]) + (
        [] if seen["wide"] <= 1 else [f"the page is {seen['wide']} pixels wider than a phone"])


def main() -> int:
    html = Path(sys.argv[1]).resolve()
    found = indexed(html) + browsed(html, html.parent.parent / "page/node_modules")
    print("\n".join(found) or f"   {len(WANTED)} words lead to their pages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
