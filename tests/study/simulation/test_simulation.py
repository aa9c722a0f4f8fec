"""Simulated studies: effects that are stated are there, others are not, and chance is the same everywhere."""

import csv
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError, OptionError
from kilter.study.design.creation import create, draw_study
from kilter.study.design.study_file import read_study
from kilter.study.judgments.collected_study import study_of
from kilter.study.judgments.export_folder import write_simulation
from kilter.study.judgments.judgment_study import JudgmentStudy
from kilter.study.simulation.damage import damages
from kilter.study.simulation.effect import Effects, QuestionEffect
from kilter.study.simulation.simulation import SimulatedStudy, simulate
from tests.study.generated import write_study
from tests.study.instruments import instrument_study
from tests.study.running import PASSWORD
from tests.study.simulation.created import Created, created
from tests.thorough import tried

COUNT = tried(36, quick=9)  # questionnaires of the published design


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Created:
    """A study with the 50 items of the published design, and in `make test-all` its 36 questionnaires."""
    folder = write_study(
        tmp_path_factory.mktemp("published") / "study",
        lines=tried(420, quick=120),
        systems=4,
        questionnaires=COUNT,
    )
    create(folder, password=PASSWORD)
    return created(folder)


def read(made: SimulatedStudy) -> JudgmentStudy:
    return study_of(made.data, secret=made.secret)


def test_the_published_design_has_36_participants_and_1800_judgments(published: Created) -> None:
    made = simulate(*published, seed=1)
    study = read(made)
    assert (len(study.participants), len(study)) == (36, 1800)
    assert sorted(np.unique(study.questionnaire).tolist()) == list(range(1, COUNT + 1))
    assert study.simulated is True
    missing = int(np.isnan(study.levels["order"]).sum())
    # 17 of 1,800 are missing on average; 4 to 33 in 99.9% of cases.
    assert 4 <= missing <= 33


def test_the_same_seed_gives_the_same_judgments_and_another_gives_others(small: Created) -> None:
    first, again, other = (simulate(*small, seed=seed, participants=5) for seed in (3, 3, 4))
    assert first.data.answers == again.data.answers
    assert first.data.seconds == again.data.seconds
    assert first.data.participants == again.data.participants
    assert first.data.answers != other.data.answers


def test_more_participants_than_questionnaires_take_them_in_turn(small: Created) -> None:
    made = simulate(*small, seed=1, participants=6)
    assert [person.questionnaire for person in made.data.participants] == [1, 2, 3, 4, 1, 2]


def test_without_noise_every_answer_is_what_the_effects_say(small: Created) -> None:
    effects = Effects(
        questions={"order": QuestionEffect(base=1.0, order=1.0, choice=0.0)},
        participant_deviation=0.0,
        sentence_deviation=0.0,
        noise_deviation=0.0,
        missing=0.0,
    )
    study = read(simulate(*small, seed=1, effects=effects, participants=4))
    for row, place in enumerate(study.sentence.tolist()):
        sentence = study.sentences[place]
        order, _ = damages(sentence.hypothesis, sentence.reference)
        assert study.levels["order"][row] == np.floor(5 - 4 * order + 0.5)


def test_offsets_move_the_answers_of_their_participant(small: Created) -> None:
    effects = Effects(participant_deviation=0.3, noise_deviation=0.01, missing=0.0)
    made = simulate(*small, seed=2, effects=effects, participants=24)
    study = read(made)
    means = [float(study.levels["holistic"][study.participant == k].mean()) for k in range(24)]
    assert np.corrcoef(means, made.offsets)[0, 1] > 0.9


def test_careless_participants_are_as_many_as_stated_and_answer_at_random(small: Created) -> None:
    made = simulate(*small, seed=1, effects=Effects(careless=0.25, missing=0.0), participants=40)
    assert int(made.careless.sum()) == 10
    study = read(made)
    rows = made.careless[study.participant]
    _, counts = np.unique(study.levels["holistic"][rows], return_counts=True)
    # The boxes at the ends take half as much of the scale as those between.
    assert np.abs(counts / rows.sum() - np.array([1, 2, 2, 2, 1]) / 8).max() < 0.12
    assert np.median(study.seconds[rows]) < 5 < np.median(study.seconds[~rows])


@pytest.mark.parametrize("instrument", ["adequacy-fluency", "direct-assessment"])
def test_other_instruments_are_answered_within_their_scales(
    tmp_path: Path, instrument: str
) -> None:
    folder = write_study(
        tmp_path / "study",
        options=f'instrument = "{instrument}"',
        rest='\n[[composition]]\nitems = 4\nkind = "translation"\n',
    )
    create(folder, password=PASSWORD)
    study = read(simulate(*created(folder), seed=1, participants=6))
    for question in study.questions:
        levels = study.levels[question.name]
        known = levels[~np.isnan(levels)]
        assert len(known)
        assert question.low <= known.min() <= known.max() <= question.high


def test_what_cannot_be_simulated_is_refused(small: Created) -> None:
    with pytest.raises(OptionError, match="participants is 0"):
        simulate(*small, seed=1, participants=0)
    with pytest.raises(OptionError, match="noise_deviation is -1"):
        Effects(noise_deviation=-1.0)
    stated = Effects(questions={"fluency": QuestionEffect()})
    with pytest.raises(
        InputError, match=r"the question fluency, but the study asks holistic, order"
    ):
        simulate(*small, seed=1, effects=stated)
    with pytest.raises(InputError, match="has no questionnaire"):
        simulate(small[0], small[1], (), seed=1)


def test_the_truth_is_written_beside_the_judgments_it_made(small: Created, tmp_path: Path) -> None:
    made = simulate(*small, seed=5, effects=Effects(careless=0.25), participants=8)
    write_simulation(made, tmp_path / "out", form="csv")
    text = (tmp_path / "out" / "truth.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["careless"] for row in rows] == ["yes" if c else "no" for c in made.careless]
    assert [row["careless"] for row in rows].count("yes") == 2
    assert [float(row["offset"]) for row in rows] == pytest.approx(made.offsets, abs=1e-6)
    text = (tmp_path / "out" / "participants.csv").read_text(encoding="utf-8")
    people = list(csv.DictReader(io.StringIO(text)))
    assert [row["participant"] for row in rows] == [row["participant"] for row in people]


def test_as_many_judgments_are_missing_as_stated(published: Created) -> None:
    made = simulate(*published, seed=2, effects=Effects(missing=0.3))
    # Of 1,800, 540 on average; 476 to 604 in 99.9% of cases.
    assert 476 <= 1800 - len(made.data.answers) <= 604
    assert all(len(row) == 2 for row in made.data.answers.values())


def test_the_own_quality_of_a_sentence_is_the_same_for_everybody(small: Created) -> None:
    effects = Effects(
        participant_deviation=0.0, noise_deviation=0.0, sentence_deviation=0.3, missing=0.0
    )
    made = simulate(*small, seed=1, effects=effects, participants=12)
    study = read(made)
    by_sentence: dict[int, set[float]] = {}
    for place, level in zip(study.sentence.tolist(), study.levels["order"].tolist(), strict=True):
        by_sentence.setdefault(place, set()).add(level)
    assert {len(levels) for levels in by_sentence.values()} == {1}
    plain = read(
        simulate(*small, seed=1, effects=replace(effects, sentence_deviation=0.0), participants=12)
    )
    assert not np.array_equal(plain.levels["order"], study.levels["order"])


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_that_the_generator_cannot_take_are_refused(small: Created, seed: int) -> None:
    with pytest.raises(OptionError, match="the seed lies between 0 and 2\\^63 - 1"):
        simulate(*small, seed=seed)
    assert simulate(*small, seed=2**63 - 1, participants=1).seed == 2**63 - 1


def test_translations_that_are_shown_together_are_all_judged(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "together", items=4, systems=3)
    design = draw_study(folder).design
    items = {item.id: item for item in design.items}
    made = simulate(
        read_study(folder), items, design.questionnaires, seed=3, participants=2,
        effects=Effects(missing=0.0),
    ).data  # fmt: skip
    assert {*made.answers} == {(person, position) for person in (1, 2) for position in range(1, 5)}
    for given in made.answers.values():
        assert {*given} == {"rating.1", "rating.2", "rating.3"}
        assert all(0 <= value <= 6 for value in given.values())
    values = [value for given in made.answers.values() for value in given.values()]
    assert len({*values}) > 2


def test_people_prefer_the_translation_with_less_damage(tmp_path: Path) -> None:
    folder = instrument_study(tmp_path, "pairwise", items=20, systems=2)
    reference = (folder / "reference.en").read_text(encoding="utf-8")
    (folder / "sys1.en").write_text(reference, encoding="utf-8")
    trees = (folder / "reference.conllu").read_text(encoding="utf-8")
    (folder / "sys1.conllu").write_text(trees, encoding="utf-8")
    design = draw_study(folder).design
    items = {item.id: item for item in design.items}
    effects = Effects(questions={"preference": QuestionEffect(order=1.0, choice=1.0)}, missing=0.0)
    made = simulate(
        read_study(folder), items, design.questionnaires, seed=3, participants=10, effects=effects
    ).data
    better = Counter[int]()
    for person in made.active():
        for judgment in made.judgments(person):
            value = judgment.answers["preference"]
            assert value is not None
            # 1 is the first translation, 3 the second; sys1 is the reference itself.
            better[value - 2 if judgment.item.second_system == "sys1" else 2 - value] += 1
    assert better.total() == 200
    assert better[1] > 150
    assert better[-1] < 5
