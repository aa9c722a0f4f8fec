"""Guidelines for people who draw links, with worked examples, as data. [FRS] section 3.1"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.io.toml_table import read_toml_of_schema

if TYPE_CHECKING:
    from kilter.io.toml_table import TomlTable

_FOLDER = Path(__file__).parent / "data" / "guidelines"
_ORDER = ("general", "en-ja", "en-de")
_LINK = re.compile(r"(\d+)-(\d+)(\??)")


@dataclass(frozen=True)
class WordGroup:
    """Words of both sides that links of one kind hold together, as text."""

    source: str
    target: str
    sure: bool


@dataclass(frozen=True)
class WorkedExample:
    """Words of two sentences with their links, and what they show; a link with `?` is a possible one."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int, bool], ...]
    caption: str

    @property
    def written(self) -> str:
        """The links as the page's script reads them: zero-based pairs."""
        return " ".join(
            f"{source}-{target}{'' if sure else '?'}" for source, target, sure in self.links
        )

    @property
    def groups(self) -> tuple[WordGroup, ...]:
        """The links in words: what sure links hold together, and possible ones, in the order of the source."""
        found = [
            (
                min(sources),
                WordGroup(_text(self.source, sources), _text(self.target, targets), sure),
            )
            for sure in (True, False)
            for sources, targets in _joined([link[:2] for link in self.links if link[2] is sure])
        ]
        return tuple(group for _, group in sorted(found, key=lambda each: each[0]))


def _text(words: tuple[str, ...], places: set[int]) -> str:
    return " ".join(words[place] for place in sorted(places))


def _joined(links: list[tuple[int, int]]) -> list[tuple[set[int], set[int]]]:
    """Return the words of both sides that links hold together, directly or through others."""
    found: list[tuple[set[int], set[int]]] = []
    for source, target in links:
        touching = [group for group in found if source in group[0] or target in group[1]]
        found = [group for group in found if group not in touching]
        found.append(
            (
                {source}.union(*(group[0] for group in touching)),
                {target}.union(*(group[1] for group in touching)),
            )
        )
    return found


@dataclass(frozen=True)
class GuidelineSection:
    """A rule: what to do, and what it looks like."""

    heading: str
    paragraphs: tuple[str, ...]
    examples: tuple[WorkedExample, ...]


@dataclass(frozen=True)
class Guideline:
    """A page of rules, for all languages or for two of them."""

    name: str
    title: str
    summary: str
    source_language: str
    target_language: str
    sections: tuple[GuidelineSection, ...]

    def fits(self, source: str | None, target: str | None) -> bool:
        """Return whether these are the rules of a pair of languages."""
        return self.name == f"{source}-{target}"


@cache
def guidelines() -> tuple[Guideline, ...]:
    """Return all guidelines, the general one first."""
    return tuple(_read(name) for name in _ORDER)


def guideline(name: str) -> Guideline | None:
    """Return a guideline by its name, or None if there is no such."""
    return next((each for each in guidelines() if each.name == name), None)


def _read(name: str) -> Guideline:
    table = read_toml_of_schema(_FOLDER / f"{name}.toml", schema="kilter.guideline/1")
    made = Guideline(
        name=name,
        title=table.text("title"),
        summary=table.text("summary"),
        source_language=table.text("source_language"),
        target_language=table.text("target_language"),
        sections=tuple(
            GuidelineSection(
                heading=section.text("heading"),
                paragraphs=tuple(section.texts("paragraphs")),
                examples=tuple(_example(each) for each in section.tables("example")),
            )
            for section in table.tables("section")
        ),
    )
    table.finish()
    return made


def _example(table: TomlTable) -> WorkedExample:
    source, target = (tuple(table.text(side).split()) for side in ("source", "target"))
    links: list[tuple[int, int, bool]] = []
    for written in table.text("links").split():
        found = _LINK.fullmatch(written)
        if found is None or int(found[1]) >= len(source) or int(found[2]) >= len(target):
            raise table.error(
                f"{written!r} is not a link of these words; write SOURCE-TARGET, counted from 0, with ? if possible"
            )
        links.append((int(found[1]), int(found[2]), not found[3]))
    return WorkedExample(source, target, tuple(links), table.text("caption"))
