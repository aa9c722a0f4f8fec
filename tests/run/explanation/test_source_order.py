"""Explanations of metrics that compare orders of the source say so, and show these orders."""

from typing import Any

import kilter

SOURCE = ["die Katze sass da"]
HYPOTHESIS = ["sat the cat there"]
REFERENCE = ["the cat sat there"]
TO_HYPOTHESIS = kilter.LinkBatch.of([[(0, 1), (1, 2), (2, 0)]])
TO_REFERENCE = kilter.LinkBatch.of([[(0, 0), (1, 1), (2, 2), (3, 3)]])
LINKS = kilter.Links(source_hypothesis=(TO_HYPOTHESIS,), source_reference=(TO_REFERENCE,))


def explained(*metrics: str, links: kilter.Links | None = None) -> kilter.Explanation:
    (found,) = kilter.explain_segments(
        HYPOTHESIS, REFERENCE, source=SOURCE, segments=1, metrics=metrics, links=links
    )
    return found


def test_the_orders_that_were_scored_are_told() -> None:
    found = explained("lr:through=source", "frs", "crossings", links=LINKS)
    lr, frs, crossings = (note for note in found.notes if "shown here" in note)
    assert lr.startswith(
        'lr:through=source compares two orders of the source: "sass da die Katze" by the hypothesis and '
        '"die Katze sass da" by the reference; '
    )
    assert frs.startswith('frs compares two orders of the source: "sass die Katze da" by')
    assert crossings.startswith("crossings is scored by the links of source and hypothesis; ")
    for note in (lr, frs, crossings):
        assert note.endswith("those of hypothesis and reference, linked through the source")


def test_links_that_were_scored_are_shown_rather_than_those_of_an_aligner() -> None:
    # "there" has no link with the source in the hypothesis: an aligner would link it.
    found = explained("lr:through=source", links=LINKS)
    assert found.links == ((0, 2), (1, 0), (2, 1))
    assert found.permutation is not None
    assert found.permutation.one_based() == (3, 1, 2)
    working = found.metrics["lr:through=source"].working
    assert working is not None
    values = {step.name: step.value for step in working.steps}
    assert (values["n"], values["C"]) == (4, 2)  # of "sass da die Katze", see above


def test_beside_a_metric_of_hypothesis_and_reference_its_links_are_shown() -> None:
    found = explained("lr:through=source", "kendall", links=LINKS)
    assert len(found.links) == 4
    (note,) = (note for note in found.notes if "shown here" in note)
    assert note.endswith("those of hypothesis and reference, linked by match")
    assert not [note for note in explained("kendall").notes if "shown here" in note]


def test_a_report_says_which_scores_are_not_of_the_links_that_it_shows() -> None:
    def told(*metrics: str, links: kilter.Links | None = LINKS) -> list[str]:
        found = kilter.report(HYPOTHESIS, REFERENCE, source=SOURCE, links=links, metrics=metrics)
        return [note for note in found.notes if "shown here" in note]

    (alone,) = told("frs", "kendall")
    assert alone == (
        "frs is scored by links of the source; links and order errors shown here are those of hypothesis and "
        "reference, linked by match"
    )
    (both,) = told("lr:through=source", "frs")
    assert both.startswith("lr:through=source, frs are scored by links of the source; ")
    assert both.endswith("linked through the source")
    assert told("kendall", links=None) == []


def test_errors_of_all_segments_are_those_of_the_links_that_were_scored() -> None:
    # The links of the hypothesis are wrong: those of an aligner give another error.
    to_hypothesis = kilter.LinkBatch.of([[(k, k) for k in range(6)]])
    to_reference = kilter.LinkBatch.of([[(0, 0), (1, 1), (2, 3), (3, 4), (4, 2), (5, 5)]])
    links = kilter.Links(source_hypothesis=(to_hypothesis,), source_reference=(to_reference,))
    texts = ["the house he has bought ."], ["he has bought the house ."]
    given: dict[str, Any] = {
        "source": ["er hat das Haus gekauft ."],
        "links": links,
        "metrics": "frs",
    }
    (explanation,) = kilter.explain_segments(*texts, segments=1, **given)
    (found,) = kilter.order_errors(*texts, **given)
    assert found.errors.segment(0) == explanation.errors
    assert [*found.tags()] == ["OK OK OK OK ORDER-WORD OK"]
    assert any(note.endswith("linked through the source") for note in found.notes)
