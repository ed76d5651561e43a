# SPDX-License-Identifier: MIT
"""Mends what Debian's package of the theme furo expects of a web server, so that pages work from disk: its script is a
module that imports another one, which browsers refuse below file:, and its style imports one of /usr/share/javascript
by an address. Other packages of furo have both inside; nothing is changed there.
"""

import re
from pathlib import Path

IMPORT_SCRIPT = re.compile(r'^import (\w+) from "\./([\w.-]+)";\n', re.MULTILINE)
IMPORT_STYLE = re.compile(r"@import url\(/javascript/([^)]+)\);")
SYSTEM = Path("/usr/share/javascript")


def one_script(script: Path) -> None:
    """Puts what a module imports before it, as one plain script. The imported script sets a name of the window."""
    text = script.read_text(encoding="utf-8")
    imported = [script.with_name(name).read_text(encoding="utf-8") for _, name in IMPORT_SCRIPT.findall(text)]
    if imported:
        script.write_text("\n".join([*imported, IMPORT_SCRIPT.sub("", text)]), encoding="utf-8")


def one_style(style: Path) -> None:
    """Puts the system's styles in place of their addresses."""
    text = style.read_text(encoding="utf-8")
    mended = IMPORT_STYLE.sub(lambda found: (SYSTEM / found[1]).read_text(encoding="utf-8"), text)
    if mended != text:
        style.write_text(mended, encoding="utf-8")


def mend(static: Path) -> None:
    one_script(static / "scripts/furo.js")
    one_style(static / "styles/furo.css")
