"""Explanations from Python: what they hold, and that they say what `score` says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.core.errors import InputError, OptionError
from kilter.render.explanation.terminal import TerminalPage
from tests.docs.pages import ROOT
from tests.thorough import examples, tried
from tests.working import followed

COUNT = tried(12, quick=5)


def lines(name: str) -> list[str]:
    return (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()[:COUNT]


def test_every_score_is_the_one_that_score_gives_and_its_steps_lead_to_it() -> None:
    texts = lines("verb.en"), [*zip(lines("reference.en"), lines("reference2.en"), strict=True)]
    metrics = ["all", "chrf", "ter", "wer", "per", "wer-per", "cder", "nist", "coverage"]
    result = kilter.score(*texts, metrics=metrics, parser="perceptron")
    explained = kilter.explain_segments(
        *texts, segments=range(1, COUNT + 1), metrics=metrics, parser="perceptron"
    )
    columns = [result.segments[name].tolist() for name in ("metric", "segment", "score")]
    scores = {(metric, segment): score for metric, segment, score in zip(*columns, strict=True)}
    assert len(explained) == COUNT
    for found in explained:
        assert list(found.metrics) == list(result.metrics)
        for name, score in found.metrics.items():
            assert score.working is not None, name
            assert score.score == score.working.score == scores[name, found.segment]
            followed(score.working)


def test_a_metric_that_takes_no_links_is_explained_with_links_all_the_same() -> None:
    found = kilter.explain("b a", "a b", metrics="bleu")
    assert found.links == ((0, 1), (1, 0))
    assert list(found.metrics) == ["bleu"]


def test_a_sentence_is_explained_against_the_best_of_several_references() -> None:
    found = kilter.explain("a b c", ["c b a", "a b c"], metrics="kendall")
    assert found.reference == ("a", "b", "c")
    assert found.reference_name == "references 2"
    assert found.metrics["kendall"].score == 1.0


def test_under_another_rule_the_order_holds_all_words() -> None:
    found = kilter.explain("a x b", "b a", metrics="kendall", rule="birch")
    assert found.ordered == (0, 1, 2)
    assert found.permutation is not None
    assert len(found.permutation) == 3


def test_links_that_give_no_order_leave_the_rest_explained() -> None:
    links = kilter.LinkBatch.of([[(0, 0), (0, 1)]])
    found = kilter.explain("a", "b c", links=links, metrics="aligned")
    assert found.permutation is None
    assert "there is no order of the words" in found.notes[0]
    with pytest.raises(InputError, match="kendall takes one link a word"):
        kilter.explain("a", "b c", links=links, metrics="kendall")


def test_a_metric_that_nobody_named_and_that_cannot_take_the_links_is_left_out() -> None:
    links = kilter.LinkBatch.of([[(0, 0), (0, 1)]])
    found = kilter.explain("a", "b c", links=links, metrics="all", rule="mean")
    assert "meteor" not in found.metrics
    assert "kendall" in found.metrics
    assert any(note.startswith("meteor is left out") for note in found.notes)


@pytest.mark.parametrize("sentence", ["", "  "])
def test_a_sentence_without_words_is_refused(sentence: str) -> None:
    with pytest.raises(InputError, match="has no words; give a sentence"):
        kilter.explain(sentence, "a b")
    with pytest.raises(InputError, match="has no words; give a sentence"):
        kilter.explain("a b", sentence)


def test_an_empty_line_of_a_text_is_a_segment_as_any_other() -> None:
    (found,) = kilter.explain_segments(["", "a"], ["a b", "a"], segments=1, metrics="kendall")
    assert found.hypothesis == ()
    assert found.metrics["kendall"].score == 0.0


def test_several_parsers_are_refused() -> None:
    with pytest.raises(OptionError, match="2 parsers are chosen; an explanation follows one"):
        kilter.explain("a b", "b a", parser=["perceptron", "model"], metrics="dted")


def test_trees_of_both_sides_are_there_where_a_parser_makes_them() -> None:
    found = kilter.explain("cats sleep", "dogs sleep", parser="perceptron", metrics="dted")
    assert found.trees is not None
    assert [tree.words for tree in found.trees] == [("cats", "sleep"), ("dogs", "sleep")]
    assert kilter.explain("cats sleep", "dogs sleep", metrics="kendall").trees is None


def test_a_notebook_shows_a_page_that_needs_nothing_else() -> None:
    found = kilter.explain("b a", "a b", metrics="kendall")
    shown = found._repr_html_()  # type: ignore[attr-defined]
    assert shown.count("<svg") == 3
    assert "<script" not in shown
    assert "pairs of words in the right order" in shown


def test_the_worst_segments_are_chosen_by_the_first_metric() -> None:
    texts = ["a b c", "c b a", "b a c"], ["a b c"] * 3
    worst = kilter.SegmentChoice(worst=2)
    found = kilter.explain_segments(*texts, segments=worst, metrics=["kendall", "bleu"])
    assert [each.segment for each in found] == [2, 3]


def test_segments_that_lose_most_by_order_are_not_those_that_lack_words() -> None:
    texts = (
        ["a b", "b a c e", "d c b a x", "a b c"],
        ["a b c d e f", "a b c e", "a b c d x", "a b c"],
    )
    worst = kilter.SegmentChoice(worst=1)
    found = kilter.explain_segments(*texts, segments=worst, metrics="kendall")
    assert [each.segment for each in found] == [1]
    order = kilter.SegmentChoice(worst_order=2)
    for options in ({}, {"metrics": "kendall"}, {"metrics": ["bleu", "ulam"]}):
        found = kilter.explain_segments(*texts, segments=order, **options)
        assert [each.segment for each in found] == [3, 2]


def test_links_without_an_order_give_no_segments_that_lose_by_order() -> None:
    links = kilter.LinkBatch.of([[(0, 0), (0, 1)]])
    order = kilter.SegmentChoice(worst_order=1)
    with pytest.raises(kilter.InputError, match="linked with words"):
        kilter.explain_segments(["a"], ["b c"], segments=order, links=links, metrics="aligned")


@given(order=st.permutations(list("abcdefg")))
def test_the_steps_of_a_document_can_be_replayed(order: list[str]) -> None:
    found = kilter.explain(" ".join(order), "a b c d e f g", metrics="kendall", tokenize="none")
    document = found.to_dict()
    places = [*range(7)]
    for step in document["repair"]:
        moved = [place for move in step["moves"] for place in move["words"]]
        places = [place for place in places if place not in moved]
        for move in step["moves"]:
            at = len(places) if move["before"] is None else places.index(move["before"])
            places[at:at] = move["words"]
    assert [document["hypothesis"][place] for place in places] == [*"abcdefg"]
    loss = document["loss"]
    lost = loss["order"] + loss["crossed"] + loss["missing"]
    assert (loss["metric"], lost) == ("kendall", pytest.approx(1 - found.metrics["kendall"].score))


@examples(30)
@given(order=st.permutations(list("abcdefg")))
def test_the_moves_of_an_explanation_restore_the_order_and_shares_add_up(order: list[str]) -> None:
    found = kilter.explain(" ".join(order), "a b c d e f g", metrics="kendall", tokenize="none")
    assert found.errors is not None
    steps = [[found.hypothesis[place] for place in step.words] for step in found.repair]
    assert steps[0] == order
    assert steps[-1] == list("abcdefg")
    assert len(steps) == len(found.errors.errors) + 1
    assert {word for step in found.repair for word in step.moved} <= found.misplaced
    shares = [error.share for error in found.errors.errors]
    assert not shares or sum(shares) == pytest.approx(1)


def test_errors_are_those_of_the_reference_that_is_shown() -> None:
    found = kilter.explain("c a b", ["a b c", "a c b"], metrics=["bleu", "kendall"])
    assert found.reference_name == "references 2"
    assert found.errors is not None
    assert [str(error.kind) for error in found.errors.errors] == ["swap"]
    assert [found.hypothesis[place] for place in found.repair[-1].words] == ["a", "c", "b"]


def test_where_no_metric_is_named_the_worst_segments_are_those_on_the_whole() -> None:
    texts = ["c b a", "x y z"], ["a b c", "a b z"]
    worst = kilter.SegmentChoice(worst=1)
    (found,) = kilter.explain_segments(*texts, segments=worst)
    scores = kilter.score(*texts)
    order = scores.segments["score"][scores.segments["metric"] == "order"].tolist()
    whole = scores.segments["score"][scores.segments["metric"] == "kilter"].tolist()
    assert (order.index(min(order)), whole.index(min(whole))) == (0, 1)
    assert found.segment == 2


def test_where_one_side_has_no_words_nobody_is_sent_for_links() -> None:
    found = kilter.explain_segments(
        ["", "x", "y"], ["a b", "", "z"], segments=(1, 2, 3), metrics="kendall"
    )
    told = ["another aligner" in " ".join(each.notes) for each in found]
    assert told == [False, False, True]


def test_links_without_an_order_have_no_errors() -> None:
    links = kilter.LinkBatch.of([[(0, 0), (0, 1)]])
    found = kilter.explain("a", "b c", links=links, metrics="aligned")
    assert found.errors is None
    assert found.to_dict()["errors"] is None


def test_equal_words_that_are_linked_crosswise_are_no_error_and_a_note() -> None:
    links = kilter.LinkBatch.of([[(0, 2), (1, 1), (2, 0)]])
    found = kilter.explain("the cat the", "the cat the", links=links, metrics="kendall")
    assert found.errors is not None
    assert found.errors.errors == ()
    assert found.metrics["kendall"].score == 0.0
    assert any("equal words are linked crosswise" in note for note in found.notes)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "errors"),
    [
        # [PEF] section 3: a and c stand behind words that they belong before.
        ("b d e f a c", "a b c d e f", [("word", ["a"]), ("word", ["c"])]),
        # [PEF] section 1, "A because B" for "B because A": the shorter clause and the conjunction moved.
        (
            "the river rose quickly because it rained hard",
            "it rained hard because the river rose quickly",
            [("word", ["because"]), ("phrase", ["it", "rained", "hard"])],
        ),
        # [TH] 4.4: the cellist has become the subject.
        (
            "The cellist of Mälkki commenced career .",
            "Ms Mälkki started her career as a cellist .",
            [("word", ["cellist"])],
        ),
    ],
)
def test_the_errors_of_the_worked_examples_are_what_a_reader_would_say(
    hypothesis: str, reference: str, errors: list[tuple[str, list[str]]]
) -> None:
    found = kilter.explain(hypothesis, reference, metrics="kendall", every=True)
    assert found.errors is not None
    assert [
        (str(error.kind), [found.hypothesis[word] for word in error.words])
        for error in found.errors.errors
    ] == errors
    assert found.errors.exact


def test_the_certainty_of_links_is_told_where_an_aligner_tells_it() -> None:
    found = kilter.explain("cats colours here", "here colors cat", metrics="kendall", language="en")
    assert (found.links, found.certainty) == (((0, 2), (2, 0)), (0.7, 1.0))
    assert found.to_dict()["certainty"] == [0.7, 1.0]
    given = kilter.explain(
        "b a", "a b", metrics="kendall", links=kilter.LinkBatch.of([[(0, 1), (1, 0)]])
    )
    assert given.certainty is None
    assert "certainty" not in given.to_dict()


def test_segments_with_too_few_links_are_not_the_worst_by_order() -> None:
    texts = ["b a", "b a c d e f"], ["a b", "a b c d e f"]
    worst = kilter.SegmentChoice(worst_order=2)
    found = kilter.explain_segments(*texts, segments=worst, metrics="order")
    assert [each.segment for each in found] == [2]


@pytest.mark.parametrize("language", [None, "en"])
@pytest.mark.parametrize("aligner", [None, "match:rule=crossings", "ribes"])
def test_explanations_and_costs_are_of_the_links_and_scores_that_are_printed(
    language: str | None, aligner: str | None
) -> None:
    hypotheses, references = (
        (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()[:12]
        for name in ("verb.en", "reference.en")
    )
    names = ["order", "kilter"]
    asked: dict[str, Any] = {"metrics": names, "language": language, "aligner": aligner}
    printed = kilter.score(hypotheses, references, **asked).segment_arrays
    every = range(1, 13)
    for each in kilter.explain_segments(hypotheses, references, segments=every, **asked):
        for name in names:
            working = each.metrics[name].working
            assert working is not None
            assert each.segment is not None
            assert working.steps[-1].value == printed[name, "system"][each.segment - 1]
    (found,) = kilter.order_errors(hypotheses, references, every=True, **asked)
    alone = 0
    for segment, order in enumerate(printed["order", "system"]):
        errors = found.errors.segment(segment).errors
        assert bool(errors) == (order < 1.0)
        if len(errors) == 1:  # put right, nothing is out of order
            alone += 1
            assert errors[0].to_dict()["cost"]["order"] == pytest.approx(1.0 - order)
    assert alone > 1


def test_that_no_segment_has_a_score_of_both_systems_is_said() -> None:
    systems = {"one": ["a b c d", "x y"], "other": ["x y", "y"]}
    asked: dict[str, Any] = {"references": ["b a c d", "a b"], "metrics": "order"}
    apart = kilter.SegmentChoice(largest_difference=("one", "other"))
    with pytest.raises(InputError, match="no segment has a score by order for both systems"):
        kilter.explain_segments(systems, segments=apart, **asked)
    (worst,) = kilter.explain_segments(systems, segments=kilter.SegmentChoice(worst=2), **asked)
    assert (worst.system, worst.segment) == ("one", 1)


def test_version_two_of_order_has_no_costs_of_another_formula() -> None:
    texts = ["w1 w2 w4 w3 w5 w6"], ["w1 w2 w3 w4 w5 w6"]
    (now,) = kilter.order_errors(*texts, metrics="order")
    for metrics in (["order:weights=2"], ["order:weights=2", "kilter:weights=2"]):
        (found,) = kilter.order_errors(*texts, metrics=metrics)
        assert found.errors.segment(0).errors == now.errors.segment(0).errors
        assert any("those of order: order:weights=2" in note for note in found.score_notes)
    (explained,) = kilter.explain_segments(*texts, segments=[1], metrics="order:weights=2")
    assert explained.errors is not None
    assert [*explained.errors.errors[0].cost] == ["order"]


def test_costs_of_order_that_nobody_named_are_of_the_links_that_order_is_scored_with() -> None:
    """Of English texts these are with words of like meaning, also where no metric looks at links."""
    texts = ["tomorrow the large dwelling was sold quickly"], ["the big house was rapidly sold tomorrow"]  # fmt: skip
    asked: dict[str, Any] = {"language": "en", "every": True}
    (named,) = kilter.explain_segments(*texts, segments=[1], metrics="order", **asked)
    (other,) = kilter.explain_segments(*texts, segments=[1], metrics="bleu", **asked)
    assert len(other.links) > 4
    assert (other.links, other.errors) == (named.links, named.errors)
    assert named.errors is not None
    (located,) = kilter.order_errors(*texts, metrics="bleu", **asked)
    assert located.errors.segment(0).errors == named.errors.errors


@pytest.mark.parametrize("metrics", ["order", "kilter", ["kendall", "order"]])
def test_a_sentence_without_an_order_says_so_and_has_no_costs(metrics: Any) -> None:
    found = kilter.explain("c b a", "a b c", metrics=metrics)
    assert found.errors is not None
    assert (found.errors.errors, found.errors.evidence) == ((), False)
    (note,) = [note for note in found.notes if "order is missing" in note]
    assert "fewer than 4 linked words" in note
    document = found.to_dict()
    names = ("errors", "moves_needed", "loss", "repair")
    assert [document[name] for name in names] == [None] * 4
    shown = TerminalPage(width=100).text(found)
    assert "order is missing" in shown
    assert "out of order" not in shown
    assert "costs" not in shown
    assert kilter.explain("d c b a", "a b c d", metrics=metrics).to_dict()["loss"] is not None
