"""All order errors of systems."""

from typing import Any

import numpy as np
import pytest

import kilter
from kilter import InputError, OptionError

HYPOTHESES = ["we have the house seen .", "", "a b"]
REFERENCES = ["we have seen the house .", "c", "a b"]


def test_every_segment_has_its_spans_and_tags() -> None:
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics="kendall")
    assert (found.system, len(found.errors)) == ("system", 3)
    first, *others = found.spans()
    (span,) = first["error_spans"]
    text = HYPOTHESES[0]
    assert text[span["start_i"] : span["end_i"]] == "seen"
    assert text[span["belongs_i"] :].startswith("the house")
    assert [document["error_spans"] for document in others] == [[], []]
    assert [*found.tags()] == ["OK OK OK OK ORDER-WORD OK", "", "OK OK"]
    assert [*found.tags(binary=True)] == ["OK OK OK OK BAD OK", "", "OK OK"]


def test_the_document_holds_the_summary_and_the_spans() -> None:
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics="kendall")
    document = found.to_dict()
    assert document["schema"] == "kilter.order-errors/1"
    assert document["errors"] == found.summary.errors == 1
    assert [entry["segment"] for entry in document["spans"]] == [1, 2, 3]


def test_errors_are_those_of_the_explanations() -> None:
    systems = {"one": ["b a c d", "d a b c"], "two": ["a b c d", "c d a b"]}
    references = ["a b c d"] * 2
    metrics = ["ulam", "kendall"]
    found = kilter.order_errors(systems, references, metrics=metrics)
    assert [each.system for each in found] == ["one", "two"]
    shown = kilter.explain_segments(systems, references, segments=[1, 2], metrics=metrics)
    for each in shown:
        assert each.segment is not None
        (own,) = (part for part in found if part.system == each.system)
        assert own.errors.segment(each.segment - 1) == each.errors


def test_metrics_that_look_at_no_links_leave_the_errors_as_they_are() -> None:
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics="bleu")
    (usual,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics="order")
    assert np.array_equal(found.errors.costs, usual.errors.costs)
    assert found.summary == usual.summary


def test_links_without_an_order_are_refused_with_a_remedy() -> None:
    several = kilter.Links(hypothesis_reference=((kilter.LinkBatch.of([[(0, 0), (0, 1)]]),),))
    with pytest.raises(InputError, match=r"one link a word.*rule=.mean"):
        kilter.order_errors(["a b"], ["a b"], links=several, tokenize="none")
    (found,) = kilter.order_errors(["a b"], ["a b"], links=several, tokenize="none", rule="mean")
    assert found.summary.errors == 0


def test_several_aligners_or_parsers_are_refused() -> None:
    with pytest.raises(OptionError, match="2 aligners are chosen; order errors follow one"):
        kilter.order_errors(["a"], ["a"], aligner=["match", "ribes"])
    with pytest.raises(OptionError, match="2 parsers are chosen; order errors follow one"):
        kilter.order_errors(["a"], ["a"], parser=["model", "perceptron"])


# Three linked words; four of eighteen; four in disorder; four in order.
SHORT = ["c b a", "d c b a", "a b d c e", "a b c d"]
SHORT_REFERENCES = ["a b c", " ".join("abcdefghijklmnopqr"), "a b c d e", "a b c d"]


def test_segments_without_an_order_have_no_errors_and_lose_nothing() -> None:
    (found,) = kilter.order_errors(SHORT, SHORT_REFERENCES, metrics="order", every=True)
    scores = kilter.score(SHORT, SHORT_REFERENCES, metrics="order").segment_arrays
    printed = scores["order", "system"]
    assert np.isnan(printed).tolist() == [True, True, False, False]
    assert found.errors.counts.tolist() == [0, 0, 1, 0]
    assert found.summary.without_evidence == 2
    assert found.summary.proved == 4
    assert found.summary.loss == pytest.approx(float(np.nansum(1.0 - printed)))
    assert found.summary.loss == found.summary.whole_loss
    assert [*found.tags(binary=True)][:2] == ["OK OK OK", "OK OK OK OK"]
    assert [len(document["error_spans"]) for document in found.spans()] == [0, 0, 1, 0]
    assert found.summary.to_dict()["without_evidence"] == 2


def test_segments_without_an_order_have_errors_by_a_metric_that_scores_them() -> None:
    (found,) = kilter.order_errors(SHORT, SHORT_REFERENCES, metrics="kendall", every=True)
    assert found.errors.counts.tolist() == [2, 3, 1, 0]
    assert found.summary.without_evidence == 0


def test_the_reference_that_counts_decides_whether_there_is_evidence() -> None:
    references = [("x y z", "a b c d")]
    (found,) = kilter.order_errors(["b a c d"], references, metrics="order", every=True)
    assert found.summary.without_evidence == 0
    assert found.summary.errors == 1


def test_metrics_without_a_cost_of_errors_are_noted_where_they_were_named() -> None:
    (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, metrics=["bleu", "chrf"])
    told = "costs and losses of order errors are those of order: bleu and chrf tell none"
    assert [note for note in found.notes if note.startswith("costs and losses")] == [told]
    for metrics in ("order", ["bleu", "kendall"], ["bleu", "order"], None):
        chosen: dict[str, Any] = {} if metrics is None else {"metrics": metrics}
        (found,) = kilter.order_errors(HYPOTHESES, REFERENCES, **chosen)
        assert not [note for note in found.notes if note.startswith("costs and losses")]


def test_that_a_text_has_no_order_as_a_whole_is_noted() -> None:
    many = 9 * ["c b a"]
    texts = ["b a c d", *many], ["a b c d", *many]
    (found,) = kilter.order_errors(*texts, metrics="order", every=True)
    assert found.summary.errors == 1
    (note,) = found.notes
    assert note.startswith(
        "system: order of the text as a whole is missing: too few words are linked"
    )
    assert note.endswith("Errors and losses are those of the segments that have one")
    (found,) = kilter.order_errors(*texts, metrics="kendall")
    assert found.notes == ()
