"""Hypotheses in the file of a study."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.design.hypothesis import Hypotheses, Preset, read_hypotheses

STATED = """
hypotheses = "none"

[[hypothesis]]
id = "H1"
claim = "kendall follows answers about order better than bleu does"
question = "Order"
better = ["kendall"]
than = ["bleu", "ter"]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "hypotheses.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_stated_is_read_and_the_preset_is_the_thesis_unless_said(tmp_path: Path) -> None:
    found = read_hypotheses(written(tmp_path, STATED))
    assert found.preset is Preset.NONE
    (each,) = found.stated
    assert (each.id, each.question, each.sentences) == ("H1", "order", "translation")
    assert (each.better, each.than) == (("kendall",), ("bleu", "ter"))
    assert Hypotheses().preset is Preset.THESIS


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((' = ["kendall"]', " = []"), "better names no tool"),
        (('"none"', '"all"'), "hypotheses is 'all'"),
        (('question = "Order"\n', ""), "question"),
        (("than = ", "then = "), "than"),
        (('hypotheses = "none"', 'other = "none"'), "other"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    path = written(tmp_path, STATED.replace(*change))
    with pytest.raises(InputError, match=told) as raised:
        read_hypotheses(path)
    assert "hypotheses.toml" in str(raised.value)


def test_two_hypotheses_of_one_name_are_refused(tmp_path: Path) -> None:
    twice = STATED + STATED.partition('"none"\n')[2]
    with pytest.raises(InputError, match="two hypotheses 'H1'"):
        read_hypotheses(written(tmp_path, twice))
