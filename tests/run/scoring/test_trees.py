"""Trees that come with texts: checked, in signatures, and only for metrics that use them."""

from typing import Any

import pytest

import kilter
from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.metrics.derp import derp
from kilter.metrics.derp_reference import derp_reference
from kilter.metrics.dted import dted
from kilter.run.scoring.links import Links
from kilter.run.scoring.metric_choice import choose_metrics
from kilter.run.scoring.trees import Trees
from kilter.stats.resampling import Resampling

FEW = Resampling(resamples=10)
HYPOTHESIS = DependencyTree(["today", "cats", "sleep"], [2, 2, -1], labels=["obl", "nsubj", "root"])
REFERENCE = DependencyTree(["cats", "sleep", "today"], [1, -1, 1], labels=["nsubj", "root", "obl"])
OTHER = DependencyTree(["today", "cats", "sleep"], [2, 2, -1], labels=["obl", "nsubj", "root"])
LINKS = [(0, 2), (1, 0), (2, 1)]
TEXTS = ["today cats sleep"], ["cats sleep today"]


def score(trees: Trees, *metrics: str, **settings: Any) -> kilter.ScoreResult:
    return kilter.score(*TEXTS, metrics=metrics, trees=trees, resampling=FEW, **settings)


def test_scores_are_those_of_the_functions() -> None:
    result = score(Trees(systems=[[HYPOTHESIS]], references=[[REFERENCE]]), "all")
    assert result.system["dted"].score == dted(HYPOTHESIS, REFERENCE, links=LINKS)
    assert result.system["derp"].score == derp(HYPOTHESIS, REFERENCE, links=LINKS)
    assert result.system["derp-reference"].score == derp_reference(3, REFERENCE, links=LINKS)
    assert not any("root" in note for note in result.notes)


def test_signatures_say_where_trees_come_from_and_that_words_are_as_they_stand() -> None:
    result = score(Trees(systems=[[HYPOTHESIS]], references=[[REFERENCE]]), "dted", "kendall")
    assert "|trees:given|tok:none|" in result.system["dted"].signature
    assert "trees" not in result.system["kendall"].signature
    assert "|tok:none|" in result.system["kendall"].signature
    flat = score(Trees(references=[[REFERENCE]]), "dted:flat=true", "derp-reference")
    assert "trees" not in flat.system["dted:flat=true"].signature
    assert "|trees:given|" in flat.system["derp-reference"].signature


def test_all_computes_what_the_given_trees_allow() -> None:
    tree_metrics = {"dted", "derp", "derp-reference"}

    def chosen(trees: Trees) -> set[str]:
        return set(choose_metrics(["all"], {"words", "text", "links"} | trees.offered()))

    assert chosen(Trees()) & tree_metrics == set()
    assert chosen(Trees(references=[[REFERENCE]])) & tree_metrics == {"derp-reference"}
    assert chosen(Trees(systems=[[HYPOTHESIS]])) & tree_metrics == set()
    both = Trees(systems=[[HYPOTHESIS]], references=[[REFERENCE]])
    assert chosen(both) & tree_metrics == tree_metrics


def test_a_metric_without_its_trees_says_which_option_gives_them() -> None:
    references, systems = Trees(references=[[REFERENCE]]), Trees(systems=[[HYPOTHESIS]])
    with pytest.raises(OptionError, match=r"dted needs trees .* parser='model'"):
        score(references, "dted")
    with pytest.raises(
        OptionError, match=r"derp-reference needs reference-trees .* parser='model'"
    ):
        score(systems, "derp-reference")
    assert score(Trees(), "dted:flat=true").system


def test_the_best_reference_counts() -> None:
    trees = Trees(systems=[[HYPOTHESIS]], references=[[REFERENCE], [OTHER]])
    result = kilter.score(
        TEXTS[0],
        [["cats sleep today", "today cats sleep"]],
        metrics=["dted", "derp"],
        trees=trees,
        resampling=FEW,
    )
    assert result.system["dted"].score == result.system["derp"].score == 1.0
    assert "|nrefs:2|refs:best|" in result.system["dted"].signature


def test_trees_are_those_of_their_texts() -> None:
    short = DependencyTree(["cats"], [-1])
    with pytest.raises(InputError, match="the tree has 1 word, but line 1 of references has 3"):
        score(Trees(systems=[[HYPOTHESIS]], references=[[short]]), "dted")
    with pytest.raises(InputError, match="has trees for 2 segments, but system has 1 line"):
        score(Trees(systems=[[HYPOTHESIS] * 2], references=[[REFERENCE]]), "dted")
    with pytest.raises(InputError, match="trees: there are trees for 2 of 1 systems"):
        score(Trees(systems=[[HYPOTHESIS]] * 2, references=[[REFERENCE]]), "dted")
    with pytest.raises(OptionError, match="trees of the source need the source text"):
        score(Trees(source=[HYPOTHESIS]), "kendall")
    with pytest.raises(InputError, match="but line 1 of source has 2"):
        score(Trees(source=[HYPOTHESIS]), "kendall", source=["zwei Wörter"])


def test_a_tokeniser_may_be_chosen_if_it_gives_the_same_words() -> None:
    trees = Trees(systems=[[HYPOTHESIS]], references=[[REFERENCE]])
    assert "|tok:13a|" in score(trees, "dted", tokenize="13a").system["dted"].signature
    with pytest.raises(InputError, match="trees and text must be split into the same words"):
        score(trees, "dted", tokenize="char")


@pytest.mark.parametrize(
    ("hypothesis", "fault"),
    [
        ("Cats sleep, mostly.", "the tree has 5 words, but line 1 of system has 3"),
        ("Cats &lt; mice", "word 2 of the tree is '<', but that of line 1 of system is '&lt;'"),
    ],
)
def test_trees_that_parse_made_name_the_tokeniser_that_makes_their_words(
    hypothesis: str, fault: str
) -> None:
    made = Trees(
        systems=[kilter.parse([hypothesis], parser="perceptron")],
        references=[kilter.parse(["Cats sleep today."], parser="perceptron")],
    )
    settings: dict[str, Any] = {"metrics": "dted", "trees": made, "resampling": FEW}
    with pytest.raises(InputError) as caught:
        kilter.score([hypothesis], ["Cats sleep today."], **settings)
    advice = "; the tokeniser 13a makes the words of these trees: "
    assert str(caught.value).startswith(f"tree 1: {fault}; ")
    assert str(caught.value).endswith(f"{advice}tokenize='13a'")
    assert caught.value.for_command().endswith(f"{advice}--tokenize 13a")
    assert caught.value.where == "tree 1"
    advised = kilter.score([hypothesis], ["Cats sleep today."], tokenize="13a", **settings)
    assert advised.system["dted"].score is not None


def test_no_tokeniser_is_advised_that_makes_other_words() -> None:
    other = Trees(systems=[[HYPOTHESIS]], references=[[DependencyTree(["cats"], [-1])]])
    with pytest.raises(InputError, match=r"the same words$"):
        score(other, "dted")


def test_roots_that_were_attached_before_are_no_note() -> None:
    with pytest.warns(UserWarning, match="are roots"):
        tree = DependencyTree(["today", "cats", "sleep"], [2, -1, -1])
    notes = score(Trees(systems=[[tree]], references=[[REFERENCE]]), "dted").notes
    assert not any("root" in note for note in notes)


def test_given_links_may_be_of_any_kind() -> None:
    links = Links(hypothesis_reference=((LinkBatch.of([[(0, 2), (1, 0), (1, 1), (2, 1)]]),),))
    trees = Trees(systems=[[HYPOTHESIS]], references=[[REFERENCE]])
    result = score(trees, "dted", "derp", "derp-reference", links=links)
    expected = derp(HYPOTHESIS, REFERENCE, links=[(0, 2), (1, 0), (1, 1), (2, 1)])
    assert result.system["derp"].score == expected
