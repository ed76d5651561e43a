# SPDX-License-Identifier: MIT
"""Sphinx's settings of the site: ./dev docs."""

import logging
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["LANEFOLD_ROOT"])
sys.path[:0] = [str(ROOT / "bindings/python"), str(ROOT / "docs/site")]

import theme  # noqa: E402: of docs/site

project = "lanefold"
author = "the authors of lanefold"
project_copyright = "the authors of lanefold"
version = os.environ["LANEFOLD_SITE_VERSION"]
release = f"{version}, commit {os.environ['LANEFOLD_SITE_COMMIT']}"

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "apilinks"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
# Files that are linked but are no pages of their own.
exclude_patterns = ["examples/**/requirements.txt"]
myst_heading_anchors = 4
# Tables that bench/plots writes leave a level of headings out.
suppress_warnings = ["myst.header"]
breathe_projects = {"lanefold": os.environ["LANEFOLD_SITE_XML"]}
breathe_default_project = "lanefold"
breathe_default_members = ("members",)
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False  # every page begins with the line
autodoc_mock_imports = ["lanefold._native"]
smartquotes = False  # options begin with two hyphens
highlight_language = "none"

# Every header declares the namespaces; Breathe shows them on every header's page, which Sphinx takes for a repetition.
REPEATED = re.compile(r"Duplicate C\+\+ declaration.*\n.*cpp:type:: (lanefold|published|literal|reference)'")
logging.getLogger("sphinx.sphinx.domains.cpp").addFilter(lambda record: not REPEATED.match(record.getMessage()))

html_theme = "furo"
html_title = f"lanefold {version}"
html_copy_source = False
html_static_path = [str(ROOT / "docs/site/static")]
html_css_files = ["site.css"]
html_extra_path = [os.environ["LANEFOLD_ROOT"] + "/build/docs/extra"]
html_theme_options = {"footer_icons": []}
html_show_sphinx = False
html_last_updated_fmt = ""


def setup(app) -> None:  # noqa: ANN001
    app.connect("build-finished", lambda of, error: error or theme.mend(Path(of.outdir) / "_static"))
