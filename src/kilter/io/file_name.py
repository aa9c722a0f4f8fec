"""Names of files that are text, and those that are not."""

from __future__ import annotations

import os

from kilter.core.errors import InputError


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


def unopenable(name: str) -> str | None:
    r"""Return why no file can have this name, or None.

    >>> unopenable("text"), unopenable("te\0xt")
    (None, 'the name holds a NUL byte, which no file has in its name')
    """
    if "\0" in name:
        return "the name holds a NUL byte, which no file has in its name"
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        return (
            f"the name holds U+{ord(name[error.start]):04X}, which the operating system cannot encode as "
            f"{error.encoding}"
        )
    return None


def check_name(name: str) -> None:
    """Raise an `InputError` for a file that was found under a name no output could spell."""
    if not is_utf8(name):
        raise InputError("the name is not UTF-8; rename the file", where=name)
