#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which of Doxygen's warnings are findings: findings.py LOG prints them and ends with 1 if there are any.

Fields, values of enumerations and operators may speak for themselves, and so does what the language makes of a class:
construction by default or from the same class, assignment. Everything else in a public header says what it is.
"""

import re
import sys
from pathlib import Path

SPEAKS = re.compile(r"Member (?:.* \((?:variable|friend|enumvalue)\) of|operator"
                    r"|(\w+)\((?:(?:const )?\1 ?&{0,2}\w*)?\)(?: noexcept)? \(function\) of (?:class|struct) "
                    r"(?:\w+::)*\1 )")


def main() -> int:
    log = Path(sys.argv[1])
    lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
    found = [line for line in lines
             if line.strip() and not (line.endswith("is not documented.") and SPEAKS.search(line))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
