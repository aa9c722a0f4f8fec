"""Names of files that are text, and those that are not."""

from __future__ import annotations

import os

from kilter.errors import InputError


def is_utf8(name: str) -> bool:
    r"""Return whether a name, as the operating system gave it, can be written down.

    >>> is_utf8("Übersetzung.txt"), is_utf8("\udcfcbersetzung.txt")
    (True, False)
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def in_utf8(name: str) -> str:
    r"""Return a name with the bytes spelled out that are no text.

    >>> print(in_utf8("\udcfcbersetzung.txt"))
    \xfcbersetzung.txt
    """
    return os.fsencode(name).decode(errors="backslashreplace")


def check_name(name: str) -> None:
    """Raise an `InputError` for a file that was found under a name no output could spell."""
    if not is_utf8(name):
        raise InputError("the name is not UTF-8; rename the file", where=in_utf8(name))
