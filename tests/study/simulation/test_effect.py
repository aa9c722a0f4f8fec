"""Files of effects."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.simulation.effect import Effects, QuestionEffect, effects_text, read_effects


def test_effects_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    effects = Effects(
        questions={"order": QuestionEffect(order=0.3), "holistic": QuestionEffect(base=0.5)},
        careless=0.125,
    )
    path = tmp_path / "effects.toml"
    path.write_text(effects_text(effects), encoding="utf-8")
    assert read_effects(path) == effects


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("careless = 2", "careless is 2; it must lie between 0 and 1"),
        ('careless = "some"', "careless is 'some'; it must be a number"),
        ("careless = true", "careless is True; it must"),
        ("carelss = 0.1", "carelss is unknown; did you mean careless?"),
        ("[questions.order]\nbasis = 1", "basis is unknown; did you mean base?"),
        ("[questions]\norder = 1", "order is 1; it must be a table"),
    ],
)
def test_files_of_effects_that_are_wrong_are_refused(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "effects.toml"
    path.write_text(f'schema = "kilter.effects/1"\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"effects\.toml") as caught:
        read_effects(path)
    assert message in str(caught.value)


def test_what_a_file_says_of_a_question_leaves_the_rest_as_usual(tmp_path: Path) -> None:
    path = tmp_path / "effects.toml"
    path.write_text('schema = "kilter.effects/1"\n[questions.order]\nbase = 0.5\n')
    found = read_effects(path).questions
    assert found["order"] == QuestionEffect(base=0.5, order=1.2, choice=0.2)
    assert found["holistic"] == QuestionEffect(base=0.95, order=0.7, choice=0.9)
