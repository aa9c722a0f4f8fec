"""Numbers with their nouns."""

import re
from pathlib import Path

import pytest

import kilter
from kilter.core.counted import counted


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 words"), (1, "1 word"), (2, "2 words"), (-1, "-1 words")]
)
def test_one_alone_takes_the_singular(number: int, expected: str) -> None:
    assert counted(number, "word") == expected


def test_a_plural_of_its_own_is_taken() -> None:
    assert counted(2, "batch", plural="batches") == "2 batches"
    assert counted(1, "line is", plural="lines are") == "1 line is"


def test_no_message_writes_a_plural_behind_a_bare_number() -> None:
    # "{x} and {y} words" and "{a} to {b} rows" speak of two numbers, which take the plural anyway;
    # "{kind} links" names links of a kind.
    bare = re.compile(
        r"(?<!and )(?<!to )"
        r"(\{[^{}]*\} (segments|lines|files|problems|systems|references|words)|\{len\([^{}]*\} links)\b"
    )
    folder = Path(kilter.__file__).parent
    found = [
        f"{path.relative_to(folder)}: {match[0]}"
        for path in sorted(folder.rglob("*.py"))
        for match in bare.finditer(path.read_text(encoding="utf-8"))
    ]
    larger_than_one = (
        "run/scoring/significance.py: {sorted(segments)} segments",
        "stats/significance.py: {segments} segments",
        "io/link_parser.py: {_LONGEST_PHRASE} words",
        "metrics/order.py: {LEAST_LINKS} words",
        "metrics/ter.py: {words} words",
        "io/text.py: {counts[index]} lines",
        "run/scoring/text_note.py: {apart} lines",
    )
    assert [each for each in found if each not in larger_than_one] == []
