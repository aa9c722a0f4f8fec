"""Names of files that are text, and those that are not."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kilter
from kilter.core.errors import InputError, spelled
from kilter.io.output import check_output, write_file
from kilter.io.stream import check_name, is_utf8


def test_bytes_that_are_no_text_are_spelled_out() -> None:
    name = os.fsdecode(b"a\xfcb")
    assert not is_utf8(name)
    assert spelled(name) == "a\\xfcb"
    with pytest.raises(InputError, match="the name is not UTF-8; rename the file") as raised:
        check_name(name)
    assert raised.value.where == "a\\xfcb"


def test_a_name_that_is_text_stays_as_it_is() -> None:
    check_name("Übersetzung")
    assert spelled("Übersetzung") == "Übersetzung"


READ: dict[str, Callable[[str], Any]] = {
    "read_links": kilter.read_links,
    "link_problems": lambda name: raised(next(iter(kilter.link_problems(name)))),
    "read_trees": kilter.read_trees,
    "read_conllu": kilter.read_conllu,
    "read_judgments": kilter.read_judgments,
    "read_evaluation_file": kilter.read_evaluation_file,
    "label_sensitivity": kilter.label_sensitivity,
    "reorder.read": kilter.reorder.read,
    "reorder.make": lambda name: kilter.reorder.make(["a"], name),
    "links": lambda name: scored(
        links=kilter.Links(hypothesis_reference=((kilter.LinkPath(name),),))
    ),
    "model": lambda name: scored(aligner=f"hmm:model={name}"),
    "synonyms": lambda name: scored(aligner=f"match:stages=exact+synonym,synonyms={name}"),
    "trees": lambda name: scored(metrics="dted", parser=f"conllu:path={name}"),
    "judgments": lambda name: kilter.meta(
        kilter.EvaluationInputs(judgments=name, references=("r",), systems=("s",))
    ),
    "validate": lambda name: raised(
        InputError(kilter.validate(systems=[name], references=[name]).problems[-1])
    ),
    "check_output": check_output,
    "write_file": lambda name: write_file(name, b""),
}


def scored(**settings: Any) -> Any:
    return kilter.score(["a"], ["a"], **settings)


def raised(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    "name", ["/nowhere/\udcff", "/nowhere/x\ud800", "/nowhere/a\0b"], ids=ascii
)
@pytest.mark.parametrize("given", READ)
def test_a_name_that_nothing_can_have_is_refused_in_words_that_can_be_written(
    given: str, name: str
) -> None:
    with pytest.raises(kilter.KilterError) as caught:
        READ[given](name)
    message = str(caught.value)
    assert message.encode().isascii()
    assert "\0" not in message


def test_a_file_whose_name_is_no_utf8_is_read_and_named(tmp_path: Path) -> None:
    name = str(tmp_path / "a\udcff")
    Path(name).write_bytes(b"0-0\nx\n")
    with pytest.raises(InputError) as caught:
        kilter.read_links(name)
    assert str(caught.value).startswith(f"{tmp_path}/a\\xff:2: ")
