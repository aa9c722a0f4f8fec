"""Configurations: an aligner and a source of trees, whose scores can be compared and averaged. [TH]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.aligners.aligner import Aligner
    from kilter.core.configured import Configured
    from kilter.core.dependency_tree_source import DependencyTreeSource
    from kilter.parsers.parser import Parser


@dataclass(frozen=True, slots=True)
class Configuration:
    """What makes the links and the trees that a metric looks at."""

    aligner: Aligner
    parser: Parser | None
    trees: DependencyTreeSource | None

    def label(self, used: Sequence[Configuration]) -> str:
        """Return what tells a configuration from the others that are used.

        Paths are left out where names and the other options will do.
        """
        aligners = {each.aligner for each in used}
        parsers = {each.parser for each in used if each.parser is not None}
        parts = []
        if len(aligners) > 1:
            parts.append(_name(self.aligner, aligners))
        if self.parser is not None and len(parsers) > 1:
            parts.append(_name(self.parser, parsers))
        return "+".join(parts)


def _name(maker: Configured, makers: Collection[Configured]) -> str:
    short = maker.placeless()
    alike = [each for each in makers if each.placeless() == short]
    return short if len(alike) == 1 else maker.specification()
