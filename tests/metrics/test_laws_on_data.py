"""The laws of both headline scores on references and outputs that people and systems wrote."""

import gzip
import json
import re
from collections.abc import Callable
from html import escape
from itertools import groupby, pairwise
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import kilter
from tests.published_data import FOLDER, needs_data
from tests.thorough import some, tried

REFERENCES = {
    "wmt13, English": "wmt13-de-en/ref.en.gz",
    "wmt12, English": "wmt12-into-english/de-en/ref.en.gz",
    "wmt12, German": "wmt12-en-de/ref.de.gz",
}
SOURCES = {
    "wmt13-de-en": ("src.de.gz", "ref.en.gz"),
    "wmt12-into-english/cs-en": ("src.cs.gz", "ref.en.gz"),
    "wmt12-into-english/es-en": ("src.es.gz", "ref.en.gz"),
    "wmt12-into-english/fr-en": ("src.fr.gz", "ref.en.gz"),
    "wmt12-en-de": ("src.en.gz", "ref.de.gz"),
}
Lines = list[str]


def lines(path: str, count: int) -> Lines:
    with gzip.open(FOLDER / path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line, _ in zip(file, range(count), strict=False)]


def demetr(name: str) -> list[dict[str, str]]:
    with gzip.open(FOLDER / "demetr" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        rows: list[dict[str, str]] = json.load(file)
    return rows


def scores(
    hypotheses: Lines, references: Lines, metric: str = "order", **options: object
) -> NDArray[np.float64]:
    found = kilter.score(
        hypotheses,
        references,
        metrics=metric,
        resampling=kilter.Resampling(resamples=2),
        **options,  # type: ignore[arg-type]
    )
    return np.asarray(found.segment_arrays[metric, "system"])


def disordered(words: list[str], steps: int, random: Random) -> list[list[int]]:
    """Return orders of the words; each has one inversion more than the one before, of two neighbours."""
    places, found = [*range(len(words))], [[*range(len(words))]]
    for _ in range(steps):
        rising = [k for k in range(len(words) - 1) if places[k] < places[k + 1]]
        if not rising:
            break
        place = random.choice(rising)
        places[place], places[place + 1] = places[place + 1], places[place]
        found.append([*places])
    return found


def assert_every_step_costs(owners: list[int], found: NDArray[np.float64]) -> None:
    compared = 0
    for _, group in groupby(zip(owners, found.tolist(), strict=True), key=lambda row: row[0]):
        values = [score for _, score in group if not np.isnan(score)]
        for before, after in pairwise(values):
            assert after < before or before == after == 0.0
            compared += 1
    assert compared > 100


@needs_data("wmt13-de-en")
@pytest.mark.parametrize("language", some([None, "en"], quick=[None]))
@pytest.mark.parametrize("name", REFERENCES)
def test_law_identity_is_one_or_missing(name: str, language: str | None) -> None:
    count = tried(3003, quick=500) if language is None else 100
    reference = [line for line in lines(REFERENCES[name], count) if line]
    order = scores(reference, reference, language=language)
    assert set(order[~np.isnan(order)]) == {1.0}
    assert all(
        len(re.findall(r"\S*\w\S*", reference[k])) < 4 for k in np.flatnonzero(np.isnan(order))
    )
    kept = scores(reference, reference, "kilter", language=language)
    np.testing.assert_allclose(kept, 1.0, atol=1e-6)


@needs_data("wmt13-de-en")
@pytest.mark.parametrize("language", some([None, "en"], quick=[None]))
def test_law_every_step_costs_where_each_word_occurs_once(language: str | None) -> None:
    """Equal words, or words of one stem, find other partners when they move; the next test gives the links."""
    random = Random(5)
    owners, hypotheses, references = [], [], []
    for number, line in enumerate(lines(REFERENCES["wmt13, English"], 400 if not language else 60)):
        words = re.findall(r"\w+", line.lower())
        if len({word[:4] for word in words}) < len(words) or len(words) < 5:
            continue
        for order in disordered(words, 15, random):
            owners.append(number)
            hypotheses.append(" ".join(words[k] for k in order))
            references.append(" ".join(words))
    assert_every_step_costs(owners, scores(hypotheses, references, language=language))


def steps_with_their_links(metric: str, count: int) -> tuple[list[int], NDArray[np.float64]]:
    """Return the scores of steps to worse orders, with links between the words that moved, and whose steps they are."""
    random = Random(5)
    owners, hypotheses, references, links = [], [], [], []
    for number, line in enumerate(lines(REFERENCES["wmt13, English"], count)):
        words = re.findall(r"\w+", line.lower())
        for order in disordered(words, 15, random):
            owners.append(number)
            hypotheses.append(" ".join(words[k] for k in order))
            references.append(" ".join(words))
            links.append([*enumerate(order)])
    given = kilter.Links(hypothesis_reference=((kilter.LinkBatch.of(links),),))
    return owners, scores(hypotheses, references, metric, links=given, tokenize="none")


@needs_data("wmt13-de-en")
def test_law_every_step_costs_with_the_links_of_the_words_that_moved() -> None:
    assert_every_step_costs(*steps_with_their_links("order", tried(600, quick=100)))


@needs_data("wmt13-de-en")
def test_a_step_to_a_worse_order_seldom_raises_the_score_and_the_first_never() -> None:
    """Of the overall score: its other parts see neighbours that meet again by chance."""
    owners, found = steps_with_their_links("kilter", tried(600, quick=100))
    within = np.diff(owners) == 0
    first = within & np.r_[True, np.diff(owners)[:-1] != 0]
    gains = np.diff(found)
    assert first.sum() > 50
    assert gains[first].max() < 0.0
    assert np.mean(gains[within] > 0.0) < 0.2
    assert gains[within].max() < 0.15


def at(word: str, random: Random) -> Callable[[str], str]:
    """Return what puts a word somewhere into a sentence."""

    def change(line: str) -> str:
        words = line.split()
        words.insert(random.randrange(len(words) + 1), word)
        return " ".join(words)

    return change


@needs_data("wmt13-de-en")
@pytest.mark.parametrize("name", REFERENCES)
def test_law_harmless_changes_move_no_sentence_that_is_in_order(name: str) -> None:
    reference = lines(REFERENCES[name], tried(3003, quick=300))
    before = scores(reference, reference)
    changes: dict[str, Callable[[str], str]] = {
        "upper case": str.upper,
        "lower case": str.lower,
        "a comma": at(",", Random(1)),
        "an added word": at("die" if name.endswith("German") else "the", Random(2)),
        "entities": escape,
    }
    for kind, change in changes.items():
        after = scores([change(line) for line in reference], reference)
        both = ~np.isnan(before) & ~np.isnan(after)
        assert both.sum() > 0.9 * len(reference), kind
        assert set(after[both]) == {1.0}, kind


@needs_data("demetr")
@pytest.mark.parametrize("language", some([None, "en"], quick=[None]))
def test_law_antonyms_move_nothing_and_swaps_almost_always(language: str | None) -> None:
    count = 1000 if language is None else 100

    def moved(name: str) -> float:
        rows = demetr(name)[:count]
        found = scores(
            [row["pert_sent"] for row in rows],
            [row["mt_sent"] for row in rows],
            language=language,
        )
        assert np.isnan(found).sum() < 0.02 * count
        return float(np.mean(found < 0.99))

    assert moved("critical_id7_antonym") == 0.0
    assert moved("minor_id14_word_swap") > 0.98
    assert moved("critical_id20_shuffled") > 0.98


@needs_data("wmt13-de-en")
@pytest.mark.parametrize("folder", some([*SOURCES], quick=[*SOURCES][:2]))
def test_law_a_text_in_another_language_has_no_evidence(folder: str) -> None:
    source, reference = (lines(f"{folder}/{name}", 500) for name in SOURCES[folder])
    for one, other in ((source, reference), (reference, source)):
        found = kilter.score(one, other, metrics="order").system["order"]
        assert found.score is None
        assert "too few words are linked" in found.reason
