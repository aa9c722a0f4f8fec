"""Parts of HTML pages in a file of templates, for pages that are written without the packages of the web kit."""

from __future__ import annotations

import re
from functools import cached_property
from html import escape
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_MARKER = re.compile(r"^<!-- ([a-z ]+) -->\n", re.MULTILINE)


class Html(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


class PageParts:
    """The parts of a file: each begins with a comment that is its name, and has $places for values."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def templates(self) -> dict[str, Template]:
        """The template of each part, read when the first is asked for."""
        _, *parts = _MARKER.split(self.path.read_text(encoding="utf-8"))
        texts = (text.removesuffix("\n") for text in parts[1::2])
        return dict(zip(parts[::2], map(Template, texts), strict=True))

    def part(self, part: str, /, **values: str) -> Html:
        """Return a part without a line break at its end; values are escaped unless they are markup.

        Raises `KeyError` if a value is missing.
        """
        return Html(
            self.templates[part].substitute(
                {
                    name: value if isinstance(value, Html) else escape(value)
                    for name, value in values.items()
                }
            )
        )


def joined(parts: Iterable[Html], between: str = "") -> Html:
    """Return parts one after another."""
    return Html(between.join(parts))


def lines(parts: Iterable[Html]) -> Html:
    """Return parts, each with a line break at its end."""
    return Html("".join(f"{part}\n" for part in parts))
