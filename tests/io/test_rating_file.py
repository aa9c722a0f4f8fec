"""Ratings of several raters, and files of scores beside them."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.io.score_file import Ratings, ScoreRow, read_ratings
from kilter.io.stream import ByteSource


def source(folder: Path, *lines: str) -> ByteSource:
    path = folder / "ratings.tsv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ByteSource(str(path))


@pytest.mark.parametrize("separator", ["\t", ",", " "])
@pytest.mark.parametrize(("rater", "score"), [("rater", "score"), ("Judge", "rating")])
def test_the_mean_of_raters_counts(separator: str, rater: str, score: str, tmp_path: Path) -> None:
    rows = [
        ("segment", rater, score, "system"),
        ("2", "x", "4", "A"),
        ("2", "y", "1", "A"),
        ("1", "x", "3", "B"),
        ("2", "z", "2", "A"),
        ("1", "z", "na", "B"),
    ]
    found = read_ratings(source(tmp_path, *(separator.join(row) for row in rows)), name="mine")
    assert found == {
        "mine": Ratings(
            [ScoreRow("A", 1, 7 / 3, 2), ScoreRow("B", 0, 3.0, 4)], raters=3, fewest=1, most=3
        )
    }


def test_what_was_rated_may_be_named(tmp_path: Path) -> None:
    lines = ["system segment metric rater score", "A 1 order x 4", "A 1 words x 2"]
    found = read_ratings(source(tmp_path, *lines), name="mine")
    assert {name: ratings.rows[0].score for name, ratings in found.items()} == {
        "order": 4.0,
        "words": 2.0,
    }


def test_a_translation_that_nobody_scored_has_no_score(tmp_path: Path) -> None:
    lines = ["system segment rater score", "A 1 x na", "A 2 x 1"]
    found = read_ratings(source(tmp_path, *lines), name="m")["m"]
    assert [row.score for row in found.rows] == [None, 1.0]
    assert (found.fewest, found.most) == (0, 1)


def test_a_table_with_commas_needs_no_raters(tmp_path: Path) -> None:
    lines = ["segment,system,rating", "2,A,4", "1,B,3"]
    found = read_ratings(source(tmp_path, *lines), name="m")
    assert found == {"m": Ratings([ScoreRow("A", 1, 4.0, 2), ScoreRow("B", 0, 3.0, 3)])}
    with pytest.raises(InputError, match="or name raters in a column rater"):
        read_ratings(source(tmp_path, *lines, "2,A,1"), name="m")


def test_a_table_has_ratings_or_scores(tmp_path: Path) -> None:
    lines = ["system,segment,rater,rating,score", "A,1,x,3,5"]
    with pytest.raises(InputError, match="has columns score and rating; leave one of them out"):
        read_ratings(source(tmp_path, *lines), name="m")


def test_other_files_are_those_of_scores(tmp_path: Path) -> None:
    found = read_ratings(source(tmp_path, "A\t1\t0.5", "B\t1\t0.25"), name="m")
    assert found == {"m": Ratings([ScoreRow("A", 0, 0.5, 1), ScoreRow("B", 0, 0.25, 2)])}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["A 1 x 4", "A 1 x 4"], ":3: x rates segment 1 of A a second time; keep one row"),
        (["A 0 x 4"], ":2: segment is '0'; it must be a whole number from 1"),
        (["A 1 x much"], ":2: score is 'much', which is not a number"),
    ],
)
def test_bad_rows_are_refused(rows: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_ratings(source(tmp_path, "system segment rater score", *rows), name="m")
    assert message in str(raised.value)
