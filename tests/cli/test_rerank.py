"""`kilter rerank`, and `kilter score --nbest`."""

from pathlib import Path

import pytest

import kilter as package
from tests.cli.command import kilter

LINES = [
    "0 ||| the mat sat on a cat ||| lm= -3 tm= -1 -2 ||| -5",
    "0 ||| a cat sat on the mat ||| lm= -4 tm= -1 -3 ||| -6",
    "1 ||| dogs sleep ||| lm= -1 tm= -1 -2 ||| -2",
    "1 ||| sleep dogs ||| lm= -9 tm= 0 0 ||| -1",
]
REFERENCES = ["a cat sat on the mat", "dogs sleep"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, lines in (("list", LINES), ("ref", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(tmp_path / "list"), str(tmp_path / "ref")


def test_links_come_from_the_list_from_files_or_from_an_aligner(
    tmp_path: Path, files: tuple[str, str]
) -> None:
    # Out of order on purpose: files of links have the lines of the list.
    lines = [LINES[0], LINES[2], LINES[1], LINES[3]]
    links = ["0-0 1-5 2-2 3-3 4-4 5-1", "0-0 1-1", "0-0 1-1 2-2 3-3 4-4 5-5", "0-1 1-0"]
    written = {
        "linked": [f"{line} ||| {each}" for line, each in zip(lines, links, strict=True)],
        "plain": lines,
        "links": links,
        "straight": ["0-0 1-1 2-2 3-3 4-4 5-5", "0-0 1-1"],
        "source": ["eine Katze sass auf der Matte", "Hunde schlafen"],
    }
    at = {name: str(tmp_path / name) for name in written}
    for name, held in written.items():
        Path(at[name]).write_text("".join(f"{line}\n" for line in held), encoding="utf-8")
    beside = ["-r", files[1], "-s", at["source"]]
    given = ["--links-source-hypothesis", at["links"]]
    for asked in ([at["linked"]], [at["plain"], *given]):
        found = kilter("rerank", *asked, *beside, "-w", "crossings")
        assert found.out.splitlines() == REFERENCES, found.err
    through = ["--links-source-reference", at["straight"], "-m", "lr:through=source", "-m", "frs"]
    own = kilter("score", "--nbest", at["linked"], *beside, *through, "-q")
    named = kilter("score", "--nbest", at["plain"], *beside, *given, *through, "-q")
    assert own.out == named.out
    assert own.code == named.code == 0
    made = ["-m", "lr:through=source", "--aligner", "hmm", "-q"]
    assert kilter("score", "--nbest", at["plain"], *beside, *made).code == 0
    joined = [*given, "--links-source-reference", at["straight"], "--via-source"]
    assert kilter("rerank", at["plain"], *beside, *joined, "-w", "kendall").code == 0
    direct = ["-r", files[1], "--links", at["links"], "--link-format", "pharaoh", "-w", "kendall"]
    assert kilter("rerank", at["plain"], *direct).code == 0
    refused = kilter("rerank", at["plain"], *beside, "-w", "crossings")
    options = kilter("rerank", "--help").out
    for word in refused.err.split():
        assert not word.startswith("--") or word in options


def test_the_best_texts_are_written_one_a_segment(files: tuple[str, str]) -> None:
    nbest, ref = files
    assert kilter("rerank", nbest, "-w", "score").out == "the mat sat on a cat\nsleep dogs\n"
    assert kilter("rerank", nbest, "-r", ref, "-w", "kendall").out.splitlines() == REFERENCES
    both = kilter("rerank", nbest, "-r", ref, "-w", "lr:alpha=0.5=1", "-w", "lm=5")
    assert both.out == "the mat sat on a cat\ndogs sleep\n"
    moses = kilter("rerank", nbest, "-w", "tm_0", "--format", "moses").out.splitlines()
    assert moses[1] == "1 ||| sleep dogs ||| lm= -9.0 tm_0= 0.0 tm_1= 0.0 ||| -1.0"


def test_scores_and_statistics_of_every_candidate_are_those_of_python(
    files: tuple[str, str],
) -> None:
    nbest, ref = files
    out = kilter("score", "--nbest", "-r", ref, nbest, "-m", "lr", "--format", "tsv").out
    lists = [[line.split(" ||| ")[1] for line in LINES[a:b]] for a, b in ((0, 2), (2, 4))]
    table = package.score_nbest(lists, REFERENCES, metrics="lr")
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    assert [row[2] for row in rows] == ["lr"] * 4
    assert [float(row[3]) for row in rows] == table["score"].tolist()
    assert [row[4] for row in rows] == table["statistics"].tolist()
    assert kilter("score", "--nbest", "-r", ref, nbest, "-m", "lr").out == out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["-w", "x"],
            2,
            "'x' is not a feature of {}, which has lm, tm_0, tm_1; a metric needs references",
        ),
        (["-w", "lm=high"], 2, "--weight is 'lm=high'; write NAME or NAME=WEIGHT with a number"),
        (["-w", "lm", "-w", "lm=2"], 2, "--weight names something twice; once is enough"),
        (["-w", "lm", "-s", "ref"], 2, "a source alone is looked at by nothing"),
    ],
)
def test_what_cannot_be_weighed_is_refused(
    arguments: list[str], code: int, message: str, files: tuple[str, str]
) -> None:
    found = kilter("rerank", files[0], *arguments)
    assert (found.code, found.out) == (code, "")
    assert message.format(files[0]) in found.err


@pytest.mark.parametrize(
    "more", [["--cite"], ["--segments", "x.tsv"], ["--trees", "x"], ["SECOND"]]
)
def test_an_nbest_list_is_scored_alone(more: list[str], files: tuple[str, str]) -> None:
    nbest, ref = files
    assert kilter("score", "--nbest", "-r", ref, nbest, *more).code == 2
