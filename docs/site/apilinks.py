# SPDX-License-Identifier: MIT
"""Extension of Sphinx: names of the interface in the documents become links to it.

The documents write names as `CallInputs::previous`, `collide_compact` or `world.hpp`, which repository viewers show as
code. On the site such a name leads to its description if it is one: written in full below the namespace lanefold, and
not a plain word, because `collide` and `verify` are mostly commands of the program. docs/python.md means Python's.
"""

import re
from pathlib import PurePosixPath

from docutils import nodes

NAME = re.compile(r"(?=.*(?:::|_|[A-Z]|\(\)$))[A-Za-z_][\w:]*(?:\(\))?$")
OUTSIDE = (nodes.reference, nodes.title, nodes.literal_block)


def names(env, domain: str, prefix: str) -> dict[str, tuple[str, str]]:
    """Page and anchor of each name, without its prefix. The first overload counts."""
    found: dict[str, tuple[str, str]] = {}
    for name, _, kind, page, anchor, _ in sorted(env.get_domain(domain).get_objects(), key=lambda row: row[3:5]):
        if name.startswith(prefix) and kind not in ("functionParam", "templateParam"):
            found.setdefault(name.removeprefix(prefix), (page, anchor))
    return found


def files(env) -> dict[str, tuple[str, str]]:
    """The pages of headers and examples, by their paths; of headers also by their names."""
    found = {}
    for page in env.found_docs:
        path = PurePosixPath(page)
        if path.parts[0] == "api" and path.name not in ("index", "python"):
            of_c = path.name == "lanefold" or path.name.startswith("lanefold_")
            name = f"{path.name}.h" if of_c else f"{path.name}.hpp"
            room = path.parts[1].replace("_", "/")
            for text in (name, f"lanefold/{name}", f"{room}/include/lanefold/{name}", f"{room}/include/{name}"):
                found[text] = (page, "")
        elif path.parts[0] == "examples" and path.name != "index":
            found[f"{page}.cpp"] = found[page] = (page, "")
    return found


def link(app, doctree, page: str) -> None:
    env = app.env
    if not hasattr(app, "lanefold_names"):
        app.lanefold_names = names(env, "cpp", "lanefold::") | names(env, "c", "") | files(env)
        app.lanefold_python = names(env, "py", "lanefold.")
    if page.startswith("api/"):
        return
    known = app.lanefold_python if page == "docs/python" else app.lanefold_names
    for literal in list(doctree.findall(nodes.literal)):
        text = literal.astext()
        place = known.get(text.removesuffix("()"))
        above = literal.parent
        while above is not None and not isinstance(above, OUTSIDE):
            above = above.parent
        is_name = NAME.match(text) or text.endswith((".hpp", ".h")) or text.startswith("examples/")
        if place is None or above is not None or not is_name:
            continue
        address = app.builder.get_relative_uri(page, place[0]) + (f"#{place[1]}" if place[1] else "")
        reference = nodes.reference("", "", internal=True, refuri=address)
        literal.replace_self(reference)
        reference += literal


def setup(app):
    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
