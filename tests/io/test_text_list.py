"""Texts in memory: whatever has an order is taken, alike by every public function; the rest refused."""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import kilter
from kilter.adapters.comet import predict
from kilter.adapters.evaluate import compute
from kilter.adapters.sacrebleu import KilterMetric
from kilter.aligners.lint import lint
from kilter.core.errors import InputError
from kilter.core.links import LinkBatch
from kilter.io.text import segment_words, text_lines, word_list
from kilter.metrics.bleu import bleu
from kilter.metrics.chrf import chrf
from kilter.metrics.ter import ter
from kilter.parsers.registry import parser
from kilter.preordering.perturbations.perturbation import PerturbationType
from kilter.run.align import align_texts
from kilter.run.parse import parse_sentences
from kilter.run.perturb import parsed_trees, perturb_texts
from kilter.run.reordering.make import split_words
from tests.thorough import some

LINES = ["the mat sat on the cat", "she sleeps"]
OTHERS = ["the cat sat on the mat", "she sleeps"]

KINDS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "iterator": iter,
    "generator": lambda lines: (line for line in lines),
    "keys": lambda lines: dict.fromkeys(lines).keys(),
    "array": np.array,
    "array of objects": lambda lines: np.array(lines, dtype=object),
    "Series": pd.Series,
    "Series with labels": lambda lines: pd.Series(lines, index=["columns", "column_names"]),
    "Series of strings": lambda lines: pd.Series(lines, dtype="string"),
    "categories": lambda lines: pd.Series(lines, dtype="category"),
    "Index": pd.Index,
    "Arrow array": pa.array,
    "Arrow chunks": lambda lines: pa.chunked_array([lines[:1], lines[1:]]),
    "Arrow column": lambda lines: pa.table({"text": lines})["text"],
}

REFUSED: dict[str, tuple[Any, str]] = {
    "None": (None, "is None"),
    "a number": (3, "is 3"),
    "a string": ("a b", "is a single string"),
    "bytes": (b"a b", "is bytes, which are not decoded"),
    "a set": ({"a b"}, "is a set, which has no order"),
    "a frozen set": (frozenset(["a b"]), "is a frozenset, which has no order"),
    "a table": (
        pd.DataFrame({"a": LINES}),
        "is a whole table (DataFrame); pass one of its columns",
    ),
    "an Arrow table": (pa.table({"a": LINES}), "is a whole table (Table); pass one of its columns"),
    "a missing value": (["a", None], "entry 1 is missing (None)"),
    "a missing number": (["a", float("nan")], "entry 1 is missing (nan)"),
    "pandas' missing value": (pd.Series(["a", None], dtype="string"), "entry 1 is missing (<NA>)"),
    "Arrow's missing value": (pa.array(["a", None]), "entry 1 is missing (None)"),
    "undecoded entries": (np.array([b"a", b"b"]), "entry 0 is b'a', which is not decoded"),
    "numbers": (np.array([1, 2]), "entry 0 is 1, not a string"),
    "mixed entries": (["a", 2], "entry 1 is 2, not a string"),
    "a scalar array": (np.array("a"), "is an array of 0 dimensions"),
}

TAKERS: dict[str, Callable[[Any], Any]] = {
    "hypotheses": lambda lines: kilter.score(lines, OTHERS, metrics="kendall").to_dict(),
    "systems": lambda lines: kilter.score({"one": lines}, OTHERS, metrics="kendall").to_dict(),
    "references": lambda lines: kilter.score(OTHERS, lines, metrics="kendall").to_dict(),
    "source": lambda lines: kilter.score(OTHERS, OTHERS, source=lines, metrics="kendall").to_dict(),
    "predictions": lambda lines: compute(predictions=lines, references=OTHERS, metrics="bleu"),
    "references of compute": lambda lines: compute(
        predictions=OTHERS, references=lines, metrics="bleu"
    ),
    "sacreBLEU's hypotheses": lambda lines: KilterMetric("pef").corpus_score(lines, [OTHERS]).score,
    "sacreBLEU's references": lambda lines: KilterMetric("pef").corpus_score(OTHERS, [lines]).score,
    "align": lambda lines: align_texts(("a", lines), ("b", OTHERS))[0].links.tolist(),
    "align with": lambda lines: align_texts(("a", OTHERS), ("b", lines))[0].links.tolist(),
    "parse": lambda lines: kilter.parse(lines, parser="perceptron").trees.heads.tolist(),
    "perturb": lambda lines: list(perturb_texts(lines, [PerturbationType.ORDER])),
    "case of words": lambda lines: list(
        perturb_texts(OTHERS, [PerturbationType.ORDER], case_texts=lines)
    ),
    "trees": lambda lines: [
        tree.heads for tree in parsed_trees(lines, "perceptron", text_name="a")
    ],
    "chrf": lambda lines: chrf("a b", lines),
    "ter": lambda lines: ter("a b", lines),
}


@pytest.mark.parametrize("kind", some(KINDS, quick=[*KINDS][::3]))
@pytest.mark.parametrize("taker", TAKERS)
def test_whatever_has_an_order_is_a_text_everywhere(taker: str, kind: str) -> None:
    take = TAKERS[taker]
    assert take(KINDS[kind](LINES)) == take(LINES)


@pytest.mark.parametrize("refused", REFUSED)
@pytest.mark.parametrize("taker", sorted({*TAKERS} - {"source", "case of words"}))
def test_whatever_has_none_is_refused_everywhere_for_its_own_reason(
    taker: str, refused: str
) -> None:
    given, reason = REFUSED[refused]
    with pytest.raises(InputError) as raised:
        TAKERS[taker](given)
    assert reason in str(raised.value)


@pytest.mark.parametrize("kind", KINDS)
def test_several_references_come_in_every_kind_of_list(kind: str) -> None:
    groups = [["the cat sat", "the cat sat down"], ["she sleeps", "she is asleep"]]
    expected = kilter.score(LINES, groups, metrics="kendall").to_dict()

    def inner() -> list[Any]:
        return [KINDS[kind](group) for group in groups]

    for nested in (inner(), tuple(inner()), iter(inner()), pd.Series(inner(), dtype=object)):
        assert kilter.score(LINES, nested, metrics="kendall").to_dict() == expected


@pytest.mark.parametrize("kind", [np.array, pd.Series, pa.array])
def test_several_references_may_be_one_column_of_lists(kind: Any) -> None:
    groups = [["the cat sat", "the cat sat down"], ["she sleeps", "she is asleep"]]
    expected = kilter.score(LINES, groups, metrics="kendall").to_dict()
    assert kilter.score(LINES, kind(groups), metrics="kendall").to_dict() == expected


@pytest.mark.parametrize(
    ("references", "reason"),
    [
        ([{"a", "b"}], "references: entry 0 is a set, which has no order"),
        ([{"a": "b"}], "references: entry 0 is a mapping (dict)"),
        ([["a"], None], "references: entry 1 is None"),
        ([["a"], {"b"}], "references: entry 1 is a set"),
        ({"a": "b"}, "references: is a mapping (dict); pass one reference string, or a list"),
        (pd.DataFrame({"a": ["x"]}), "references: is a whole table (DataFrame)"),
    ],
)
def test_references_without_an_order_are_refused(references: Any, reason: str) -> None:
    with pytest.raises(InputError) as raised:
        kilter.score(["a"], references)
    assert str(raised.value).startswith(reason)


def test_no_system_is_lost_among_names_that_look_alike() -> None:
    with pytest.raises(InputError, match=r"a system is named 1, which is no string; name it '1'"):
        kilter.score({1: ["a"], "1": ["b"]}, ["a"])


@pytest.mark.parametrize("rows", [None, "a", 3, [3], pd.DataFrame({"mt": ["a"]}), {"mt": "a"}])
def test_rows_are_rows(rows: Any) -> None:
    with pytest.raises(InputError, match=r"rows?.*: is .*pass .*a list of rows such as"):
        predict(rows)


def test_rows_may_come_one_by_one() -> None:
    rows = [{"mt": a, "ref": b} for a, b in zip(LINES, OTHERS, strict=True)]
    assert predict(iter(rows)) == predict(rows)


@pytest.mark.parametrize("kind", [tuple, iter, np.array, pd.Series, pa.array])
def test_words_may_come_in_every_kind_of_list(kind: Any) -> None:
    words, others = LINES[0].split(), OTHERS[0].split()
    assert bleu(kind(words), [kind(others)]) == bleu(words, [others])
    made = parser("perceptron")
    expected = parse_sentences([words], made).heads.tolist()
    assert parse_sentences(iter([kind(words)]), made).heads.tolist() == expected
    assert split_words(kind(LINES)) == [line.split() for line in LINES]
    links = LinkBatch.of([[(0, 0)]])
    assert lint([kind(words)], [kind(others)], links) == lint([words], [others], links)


def test_words_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="a: is a single string; pass a list of words"):
        word_list("a b", where="a")
    with pytest.raises(InputError, match="a: word 1 is 3, not a string"):
        word_list(["b", 3], where="a")
    with pytest.raises(InputError, match="a: segment 2: is a set"):
        segment_words([["b"], {"c"}], where="a")
    with pytest.raises(InputError, match="the source has 1 segment, the target 2 and the links 1"):
        lint([["a"]], [["a"], ["b"]], LinkBatch.of([[]]))
    assert text_lines([], where="a") == ()
