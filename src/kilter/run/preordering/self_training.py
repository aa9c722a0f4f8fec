"""Targeted self-training: a parser learns from those of its own parses that reorder best. [FRS]

J. Katz-Brown et al., Training a parser for machine translation reordering (EMNLP 2011).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from kilter import __version__
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked
from kilter.io.json_text import parse_json
from kilter.io.output import make_folder, write_file
from kilter.io.stream import is_file
from kilter.parsers.perceptron_tables import load_model
from kilter.preordering.rule_file import as_rule_set
from kilter.preordering.rule_set import RuleSet
from kilter.results.preordering import ParsePick, SelfTrainingResult
from kilter.run.preordering.parser_school import LearnedFile, ParserSchool
from kilter.run.preordering.self_training_data import (
    ParseChoosing,
    SelfTrainingData,
    SelfTrainingSettings,
)

Progress: TypeAlias = Callable[[int, int], None]

STATE = "selftrain.json"
"""What a folder says of its run, so that it can be taken up again."""


@checked
def self_train(
    data: SelfTrainingData,
    rules: RuleSet | str,
    *,
    folder: str,
    settings: SelfTrainingSettings | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> SelfTrainingResult:
    """Return the rounds of targeted self-training; models and picked parses are written to the folder.

    Each round parses the training sentences to n-best with the parser of the round before, picks for each the
    parse whose reordering scores best against the reference, and learns anew from the treebanks and these. Held-out
    sentences are scored by every round and decide nothing. A run that was interrupted is taken up where it
    stopped. With contrasts, other ways to learn from the same data stand beside it.
    """
    chosen = settings or SelfTrainingSettings()
    if chosen.contrasts and chosen.pick is ParseChoosing.FIRST:
        raise OptionError(
            "contrasts compare targeted with plain self-training, and pick is first, which is plain; leave one of "
            "them out"
        )
    named = as_rule_set(rules)
    data.check_rules(named)
    school = ParserSchool(data, named, chosen, jobs)
    parts = school.parts
    place = Path(folder)
    steps = _Steps(_rounds(chosen) * chosen.training.steps, progress)
    found = _Run(school, place, chosen).learned(steps)
    others = _contrasts(school, place, chosen, found, steps) if chosen.contrasts else []
    steps.finish()
    first, *later = found.parsers
    return SelfTrainingResult(
        folder=folder,
        rules=named.name,
        sentences=int(parts.training_rows.sum()),
        held_out=int(parts.held_rows.sum()),
        treebank=sum(bank.trees.trees for _, bank in data.treebanks),
        settings=chosen.document(),
        rounds=tuple(each.shown for each in found.parsers),
        converged=found.converged,
        gains=tuple(gain for each in later for gain in school.gains(first, each)),
        contrasts=tuple(each.shown for each in others),
        contrast_gains=tuple(
            gain
            for first, second in _contrasted(others, rounds=len(later))
            for gain in school.gains(first, second)
        ),
    )


class _Steps:
    """Counts passes of learning over all rounds."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._progress = total, progress
        self._before = 0

    def within(self, done: int, _: int) -> None:
        """Count passes of one round."""
        if self._progress is not None:
            self._progress(min(self._before + done, self._total), self._total)

    def passed(self, steps: int) -> None:
        """Count a round that is complete, learned or found."""
        self._before += steps
        self.within(0, 0)

    def finish(self) -> None:
        """Count what need not be done."""
        self._before = self._total
        self.within(0, 0)


class _Found(NamedTuple):
    """The parsers of a run, and whether its last round gained too little to go on."""

    parsers: list[LearnedFile]
    converged: bool


class _Run:
    """One sequence of rounds in a folder, which says how far it got."""

    def __init__(
        self,
        school: ParserSchool,
        folder: Path,
        settings: SelfTrainingSettings,
        *,
        begun: Path | None = None,
        most: Sequence[int] | None = None,
    ) -> None:
        """Take up what the folder holds; `begun` is the model of the treebank alone, if there is one already.

        `most` are the parses that each round learns from, at most.
        """
        self._begun = begun
        self._most = most
        self._school = school
        self._folder = folder
        self._settings = settings
        # More rounds of a run are more of the same run.
        kept = {
            name: value
            for name, value in settings.document().items()
            if name not in ("rounds", "minimum_gain")
        }
        self._state: dict[str, Any] = {
            "kilter": __version__,
            "settings": json.loads(json.dumps(kept)),
            "data": school.digest,
            "rounds": [],
        }
        make_folder(folder)
        self._take_up()

    def _take_up(self) -> None:
        """Read how far the run got, if there was one; one with other data or settings is an `InputError`."""
        path = self._folder / STATE
        if not is_file(path):
            return
        try:
            found = parse_json(path.read_bytes())
            others = [
                f"{kind}: {name}"
                for kind in ("settings", "data")
                for name in self._state[kind]
                if found[kind][name] != self._state[kind][name]
            ]
            if found["kilter"] != __version__:
                others.insert(0, f"kilter {found['kilter']}")
            rounds = [
                {
                    "checksum": str(each["checksum"]),
                    "pick": _pick(each["pick"]),
                    "parses": each["parses"],
                }
                for each in found["rounds"]
            ]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                "is not a record of a run that can be taken up; give another folder, or remove this one",
                where=str(path),
            ) from error
        if others:
            raise InputError(
                f"the folder holds a run with other {', '.join(others)}; give another folder, or remove this one",
                where=str(path),
            )
        self._state["rounds"] = rounds

    def learned(self, steps: _Steps) -> _Found:
        """Return the parsers of all rounds; those that a file holds are not learned again."""
        found: list[LearnedFile] = []
        converged = False
        for number in range(self._settings.rounds + 1):
            found.append(self._round(number, steps))
            steps.passed(self._settings.training.steps)
            gained = 0.0
            if number:
                gained = found[-1].shown.training - found[-2].shown.training
                converged = gained < self._settings.minimum_gain
            if converged:
                break
        return _Found(found, converged)

    def _round(self, number: int, steps: _Steps) -> LearnedFile:
        path = self._folder / f"round-{number}.model"
        pick = self._kept(number, path)
        if pick is _NOT_KEPT:
            del self._state["rounds"][number:]
            pick = self._taught(number, path, steps)
            self._state["rounds"].append(
                {
                    "checksum": load_model(str(path)).card["checksum"],
                    "pick": pick,
                    "parses": _digest(self._parses(number)),
                }
            )
            state = {**self._state, "rounds": [_written(each) for each in self._state["rounds"]]}
            write_file(self._folder / STATE, json.dumps(state, indent=1) + "\n")
        what = "the treebank alone" if number == 0 else f"and what round {number - 1} parsed"
        return self._school.evaluated(f"round {number}", what, path, pick)

    def _kept(self, number: int, path: Path) -> ParsePick | None:
        """Return what a round picked that is there already; `_NOT_KEPT` if it must be learned."""
        rounds = self._state["rounds"]
        if len(rounds) <= number or not is_file(path):
            return _NOT_KEPT
        try:
            checksum = load_model(str(path)).card["checksum"]
        except InputError:  # a damaged file is made again, as a missing one is
            return _NOT_KEPT
        if checksum != rounds[number]["checksum"]:
            return _NOT_KEPT
        if _digest(self._parses(number)) != rounds[number]["parses"]:
            return _NOT_KEPT
        kept: ParsePick | None = rounds[number]["pick"]
        return kept

    def _parses(self, number: int) -> Path:
        return self._folder / f"picked-{number}.conllu"

    def _taught(self, number: int, path: Path, steps: _Steps) -> ParsePick | None:
        if not number and self._begun is not None:
            write_file(path, self._begun.read_bytes())
            return None
        if not number:
            self._school.learned(path, self._settings, None, steps.within)
            return None
        before = self._folder / f"round-{number - 1}.model"
        most = None if self._most is None else self._most[number - 1]
        picked, pick = self._school.picked(before, self._settings, self._parses(number), most=most)
        self._school.learned(path, self._settings, picked, steps.within)
        return pick


_NOT_KEPT = ParsePick(picked=-1, changed=-1, first=0.0, selected=0.0, worst=0.0)
"""Stands for a round that is not there."""


def _digest(path: Path) -> str:
    """Return what tells a file from others; nothing where there is none, as of the first round."""
    return sha256(path.read_bytes()).hexdigest() if is_file(path) else ""


def _pick(found: Any) -> ParsePick | None:
    return None if found is None else ParsePick(**found)


def _written(entry: dict[str, Any]) -> dict[str, Any]:
    pick = entry["pick"]
    return {**entry, "pick": None if pick is None else asdict(pick)}


def _rounds(settings: SelfTrainingSettings) -> int:
    rounds = settings.rounds + 1
    return rounds + (1 + 2 * rounds if settings.contrasts else 0)


def _contrasts(
    school: ParserSchool, folder: Path, settings: SelfTrainingSettings, found: _Found, steps: _Steps
) -> list[LearnedFile]:
    """Return parsers from the same data: greedy, with a beam, plainly self-trained, targeted, without capitals.

    Plain self-training goes as many rounds as the targeted one, and learns from as many parses in each.
    """
    greedy = replace(settings, rounds=0, training=replace(settings.training, beam=1))
    plain = replace(
        settings,
        rounds=len(found.parsers) - 1,
        minimum_gain=-1.0,  # no FRS can fall by more: as many rounds as the targeted one
        pick=ParseChoosing.FIRST,
        minimum=0.0,
        changed_only=False,
    )
    picks = [each.shown.pick for each in found.parsers]
    most = [pick.picked for pick in picks if pick is not None]
    first = found.parsers[0].path
    lower = replace(settings, training=replace(settings.training, lowercase=True))
    listed = [
        (
            "greedy",
            "greedy, the treebank alone",
            _Run(school, folder / "greedy", greedy).learned(steps),
        ),
        (
            "beam",
            f"beam {settings.training.beam}, the treebank alone",
            found._replace(parsers=found.parsers[:1]),
        ),
        (
            "plain",
            "beam, and its own first parses, as many as targeted",
            _Run(school, folder / "plain", plain, begun=first, most=most).learned(steps),
        ),
        ("targeted", "beam, and its parses that reorder best", found),
        (
            "lowercase",
            "targeted, without capitals",
            _Run(school, folder / "lowercase", lower).learned(steps),
        ),
    ]
    return [
        replace(last, shown=replace(last.shown, name=name, what=what))
        for name, what, run in listed
        for last in run.parsers[-1:]
    ]


def _contrasted(
    others: Sequence[LearnedFile], *, rounds: int
) -> Iterator[tuple[LearnedFile, LearnedFile]]:
    """Yield the contrasts that are tested: each against the first, and targeted against plain self-training."""
    yield from ((others[0], each) for each in others[1:])
    if others and rounds:
        named = {each.shown.name: each for each in others}
        yield named["plain"], named["targeted"]
