"""English is not assumed of German in silence."""

import pytest

import kilter
from kilter.core.errors import KilterWarning

REFERENCE = ["Die Kinder haben die alten Bücher in den Garten getragen ."]
HYPOTHESIS = ["Die Kinder haben das alte Buch in den Gärten getragen ."]
NOTE = (
    "references (and 1 more text): seems to be German, but no language was named, so that {} are English; "
    "name the language, such as de"
)


def notes(**options: object) -> list[str]:
    result = kilter.score(HYPOTHESIS, REFERENCE, **options)  # type: ignore[arg-type]
    return [note for note in result.notes if "seems to be" in note]


def test_stems_and_trees_that_are_english_are_told_of_german_texts() -> None:
    assert notes(metrics=["kendall"]) == [NOTE.format("the stems of match")]
    both = notes(metrics=["kendall", "dted"], parser="perceptron")
    assert both == [NOTE.format("the stems of match and the trees of perceptron")]


@pytest.mark.parametrize(
    "options",
    [
        {"metrics": ["kendall"], "language": "de"},
        {"metrics": ["kendall"], "aligner": "match:stages=exact"},
        {"metrics": ["kendall"], "aligner": "match:language=de"},
        {"metrics": ["kendall"], "aligner": "ribes"},
        {"metrics": ["bleu"]},
    ],
)
def test_nothing_is_said_where_nothing_is_assumed(options: dict[str, object]) -> None:
    assert notes(**options) == []


def test_another_language_than_the_one_that_is_named_is_told() -> None:
    (told,) = notes(metrics=["kendall"], language="en")
    assert "seems to be German, but the language named is en; name its own, such as de" in told


def test_a_note_changes_no_number() -> None:
    silent = kilter.score(HYPOTHESIS, REFERENCE, metrics="kendall", aligner="match:language=en")
    told = kilter.score(HYPOTHESIS, REFERENCE, metrics="kendall")
    german = kilter.score(HYPOTHESIS, REFERENCE, metrics="kendall", language="de")
    results = (silent, told, german)
    scores = [each.systems["system"]["kendall"].score or 0.0 for each in results]
    assert scores[0] == scores[1] < scores[2]


def test_links_and_trees_alone_are_told_of_too() -> None:
    with pytest.warns(
        KilterWarning, match=r"^first \(and 1 more text\): seems to be German, .* such as de$"
    ):
        kilter.align(HYPOTHESIS, REFERENCE)
    with pytest.warns(
        KilterWarning,
        match=r"^lines: .*the trees of perceptron are English; choose a parser that knows the language$",
    ):
        kilter.parse(REFERENCE, parser="perceptron")
    assert kilter.align(HYPOTHESIS, REFERENCE, language="de").segment(0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"metrics": ["kendall"], "language": "uk"}, 1),
        ({"metrics": ["kendall", "pef"], "language": "he-IL"}, 1),
        ({"metrics": ["bleu"], "language": "uk"}, 0),
        ({"metrics": ["kendall"], "language": "uk", "aligner": "match:stages=exact"}, 0),
        ({"metrics": ["kendall"], "language": "nb"}, 0),
        ({"metrics": ["kendall"], "language": "none"}, 0),
    ],
)
def test_a_language_without_a_stemmer_is_told_where_stems_are_looked_for(
    options: dict[str, object], told: int
) -> None:
    result = kilter.score(HYPOTHESIS, REFERENCE, **options)  # type: ignore[arg-type]
    found = [
        note for note in result.notes if note.startswith("there is no stemmer for the language")
    ]
    assert len(found) == told


def test_the_code_of_northern_sami_is_not_that_of_swedish() -> None:
    notes = kilter.score(HYPOTHESIS, REFERENCE, metrics="kendall", language="se").notes
    assert [note for note in notes if "language se" in note and "(Swedish is sv)" in note]
