"""Running studies: the same as their exports, and refused for the same reasons."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.study.design.creation import create, write_example
from kilter.study.design.item import read_design
from kilter.study.design.study_file import read_study
from kilter.study.judgments.collected_study import study_of
from kilter.study.judgments.export_folder import write_simulation
from kilter.study.judgments.study_table import read_export
from kilter.study.simulation.simulation import SimulatedStudy, simulate


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> SimulatedStudy:
    folder = tmp_path_factory.mktemp("study") / "example"
    write_example(folder)
    described = (folder / "study.toml").read_text(encoding="utf-8")
    described = described.replace(
        "limit = 40\n", 'limit = 40\ngroups = ["students", "staff"]\nadvertised = {students = 90}\n'
    )
    (folder / "study.toml").write_text(described, encoding="utf-8")
    create(folder, password="a password for tests")
    return simulate(read_study(folder), *read_design(folder), seed=5, participants=7)


def test_csv_json_lines_and_the_running_study_give_the_same(
    tmp_path: Path, simulated: SimulatedStudy
) -> None:
    studies = [study_of(simulated.data, secret=simulated.secret)]
    for form in ("csv", "jsonl"):
        write_simulation(simulated, tmp_path / form, form=form)
        studies.append(read_export(tmp_path / form))
    for other in studies[1:]:
        assert other.simulated is True
        assert other.participants == studies[0].participants
        assert other.sentences == studies[0].sentences
        assert other.questions == studies[0].questions
        assert other.wording == studies[0].wording
        assert other.recruitment == studies[0].recruitment
        for name in ("participant", "sentence", "questionnaire", "position", "seconds"):
            assert np.array_equal(getattr(other, name), getattr(studies[0], name))
        for name, levels in studies[0].levels.items():
            assert np.array_equal(other.levels[name], levels, equal_nan=True)
    assert (
        studies[0].wording["judgments"]["order"].startswith("How much does the order of the words")
    )
    assert [*studies[0].wording["participants"]][:2] == ["first_language_english", "years_fluent"]
    assert [(group.name, group.advertised) for group in studies[0].recruitment] == [
        ("students", 90),
        ("staff", None),
    ]
    assert sum(group.responded for group in studies[0].recruitment) == 7


def test_a_study_that_nobody_has_answered_is_refused(simulated: SimulatedStudy) -> None:
    unanswered = replace(simulated.data, answers={})
    with pytest.raises(InputError, match=r"example: has no judgments yet"):
        study_of(unanswered, secret=simulated.secret)


def test_an_answer_that_is_no_level_any_more_is_refused(simulated: SimulatedStudy) -> None:
    key, given = next(iter(simulated.data.answers.items()))
    changed = replace(simulated.data, answers={key: {**given, "order": 6}})
    with pytest.raises(
        InputError, match=r"judgments:\d+: order is 6; it is a whole number from 1 to"
    ):
        study_of(changed, secret=simulated.secret)


def test_an_item_of_unknown_kind_is_refused(simulated: SimulatedStudy) -> None:
    name, item = next(iter(simulated.data.items.items()))
    items = {**simulated.data.items, name: replace(item, kind="poem")}
    with pytest.raises(InputError, match=r"items:1: kind is 'poem'; it can be translation"):
        study_of(replace(simulated.data, items=items), secret=simulated.secret)


def test_a_sentence_that_one_participant_judged_twice_is_refused(simulated: SimulatedStudy) -> None:
    lists = [
        replace(entry, items=(entry.items[0], entry.items[0], *entry.items[2:]))
        for entry in simulated.data.questionnaires
    ]
    with pytest.raises(InputError, match=r"judgments:2: participant .* twice, first at line 1"):
        study_of(replace(simulated.data, questionnaires=lists), secret=simulated.secret)
