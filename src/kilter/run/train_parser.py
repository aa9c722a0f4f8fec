"""From treebanks to a model of a parser, tried on sentences that it has not seen."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.dependency_tree import NO_NAME
from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.core.settings import check_fields, checked, like, setting, taken, takes
from kilter.io.conllu import Treebank, read_conllu
from kilter.io.output import written
from kilter.io.stream import display_name
from kilter.parsers.network_training import NetworkSettings, learned_network, network_accuracy
from kilter.parsers.parser import ROOT_LABEL
from kilter.parsers.perceptron_training import (
    FOLDS,
    Lessons,
    TrainingSettings,
    learned_tables,
    parser_accuracy,
)
from kilter.results.parser_card import ParserCard

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kilter.parsers.network_file import ParserNetwork
    from kilter.parsers.perceptron_tables import Tables
    from kilter.results.parser_card import HeldOutAccuracy

    Progress = Callable[[int, int], None]
    Named = tuple[str, Treebank]

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
MOST_HELD_OUT = 0.5
"""The largest share of trees that may be held out."""
HELD_OUT = 0.1
"""Share of the trees that the model is tried on where no others are given."""
FEWEST = 20
"""Trees below which nothing worth a model is learned."""


class ParserKind(StrEnum):
    """What learns: a network, or perceptrons."""

    NETWORK = "network"
    PERCEPTRON = "perceptron"


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedParser:
    """A learned model, and the card that says from what and how well."""

    tables: Tables | ParserNetwork
    card: ParserCard

    def write(self, path: str) -> None:
        """Write the model to a file, which the parser `perceptron:model=FILE` reads."""
        with written(path) as out:
            out.write(self.tables.to_bytes())


@dataclass(frozen=True, kw_only=True)
class LearningSettings:
    """What learns, and how; what is None is as usual for what learns."""

    kind: ParserKind = setting(
        default=ParserKind.PERCEPTRON,
        description="A network (accurate) or perceptrons (fast).",
    )
    passes: int | None = like(
        TrainingSettings,
        "passes",
        default=None,
        description=f"Training epochs.  [default: {TrainingSettings.passes}; "
        f"network: {NetworkSettings.passes}]",
    )
    voters: int | None = like(
        TrainingSettings,
        "voters",
        default=None,
        description="Number of perceptron parsers that vote.  "
        f"[default: {TrainingSettings.voters}]",
    )
    beam: int | None = like(
        TrainingSettings,
        "beam",
        default=None,
        description=f"Beam size of perceptrons; 1 is greedy.  [default: {TrainingSettings.beam}]",
    )
    lowercase: bool = like(TrainingSettings, "lowercase")
    seed: int = like(TrainingSettings, "seed")

    def __post_init__(self) -> None:
        check_fields(self)

    def chosen(self) -> TrainingSettings | NetworkSettings:
        """Return the settings of what learns; those that it lacks are an `OptionError`."""
        own = ("passes", "voters", "beam", "lowercase", "seed")
        said = {name: getattr(self, name) for name in own if getattr(self, name) is not None}
        if self.kind is ParserKind.PERCEPTRON:
            return TrainingSettings(**said)
        for name in ("voters", "beam"):
            if name in said:
                raise OptionError(
                    f"a network has no {name}; leave it out, or choose the kind perceptron"
                )
        return NetworkSettings(**said)


@checked
@takes(LearningSettings)
def train_parser(
    treebanks: Treebank | str | Sequence[Treebank | str],
    *,
    development: Treebank | str | None = None,
    held_out: float | None = None,
    language: str | None = None,
    jobs: int = 1,
    settings: LearningSettings | None = None,
    **keywords: object,
) -> TrainedParser:
    """Return a tagger and parser that have learned from treebanks, read or named by their files.

    They are tried on the trees of `development`, or on a share of the others, which they then do not learn from:
    `held_out`, a tenth by default. What is None is as the command `kilter train parser` has it.
    """
    options = taken(LearningSettings, settings, keywords)
    listed = [treebanks] if isinstance(treebanks, (Treebank, str)) else list(treebanks)
    return learned_parser(
        [_named(each, f"treebank {number}") for number, each in enumerate(listed, start=1)],
        development=None if development is None else _named(development, "development"),
        held_out=held_out,
        settings=options.chosen(),
        language=language or "",
        jobs=jobs,
    )


def _named(treebank: Treebank | str, name: str) -> Named:
    """Return a treebank with the name of its file, or with another."""
    if isinstance(treebank, Treebank):
        return name, treebank
    return display_name(treebank), read_conllu(treebank)


def learned_parser(
    treebanks: Sequence[Named],
    *,
    copies: Sequence[int] = (),
    development: Named | None = None,
    held_out: float | None = None,
    settings: TrainingSettings | NetworkSettings | None = None,
    language: str = "",
    jobs: int = 1,
    progress: Progress | None = None,
) -> TrainedParser:
    """Return a tagger and parser that have learned from named treebanks: perceptrons, or a network by its settings.

    With `copies`, a pass reads the trees of each treebank so many times. It is tried on the trees of `development`, or on a share of the others, which it then does not learn from.
    """
    chosen = settings or TrainingSettings()
    if language and not _LANGUAGE.fullmatch(language):
        raise OptionError(f"language is {language!r}; it must be a code such as fr or pt-BR")
    if development is not None and held_out is not None:
        raise OptionError("--development says what is held out; --held-out has nothing to add")
    share = 0.0 if development is not None else HELD_OUT if held_out is None else held_out
    if not 0.0 <= share <= MOST_HELD_OUT:
        raise OptionError(f"held_out is {share}; it must lie between 0 and {MOST_HELD_OUT}")
    lessons = [
        _repeated(_lessons(each, chosen), count)
        for each, count in zip(treebanks, copies or (1,) * len(treebanks), strict=True)
    ]
    training = _joined(lessons)
    if all(pair == (NO_NAME, NO_NAME) for pair in training.tags):
        warnings.warn(
            f"{treebanks[0][0]}: it has no tags; rules and metrics that look at tags will see none",
            KilterWarning,
            stacklevel=2,
        )
    held: Lessons | None = None if development is None else _lessons(development, chosen)
    if share > 0:
        drawn = _drawn(len(training), share, chosen.seed)
        training, held = training.part(np.flatnonzero(~drawn)), training.part(np.flatnonzero(drawn))
    if len(training) < FEWEST:
        aside = f" and {counted(len(held), 'other')} held out" if held is not None and share else ""
        raise InputError(
            f"there {'is' if len(training) == 1 else 'are'} {counted(len(training), 'tree')} to learn from{aside}; at "
            f"least {FEWEST} are needed",
            where=treebanks[0][0],
        )
    tables, accuracy = _learned(training, held, chosen, jobs, progress)
    if accuracy is not None and held is not None:
        accuracy = replace(accuracy, seen=_seen(training, held))
    card = ParserCard(
        language=language,
        kilter=__version__,
        settings=asdict(chosen),
        files=tuple(name for name, _ in treebanks),
        sentences=len(training),
        words=int(training.offsets[-1]),
        tags=len(tables.tag_names),
        labels=len(tables.label_names),
        held_out=share,
        tried_on=None if development is None else development[0],
        accuracy=accuracy,
    )
    return TrainedParser(tables=replace(tables, card=card.to_dict()), card=card)


def _learned(
    training: Lessons,
    held: Lessons | None,
    settings: TrainingSettings | NetworkSettings,
    jobs: int,
    progress: Progress | None,
) -> tuple[Tables | ParserNetwork, HeldOutAccuracy | None]:
    """Return what is learned, and how well it does on sentences that are held out, if any are."""
    tried = held if held is not None and len(held) else None
    if isinstance(settings, NetworkSettings):
        network = learned_network(training, settings, jobs=jobs, progress=progress)
        return network, None if tried is None else network_accuracy(network, tried)
    tables = learned_tables(training, settings, jobs=jobs, progress=progress)
    return tables, None if tried is None else parser_accuracy(tables, tried)


def _lessons(named: Named, settings: TrainingSettings | NetworkSettings) -> Lessons:
    """Return what a treebank teaches; one that teaches nothing is an `InputError`."""
    name, bank = named
    trees = bank.trees
    if len(trees.offsets) != len(trees.parses):
        raise InputError("it has several parses of a sentence; give one each", where=name)
    if trees.joined:
        warnings.warn(trees.joined_note(), KilterWarning, stacklevel=3)
    found = Lessons.of(bank, lowercase=settings.lowercase)
    odd = int(np.count_nonzero((np.array(found.labels) == ROOT_LABEL) != (found.heads == -1)))
    if odd:
        warnings.warn(
            f"{name}: {counted(odd, 'word')} with the label {ROOT_LABEL} below another, or a root with another label; "
            f"parses have {ROOT_LABEL} at the root alone",
            KilterWarning,
            stacklevel=3,
        )
    full = np.flatnonzero(np.diff(found.offsets) > 0)
    if not len(full):
        raise InputError("it has no trees", where=name)
    return found if len(full) == len(found) else found.part(full)


def _seen(training: Lessons, held: Lessons) -> int:
    """Return how many sentences that a parser is tried on are also learned from: they flatter it."""
    known = _sentences(training)
    return sum(words in known for words in _sentences(held).elements())


def _sentences(lessons: Lessons) -> Counter[bytes]:
    """Return sentences by the numbers of their words, with how often they occur."""
    forms, offsets = lessons.parts[:, 0], lessons.offsets.tolist()
    return Counter(forms[start:end].tobytes() for start, end in pairwise(offsets))


def _repeated(lessons: Lessons, copies: int) -> Lessons:
    """Return each sentence so many times; but for the last few, all copies of one are in one fold.

    So no tagger of a fold has seen what it tags.
    """
    if copies == 1:
        return lessons
    blocks = range(0, len(lessons), FOLDS)
    chosen = [np.tile(np.arange(k, min(k + FOLDS, len(lessons))), copies) for k in blocks]
    return lessons.part(np.concatenate(chosen))


def _joined(lessons: Sequence[Lessons]) -> Lessons:
    ends = np.concatenate([[0], np.cumsum([each.offsets[-1] for each in lessons])])
    offsets = [each.offsets[:-1] + end for each, end in zip(lessons, ends, strict=False)]
    return Lessons(
        np.concatenate([each.parts for each in lessons]),
        np.concatenate([*offsets, ends[-1:]]),
        [pair for each in lessons for pair in each.tags],
        np.concatenate([each.heads for each in lessons]),
        [label for each in lessons for label in each.labels],
    )


def _drawn(count: int, share: float, seed: int) -> NDArray[np.bool_]:
    """Return which of so many sentences are held out: this share of them, to the nearest one, at least one."""
    drawn = np.zeros(count, dtype=np.bool_)
    chance = np.random.default_rng(seed)
    drawn[chance.permutation(count)[: max(1, round(share * count))]] = True
    return drawn
