#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens pages of the site in Chromium, from disk: console_test.py HTML. A message of the console is a failure, and so
is a browser that does not tell of an error that is planted. Without Chromium nothing is tested, and the test says so.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

PAGES = ("index.html", "README.html", "search.html", "docs/methods.html", "api/core/hull_set.html")
CONSOLE = re.compile(r":CONSOLE[^\]]*\] (.*)")


def said(chromium: str, page: Path) -> list[str]:
    """The lines of the console of a page."""
    done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                           "--virtual-time-budget=5000", "--dump-dom", page.as_uri()], capture_output=True, text=True,
                          errors="replace", timeout=300)
    if done.returncode != 0 or "</html>" not in done.stdout:
        return [f"the browser failed: {done.stderr[-1000:]}"]
    return CONSOLE.findall(done.stderr)


def main() -> int:
    html = Path(sys.argv[1]).resolve()
    chromium = shutil.which("chromium")
    if not chromium:
        print("   no browser: the console was not looked at (./dev page --test installs one)")
        return 0
    planted = html.parent / "planted_console.html"
    planted.write_text("<!doctype html><html><script>planted_name();</script></html>", encoding="utf-8")
    if not any("planted_name" in line for line in said(chromium, planted)):
        print("the browser does not tell of an error that was planted")
        return 1
    found = [f"{page}: {line}" for page in PAGES for line in said(chromium, html / page)]
    print("\n".join(found) or f"   {len(PAGES)} pages in Chromium, from disk, and not a line in the console")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
