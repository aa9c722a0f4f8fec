"""What the page carries is what was put in."""

from base64 import b64decode
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.links import LinkBatch
from kilter.render.page.report_data import packed_links, packed_scores, report_data
from tests.render.page.packed import unpacked, unpacked_signed
from tests.render.page.reported import FEW, sample_report, small_report


def unpacked_links(given: dict[str, str]) -> list[list[tuple[int, int]]]:
    firsts, seconds = iter(unpacked(given["first"])), iter(unpacked_signed(given["second"]))
    found = []
    for count in unpacked(given["counts"]):
        first = second = 0
        links = []
        for _ in range(count):
            first += next(firsts)
            second += next(seconds)
            links.append((first, second))
        found.append(links)
    assert [*firsts, *seconds] == []
    return found


@given(st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), unique=True)))
def test_links_are_read_back_as_they_were(links: list[list[tuple[int, int]]]) -> None:
    batch = LinkBatch.of(links)
    assert unpacked_links(packed_links(batch)) == [sorted(segment) for segment in links]


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False, width=64)))
def test_scores_are_rounded_to_32_bits_and_no_further(scores: list[float]) -> None:
    with np.errstate(over="ignore"):
        wanted = np.array(scores, dtype=np.float64).astype(np.float32)
        found = np.frombuffer(b64decode(packed_scores(np.array(scores, dtype=np.float64))), "<f4")
    np.testing.assert_array_equal(found, wanted)


def test_the_texts_of_the_sample_are_read_back_as_they_were_written() -> None:
    report = sample_report()
    data: Any = report_data(report)
    corpus = report.corpus
    texts = [*corpus.references, *corpus.systems, corpus.source]
    assert [text["name"] for text in data["texts"]] == [text.name for text in texts if text]
    for text, packed_text in zip(texts, data["texts"], strict=True):
        assert text is not None
        values = iter(unpacked(packed_text["words"]))
        for line, length in zip(text.lines, unpacked(packed_text["lengths"]), strict=True):
            shown = ""
            for _ in range(length):
                value = next(values)
                shown += ("" if value % 2 or not shown else " ") + data["words"][value // 2]
            assert shown == line
        assert [*values] == []


def test_links_and_scores_of_the_sample_are_read_back() -> None:
    report = sample_report()
    data: Any = report_data(report)
    for links, given_links in zip(report.links, data["links"], strict=True):
        found = unpacked_links(given_links)
        assert found == [links.segment(segment) for segment in range(report.count)]
    for name, row in zip(report.metrics, data["scores"], strict=True):
        for system, text in zip(report.systems, row, strict=True):
            found_scores = np.frombuffer(b64decode(text), "<f4")
            np.testing.assert_allclose(found_scores, report.scores[name, system], rtol=1e-7)


def test_frequent_words_have_small_numbers_and_unused_ones_none() -> None:
    data: Any = report_data(small_report(right=["b b b a", "b"], wrong=["a b b b", "c b"]))
    assert data["words"] == ["b", "a", "c"]


def test_trees_are_read_back_and_texts_without_any_have_none() -> None:
    tree = kilter.DependencyTree(
        ["we", "saw"], heads=[1, -1], labels=["nsubj", "root"], tags=["PRON", "VERB"]
    )
    column = kilter.DependencyTreeColumn.of([tree, tree])
    lines = ["we saw", "we saw"]
    trees = kilter.Trees(systems=(column,), references=(column,))
    data: Any = report_data(
        kilter.report(lines, lines, trees=trees, metrics="dted", resampling=FEW)
    )
    assert len(data["trees"]["texts"]) == 2
    for text in data["trees"]["texts"]:
        assert [head - 1 for head in unpacked(text["heads"])] == [1, -1, 1, -1]
        tags = [data["trees"]["tags"][number] for number in unpacked(text["tags"])]
        assert tags == ["PRON", "VERB"] * 2
        names = [data["trees"]["labels"][number] for number in unpacked(text["labels"])]
        assert names == ["nsubj", "root"] * 2
    assert report_data(sample_report())["trees"] is None
