"""Files that `kilter align` and `kilter parse` write block by block: tables, parts, and going on after a killed run."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kilter.run import align as align_blocks
from kilter.run import parse
from kilter.run.align import AlignedLines
from kilter.run.parse import ParsedLines
from tests.cli.command import kilter
from tests.cli.sample import written

LINES = ["the cat sleeps", "a dog barks", "the dog sees the cat", "cats sleep", "dogs bark"]
TEXT = "\n".join(LINES) + "\n"


@pytest.fixture(params=["align", "parse"])
def asked(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return a command over five lines in blocks of two."""
    monkeypatch.setattr(align_blocks, "PAIRS", 2)
    monkeypatch.setattr(parse, "BLOCK", 2)
    text = written(tmp_path, "text", TEXT)
    if request.param == "parse":
        return ["parse", text, "--parser", "perceptron"]
    other = written(tmp_path, "other", "\n".join(reversed(TEXT.splitlines())) + "\n")
    return ["align", "--source", text, "--target", other, "--aligner", "hmm"]


def test_a_killed_run_goes_on_after_its_parts(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = kilter(*asked)
    assert plain.code == 0
    out = tmp_path / "out"
    kind = ParsedLines if asked[0] == "parse" else AlignedLines
    works, begun = kind.__call__, []

    def killed(self: object, batch: object) -> object:
        begun.append(batch)
        if len(begun) == 3:
            raise KeyboardInterrupt
        return works(self, batch)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(kind, "__call__", killed)
        assert kilter(*asked, "-o", str(out), "--resume").code == 130
    assert not out.exists()
    assert len(list((tmp_path / "out.parts").glob("part-*"))) == 2
    without = kilter(*asked, "-o", str(out))
    assert "out.parts was left by a run with --resume and not used; remove it, " in without.err
    assert kilter(*asked, "-o", str(out), "-q").err == ""
    out.unlink()
    again = kilter(*asked, "-o", str(out), "--resume")
    assert (again.code, again.err) == (0, "kilter: went on after 2 parts of an earlier run\n")
    assert out.read_text(encoding="utf-8") == plain.out
    assert not (tmp_path / "out.parts").exists()


def test_tables_hold_a_row_for_each_segment(asked: list[str], tmp_path: Path) -> None:
    plain = kilter(*asked).out
    column, between = ("conllu", "") if asked[0] == "parse" else ("links", "\n")
    for name in ("out.jsonl", "out.parquet"):
        assert kilter(*asked, "-o", str(tmp_path / name)).code == 0
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 5
    assert "".join(row[column] + between for row in rows) == plain
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == rows


def test_what_cannot_go_on_is_refused(asked: list[str], tmp_path: Path) -> None:
    assert "add -o FILE" in kilter(*asked, "--resume").err
    piped = [
        "-" if place == 1 and asked[0] == "parse" else part for place, part in enumerate(asked)
    ]
    piped = ["-" if part.endswith("other") else part for part in piped]
    assert "name one" in kilter(*piped, "-o", str(tmp_path / "out"), "--resume").err
    assert "leave .gz out" in kilter(*asked, "-o", str(tmp_path / "out.parquet.gz")).err
    if asked[0] == "align":
        for extra, fault in (
            (["-o", str(tmp_path / "out.jsonl"), "--format", "giza"], "as a table has rows"),
            (["-o", str(tmp_path / "out"), "--resume", "--aligner", "match:stages=learned"], "no parts"),
        ):  # fmt: skip
            others = asked[:5] if "--aligner" in extra else asked
            assert fault in kilter(*others, *extra).err


def test_arrow_is_not_written_under_a_name_of_arrow(asked: list[str], tmp_path: Path) -> None:
    for name in ("out.arrow", "out.feather", "out.ipc.gz"):
        found = kilter(*asked, "-o", str(tmp_path / name))
        assert (found.code, "Arrow is read, not written; name a .parquet" in found.err) == (2, True)
        assert not (tmp_path / name).exists()
