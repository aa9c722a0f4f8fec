"""What a search for pre-ordering rules has found, step by step."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.structures.result.document import Document


@dataclass(frozen=True)
class RuleScores:
    """Mean scores of a rule set over some sentences."""

    objective: float
    frs: float
    kendall: float


@dataclass(frozen=True)
class SearchStep:
    """What was changed, and how the rules then score on the sentences they are fitted to, and on the others.

    The first step changes nothing: it is where the search began. `held_out` is None where nothing is held out.
    """

    what: str
    training: RuleScores
    held_out: RuleScores | None


@dataclass(frozen=True, kw_only=True)
class RuleSearchResult:
    """The steps of a search. `gain` is what the held-out objective has gained in all, with its interval."""

    start: str
    objective: str
    sentences: int
    held_out: int
    tried: int
    """Rule sets that were scored."""
    finished: bool
    """Whether no further change would have gained anything; else the search was stopped."""
    steps: tuple[SearchStep, ...]
    gain: tuple[float, float, float] | None
    """Held-out gain, and the ends of its interval."""

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        return asdict(self)
