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

    def label(self, used: Sequence[Configuration]) -> str:
        """Return what tells a configuration from the others that are used."""
        parts = []
        if len({each.aligner for each in used}) > 1:
            parts.append(self.aligner.specification())
        if self.parser is not None and len({each.parser for each in used}) > 1:
            parts.append(self.parser.specification())
        return "+".join(parts)
