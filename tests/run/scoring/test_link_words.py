"""Links that count other words than the tokeniser makes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kilter
from kilter.cli.main import run
from kilter.core.errors import InputError, KilterWarning
from kilter.core.links import LinkBatch, LinkOrigin
from kilter.run.demo import SAMPLE
from kilter.run.scoring import text_streams
from kilter.run.scoring.links import LinkReach

SYSTEM, REFERENCE = (str(SAMPLE / name) for name in ("verb.en", "reference.en"))
TEXTS = [Path(path).read_text(encoding="utf-8").splitlines() for path in (SYSTEM, REFERENCE)]
METRICS = ["kilter", "order", "coverage", "kendall"]
BETWEEN_BLANKS = "no link points past the latter, so that links may count words between blanks"


def scores(**options: object) -> list[float | None]:
    result = kilter.score(*TEXTS, metrics=METRICS, **options)  # type: ignore[arg-type]
    return [result.system[name].score for name in METRICS]


def test_links_of_align_score_as_no_links_do() -> None:
    assert scores(links=kilter.align(*TEXTS)) == scores()
    plain = kilter.align(*TEXTS, tokenize="none")
    assert scores(links=plain, tokenize="none") == scores(tokenize="none")


def test_links_of_words_between_blanks_are_refused_unless_these_are_asked_for() -> None:
    with pytest.raises(InputError, match=rf"{BETWEEN_BLANKS}; .* 13a or tokenize='none'$"):
        scores(links=kilter.align(*TEXTS, tokenize="none"))


@pytest.mark.parametrize("block", [4096, 16])
def test_the_command_refuses_the_same_whole_or_in_blocks(
    block: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_streams, "BLOCK", block)
    links = str(tmp_path / "links")
    assert run(["align", SYSTEM, "-r", REFERENCE, "--tokenize", "none", "-o", links]) == 0
    given = [SYSTEM, "-r", REFERENCE, "-a", links]
    assert run(["score", *given]) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"kilter: {links}: the tokeniser 13a finds more words than stand")
    assert told.endswith("13a or --tokenize none\n")
    assert told.count("\n") == 1
    assert run(["validate", *given]) == 3
    assert BETWEEN_BLANKS in capsys.readouterr().out
    assert run(["score", *given, "--tokenize", "none"]) == 0


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([[(0, 0)], [(1, 1)]], LinkReach("links", split=1, past=0)),
        ([[(0, 0), (2, 1)], []], LinkReach("links", split=1, past=1)),
        ([[], [(0, 0)]], LinkReach("links", split=0, past=0)),
    ],
)
def test_reach_is_looked_at_where_words_differ(
    links: list[list[tuple[int, int]]], expected: LinkReach
) -> None:
    words, blanks = np.array([3, 2]), np.array([2, 2])
    batch = replace(LinkBatch.of(links), origin=LinkOrigin("links"))
    found = LinkReach.of(batch, [words, blanks], [blanks, blanks])
    assert found == expected
    more = found + LinkReach("other", 1, 1)
    assert more == LinkReach("links", expected.split + 1, expected.past + 1)


def test_links_of_few_segments_are_taken_with_a_warning() -> None:
    texts = ["b, a."], ["a. b,"]
    links = LinkBatch.of([[(0, 1), (1, 0)]])
    with pytest.warns(KilterWarning, match=f"between blanks in 1 segment, and {BETWEEN_BLANKS}"):
        kilter.score(*texts, links=links, metrics="kendall")
    assert kilter.score(*texts, links=links, metrics="kendall", tokenize="none").count == 1
