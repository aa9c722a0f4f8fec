"""How results are written, as options."""

import io
import sys

import click
import pyarrow.parquet as pq
import pytest

from kilter.cli.main import run
from kilter.render.table.table import TableFormat
from tests.cli.test_every_option import OPTIONS, option_of
from tests.docs.pages import ROOT

FORMS = [command for command, name in OPTIONS if name == "--format"]
# They write links, sentences, lists of candidates, explanations and folders of files, not a table.
OTHERS = {
    "align",
    "annotate export",
    "explain",
    "preorder apply",
    "preorder explain",
    "reorder make",
    "rerank",
    "survey export",
    "survey simulate",
}
ASKED = ["score", "-r", str(ROOT / "examples" / "reference.en"), str(ROOT / "examples" / "verb.en")]
Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("command", [name for name in FORMS if name not in OTHERS])
def test_every_command_with_a_result_takes_the_same_formats(command: str) -> None:
    kind = option_of(command, "--format").type
    assert isinstance(kind, click.Choice)
    assert list(kind.choices) == [str(form) for form in TableFormat]


def test_the_commands_that_write_something_else_than_a_result_exist() -> None:
    assert {*FORMS} >= OTHERS


class Terminal(io.TextIOWrapper):
    """A standard output that somebody looks at."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def isatty(self) -> bool:
        return True


def test_parquet_is_refused_by_a_terminal(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert run(["score", "-r", "nowhere", "nothing", "--format", "parquet"]) == 2
    assert "Parquet is binary; write it to a file" in capsys.readouterr().err


def test_parquet_without_its_package_is_refused_before_anything_is_read(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(["score", "-r", "nowhere", "nothing", "--format", "parquet"]) == 4
    assert capsys.readouterr().err == (
        "kilter: --format parquet needs an optional package; "
        "install it with: pip install 'kilter[arrow]'\n"
    )


def test_parquet_holds_the_rows_of_tsv(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    asked = [*ASKED, "-m", "kendall", "--resamples", "20", "-q", "--format"]
    assert run([*asked, "parquet"]) == 0
    (row,) = pq.read_table(io.BytesIO(capsysbinary.readouterr().out)).to_pylist()
    assert run([*asked, "tsv"]) == 0
    header, values = capsysbinary.readouterr().out.decode().splitlines()
    assert list(row) == header.split("\t")
    assert [str(value) for value in row.values()] == values.split("\t")
