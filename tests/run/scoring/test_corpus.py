"""Texts become a corpus, or an error says why not."""

from typing import Any

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.io.sgm import PlacedLines
from kilter.run.scoring.corpus import EmptyLines, Texts, build_corpus, check_counts, texts_from_api


def refusal(*arguments: Any) -> str:
    with pytest.raises(InputError) as raised:
        texts_from_api(*arguments)
    return str(raised.value)


def texts(
    systems: dict[str, list[str]],
    reference: list[str],
    source: list[str] | None = None,
) -> Texts:
    return Texts(
        systems=systems,
        references={"ref.txt": reference},
        source=None if source is None else ("src.txt", source),
    )


def test_words_are_interned_over_one_vocabulary() -> None:
    corpus = build_corpus(
        texts({"a": ["The cat."], "b": ["cat The"]}, ["the cat ."], ["Die Katze"])
    )
    assert len(corpus) == 1
    assert corpus.vocabulary.words == ["the", "cat", ".", "Die", "Katze", "The"]
    assert [column.tokens.ids.tolist() for column in corpus.systems] == [[5, 1, 2], [1, 5]]
    assert corpus.references[0].tokens.ids.tolist() == [0, 1, 2]
    assert corpus.source is not None
    assert corpus.source.lines == ("Die Katze",)
    assert (corpus.tokenizer, corpus.lowercase) == ("13a", False)


def test_lowercasing_concerns_words_and_the_tokeniser_is_chosen_by_language() -> None:
    corpus = build_corpus(texts({"a": ["我爱 CATS"]}, ["我爱 cats"]), tokenize="zh", lowercase=True)
    assert corpus.vocabulary.words == ["我", "爱", "cats"]
    assert corpus.systems[0].lines == ("我爱 cats",)
    assert (corpus.tokenizer, corpus.lowercase) == ("zh", True)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (["a"], "a.txt: has 1 line, but ref.txt has 2; .*line 2 of a.txt is missing"),
        (["a"] * 4, "a.txt: has 4 lines, but ref.txt has 2; .*line 3 of ref.txt is missing"),
        ([], "a.txt: has 0 lines, but ref.txt has 2; .*line 1 of a.txt is missing"),
    ],
)
def test_different_line_counts_name_both_files_and_the_first_missing_line(
    system: list[str], expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        build_corpus(texts({"a.txt": system}, ["x", "y"]))


def test_the_source_and_every_system_are_counted() -> None:
    with pytest.raises(InputError, match=r"src.txt: has 1 line, but ref.txt has 2"):
        check_counts(texts({"a": ["x", "y"]}, ["x", "y"], ["z"]))
    with pytest.raises(InputError, match=r"b: has 3 lines"):
        check_counts(texts({"a": ["x", "y"], "b": ["x"] * 3}, ["x", "y"]))


def test_a_segment_that_a_marked_text_lacks_is_named() -> None:
    reference = PlacedLines.of(["x", "y", "z"], ["d#1", "d#2", "d#3"])
    lacking = PlacedLines.of(["x", "z"], ["d#1", "d#3"])
    with pytest.raises(InputError, match=r"a: segment 2 is d#3, but that of r is d#2"):
        check_counts(Texts(systems={"a": lacking}, references={"r": reference}))
    cut = PlacedLines.of(["x", "y"], ["d#1", "d#2"])
    with pytest.raises(InputError, match=r"a: has 2 lines, but r has 3; .*line 3 of a is missing"):
        check_counts(Texts(systems={"a": cut}, references={"r": reference}))


def test_a_corpus_without_segments_is_refused() -> None:
    with pytest.raises(InputError, match=r"ref.txt: has no segment"):
        build_corpus(texts({"a": []}, []))


def test_empty_lines_are_kept_or_stop_the_run() -> None:
    given = texts({"a": ["x", " "]}, ["x", "y"])
    assert build_corpus(given).systems[0].tokens.lengths.tolist() == [1, 0]
    with pytest.raises(InputError, match=r"a:2: the line is empty.* with empty='keep'$") as raised:
        build_corpus(given, empty=EmptyLines.STOP)
    assert raised.value.for_command().endswith("with --empty keep")
    filled = texts({"a": ["x"]}, ["y"])
    assert len(build_corpus(filled, empty=EmptyLines.STOP)) == 1


def test_an_unspaced_script_is_refused_with_the_name_of_the_text() -> None:
    with pytest.raises(InputError, match=r"ref.txt: is written without blanks"):
        build_corpus(texts({"a": ["我今天去学校上课"]}, ["我今天去学校上课"]))


def test_references_of_the_api_come_one_or_several_per_hypothesis() -> None:
    one = texts_from_api(["a", "b"], ["x", "y"])
    assert dict(one.systems) == {"system": ("a", "b")}
    assert dict(one.references) == {"references": ("x", "y")}
    several = texts_from_api({"A": ["a"], "B": ["b"]}, [["x", "y", "z"]], ["s"])
    assert dict(several.systems) == {"A": ("a",), "B": ("b",)}
    assert dict(several.references) == {
        "references 1": ("x",),
        "references 2": ("y",),
        "references 3": ("z",),
    }
    assert several.source == ("source", ("s",))


def test_transposed_references_are_recognised() -> None:
    found = refusal(["a", "b", "c"], [["x", "y", "z"], ["x", "y", "z"]])
    assert found.startswith("references: are transposed: 2 lists of 3")
    assert "zip(*references)" in found


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        ([["x"], ["y", "z"]], "from 1 to 2 references"),
        ([[], []], "from 0 to 0 references"),
        ([["x"], []], "from 0 to 1 references"),
        ([["x"], "y"], "some entries are strings and some are lists"),
        (
            "xy",
            "references: is a single string; pass one reference string, or a list of them, per hypothesis",
        ),
        (b"xy", "references: is bytes, which are not decoded; pass one reference string"),
        (5, "references: is 5; pass one reference string"),
        ([None, None], "references: "),
        ([1, 2], "references: "),
        ([[1], [2]], "references 1: entry 0 is 1, not a string"),
        ([["x", "y"], ["z", "u\0"]], "references 2: entry 1 holds a NUL character"),
        (["x", "y\r"], "references: entry 1 ends in a carriage return"),
        (["\ufeffx", "y"], "references: entry 0 starts with a byte-order mark"),
        (["x", "\udcff"], "references: entry 1 holds the lone surrogate U+DCFF"),
        (["x\ny", "z"], "references: entry 0 holds a line break"),
    ],
)
def test_references_of_the_wrong_shape_are_refused(references: Any, expected: str) -> None:
    assert expected in refusal(["a", "b"], references)


@pytest.mark.parametrize(
    ("hypotheses", "expected"),
    [
        ("a", "hypotheses: is a single string; pass a list of strings"),
        (b"a", "hypotheses: is bytes, which are not decoded; pass a list of strings"),
        ([1], "hypotheses: entry 0 is 1, not a string"),
        (["a", None], "hypotheses: entry 1 is missing (None); fill it"),
        (["a\nb"], "hypotheses: entry 0 holds a line break"),
        (5, "hypotheses: "),
        (None, "hypotheses: "),
        ({}, "hypotheses: there is no system to score"),
        ({"A": "a"}, "hypotheses['A']: is a single string"),
        ({"A": ["a"], "B": ["\0"]}, "hypotheses['B']: entry 0 holds a NUL character"),
    ],
)
def test_hypotheses_of_the_wrong_shape_are_refused(hypotheses: Any, expected: str) -> None:
    assert expected in refusal(hypotheses, ["x"])


def test_a_source_is_checked_like_the_others() -> None:
    assert "source: is a single string" in refusal(["a"], ["x"], "s")
    assert "source: entry 0 is 3, not a string" in refusal(["a"], ["x"], [3])
    assert "source: entry 0 ends in a carriage return" in refusal(["a"], ["x"], ["s\r"])


def test_a_system_without_name_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"^hypotheses: a system is named by an empty text; name it"
    ):
        texts_from_api({"": ["a"]}, ["a"])


def test_a_system_whose_name_no_output_can_spell_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"^hypotheses: a system is named '.ud800', which no output"
    ):
        texts_from_api({"\ud800": ["a"]}, ["a"])


# What becomes of lines without a word.


def test_there_are_two_ways_and_another_is_refused_with_both() -> None:
    assert [*EmptyLines] == ["keep", "stop"]
    with pytest.raises(OptionError, match=r"it can be keep, stop"):
        EmptyLines("drop")
