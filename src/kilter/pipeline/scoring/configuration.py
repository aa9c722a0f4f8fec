"""Configurations: an aligner and a source of trees, whose scores can be compared and averaged. [TH]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.aligners.aligner import Aligner
    from kilter.parsers.parser import Parser
    from kilter.structures.dependency.dependency_tree_source import DependencyTreeSource


@dataclass(frozen=True, slots=True)
class Configuration:
    """What makes the links and the trees that a metric looks at."""

    aligner: Aligner
    parser: Parser | None
    trees: DependencyTreeSource | None


class Configurations:
    """Every aligner with every parser; a metric uses those that differ in what it looks at."""

    def __init__(
        self,
        *,
        aligners: Sequence[Aligner],
        parsers: Sequence[Parser],
        trees: Sequence[DependencyTreeSource | None],
    ) -> None:
        makers = parsers or (None,)
        self._rows = [
            [Configuration(aligner, *pair) for pair in zip(makers, trees, strict=True)]
            for aligner in aligners
        ]

    def of(self, *, links: bool, trees: bool) -> tuple[Configuration, ...]:
        """Return the configurations for a metric that looks at made links, trees, both or none."""
        rows = self._rows if links else self._rows[:1]
        return tuple(one for row in rows for one in (row if trees else row[:1]))

    @staticmethod
    def label(one: Configuration, used: Sequence[Configuration]) -> str:
        """Return what tells a configuration from the others that are used."""
        parts = []
        if len({each.aligner for each in used}) > 1:
            parts.append(one.aligner.specification())
        if one.parser is not None and len({each.parser for each in used}) > 1:
            parts.append(one.parser.specification())
        return "+".join(parts)
