#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks every link and anchor between the pages of a site on disk: links.py FOLDER [LIST].

Prints each link, picture, style or script whose file does not exist in the folder, each anchor that its page does not
have, each style that asks for a file that is not there, and each script that a page loads and that imports another,
which browsers refuse from disk; ends with 1 if there is one. Addresses elsewhere are not asked: LIST gets them.
Debian's LinkChecker and html-proofer follow links, too, but read a page once more for each of its anchors: minutes for
the pages of the headers.
"""

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ATTRIBUTES = {"href", "src", "poster", "data"}
ADDRESS = re.compile(r"""@import\s+["']([^"']+)|url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)""")
IMPORTS = re.compile(r"^\s*(?:import\b[^(\n]*[\"']|export\s)", re.MULTILINE)


class Page(HTMLParser):
    """The anchors of a page, and what it links to with the line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.links: list[tuple[str, int]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ATTRIBUTES and not (tag == "object" and name == "data" and not value):
                self.links.append((value, self.getpos()[0]))


def broken(folder: Path) -> tuple[list[str], set[str], int]:
    """The findings in the links of all pages, the addresses elsewhere, and how many links were followed."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    found, elsewhere, followed = [], set(), 0
    for path, page in pages.items():
        for link, line in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("data", "javascript", "mailto", "blob"):
                continue
            if parts.scheme or parts.netloc:
                elsewhere.add(link)
                if parts.scheme == "file":
                    found.append(f"{path.relative_to(folder)}:{line}: {link} is a path of this machine")
                continue
            followed += 1
            target = path if not parts.path else Path(os.path.normpath(path.parent / unquote(parts.path)))
            if parts.path.startswith("/") or not target.is_relative_to(folder) or not target.is_file():
                found.append(f"{path.relative_to(folder)}:{line}: {link}: there is no such file")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{path.relative_to(folder)}:{line}: {link}: the page has no such anchor")
    return found, elsewhere, followed


def assets(folder: Path) -> list[str]:
    """The findings in the styles and scripts: what they ask for."""
    found = []
    for style in sorted(folder.rglob("*.css")):
        for groups in ADDRESS.findall(style.read_text(encoding="utf-8")):
            address = "".join(groups).strip()
            parts = urlsplit(address)
            if parts.scheme == "data" or not parts.path:
                continue
            if parts.scheme or parts.netloc or not (style.parent / unquote(parts.path)).is_file():
                found.append(f"{style.relative_to(folder)}: {address}: there is no such file")
    loaded = set()
    for path in sorted(folder.rglob("*.html")):
        for tag in re.findall(r"<script\b[^>]*>", path.read_text(encoding="utf-8")):
            source = re.search(r'\bsrc="([^"?#:]+)', tag)
            if source and "module" not in tag:
                loaded.add(Path(os.path.normpath(path.parent / unquote(source[1]))))
    found += [f"{script.relative_to(folder)}: imports or exports, but pages load it as a plain script"
              for script in sorted(loaded)
              if script.is_file() and IMPORTS.search(script.read_text(encoding="utf-8"))]
    return found


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    found, elsewhere, followed = broken(folder)
    found += assets(folder)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text("".join(f"{link}\n" for link in sorted(elsewhere)), encoding="utf-8")
    print("\n".join(found), end="\n" if found else "")
    print(f"{followed} links between the pages, {len(found)} broken; {len(elsewhere)} addresses elsewhere")
    return 1 if found or not followed else 0


if __name__ == "__main__":
    sys.exit(main())
