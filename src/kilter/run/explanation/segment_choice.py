"""Which segments of which systems are explained: by number, score, loss by order, or difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError, Remedy
from kilter.core.settings import Group, check_fields, checked_value, flag, setting
from kilter.io.score_file import read_metric_scores, score_matrix
from kilter.io.stream import ByteSource
from kilter.run.explanation.ordered_word import short_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.results.explanation import OrderErrors

FEW = 10
"""How many segments a difference between two systems shows, unless said otherwise."""
_CHOICES = Remedy(
    "segments=[1, 2] or segments=SegmentChoice(worst=10)",
    "--segment N, --worst N, --worst-order N or --largest-difference A B",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class GivenSegmentScores:
    """Scores of segments by another metric, which segments are chosen by: a row for each system, NaN where one is missing."""

    metric: str
    scores: Sequence[NDArray[np.float64]]
    higher_is_better: bool = True

    @classmethod
    def read(
        cls,
        path: str,
        systems: Sequence[str],
        segments: int,
        *,
        name: str,
        lower_is_better: Sequence[str] = (),
    ) -> GivenSegmentScores:
        """Return the scores of a file, which has one metric; the only system of both may be called otherwise."""
        source = ByteSource(path)
        found = read_metric_scores(source, name=name)
        if len(found) > 1:
            raise InputError(
                f"holds scores of {', '.join(found)}; segments are chosen by one metric",
                where=source.name,
            )
        ((metric, rows),) = found.items()
        named = dict.fromkeys(row.system for row in rows)
        if len(systems) == len(named) == 1:
            rows = [row._replace(system=systems[0]) for row in rows]
        unknown = [each for each in lower_is_better if each not in (metric, name)]
        if unknown:
            raise OptionError(
                f"there are no scores of {unknown[0]!r}; there are scores of {metric}"
            )
        matrix = score_matrix(rows, systems, segments, where=source.name)
        return cls(metric=metric, scores=[*matrix], higher_is_better=not lower_is_better)

    def notes(self) -> list[str]:
        """Return how many segments have no score, which are never chosen."""
        missing = sum(int(np.isnan(own).sum()) for own in self.scores)
        return [f"{self.metric} has no score of {counted(missing, 'segment')}"] if missing else []


@dataclass(frozen=True, kw_only=True)
class SegmentChoice:
    """One way to choose segments: their numbers from 1, the worst by score or order, or the largest differences.

    With none of them, the only segment is chosen.
    """

    segments: tuple[int, ...] = setting(
        "--segment",
        default=(),
        low=1,
        metavar="N",
        description="Number of a segment, from 1; repeatable.",
        group=Group.INPUT,
    )
    worst: int | None = setting(
        default=None,
        metavar="N",
        description="The N segments worst by the first metric (default: kilter).",
        group=Group.INPUT,
    )
    worst_order: int | None = setting(
        default=None,
        metavar="N",
        description="The N segments with the worst order errors, per system.",
        group=Group.INPUT,
    )
    largest_difference: tuple[str, str] | None = setting(
        default=None,
        metavar="A B",
        description="Segments where A and B differ most by the first metric.",
        group=Group.INPUT,
    )
    count: int = setting(
        default=FEW,
        low=1,
        metavar="N",
        description="Number of segments, or of rows with --summary.",
        group=Group.INPUT,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        ways = (self.segments or None, self.worst, self.worst_order, self.largest_difference)
        if sum(way is not None for way in ways) > 1:
            raise OptionError(
                "segments are chosen by number, as the worst by score or by order, or by the largest "
                "difference; choose one way"
            )
        if self.count < 1:
            raise OptionError(f"count is {self.count}; it must be 1 or more")

    def chosen(
        self,
        systems: Sequence[str],
        scores: Sequence[NDArray[np.float64]],
        *,
        higher_is_better: bool,
        losses: Sequence[NDArray[np.float64]] = (),
    ) -> list[tuple[int, int]]:
        """Return places of systems and of segments, both from 0.

        `scores` are those of each system, `losses` what its segments lose by order errors, if that is asked for.
        """
        total = len(scores[0])
        everyone = range(len(systems))
        if self.worst is not None:
            return _lowest([each if higher_is_better else -each for each in scores], self.worst)
        if self.worst_order is not None:
            return _lowest([-each for each in losses], self.worst_order)
        if self.largest_difference is not None:
            pair = [_place(name, systems) for name in self.largest_difference]
            if pair[0] == pair[1]:
                raise OptionError(f"{systems[pair[0]]} is named twice; name two different systems")
            gap = np.abs(scores[pair[0]] - scores[pair[1]])
            known = int(np.count_nonzero(~np.isnan(gap)))  # missing ones are sorted to the end
            order = np.argsort(-gap, kind="stable")[: min(self.count, known)]
            return [(system, int(segment)) for segment in order for system in pair]
        if not self.segments and total != 1:
            raise OptionError(
                f"there are {counted(total, 'segment')}; choose some by their numbers, the worst by score or by "
                "order, or those with the largest difference between two systems:",
                advice=_CHOICES,
            )
        for number in self.segments:
            if not 1 <= number <= total:
                raise InputError(
                    f"there is no segment {number}; the texts have {counted(total, 'segment')}, counted from 1"
                )
        listed = [number - 1 for number in dict.fromkeys(self.segments)] or [0]
        return [(system, segment) for segment in listed for system in everyone]


def _lowest(values: Sequence[NDArray[np.float64]], count: int) -> list[tuple[int, int]]:
    """Return the segments of each system with the lowest values, the first of equal ones first.

    Segments without a value, which are sorted to the end, are left out.
    """
    return [
        (system, segment)
        for system, own in enumerate(values)
        for segment in np.argsort(own, kind="stable")[:count].tolist()
        if not np.isnan(own[segment])
    ]


def _place(name: str, systems: Sequence[str]) -> int:
    if name not in systems:
        raise OptionError(f"there is no system {name!r}; the systems are: {', '.join(systems)}")
    return systems.index(name)


SHORT, NUMBERS = "short", "numbers"
"""Words of fewer than four letters, and words with a digit."""


def error_choice(*, every: bool, ignore: Sequence[str]) -> ErrorChoice:
    """Return the choice that arguments of public functions ask for."""
    ignored = checked_value("ignore", ignore, Sequence[str])
    return ErrorChoice(every=checked_value("every", every, bool), ignored=tuple(ignored))


@dataclass(frozen=True, kw_only=True)
class ErrorChoice:
    """All errors or those worth a look, without errors whose words are all to be ignored.

    Classes to ignore are `short`, `numbers`, and tags of trees in capitals, such as ADV.
    """

    every: bool = flag("--all", description="Show doubtful errors as well.", group=Group.OUTPUT)
    ignored: tuple[str, ...] = setting(
        "--ignore",
        default=(),
        metavar="CLASS",
        description="Leave out errors in short words, numbers or a tag; repeatable.",
        group=Group.OUTPUT,
    )

    def __post_init__(self) -> None:
        for name in self.ignored:
            if name not in (SHORT, NUMBERS) and not name.isupper():
                raise OptionError(
                    f"cannot ignore {name!r}; it can be {SHORT}, {NUMBERS}, or a tag of trees in capitals such as ADV"
                )

    def chosen(self, errors: OrderErrors, evaluation: Evaluation) -> OrderErrors:
        """Return the errors of a system that are chosen."""
        found = errors if self.every else errors.likely()
        if not self.ignored:
            return found
        ignored = self._ignored_words(evaluation)
        sizes = np.diff(found.moved_offsets)
        owners = np.repeat(np.arange(len(sizes)), sizes)
        words = found.hypothesis_offsets[found.segments()][owners] + found.moved_words
        others = np.bincount(owners[~ignored[words]], minlength=len(sizes))
        return found.where(others > 0)

    def _ignored_words(self, evaluation: Evaluation) -> NDArray[np.bool_]:
        """Return which words of all hypotheses belong to an ignored class."""
        tokens, vocabulary = evaluation.hypothesis.tokens, evaluation.vocabulary
        ignored = np.zeros(len(tokens.ids), dtype=np.bool_)
        if SHORT in self.ignored:
            ignored |= short_words(vocabulary)[tokens.ids]
        if NUMBERS in self.ignored:
            digits = [any(map(str.isdigit, word)) for word in vocabulary.words]
            ignored |= np.array(digits, dtype=np.bool_)[tokens.ids]
        tags = [name for name in self.ignored if name.isupper()]
        if tags:
            if evaluation.trees is None:
                raise OptionError(
                    f"{tags[0]} is a tag, and there are no trees; give trees, or name a parser"
                )
            trees = evaluation.trees_of(evaluation.hypothesis).first_parses()
            known = np.array([word in tags for word in trees.vocabulary.words], dtype=np.bool_)
            ignored |= known[trees.tags]
        return ignored
