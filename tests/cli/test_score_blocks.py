"""Links and trees that are given, read block by block with texts of any size."""

from pathlib import Path

import pytest

from tests.cli.command import kilter
from tests.cli.sample import REFERENCE, VERB, written
from tests.pipeline.scoring.streamed import cut_into

SAMPLE = Path(REFERENCE).parent
SOURCE, LOCAL = str(SAMPLE / "source.de"), str(SAMPLE / "local.en")
COUNT = 48
"""Segments of the sample."""
FEW = ["--resamples", "20"]


def interrupt(*_arguments: object, **_options: object) -> None:
    """Stand in for a step at which a run is killed."""
    raise KeyboardInterrupt


def test_given_links_are_read_in_blocks_with_the_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [
        "score",
        "-r",
        REFERENCE,
        "-r",
        VERB,
        VERB,
        REFERENCE,
        "-m",
        "kendall",
        "-m",
        "pef",
        *FEW,
    ]
    texts = {"verb": VERB, "reference": REFERENCE}
    for name, system in texts.items():
        for other, reference in (("first", REFERENCE), ("second", VERB)):
            path = tmp_path / f"{name}.{other}"
            assert kilter("align", "-r", reference, system, "-o", str(path)).code == 0
            asked += ["--links", str(path)]
    whole, blocks = tmp_path / "whole.tsv", tmp_path / "blocks.tsv"
    expected = kilter(*asked, "--segments", str(whole))
    assert expected.code == 0
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--segments", str(blocks), "--resume") == expected
    assert blocks.read_bytes() == whole.read_bytes()
    assert kilter(*asked, "--workers", "2") == expected


def linked_with_source(folder: Path) -> list[str]:
    """Return options that give the sample's source, and links of it with two systems and a reference."""
    given = ["-s", SOURCE]
    for option, text in (("hypothesis", VERB), ("hypothesis", LOCAL), ("reference", REFERENCE)):
        path = folder / f"{Path(text).stem}.{option}.tsv"  # a name that says nothing about links
        assert kilter("align", "--source", SOURCE, "--target", text, "--aligner", "hmm",
                      "-o", str(path)).code == 0  # fmt: skip
        given += [f"--links-source-{option}", str(path)]
    return given


@pytest.mark.parametrize(
    "more",
    [
        ["-m", "crossings", "-m", "anticipation", "-m", "lr", "-m", "kendall"],
        ["-m", "pef", "-m", "kendall", "--through-source", "--rule", "mean"],
        ["-m", "all", "--through-source", "--rule", "drop", "--tokenize", "13a"],
    ],
)
def test_links_with_the_source_are_read_in_blocks_with_the_texts(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["score", "-r", REFERENCE, VERB, LOCAL, *linked_with_source(tmp_path), *more, *FEW]
    whole, blocks = tmp_path / "whole.tsv", tmp_path / "blocks.tsv"
    expected = kilter(*asked, "--segments", str(whole))
    assert expected.code == 0
    cut_into(monkeypatch, 3)
    assert kilter(*asked, "--segments", str(blocks)) == expected
    assert blocks.read_bytes() == whole.read_bytes()
    blocks.unlink()
    assert kilter(*asked, "--segments", str(blocks), "--resume", "--workers", "2") == expected
    assert blocks.read_bytes() == whole.read_bytes()


LATE = 7
"""A line of the third block of 3."""


@pytest.mark.parametrize("option", ["links", "links-source-hypothesis", "links-source-reference"])
@pytest.mark.parametrize(
    "wrong",
    [
        {LATE: "77-0"},
        {LATE: "0-77", 9: "88-0", 2: "0-x"},
        dict.fromkeys(range(30), "99-99"),
        {LATE: "0-0\r"},
        {LATE: "\ufeff0-0"},
        {LATE: "0-\0"},
        {LATE: "0p0"},
        {LATE: "0-0\n0-0"},
        {0: ""},
    ],
)
def test_wrong_links_are_told_alike_in_blocks(
    option: str, wrong: dict[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["0-0"] * COUNT
    good = written(tmp_path, "good", "0-0\n" * COUNT)
    for line, text in wrong.items():
        lines[line] = text
    bad = written(tmp_path, "bad", "\n".join(lines) + "\n" if lines[0] else "")
    asked = ["score", "-r", REFERENCE, "-s", SOURCE, VERB, LOCAL, *FEW]
    if option == "links-source-reference":
        asked += [
            f"--{option}",
            bad,
            "--links-source-hypothesis",
            good,
            "--links-source-hypothesis",
            good,
        ]
    else:
        asked += [f"--{option}", good, f"--{option}", bad]
    expected = kilter(*asked)
    assert expected.code == 3
    assert expected.err.startswith(f"kilter: {bad}:")
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected


def test_the_first_file_of_wrong_links_is_told_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["0-0"] * COUNT
    late = written(tmp_path, "late", "\n".join([*lines[:-1], "0-77"]) + "\n")
    early = written(tmp_path, "early", "\n".join(["77-0", *lines[1:]]) + "\n")
    asked = ["score", "-r", REFERENCE, VERB, LOCAL, *FEW, "--links", late, "--links", early]
    expected = kilter(*asked)
    assert expected.err.startswith(f"kilter: {late}:{COUNT}: link 0-77")
    cut_into(monkeypatch, 3)
    assert kilter(*asked) == expected


def test_parts_of_a_run_with_other_links_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_into(monkeypatch, 3)
    links, path = written(tmp_path, "links", "1-1\n" * COUNT), tmp_path / "s.tsv"
    asked = ["score", "-r", REFERENCE, VERB, "-m", "kendall", *FEW, "--links", links]
    kept = [*asked, "--segments", str(path), "--resume"]
    monkeypatch.setattr("kilter.pipeline.scoring.score_stream.score_streams", interrupt)
    assert kilter(*kept).code == 130
    other = kilter(*kept, "--link-format", "pharaoh-1")
    assert other.code == 3
    assert "holds parts of a run with another choice of links" in other.err
