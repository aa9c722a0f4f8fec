"""Perturbed texts: how many are drawn, and what is refused."""

from typing import Any

import pytest

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError, KilterError, OptionError
from kilter.preordering.perturbations.perturbation import PerturbationType
from kilter.preordering.perturbations.perturbation import perturb as usual
from kilter.preordering.perturbations.word_dependency_tree import TagColumn, word_trees
from kilter.run import perturb as module
from kilter.run.parse import parse
from kilter.run.perturb import FRUITLESS, DrawSettings, perturb, perturb_texts

ORDER = [PerturbationType.ORDER]


def test_a_short_sentence_is_not_drawn_from_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def counting(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        return usual(*args, **kwargs)

    monkeypatch.setattr(module, "perturb", counting)
    drawing = DrawSettings(degrees=(1, 9), variants=100_000)
    rows = list(perturb_texts(["one two three"], ORDER, drawing=drawing))
    assert len(rows) == 200_000
    found = {row.result.text for row in rows if row.result.text is not None}
    assert found == {"Two one three", "One three two"}
    assert all(row.result.reason for row in rows if row.result.text is None)
    assert [row.variant for row in rows[-2:]] == [99_999, 100_000]
    assert calls < 2 * 20 * (FRUITLESS + 100)


def test_variants_up_to_the_bound_are_drawn_one_by_one() -> None:
    few, many = (
        list(
            perturb_texts(["a b c d e f"], ORDER, drawing=DrawSettings(degrees=[2], variants=count))
        )
        for count in (30, FRUITLESS)
    )
    assert many[:30] == few
    texts = [row.result.text for row in many if row.result.text]
    assert len(set(texts)) == len(texts)


def test_every_reference_needs_its_tree() -> None:
    tree = DependencyTree(["a", "b"], [1, -1])
    with pytest.raises(InputError, match="1 trees for 2 references"):
        perturb_texts(["a b", "a b"], ORDER, trees=[tree])
    with pytest.raises(InputError, match="for 2 references there are 1 hypotheses"):
        perturb_texts(["a b", "a b"], ORDER, trees=[tree, tree], hypotheses=(["a b"], [tree]))


@pytest.mark.parametrize("references", ["a b", None, {"a b"}, [None], 3])
def test_what_is_no_text_is_refused_before_anything_is_drawn(references: Any) -> None:
    with pytest.raises(KilterError, match="references: "):
        perturb_texts(references, ORDER)


@pytest.mark.parametrize(
    "given", [{"types": []}, {"types": ()}, {"degrees": []}, {"degrees": iter(())}]
)
def test_a_list_of_nothing_to_draw_is_refused(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(OptionError, match=f"^{name} is an empty list; name at least one"):
        perturb(["a b"], **given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"types": "swap"}, "or let a parser make them: parser='model'$"),
        (
            {"types": "choice", "parser": "perceptron"},
            "^choice takes words from hypotheses; give these, .* or with parser='model'$",
        ),
    ],
)
def test_python_is_advised_in_words_of_python(given: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        perturb(["a b"], **given)
    assert "--" not in str(caught.value)
    assert caught.value.for_command().endswith(" --parser model")


TEXTS = ["The old man saw a small cat .", "We don't (often) eat green apples, do we?"]


def test_trees_may_be_what_parse_returns_or_a_column_of_it() -> None:
    bank = parse(TEXTS, parser="perceptron")
    expected = perturb(TEXTS, ["swap", "phrase"], trees=word_trees_of(bank), degrees=[1, 2])
    assert any(row.result.text for row in expected)
    for trees in (bank, bank.trees):
        assert perturb(TEXTS, ["swap", "phrase"], trees=trees, degrees=[1, 2]) == expected
    chosen = perturb(
        TEXTS,
        "choice",
        trees=bank,
        hypotheses=TEXTS[::-1],
        hypothesis_trees=parse(TEXTS[::-1], parser="perceptron"),
    )
    assert chosen[0].result.type is PerturbationType.CHOICE


def test_trees_of_other_sentences_are_refused() -> None:
    bank = parse(TEXTS[::-1], parser="perceptron")
    with pytest.raises(InputError, match="in line 1 of references; tree and text must be the same"):
        perturb(TEXTS, "swap", trees=bank)
    with pytest.raises(
        OptionError, match="universal tags only; give a Treebank, or take tags='upos'"
    ):
        perturb(TEXTS, "swap", trees=bank.trees, tags=TagColumn.XPOS)


def word_trees_of(bank: Any) -> tuple[DependencyTree, ...]:
    return word_trees(bank, TEXTS, text_name="texts")
