"""Texts that seem to be the wrong ones, or written in another way than the reference."""

import re
from html import escape
from pathlib import Path
from unicodedata import normalize

import pandas as pd
import pytest

import kilter
from kilter.run.demo import SAMPLE
from kilter.run.scoring.text_note import text_notes
from tests.cli.command import kilter as command
from tests.run.scoring.streamed import cut_into


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


REFERENCE, SYSTEM, GERMAN = lines("reference.en"), lines("verb.en"), lines("source.de")


def tokenised(text: list[str]) -> list[str]:
    return [re.sub(r"(?<=\w)([.,;:!?])", r" \1", line) for line in text]


@pytest.mark.parametrize(
    "system", ["verb.en", "local.en", "phrase.en", "lexical.en", "reference2.en"]
)
@pytest.mark.parametrize("size", [1, 5, 48])
def test_nothing_is_said_of_systems_that_translate(system: str, size: int) -> None:
    assert text_notes([("r", REFERENCE[:size])], [("s", lines(system)[:size])]) == []


WRONG = {
    "another language": (
        GERMAN,
        "s: seems to be German, but r seems to be English; are they the right files?",
    ),
    "the reference": (REFERENCE, "s: is the same text as r, line by line; are they"),
    "a line less": (
        [*SYSTEM[1:], "x"],
        "next line of each; a line at its start seems to be missing",
    ),
    "a line more": (
        ["x", *SYSTEM[:-1]],
        "line before of each; a line at its start seems to be too",
    ),
    "another text": (
        [re.sub("[aeiou]", "x", line) for line in SYSTEM],
        "% of its words with r, line by line; are they the right files, in the same language",
    ),
    "entities": (
        [escape(line.replace(" t", " 't")).replace("&#x27;", "&apos;") for line in SYSTEM],
        "HTML entities such as &apos;, r has none; write the characters that they stand for",
    ),
    "tokens": (
        tokenised(SYSTEM),
        "s: 100% of its commas and full stops stand apart from words, of those of r 0%; one is",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_text_is_told_in_one_note(kind: str) -> None:
    system, told = WRONG[kind]
    (note,) = text_notes([("r", REFERENCE)], [("s", system)])
    assert told in note
    assert "\n" not in note


def test_the_other_side_may_be_the_wrong_one() -> None:
    (note,) = text_notes([("r", tokenised(REFERENCE))], [("s", SYSTEM)])
    assert "s: 0% of its commas and full stops stand apart from words, of those of r 100%" in note
    (note,) = text_notes([("r", WRONG["entities"][0])], [("s", REFERENCE)])
    assert note.startswith("r: has ")


def test_accents_of_their_own_are_told_apart_from_letters_with_accents() -> None:
    accented = [line.replace("a", "á").replace("e", "é") for line in REFERENCE]
    turned = [normalize("NFD", line.replace("o", "ó")) for line in accented]
    (note,) = text_notes([("r", accented)], [("s", turned)])
    assert note.startswith("s: 48 lines have accents as characters of their own (Unicode NFD)")
    (note,) = text_notes([("r", turned)], [("s", accented)])
    assert note.startswith("r: 48 lines have accents")


def test_the_source_in_place_of_a_system_is_told_whatever_its_language() -> None:
    notes = text_notes([("r", REFERENCE)], [("s", SYSTEM), ("t", GERMAN)], ("src", GERMAN))
    assert notes == ["t: is the same text as src, line by line; are they the right files?"]


def test_one_reference_that_fits_is_enough() -> None:
    assert text_notes([("r", GERMAN), ("q", REFERENCE)], [("s", SYSTEM)]) == []


def test_scripts_tell_languages_apart() -> None:
    russian = ["Дети не видели мяча, который лежал под старым деревом возле дома."] * 6
    hebrew = ["הילדים לא ראו את הכדור שהיה מתחת לעץ הזקן ליד הנהר"] * 6
    for one, seems in ((russian, "a language in Cyrillic"), (hebrew, "Hebrew")):
        (note,) = text_notes([("r", REFERENCE[:6])], [("s", one)])
        assert note.startswith(f"s: seems to be {seems}, but r seems to be English")
    assert text_notes([("r", russian)], [("s", russian)]) == []


@pytest.mark.parametrize("block", [4096, 16])
def test_results_and_commands_tell_it(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "seems to be German, but "
    assert told in kilter.score(GERMAN, REFERENCE, metrics="bleu").notes[0]
    assert told in kilter.compare({"a": GERMAN, "b": SYSTEM}, REFERENCE, metrics="bleu").notes[0]
    path = tmp_path / "out.txt"
    path.write_text("".join(f"{line}\n" for line in GERMAN), encoding="utf-8")
    cut_into(monkeypatch, block)
    asked = ["score", "-r", str(SAMPLE / "reference.en"), str(path), "-m", "bleu"]
    done = command(*asked)
    assert (done.code, done.err.count("\n")) == (0, 1)
    assert done.err.startswith(f"kilter: {path}: {told}")
    assert command(*asked, "-q").err == ""


def test_other_labels_of_a_column_are_told() -> None:
    references = pd.Series(REFERENCE)
    same, other = pd.Series(SYSTEM), pd.Series(SYSTEM, index=range(48, 0, -1))
    assert kilter.score(same, references, metrics="bleu").notes == ()
    (note,) = kilter.score(other, references, metrics="bleu").notes
    assert note.startswith("hypotheses: its labels (the index) are not those of references; rows")
    (note,) = kilter.score({"a": same, "b": other}, references, metrics="bleu").notes
    assert note.startswith("hypotheses['b']: its labels")


@pytest.mark.parametrize("language", [None, "en"])
def test_texts_of_two_languages_are_told_once_and_no_language_is_to_be_named(
    language: str | None,
) -> None:
    for one, other in ((GERMAN, REFERENCE), (REFERENCE, GERMAN)):
        found = kilter.score(one, other, metrics=["kendall", "order"], language=language)
        told = [note for note in found.notes if "seems to be" in note]
        assert len(told) == 1
        assert "are they the right files?" in told[0]
        assert [note for note in found.notes if "order is missing" in note]
