"""What a report is made of."""

import numpy as np
import pytest

import kilter
from kilter.aligners.aligner import Aligner
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import changed
from kilter.results.explanation import ErrorGrouping
from kilter.run.demo import sample_texts
from kilter.run.explanation.report import report, report_texts
from kilter.run.scoring.compare import compare_texts
from kilter.run.scoring.links import MadeLinks
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings

LINES = [f"word {n} stands here" for n in range(4)]
TURNED = [" ".join(reversed(line.split())) for line in LINES]


def test_its_numbers_are_those_of_score_and_compare() -> None:
    texts, settings = sample_texts(), Settings(metrics=("bleu", "kendall"), language="en")
    found = report_texts(texts, settings)
    assert found.comparison == compare_texts(texts, settings)
    scored = score_texts(texts, settings)
    assert dict(found.metrics) == dict(scored.metrics)
    for key, scores in scored.segment_arrays.items():
        np.testing.assert_array_equal(found.scores[key], scores)


def test_given_scores_stand_beside_the_metrics() -> None:
    given: dict[str, dict[str, list[float | None]]] = {
        "stars": {"a": [1.0, 2.0, None, 4.0], "b": [5.0, 5.0, 3.0, 2.0]}
    }
    found = report({"a": LINES, "b": TURNED}, LINES, metrics="kendall", scores=given)
    assert list(found.metrics) == ["kendall", "stars"]
    np.testing.assert_array_equal(found.scores["stars", "a"], [1.0, 2.0, np.nan, 4.0])
    assert [each.value for each in found.comparison.metrics[1].intervals] == [7 / 3, 3.75]
    assert found.lengths.scores["stars"][1].tolist()[0] == 3.75
    assert any(note.startswith("stars: systems lack scores") for note in found.notes)
    without = report({"a": LINES, "b": TURNED}, LINES, metrics="kendall")
    assert found.comparison.metrics[0] == without.comparison.metrics[0]
    assert report({"a": LINES}, LINES, metrics="kendall", scores={"stars": {"a": [1.0] * 4}})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"stars": {"c": [1.0] * 4}}, "has no score of 'a'"),
        ({"stars": {"a": [1.0] * 5, "b": [1.0] * 5}}, "scores segment 5, but there are 4"),
        ({"kendall": {"a": [1.0] * 4, "b": [1.0] * 4}}, "computed here, too"),
        ({"stars": 3}, "scores"),
    ],
)
def test_given_scores_that_do_not_fit_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises((InputError, OptionError), match=said):
        report({"a": LINES, "b": TURNED}, LINES, metrics="kendall", scores=given)  # type: ignore[arg-type]


SOURCES = [f"wort {n} steht hier" for n in range(4)]
STRAIGHT, CROSSED = ([[(k, abs(last - k)) for k in range(4)]] * 4 for last in (0, 3))


def test_without_a_reference_systems_are_compared_with_the_order_of_the_source() -> None:
    links = kilter.Links(
        source_hypothesis=(kilter.LinkBatch.of(STRAIGHT), kilter.LinkBatch.of(CROSSED))
    )
    systems = {"straight": LINES, "turned": TURNED}
    found = report(systems, source=SOURCES, links=links)
    assert found.of_source
    assert list(found.metrics) == ["crossings", "anticipation"]
    np.testing.assert_array_equal(found.scores["crossings", "straight"], [1.0] * 4)
    np.testing.assert_array_equal(found.scores["crossings", "turned"], [0.0] * 4)
    assert found.links[1].segment(0) == [(0, 3), (1, 2), (2, 1), (3, 0)]
    assert (found.errors, found.ngrams, found.word_accuracy) == ((), (), {})
    assert not any("seems to be" in note for note in found.notes)
    given = {"stars": {"straight": [1.0] * 4, "turned": [2.0] * 4}}
    scored = report(systems, source=SOURCES, links=links, scores=given)
    assert list(scored.metrics) == ["crossings", "anticipation", "stars"]
    with pytest.raises(OptionError, match="bleu needs a reference; without one there are"):
        report(systems, source=SOURCES, links=links, metrics="bleu")
    with pytest.raises(
        OptionError, match="without a reference a report needs the source, and links"
    ):
        report(systems, source=SOURCES)
    with pytest.raises((InputError, OptionError)):
        report(systems)


def test_links_are_there_also_where_no_metric_looks_at_them() -> None:
    found = report({"a": TURNED}, LINES, metrics="bleu")
    assert found.links[0].segment(0) == [(0, 3), (1, 2), (2, 1), (3, 0)]


def test_an_aligner_runs_once_for_scores_and_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    usual = MadeLinks.of

    def watched(self: MadeLinks, aligner: Aligner, place: int) -> tuple[kilter.LinkBatch, ...]:
        runs.append(place)
        return usual(self, aligner, place)

    monkeypatch.setattr(MadeLinks, "of", watched)
    report(
        {"a": LINES, "b": TURNED},
        LINES,
        metrics=["kendall", "pef"],
        aligner="ibm1:symmetrize=intersection",
    )
    assert runs == [0, 1]


def test_given_links_are_those_of_the_report() -> None:
    given = kilter.LinkBatch.of([[(0, 0)]] * 4)
    found = report(TURNED, LINES, metrics="kendall", links=given)
    assert found.links[0].segment(3) == [(0, 0)]


def test_the_first_two_systems_are_looked_at_first_unless_others_are_named() -> None:
    systems = {"a": LINES, "b": TURNED, "c": LINES}
    assert report(systems, LINES, metrics="bleu").pair == ("a", "b")
    assert report(systems, LINES, metrics="bleu", pair=("c", "a")).pair == ("c", "a")
    assert report(LINES, LINES, metrics="bleu").pair is None


def test_another_baseline_can_be_named() -> None:
    systems = {"a": LINES, "b": TURNED}
    found = report(systems, LINES, metrics="bleu", baseline="b")
    assert found.comparison.baseline == "b"
    with pytest.raises(OptionError, match="the baseline is 'c'"):
        report(systems, LINES, metrics="bleu", baseline="c")


@pytest.mark.parametrize(
    ("pair", "fault"),
    [(("a", "x"), "there is no system 'x' for the pair; there are a, b"), (("a", "a"), "a twice")],
)
def test_a_pair_that_is_none_is_an_error(pair: tuple[str, str], fault: str) -> None:
    with pytest.raises(OptionError, match=fault):
        report({"a": LINES, "b": TURNED}, LINES, metrics="bleu", pair=pair)


def test_systems_and_references_that_were_exchanged_are_noted() -> None:
    texts = [[f"a {n}", f"b {n}", f"c {n}", f"d {n}"] for n in range(2)]
    exchanged = kilter.score(texts[0], [[a, b] for a, b in zip(*texts, strict=True)])
    found = report(texts[0], [[a, b] for a, b in zip(*texts, strict=True)])
    # Of BLEU on lines of two words, scores alone speak.
    assert {*found.notes} == {each for each in exchanged.notes if "bleu is 0" not in each}


def test_errors_are_those_of_the_links_that_the_report_shows() -> None:
    found = report({"right": LINES, "turned": ["b a c d", *LINES[1:]]}, ["a b c d", *LINES[1:]])
    assert [each.system for each in found.errors] == ["right", "turned"]
    assert found.error_counts.sum(axis=1).tolist() == [0, 1]
    assert found.errors[1].segment(0).errors[0].words == (0, 1)


def test_with_trees_errors_are_told_by_construction() -> None:
    trees = [
        kilter.DependencyTree(
            words.split(),
            heads=[noun, *(-1 if place == noun else noun for place in (1, 2))],
            labels=["det", *("root" if place == noun else "amod" for place in (1, 2))],
            tags=["DET", *("NOUN" if place == noun else "ADJ" for place in (1, 2))],
        )
        for words, noun in (("the house red", 1), ("the red house", 2))
    ]
    columns = [kilter.DependencyTreeColumn.of([tree]) for tree in trees]
    found = report(
        ["the house red"],
        ["the red house"],
        metrics="kendall",
        trees=kilter.Trees(systems=(columns[0],), references=(columns[1],)),
    )
    (summary,) = found.summaries
    assert [group.name for group in summary.groups[ErrorGrouping.CONSTRUCTION]] == ["amod ADJ"]
    assert found.to_dict()["error_groups"][0]["construction"][0]["errors"] == 1


def test_with_several_references_links_and_errors_are_those_of_the_best() -> None:
    references = [["d c b a", "a b c d"], ["x y", "y x"]]
    found = report(["a b c d", "x y"], references, metrics="kendall")
    assert found.errors[0].references.tolist() == [1, 0]
    assert found.links[0].segment(0) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert found.links[0].segment(1) == [(0, 0), (1, 1)]
    assert found.error_counts.sum() == 0


def test_links_that_give_no_order_leave_errors_out_and_say_why() -> None:
    given = kilter.LinkBatch.of([[(0, 0), (0, 1)]] * 4)
    found = report(LINES, LINES, metrics="bleu", links=given)
    assert found.errors == ()
    assert found.links[0].segment(0) == [(0, 0), (0, 1)]
    (note,) = [each for each in found.notes if each.startswith("order errors are left out: ")]
    assert "word 0 of the hypothesis is linked with words 0 and 1" in note
    assert "The links of these texts give no order." in found.to_html()


def test_a_title_that_no_page_can_spell_is_refused() -> None:
    with pytest.raises(InputError, match=r"^title: is '.ud800', which no page can spell"):
        report({"a": TURNED}, LINES, title="\ud800")


@pytest.mark.parametrize(
    ("name", "value"), [("parser", "perceptron"), ("aligner", "hmm"), ("rule", "birch")]
)
def test_what_only_the_page_looks_at_is_not_said_to_have_no_effect(name: str, value: str) -> None:
    systems = {"a": [f"more {line}" for line in TURNED]}
    found = report(systems, LINES, settings=changed(Settings(metrics="bleu"), {name: value}))
    assert found.to_html() != report(systems, LINES, metrics="bleu").to_html()
    assert not [note for note in found.notes if "no effect" in note]
