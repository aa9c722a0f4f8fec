"""Everything that is scored: systems, references, a source, read and interned once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.core.token_column import TokenColumn, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """One text of a corpus: its name, its lines as they came, and its words."""

    name: str
    lines: tuple[str, ...]
    tokens: TokenColumn

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Texts of equally many segments over one vocabulary."""

    vocabulary: Vocabulary
    systems: tuple[TextColumn, ...]
    references: tuple[TextColumn, ...]
    source: TextColumn | None = None
    tokenizer: str = "13a"
    lowercase: bool = False

    def __len__(self) -> int:
        return len(self.references[0]) if self.references else 0
