# SPDX-License-Identifier: MIT
"""Files that appear whole or not at all, beside other processes and after killed ones."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from pathlib import Path
from typing import Any


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_stale(folder: Path) -> None:
    """Removes what killed processes left: hidden files of ours without a lock."""
    for path in folder.glob(".*.tmp"):
        if not re.fullmatch(r"\..+\.[0-9a-f]{16}\.tmp", path.name):
            continue
        try:
            handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        except OSError:
            pass  # somebody is writing it
        finally:
            os.close(handle)


def publish(path: Path, *parts: Any, exclusive: bool = False, synced: bool = True) -> bool:
    """Writes a hidden file and gives it its name: whole or not at all; `synced`: also when the power goes. It is locked
    while it is written; the next run into the folder removes those of killed processes, which have no lock."""
    while True:
        temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}.tmp"
        file = open(temporary, "xb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()  # somebody who cleans up was quicker than the lock, and removes it
            continue
        except OSError:
            break  # a file system without locks: nobody else can lock it either
        if os.fstat(file.fileno()).st_nlink:
            break
        file.close()
    with file:
        try:
            for part in parts:
                file.write(part)
            file.flush()
            if synced:
                os.fsync(file.fileno())
            if exclusive:
                os.link(temporary, path)
                os.unlink(temporary)
            else:
                os.rename(temporary, path)
        except FileExistsError:
            os.unlink(temporary)
            return False
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    if synced:
        _sync(path.parent)
    return True
