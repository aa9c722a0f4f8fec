"""What left the default output of a command is behind the option that the output names, and in JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import kilter

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = str(EXAMPLES / "reference.en")
SYSTEMS = [str(EXAMPLES / f"{name}.en") for name in ("local", "verb", "phrase", "lexical")]
TEXTS = ["-r", REFERENCE, *(part for path in SYSTEMS for part in ("--systems", path))]
JUDGED = ["--judgments", str(EXAMPLES / "rankings.csv"), *TEXTS, "--resamples", "200"]
FEW = ["--resamples", "200"]
SENTENCES = ["I will you tomorrow call.", "I will call you tomorrow."]
# By command: how it is asked, which option shows the rest, and what is to be read there alone.
SHORTENED: dict[str, tuple[list[str], str, tuple[str, ...]]] = {
    "score": (
        ["score", "-r", REFERENCE, *SYSTEMS[:2], *FEW],
        "--details",
        ("kilter|encoder:none", "bleu|order:4", "kilter characters", "mean parts of kilter"),
    ),
    "compare two": (
        ["compare", "-r", REFERENCE, *SYSTEMS[:2], *FEW],
        "--details",
        ("p rand", "p perm", "d_z", "+/=/- %", "consist of", "order|weights:", "two-sided"),
    ),
    "compare many": (
        ["compare", "-r", REFERENCE, *SYSTEMS, *SYSTEMS[:2], "-m", "order", *FEW]
        + [part for name in "abcdef" for part in ("--name", name)],
        "--details",
        ("order: row against column", "p perm", "order: against a"),
    ),
    "explain": (
        ["explain", *SENTENCES],
        "--work",
        ("permutation tree", "kilter = 0.794261", "characters_weight"),
    ),
    "meta": (["meta", *JUDGED, "-m", "full", "-m", "bleu"], "--details", ("full|alpha:0.5",)),
    "meta sensitivity": (
        ["meta", "sensitivity", str(EXAMPLES / "perturbed.tsv"), "-m", "kendall", *FEW],
        "--details",
        ("kendall|root:no",),
    ),
    "tune": (
        ["tune", *JUDGED[:-2], "-m", "full", "-o", "alpha"],
        "--details",
        ("fold ", "held out", "as given", "full|alpha:0."),
    ),
}


def said(arguments: list[str]) -> str:
    done = kilter(*arguments)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize("name", SHORTENED)
def test_the_default_names_the_option_that_shows_the_rest(name: str) -> None:
    arguments, option, facts = SHORTENED[name]
    short, full = said(arguments), said([*arguments, option])
    assert option in short or (option == "--details" and "--verbose" in short)
    assert [fact for fact in facts if fact in short] == []
    assert [fact for fact in facts if fact not in full] == []
    assert len(short) < len(full)


def numbers(value: Any) -> set[str]:
    """Return every number of a document as people may see it, with two to four decimals, without a sign."""
    if isinstance(value, dict):
        return set().union(*map(numbers, value.values()))
    if isinstance(value, list):
        return set().union(*map(numbers, value))
    if isinstance(value, float | int) and not isinstance(value, bool):
        return {f"{abs(value):.{digits}f}" for digits in (2, 3, 4)}
    return set()


@pytest.mark.parametrize("name", ["compare two", "tune", "meta", "score"])
def test_every_decimal_that_people_can_see_is_in_the_document(name: str) -> None:
    arguments, option, _ = SHORTENED[name]
    known = numbers(json.loads(said([*arguments, "--format", "json"])))
    derived = re.compile(r"±\S+|\d+(?:/\d+)+|\|.*|beta:\S+")
    for text in (said(arguments), said([*arguments, option])):
        shown = set(re.findall(r"(?<![\d.:|])0\.\d{4}(?!\d)", derived.sub(" ", text)))
        assert shown
        assert shown <= known


def test_signatures_parts_tests_and_effects_are_in_the_documents() -> None:
    score = json.loads(said([*SHORTENED["score"][0], "--format", "json"]))
    assert all("|v:" in metric["signature"] for metric in score["metrics"].values())
    compare = json.loads(said([*SHORTENED["compare many"][0], "--format", "json"]))
    pairs = compare["comparisons"]
    assert len(pairs) == 15
    for pair in pairs:
        assert {"p", "holm", "effect", "low", "high", "share"} <= set(pair)
        assert set(pair["p"]) == set(compare["tests"])


def test_the_working_of_every_score_is_in_the_document_of_an_explanation() -> None:
    document = json.loads(said([*SHORTENED["explain"][0], "--format", "json"]))
    worked = json.dumps(document["metrics"])
    assert '"crossed"' in worked
    assert '"characters_weight"' in worked
    assert document["permutation"] == [1, 2, 4, 5, 3]


def test_two_systems_take_twenty_lines_and_a_sentence_fifteen() -> None:
    assert len(said(SHORTENED["compare two"][0]).splitlines()) <= 20
    assert len(said(SHORTENED["explain"][0]).splitlines()) <= 15
    clean = said(["explain", SENTENCES[1], SENTENCES[1]])
    assert len(clean.splitlines()) <= 15
    assert "nothing is out of order" in clean
