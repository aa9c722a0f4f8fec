"""`kilter reorder statistics`."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kilter.io.link_format import LinkFormat
from tests.cli.command import kilter
from tests.cli.sample import written

SOURCE, TARGET, LINKS = (
    "She reads a book\nYes\n",
    "sie ein Buch liest\nja\n",
    "0-0 1-3 2-1 3-2\n0-0\n",
)
Captured = pytest.CaptureFixture[str]


def test_a_picture_replaces_no_input(tmp_path: Path) -> None:
    source = written(tmp_path, "source.svg", SOURCE)
    links = written(tmp_path, "links", LINKS)
    done = kilter("reorder", "statistics", "-s", source, "-a", links, "--figure", source)
    assert (done.code, "would replace an input; choose another name" in done.err) == (2, True)
    assert Path(source).read_text(encoding="utf-8") == SOURCE


def test_lines_tables_and_workers_give_the_same_numbers_and_a_picture(tmp_path: Path) -> None:
    paths = [
        written(tmp_path, name, text)
        for name, text in (("source", SOURCE), ("target", TARGET), ("links", LINKS))
    ]
    table = tmp_path / "all.parquet"
    columns = {
        name: text.splitlines() for name, text in (("en", SOURCE), ("de", TARGET), ("a", LINKS))
    }
    pq.write_table(pa.table(columns), table)
    figure = tmp_path / "order.svg"
    lines = kilter(
        "reorder", "statistics", "-s", paths[0], "-t", paths[1], "-a", paths[2], "--format", "json",
        "--figure", str(figure), "--workers", "2",
    )  # fmt: skip
    rows = kilter(
        "reorder", "statistics", *(f"{flag}{table}" for flag in ("-s", "-t", "-a")), "--column",
        "source=en", "--column", "target=de", "--column", "links=a", "--format", "json",
    )  # fmt: skip
    assert (lines.code, lines.err, rows.out) == (0, "", lines.out)
    found = json.loads(lines.out)
    assert found["schema"] == "kilter.reordering-statistics/1"
    assert found["means"]["kendall"]["value"] == pytest.approx(5 / 6)
    assert "Word order of source and translation" in figure.read_text(encoding="utf-8")
    assert kilter("reorder", "statistics", "-s", "-", "-a", "-").code == 2


def test_links_are_given_or_made(tmp_path: Path) -> None:
    source, target = written(tmp_path, "source", SOURCE), written(tmp_path, "target", TARGET)
    links = written(tmp_path, "links", LINKS)
    asked = ("reorder", "statistics", "-s", source, "--format", "json")
    made = kilter(*asked, "-t", target, "--aligner", "hmm:iterations=1", "-q")
    assert (made.code, made.err) == (0, "")
    assert json.loads(made.out)["counts"]["pairs"] == 2
    for wrong, told in (
        (
            ["-t", target],
            "give the links, -a FILE, or make them of both texts: -t FILE --aligner NAME",
        ),
        (["--aligner", "hmm"], "give the links, -a FILE, or make them of both texts"),
        (
            ["-t", target, "-a", links, "--aligner", "hmm"],
            "the links are given; leave out --aligner",
        ),
        (
            ["-t", target, "--aligner", "hmm", "--possible"],
            "--aligner makes the links; leave out --possible",
        ),
    ):
        refused = kilter(*asked, *wrong)
        assert refused.code == 2
        assert told in refused.err


@pytest.mark.parametrize("form", [str(each) for each in LinkFormat])
def test_links_of_every_format_are_read_or_refused(form: str, tmp_path: Path) -> None:
    source = written(tmp_path, "source", SOURCE)
    other = written(tmp_path, "other", "a book She reads\nYes\n")
    links = written(tmp_path, "links", kilter("align", "-r", source, other, "--format", form).out)
    plain = written(tmp_path, "plain", kilter("align", "-r", source, other).out)
    asked = ("reorder", "statistics", "-s", other, "--format", "json", "-a")
    found = kilter(*asked, links, "--link-format", form)
    if form in {"naacl", "meteor", "giza"}:
        assert found.code == 2
        assert form in found.err
    else:
        assert (found.code, found.out) == (0, kilter(*asked, plain).out)
