"""The worked examples of the specification: steps, punctuation and truecasing."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kilter.preordering.perturbations.case import CaseCounts
from kilter.preordering.perturbations.order import ChoiceStep, OrderStep, PhraseStep, SwapStep
from kilter.preordering.perturbations.word import join_words, split_sentence, split_word
from tests.oracles.perturb import split

GOLDEN = Path(__file__).parents[2] / "golden" / "wojdb.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
STEPS = {"order": OrderStep, "swap": SwapStep, "phrase": PhraseStep, "choice": ChoiceStep}


def cases(*kinds: str) -> list[dict[str, Any]]:
    found = [case for case in CASES if case["kind"] in kinds]
    assert found
    return found


@pytest.mark.parametrize("case", cases("split"), ids=lambda case: case["word"])
def test_a_word_is_split_from_its_punctuation(case: dict[str, Any]) -> None:
    assert list(split_word(case["word"]))[:3] == case["parts"] == split(case["word"])


@pytest.mark.parametrize("case", cases(*STEPS), ids=lambda case: case["result"])
def test_one_step_gives_the_published_words_and_punctuation(case: dict[str, Any]) -> None:
    fields = [value for name, value in case.items() if name not in ("kind", "text", "result")]
    step = STEPS[case["kind"]](*fields)
    assert join_words(step.apply(split_sentence(case["text"]))) == case["result"]


@pytest.mark.parametrize("case", cases("table_6_1"), ids=lambda case: case["result"])
def test_the_rows_of_table_6_1_are_reached(case: dict[str, Any]) -> None:
    words = split_sentence(case["text"])
    for kind, *fields in case["steps"]:
        words = STEPS[kind](*fields).apply(words)
    counts = CaseCounts(
        Counter({word: seen[0] for word, seen in case["case_counts"].items()}),
        Counter({word: seen[1] for word, seen in case["case_counts"].items()}),
    )
    assert join_words(counts.truecase(words)) == case["result"]


@pytest.mark.parametrize("case", cases("truecase"), ids=lambda case: case["text"])
def test_truecasing_follows_the_counts_of_the_corpus(case: dict[str, Any]) -> None:
    counts = CaseCounts.of(case["corpus"])
    seen = {*counts.capital, *counts.plain}
    assert {word: [counts.capital[word], counts.plain[word]] for word in seen} == case["counts"]
    assert join_words(counts.truecase(split_sentence(case["text"]))) == case["result"]
