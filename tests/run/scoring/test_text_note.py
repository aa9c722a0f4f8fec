"""Texts that seem to be the wrong ones, or written in another way than the reference."""

import re
from functools import partial
from html import escape
from pathlib import Path
from unicodedata import normalize

import pandas as pd
import pytest

import kilter
from kilter.core.errors import KilterWarning
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
    "a line more in the middle": (
        [*SYSTEM[:20], "x", *SYSTEM[20:-1]],
        "s: its lines 22 to 48 share ",
    ),
    "a line less in the middle": (
        [*SYSTEM[:20], *SYSTEM[21:], "x"],
        "with the next line of each; a line before them seems to be missing",
    ),
    "upper case": (
        [line.upper() for line in SYSTEM],
        "s: 100% of its letters are capitals, of those of r 2%; most metrics take words",
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


def test_the_same_file_on_both_sides_is_told_however_short() -> None:
    notes = text_notes([("r", REFERENCE[:3])], [("r", REFERENCE[:3])])
    assert notes == ["r: is the same text as r, line by line; are they the right files?"]
    assert text_notes([("r", REFERENCE[:3])], [("s", REFERENCE[:3])]) == []


def test_a_reference_that_suits_no_system_is_told_by_itself() -> None:
    (note,) = text_notes([("r", GERMAN), ("q", REFERENCE)], [("s", SYSTEM), ("t", SYSTEM)])
    assert note == "r: seems to be German, but q seems to be English; are they the right files?"
    other = [*REFERENCE[7:], *REFERENCE[:7]]
    (note,) = text_notes([("r", REFERENCE), ("q", other)], [("s", SYSTEM)])
    assert note.startswith("q: shares ")
    second = lines("reference2.en")
    assert text_notes([("r", REFERENCE), ("q", second)], [("s", SYSTEM)]) == []


def test_lines_of_another_place_are_told_whatever_the_rest() -> None:
    longer = SYSTEM * 3
    moved = [*longer[:100], "x", *longer[100:-1]]
    (note,) = text_notes([("r", REFERENCE * 3)], [("s", moved)])
    assert note.startswith("s: its lines 102 to 144 share ")
    assert note.endswith("with the line before of each; a line before them seems to be too many")
    assert text_notes([("r", REFERENCE * 3)], [("s", longer)]) == []


def test_upper_case_is_not_told_where_everything_is_put_in_lower_case() -> None:
    upper = [line.upper() for line in SYSTEM]
    notes = kilter.score(upper, REFERENCE, metrics="bleu").notes
    assert [note for note in notes if "capitals" in note]
    assert kilter.score(upper, REFERENCE, metrics="bleu", lowercase=True).notes == ()


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


@pytest.mark.parametrize(
    "asked",
    [
        ["explain", "--segment", "3"],
        ["explain", "--summary"],
        ["validate"],
    ],
)
def test_commands_that_write_no_scores_tell_it_too(asked: list[str], tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("".join(f"{line}\n" for line in GERMAN), encoding="utf-8")
    done = command(*asked, "-r", str(SAMPLE / "reference.en"), str(path))
    assert done.code == 0
    assert f"kilter: {path}: seems to be German, but " in done.err
    assert command(*asked, "-q", "-r", str(SAMPLE / "reference.en"), str(path)).err == ""
    assert "no problem" not in done.err


def test_other_labels_of_a_column_are_told() -> None:
    references = pd.Series(REFERENCE)
    same, other = pd.Series(SYSTEM), pd.Series(SYSTEM, index=range(48, 0, -1))
    assert kilter.score(same, references, metrics="bleu").notes == ()
    (note,) = kilter.score(other, references, metrics="bleu").notes
    assert note.startswith("hypotheses: its labels (the index) are not those of references; rows")
    (note,) = kilter.score({"a": same, "b": other}, references, metrics="bleu").notes
    assert note.startswith("hypotheses['b']: its labels")
    with pytest.warns(KilterWarning, match="first: its labels .* are not those of second"):
        kilter.align(other, references)


def test_results_without_notes_warn_of_texts() -> None:
    references, other = pd.Series(REFERENCE), pd.Series(SYSTEM, index=range(48, 0, -1))
    explain = partial(kilter.explain_segments, segments=1, metrics="kendall")
    for told in (explain, kilter.order_errors):
        with pytest.warns(KilterWarning, match="hypotheses: its labels"):
            told(other, references)
        with pytest.warns(KilterWarning, match="system: seems to be German, but references seems"):
            told(GERMAN, REFERENCE)


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
