"""Tables may have the line ends of Windows: every command reads them as it reads others."""

import json
from pathlib import Path

import pytest

from tests.cli.command import kilter

EXAMPLES = Path(__file__).parents[1] / "examples"
SYSTEMS = ["local.en", "verb.en", "phrase.en", "lexical.en"]


def _example(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def _rows(*rows: tuple[object, ...]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


SCORES = [(name, k, (7 * k + len(name)) % 5) for name in SYSTEMS for k in range(1, 49)]
LONG = [
    ("system", "segment", "metric", "score"),
    *((name, segment, "mine", score) for name, segment, score in SCORES),
]
TASK = [("mine", "de-en", "sample", *row) for row in SCORES]
LINES = [(name, score) for name, _, score in SCORES]
WORDS = [("hypothesis", "reference"), ("a b c", "a c b"), ("b a", "a b")]
NBEST = "0 ||| a b ||| lm= -1 ||| -2\n0 ||| b a ||| lm= -2 ||| -1\n"
TABLES = {
    "ratings, TSV": ("table.tsv", _example("ratings.tsv"), "compare --scores table.tsv"),
    "ratings, CSV": ("t.csv", _example("preorder-ratings.csv"), "preorder ratings t.csv"),
    "ratings against metrics": (
        "table.tsv",
        _example("ratings.tsv"),
        "meta --judgments table.tsv -r reference.en -m kendall --systems systems",
    ),
    "rankings": (
        "table.csv",
        _example("rankings.csv"),
        "meta --judgments table.csv -r reference.en -m kendall --systems systems",
    ),
    "scores, long": ("table.tsv", _rows(*LONG), "compare --scores table.tsv"),
    "scores of three columns": ("table.tsv", _rows(*SCORES), "compare --scores table.tsv"),
    "scores of a task": ("table.tsv", _rows(*TASK), "compare --scores table.tsv"),
    "scores of two columns": ("mine.seg.score", _rows(*LINES), "compare --scores mine.seg.score"),
    "perturbed pairs": (
        "table.tsv", _example("perturbed.tsv"), "meta sensitivity table.tsv -m kendall"
    ),
    "labelled outputs": (
        "table.tsv", _example("labelled.tsv"), "meta sensitivity --labels table.tsv -m kendall"
    ),
    "texts, TSV": (
        "table.tsv", _rows(*WORDS), "score -r table.tsv#reference table.tsv#hypothesis -m kendall"
    ),
    "texts, CSV": (
        "table.csv",
        _rows(*WORDS).replace("\t", ","),
        "score -r table.csv#reference table.csv#hypothesis -m kendall",
    ),
    "texts, JSON lines": (
        "table.jsonl",
        "".join(json.dumps(dict(zip(WORDS[0], row, strict=True))) + "\n" for row in WORDS[1:]),
        "score -r table.jsonl#reference table.jsonl#hypothesis -m kendall",
    ),
    "n-best list of Moses": ("list.nbest", NBEST, "rerank list.nbest -w lm"),
    "n-best list, JSON lines": (
        "list.jsonl", '{"id": 0, "text": "a b", "features": {"lm": 1}}\n', "rerank list.jsonl -w lm"
    ),
    "permutations": ("table.txt", _example("orders.txt"), "permutation table.txt"),
    "reorderings": (
        "r.jsonl",
        '{"words": ["a", "b"], "groups": [[1], [0]]}\n',
        "reorder score r.jsonl r.jsonl",
    ),
    "reorderings by position": (
        "r.positions", "1 0\n2 0 1\n", "reorder score r.positions r.positions --match identity"
    ),
}  # fmt: skip


@pytest.mark.parametrize("held", TABLES)
def test_windows_line_ends_change_nothing(
    held: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, text, command = TABLES[held]
    (tmp_path / "systems").mkdir()
    for each in ("reference.en", *SYSTEMS):
        folder = tmp_path / "systems" if each in SYSTEMS else tmp_path
        (folder / each).write_bytes((EXAMPLES / each).read_bytes())
    monkeypatch.chdir(tmp_path)
    found = []
    for ends in ("\n", "\r\n"):
        Path(name).write_bytes(text.replace("\n", ends).encode())
        found.append(kilter(*command.split()))
    assert found[0].code == 0, found[0].err
    assert found[1] == found[0]


def test_plain_texts_with_windows_line_ends_are_still_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a b\r\nb a\r\n")
    found = kilter("score", "-r", str(path), str(path))
    assert found.code == 3
    assert "carriage return (Windows line ends); remove them" in found.err
