"""Accounts of researchers: each has a name and a password of its own, kept with the study's secrets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.output import write_file
from kilter.study.design.creation import KEY_FILE, chosen_password, read_keys
from kilter.study.password import password_hash, password_matches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONGEST_NAME = 60
_NAME = re.compile(rf"\w[\w.@+-]{{0,{LONGEST_NAME - 1}}}")


def accounts(folder: Path) -> list[str]:
    """Return the names of all accounts, in their order."""
    return sorted(read_keys(folder).accounts)


def login_account(folder: Path, name: str, password: str) -> str | None:
    """Return the account that a name and a password open, if any; the only one needs no name.

    Names that nobody has take as long as those that somebody has.
    """
    known = read_keys(folder).accounts
    if not name and len(known) == 1:
        (name,) = known
    matches = password_matches(password, known.get(name) or next(iter(known.values())))
    return name if matches and name in known else None


def add_account(folder: Path, name: str, password: str | None = None) -> str:
    """Add an account with a password, by default a new one, and return the password."""
    known = read_keys(folder).accounts
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is not a name of an account; write up to {LONGEST_NAME} letters, digits and . _ @ + -"
        )
    if name in known:
        raise InputError(
            f"there is an account {name} already; choose another name", where=str(folder)
        )
    return _changed(folder, known, name, password)


def change_password(folder: Path, name: str | None = None, password: str | None = None) -> str:
    """Give an account another password, by default a new one, and return it; links stay the same.

    The only account needs no name.
    """
    return _changed(folder, read_keys(folder).accounts, known_account(folder, name), password)


def remove_account(folder: Path, name: str) -> None:
    """Remove an account; the last one stays, since nobody could log in any more."""
    left = {
        key: stored
        for key, stored in read_keys(folder).accounts.items()
        if key != known_account(folder, name)
    }
    if not left:
        raise InputError(
            f"{name} is the only account; add another one before you remove it", where=str(folder)
        )
    _write(folder, left)


def known_account(folder: Path, name: str | None) -> str:
    """Return the account of this name, or the only one; another name is an `InputError`."""
    known = accounts(folder)
    if name is None and len(known) == 1:
        return known[0]
    if name not in known:
        said = "which account is meant" if name is None else f"there is no account {name}"
        raise InputError(f"{said}; there are {', '.join(known)}", where=str(folder))
    return name


def _changed(folder: Path, known: Mapping[str, str], name: str, password: str | None) -> str:
    chosen = chosen_password(password)
    _write(folder, {**known, name: password_hash(chosen)})
    return chosen


def _write(folder: Path, known: Mapping[str, str]) -> None:
    keys = {"secret": read_keys(folder).secret.hex(), "accounts": dict(known)}
    write_file(folder / KEY_FILE, json.dumps(keys) + "\n", private=True)
