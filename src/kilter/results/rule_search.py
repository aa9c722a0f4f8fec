"""What a search for pre-ordering rules has found, step by step."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.results.document import Document


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
class SearchLevel:
    """How far a search may go, and what cross-validation says of going so far.

    `held_out` are mean scores of sentences of which the climbs saw nothing, `steps` the mean number of their changes, `gain` what
    the objective gains over the beginning, with its interval.
    """

    minimum_gain: float | None
    """What every change gained at least; None where nothing was changed."""
    steps: float
    held_out: RuleScores
    gain: tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class RuleSearchResult:
    """The steps of a search. `gain` is what the held-out objective has gained in all, with its interval."""

    start: str
    objective: str
    sentences: int
    held_out: int
    tried: int
    """Rule sets that were scored, those of cross-validation included."""
    finished: bool
    """Whether no further change would have gained anything; else the search was stopped."""
    steps: tuple[SearchStep, ...]
    gain: tuple[float, float, float] | None
    """Held-out gain, and the ends of its interval."""
    folds: int
    """Parts of the training sentences that cross-validation left out in turn; 0 for none."""
    levels: tuple[SearchLevel, ...]
    """What cross-validation says of each level, the beginning first; none without folds."""
    level: int
    """The level up to which the rules were searched, 0 for the beginning."""
    digest: str
    """Eight digits of what the rules say."""

    def to_dict(self) -> Document:
        """Return the result as `--format json` prints it."""
        return asdict(self)
