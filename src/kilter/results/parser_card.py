"""What a parser has learned from, with which settings, and how well it does."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.estimate import MISSING
from kilter.core.table import Column, Table
from kilter.results.document import Document, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

_SEEN = "are learned from, too, but for digits and capitals, and flatter"
_SHARES = ("uas", "las", "upos", "xpos")


@dataclass(frozen=True)
class HeldOutAccuracy:
    """Shares of words: right head, right head and label, right universal tag, right tag of the language.

    A treebank without tags has no share of right ones.
    """

    sentences: int
    words: int
    uas: float
    las: float
    upos: float | None
    xpos: float | None
    seen: int = 0
    """Sentences that are learned from, too."""


@dataclass(frozen=True, kw_only=True)
class ParserCard(Result):
    """The card of a learned parser. `accuracy` is that on sentences it has not learned from; None without any.

    `tried_on` names their file; they were drawn from the training files, a share of them, where it is None.
    """

    language: str
    kilter: str
    settings: Mapping[str, int | bool]
    files: tuple[str, ...]
    sentences: int
    words: int
    tags: int
    labels: int
    held_out: float
    tried_on: str | None
    accuracy: HeldOutAccuracy | None

    def to_dict(self) -> Document:
        """Return what is written beside the weights, and as JSON."""
        return asdict(self)

    def data(self) -> Table:
        columns = ("sentences", "words", *_SHARES, "seen")
        return Table.of(columns, [] if self.accuracy is None else [self.accuracy])

    def tables(self) -> list[Table]:
        shares = [Column(name, _percent, name.upper()) for name in _SHARES]
        rows = [["learned from", self.sentences, self.words, *[None] * len(_SHARES)]]
        if self.accuracy is not None:
            tried = asdict(self.accuracy)
            rows.append(["tried on", *(tried[name] for name in ("sentences", "words", *_SHARES))])
        return [Table("", ["part", "sentences", "words", *shares], rows, self._notes())]

    def _notes(self) -> list[str]:
        tags, labels = counted(self.tags, "pair"), counted(self.labels, "label")
        learned = f"{tags} of tags and {labels} were learned"
        if self.accuracy is None:
            return [f"{learned}; nothing was held out, so its accuracy is unknown"]
        seen = self.accuracy.seen
        return [
            learned,
            *([f"{seen} of the sentences tried on {_SEEN}"] if seen else []),
            "shares of words in percent: right head (UAS), head and label (LAS), universal tag, tag of the language",
        ]


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f}"
