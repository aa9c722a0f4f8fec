"""Judgments made from stated effects, so that analyses meet a known truth. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, OptionError
from kilter.study.design.item import judged_items
from kilter.study.instrument.answer_form import applicable
from kilter.study.simulation.damage import damages
from kilter.study.simulation.draw import Stream, normals, uniforms
from kilter.study.simulation.effect import PARTICIPANTS, PUBLISHED_QUESTIONS, Effects
from kilter.study.simulation.simulated_person import simulated_person
from kilter.study.store.collected_data import CollectedData

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.design.item import Item, Questionnaire
    from kilter.study.design.study import Study
    from kilter.study.instrument.question import Question
    from kilter.study.store.participant import Participant

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_SECONDS, _CARELESS_SECONDS = 20.0, 2.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """Who judges what: one row per judgment, and the damages of every sentence.

    Of a pair of translations, which `is_pair` marks, they are those of the first less those of the second.
    """

    participant: Ints
    sentence: Ints
    order: Floats
    choice: Floats
    participants: int
    is_pair: Mask | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnScores:
    """Repetitions of a study: what is true of participants, and scores before they are levels.

    `offsets` and `careless` are repetitions x participants, `scores` repetitions x judgments by question.
    """

    offsets: Floats
    careless: Mask
    scores: Mapping[str, Floats]


@dataclass(frozen=True, kw_only=True, eq=False)
class SimulatedStudy:
    """The data, as if it had been collected, and the truth: offsets and carelessness by participant."""

    data: CollectedData
    seed: int
    effects: Effects
    offsets: Floats
    careless: Mask

    @property
    def secret(self) -> bytes:
        """What the codes of participants are derived from; there is nobody to protect."""
        return f"simulated {self.seed}".encode()


def draw(
    layout: Layout,
    effects: Effects,
    *,
    questions: Sequence[str],
    seed: int,
    repetitions: int = 1,
    block: int = 0,
) -> DrawnScores:
    """Return scores of many repetitions at once; careless participants' are between 0 and 1 at random.

    Repetitions that are too many to be held at once are drawn in blocks, numbered from 0.
    """
    people, sentences = layout.participants, len(layout.order)
    rows, count = len(layout.participant), repetitions
    offsets = effects.participant_deviation * normals(seed, Stream.OFFSETS.of(block), count, people)
    # The careless are those with the smallest numbers, so that there are as many as stated.
    rank = uniforms(seed, Stream.CARELESS.of(block), count, people).argsort(axis=1).argsort(axis=1)
    careless = rank < round(effects.careless * people)
    own = effects.sentence_deviation * normals(seed, Stream.SENTENCES.of(block), count, sentences)
    common = own[:, layout.sentence] + offsets[:, layout.participant]
    noise = normals(seed, Stream.NOISE.of(block), len(questions), count, rows)
    anything = uniforms(seed, Stream.RANDOM_ANSWERS.of(block), len(questions), count, rows)
    scores = {}
    for place, name in enumerate(questions):
        effect = effects.of(name)
        quality = effect.base - effect.order * layout.order - effect.choice * layout.choice
        told = quality[layout.sentence] + common + effects.noise_deviation * noise[place]
        if layout.is_pair is not None:
            # Options run from the first translation to the second, which is better if the first is worse.
            worse = effect.order * layout.order + effect.choice * layout.choice
            preferred = 0.5 + worse[layout.sentence] + effects.noise_deviation * noise[place]
            told = np.where(layout.is_pair[layout.sentence], preferred, told)
        scores[name] = np.where(careless[:, layout.participant], anything[place], told)
    return DrawnScores(offsets=offsets, careless=careless, scores=scores)


def nearest_levels(scores: Floats, *, low: int, high: int) -> Ints:
    """Return the level nearest to each score from 0 to 1; scores beyond the ends give the ends.

    >>> import numpy as np
    >>> nearest_levels(np.array([-0.3, 0.3, 0.9, 2.0]), low=1, high=5).tolist()
    [1, 2, 5, 5]
    """
    return np.clip(np.floor(low + scores * (high - low) + 0.5), low, high).astype(np.int64)


def simulate(
    study: Study,
    items: Mapping[str, Item],
    questionnaires: Sequence[Questionnaire],
    *,
    seed: int,
    effects: Effects | None = None,
    participants: int = PARTICIPANTS,
) -> SimulatedStudy:
    """Return judgments of so many participants, who take the questionnaires in turn.

    The same study, seed and effects give the same judgments everywhere.
    """
    chosen = Effects() if effects is None else effects
    questions = study.instrument.questions
    _check(study, chosen, questionnaires, participants, seed)
    lists = [questionnaires[number % len(questionnaires)] for number in range(participants)]
    layout = layout_of(items, lists)
    drawn = draw(layout, chosen, questions=[question.name for question in questions], seed=seed)
    positions = [*_positions(items, lists)]
    data = CollectedData(
        study=study,
        items=items,
        questionnaires=questionnaires,
        participants=[_person(study, seed, place, entry) for place, entry in enumerate(lists)],
        answers=_answers(drawn, questions, chosen, positions, seed),
        seconds=_seconds(layout, drawn, positions, seed),
        simulated=True,
    )
    return SimulatedStudy(
        data=data, seed=seed, effects=chosen, offsets=drawn.offsets[0], careless=drawn.careless[0]
    )


def layout_of(items: Mapping[str, Item], lists: Sequence[Questionnaire]) -> Layout:
    """Return who judges what if each questionnaire in the list is answered by one participant."""
    judged = judged_items(items.values())
    places = {item.id: place for place, item in enumerate(judged)}
    order, choice = np.array([*map(_damages, judged)], dtype=np.float64).reshape(-1, 2).T
    rows = [
        [places[each.id] for name in entry.items for _, each in items[name].slots()]
        for entry in lists
    ]
    pairs = np.array([item.second is not None for item in judged], dtype=np.bool_)
    return Layout(
        participant=np.repeat(np.arange(len(lists)), [*map(len, rows)]),
        sentence=np.array([place for row in rows for place in row], dtype=int),
        order=order,
        choice=choice,
        participants=len(lists),
        is_pair=pairs if pairs.any() else None,
    )


def _damages(item: Item) -> tuple[float, float]:
    order, choice = damages(item.hypothesis, item.reference)
    if item.second is None:
        return order, choice
    other_order, other_choice = damages(item.second, item.reference)
    return order - other_order, choice - other_choice


def _check(
    study: Study,
    effects: Effects,
    questionnaires: Sequence[Questionnaire],
    participants: int,
    seed: int,
) -> None:
    if participants < 1 or not 0 <= seed < 2**63:
        raise OptionError(
            f"participants is {participants} and seed {seed}; there must be a participant, and the seed "
            "lies between 0 and 2^63 - 1"
        )
    if not questionnaires:
        raise InputError("has no questionnaire", where=str(study.folder))
    asked = [question.name for question in study.instrument.questions]
    stated = [name for name in effects.questions if name not in (*asked, *PUBLISHED_QUESTIONS)]
    if stated:
        raise InputError(
            f"effects are stated for the question {stated[0]}, but the study asks {', '.join(asked)}",
            where=str(study.folder),
        )


def _person(study: Study, seed: int, place: int, entry: Questionnaire) -> Participant:
    return simulated_person(study, seed=seed, number=place + 1, questionnaire=entry.number)


def _positions(
    items: Mapping[str, Item], lists: Sequence[Questionnaire]
) -> Iterator[tuple[tuple[int, int], int | None]]:
    """Yield participant and position (from 1) of every judgment, and its slot, as a layout lists them."""
    for person, entry in enumerate(lists, start=1):
        for position, name in enumerate(entry.items, start=1):
            for slot, _ in items[name].slots():
                yield (person, position), slot


def _answers(
    drawn: DrawnScores,
    questions: Sequence[Question],
    effects: Effects,
    positions: Sequence[tuple[tuple[int, int], int | None]],
    seed: int,
) -> dict[tuple[int, int], dict[str, int]]:
    given = uniforms(seed, Stream.MISSING, len(positions)) >= effects.missing
    levels = [
        nearest_levels(
            drawn.scores[question.name][0], low=question.low, high=question.high
        ).tolist()
        for question in questions
    ]
    answers: dict[tuple[int, int], dict[str, int]] = {}
    for row, (key, slot) in enumerate(positions):
        if given[row]:
            asked = [question.of(slot) for question in questions]
            said = {each.name: values[row] for each, values in zip(asked, levels, strict=True)}
            kept = {
                name: value for name, value in applicable(asked, said).items() if value is not None
            }
            answers.setdefault(key, {}).update(kept)
    return answers


def _seconds(
    layout: Layout,
    drawn: DrawnScores,
    positions: Sequence[tuple[tuple[int, int], int | None]],
    seed: int,
) -> dict[tuple[int, int], float]:
    middle = np.where(drawn.careless[0], _CARELESS_SECONDS, _SECONDS)[layout.participant]
    spread = np.exp(0.5 * normals(seed, Stream.SECONDS, len(middle)))
    spent: dict[tuple[int, int], float] = {}
    for (key, _), seconds in zip(positions, (middle * spread).round(1).tolist(), strict=True):
        spent[key] = spent.get(key, 0.0) + seconds  # of all translations that are shown together
    return spent
