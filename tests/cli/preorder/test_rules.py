"""`kilter preorder rules`."""

import tomllib

import pytest

from kilter.cli.main import run
from kilter.preordering.rule_file import load_rule_set
from tests.docs.pages import ROOT

SETS = sorted(
    path.stem for path in (ROOT / "src" / "kilter" / "preordering" / "sets").glob("*.toml")
)


def test_without_a_name_every_rule_set_is_listed_with_what_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["preorder", "rules"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert sorted(rows) == SETS
    assert rows == {name: load_rule_set(name).description for name in SETS}


@pytest.mark.parametrize("name", SETS)
def test_a_rule_set_is_printed_as_the_file_that_it_is(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["preorder", "rules", name]) == 0
    document = tomllib.loads(capsys.readouterr().out)
    assert document["description"] == load_rule_set(name).description


def test_an_unknown_rule_set_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["preorder", "rules", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
