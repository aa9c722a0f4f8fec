"""Parsers that learn from treebanks and from picked parses, and what they score. [FRS]"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from kilter.core.corpus import TokenColumn, Vocabulary
from kilter.core.estimate import Estimate
from kilter.io.conllu import Treebank, read_conllu, write_conllu
from kilter.io.output import write_file
from kilter.io.stream import ByteSource
from kilter.metrics.tied_order import TiedKendall
from kilter.parsers.perceptron import Perceptron
from kilter.preordering.analysis import parser_accuracy
from kilter.preordering.rule_file import rule_set_text
from kilter.results.preordering import HeldOutGain, LearnedParser, ParsePick
from kilter.run.parse import parse_sentences
from kilter.run.preordering.evaluate import ReorderingScorer
from kilter.run.preordering.select import Selection, select_parses, write_selection
from kilter.run.preordering.self_training_data import ParseChoosing, split
from kilter.run.train_parser import learned_parser
from kilter.stats.resampling import Resampling, bootstrap_sums
from kilter.stats.significance import (
    LEAST_SEGMENTS,
    percentile_intervals,
    permutation_tests,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from kilter.preordering.rule_set import RuleSet
    from kilter.results.preordering import ParserAccuracy
    from kilter.run.preordering.self_training_data import (
        Named,
        SelfTrainingData,
        SelfTrainingSettings,
        Sentences,
    )

    Progress: TypeAlias = Callable[[int, int], None]

_XPOS = 1
"""The row of a treebank's kept columns that holds the language's own tags."""
_METRICS = ("frs", "kendall")


@dataclass(frozen=True, kw_only=True, eq=False)
class LearnedFile:
    """A parser as results show it, its file, and its scores of the held-out sentences, a row each."""

    shown: LearnedParser
    path: Path
    rows: NDArray[np.float64]


class ParserSchool:
    """The data that all rounds and contrasts share."""

    def __init__(
        self, data: SelfTrainingData, rules: RuleSet, settings: SelfTrainingSettings, jobs: int
    ) -> None:
        self.treebanks = list(data.treebanks)
        self.rules = rules
        self.parts = split(data, settings.training.seed)
        self.jobs = jobs
        self._frs = settings.metric
        self._kendall = TiedKendall(match=settings.metric.match)
        self._gold = data.gold
        self.digest = self._digested()

    def _digested(self) -> dict[str, str]:
        """Return what a run depends on beside its settings, as checksums."""
        banks = ("".join(write_conllu(bank)) for _, bank in self.treebanks)
        return {
            "treebanks": _checksum(*banks),
            "rules": _checksum(rule_set_text(self.rules, [])),
            "training sentences": _checksum(*_described(self.parts.training)),
            "which are held out": _checksum(self.parts.training_rows.tobytes().hex()),
        }

    def learned(
        self,
        path: Path,
        settings: SelfTrainingSettings,
        picked: Named | None,
        progress: Progress,
    ) -> None:
        """Learn from the treebanks, and from picked parses where there are any, and write the model."""
        banks = [*self.treebanks, *([] if picked is None else [picked])]
        copies = [settings.treebank_weight] * len(self.treebanks) + [settings.weight]
        trained = learned_parser(
            banks,
            copies=copies[: len(banks)],
            held_out=0.0,
            settings=settings.training,
            jobs=self.jobs,
            progress=progress,
        )
        write_file(path, trained.tables.to_bytes())

    def picked(
        self, model: Path, settings: SelfTrainingSettings, path: Path, *, most: int | None = None
    ) -> tuple[Named | None, ParsePick]:
        """Return the parses that are learned from, written to a file, and what they score; None for no parse.

        Of more than `most`, so many are drawn by the seed.
        """
        bank = self._nbest(model, settings.nbest)
        selection = select_parses(
            [bank],
            self.rules,
            self.parts.training.reference,
            metric=self._frs,
            minimum=settings.minimum,
            changed_only=settings.changed_only,
            jobs=self.jobs,
        )
        selection = self._of_training(selection, settings, most)
        write_file(path, "".join(write_selection([bank], selection)))
        means = selection.means()
        pick = ParsePick(
            picked=len(selection.written),
            changed=sum(each.rank > 1 for each in selection.written),
            first=means["first"],
            selected=means["selected"] if settings.pick is ParseChoosing.BEST else means["first"],
            worst=means["worst"],
        )
        return self.read_picked(path), pick

    def read_picked(self, path: Path) -> Named | None:
        """Return the picked parses of a file; None where nothing was picked."""
        if not path.stat().st_size:
            return None
        return path.name, read_conllu(ByteSource(str(path)))

    def _of_training(
        self, selection: Selection, settings: SelfTrainingSettings, most: int | None
    ) -> Selection:
        rows = self.parts.training_rows
        written = [each for each in selection.written if rows[each.segment]]
        if most is not None and most < len(written):
            rng = np.random.default_rng(settings.training.seed)
            drawn = np.sort(rng.permutation(len(written))[:most])
            written = [written[index] for index in drawn.tolist()]
        if settings.pick is ParseChoosing.FIRST:
            written = [replace(each, rank=1) for each in written]
        return Selection(
            choices=tuple(each for each in selection.choices if rows[each.segment]),
            written=tuple(written),
        )

    def _nbest(self, model: Path, most: int) -> Treebank:
        listed = self.parts.training.words
        vocabulary = Vocabulary()
        offsets = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(words) for words in listed], out=offsets[1:])
        column = TokenColumn(
            vocabulary.numbers(word for words in listed for word in words), offsets
        )
        parser = Perceptron(model=str(model))
        found = parser.parse_nbest(column, vocabulary, most, jobs=self.jobs)
        bank = Treebank.of(found.trees)
        bank.kept[_XPOS] = found.language_tags
        return bank

    def evaluated(self, name: str, what: str, path: Path, pick: ParsePick | None) -> LearnedFile:
        """Return a parser with what it scores."""
        parser = Perceptron(model=str(path))
        rows = self._scores(parser, self.parts.held)[self.parts.held_rows]
        training = self._scores(parser, self.parts.training)[self.parts.training_rows]
        frs, kendall = (_interval(rows[:, column]) for column in range(len(_METRICS)))
        shown = LearnedParser(
            name=name,
            what=what,
            model=path.name,
            training=float(training[:, 0].mean()),
            frs=frs,
            kendall=kendall,
            accuracy=self._accuracy(parser),
            pick=pick,
        )
        return LearnedFile(shown=shown, path=path, rows=rows)

    def _scores(self, parser: Perceptron, sentences: Sentences) -> NDArray[np.float64]:
        """Return FRS and Kendall score of every sentence as the rules reorder it."""
        trees = parse_sentences(sentences.words, parser, jobs=self.jobs)
        scorer = ReorderingScorer(trees, sentences.reference, match=self._frs.match, jobs=self.jobs)
        match = scorer.score(self.rules).match
        return np.column_stack([self._frs.match_scores(match), self._kendall.match_scores(match)])

    def _accuracy(self, parser: Perceptron) -> ParserAccuracy | None:
        if self._gold is None:
            return None
        return parser_accuracy(
            parse_sentences(self._gold.sentences(), parser, jobs=self.jobs), self._gold
        )

    def gains(self, first: LearnedFile, second: LearnedFile) -> list[HeldOutGain]:
        """Return what the second parser gains on the same held-out sentences, by each score, with a paired test."""
        found = []
        differences = second.rows - first.rows
        tests = permutation_tests(differences)
        for column, metric in enumerate(_METRICS):
            gained = _interval(differences[:, column])
            found.append(
                HeldOutGain(
                    first=first.shown.name,
                    second=second.shown.name,
                    metric=metric,
                    value=gained.value,
                    low=gained.low,
                    high=gained.high,
                    p=tests[column].p,
                )
            )
        return found


def _interval(values: NDArray[np.float64]) -> Estimate:
    """Return a mean with its interval from resampled sentences."""
    mean = float(values.mean())
    if len(values) < LEAST_SEGMENTS:
        return Estimate(mean)
    sums = bootstrap_sums(values[np.newaxis, :, np.newaxis], Resampling())
    low, high = percentile_intervals(sums.resampled()[:, :, 0] / len(values))[0].tolist()
    return Estimate(mean, low, high)


def _described(sentences: Sentences) -> list[str]:
    reference = sentences.reference
    return [
        *(" ".join(words) for words in sentences.words),
        reference.group.tobytes().hex(),
        "" if reference.order is None else reference.order.tobytes().hex(),
        *(" ".join(words) for words in reference.words or ()),
    ]


def _checksum(*texts: str) -> str:
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode())
        found.update(b"\0")
    return found.hexdigest()
