"""Distributions that Kilter needs, as they are installed, with their licences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.metadata import Distribution

ALLOWED = frozenset(
    {
        "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD", "0BSD", "MIT", "MIT-0", "ISC", "PSF-2.0", "MPL-2.0",
        "HPND", "Unlicense", "Zlib", "CC0-1.0", "LGPL-3.0-only", "Python-2.0", "CC-BY-SA-4.0", "BSL-1.0",
        "CNRI-Python", "MIT-CMU",
    }
)  # fmt: skip
"""Licences under which a package may be needed by one under Apache 2.0 that only imports it."""
STATED = {
    "pypdfium2": "BSD-3-Clause",  # its own code: Apache-2.0 or BSD-3-Clause; PDFium: BSD-3-Clause
    "resvg-py": "MIT",  # only in the text of its file LICENSE
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
}
"""What packages say in prose that no rule below reads."""
_CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "The Unlicense (Unlicense)": "Unlicense",
    "zlib/libpng License": "Zlib",
}
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


@dataclass(frozen=True, slots=True)
class Dependency:
    """A distribution: its name, version, licences, where it is from, and what it needs itself."""

    name: str
    version: str
    licences: tuple[str, ...]
    needs: tuple[str, ...]
    summary: str = ""

    @property
    def refused(self) -> tuple[str, ...]:
        """Licences that are not allowed; a distribution without any is refused, too."""
        return tuple(each for each in self.licences or ("none stated",) if each not in ALLOWED)


def normal(name: str) -> str:
    """Return a name as package indexes write it.

    >>> normal("Jinja2"), normal("ufal.udpipe")
    ('jinja2', 'ufal-udpipe')
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def _field(found: Distribution, name: str) -> str:
    """Return a field of the metadata, empty where there is none."""
    return next(iter(found.metadata.get_all(name) or ()), "")


def licences(found: Distribution) -> tuple[str, ...]:
    """Return the licences that a distribution states, of alternatives those that are allowed."""
    name = normal(found.metadata["Name"])
    if name in STATED:
        return (STATED[name],)
    expression = _field(found, "License-Expression")
    if expression:
        return _of_expression(expression)
    classified = [
        _CLASSIFIED.get(entry.rpartition(" :: ")[2], entry.rpartition(" :: ")[2])
        for entry in found.metadata.get_all("Classifier") or ()
        if entry.startswith("License ::") and not entry.endswith("OSI Approved")
    ]
    if classified:
        return tuple(dict.fromkeys(classified))
    text = _field(found, "License").strip()
    return (_named(text),) if text else ()


def _named(text: str) -> str:
    line = text.splitlines()[0].strip()
    for said, licence in (
        ("apache", "Apache-2.0"),
        ("mit", "MIT"),
        ("bsd", "BSD"),
        ("mpl", "MPL-2.0"),
    ):
        if said in line.lower():
            return licence
    return line


def _of_expression(expression: str) -> tuple[str, ...]:
    """Return what all must be allowed: of A OR B the first that is.

    >>> _of_expression("MIT OR GPL-3.0-only"), _of_expression("Apache-2.0 WITH LLVM-exception AND MIT")
    (('MIT',), ('Apache-2.0', 'MIT'))
    """
    parts = []
    for part in re.split(r"\s+AND\s+", expression.replace("(", "").replace(")", "")):
        choices = [re.split(r"\s+WITH\s+", each)[0].strip() for each in re.split(r"\s+OR\s+", part)]
        parts.append(next((each for each in choices if each in ALLOWED), choices[0]))
    return tuple(dict.fromkeys(parts))


def dependencies(roots: Iterable[str]) -> tuple[list[Dependency], list[str]]:
    """Return everything that is needed by these distributions with all their extras, and what is not installed."""
    found: dict[str, Dependency] = {}
    missing: set[str] = set()
    waiting = [(normal(name), True) for name in roots]
    while waiting:
        name, with_extras = waiting.pop()
        if name in found or name in missing:
            continue
        try:
            held = distribution(name)
        except PackageNotFoundError:
            missing.add(name)
            continue
        needs = tuple(dict.fromkeys(_needs(held, with_extras=with_extras)))
        found[name] = Dependency(name, held.version, licences(held), needs, _field(held, "Summary"))
        waiting += [(each, False) for each in needs]
    return sorted(found.values(), key=lambda each: each.name), sorted(missing)


def _needs(held: Distribution, *, with_extras: bool) -> Iterator[str]:
    for requirement in held.requires or ():
        text, _, marker = requirement.partition(";")
        if _EXTRA.search(marker) and not with_extras:
            continue
        if re.search(
            r"(sys_platform|platform_system|os_name)\s*==\s*['\"](win32|Windows|nt|darwin)", marker
        ):
            continue
        name = _NAME.match(text.strip())
        assert name is not None, requirement
        yield normal(name[0])
