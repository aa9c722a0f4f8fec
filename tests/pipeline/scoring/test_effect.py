"""Settings that no metric looks at are noted, those that one looks at are not."""

import pytest

import kilter
from kilter.pipeline.scoring.settings import Settings

HYPOTHESIS, REFERENCE = ["the mat sat on the cat"], ["the cat sat on the mat"]
GIVEN = {"rule": "mean", "aligner": "ribes", "parser": "perceptron"}
LOOKED_AT = {"rule": "an order of links", "aligner": "links", "parser": "trees"}


def noted(result: kilter.ScoreResult | kilter.Comparison) -> list[str]:
    return [note for note in result.notes if "no effect" in note]


@pytest.mark.parametrize("name", [*GIVEN])
def test_what_no_metric_looks_at_is_noted(name: str) -> None:
    said = f"the {name} {GIVEN[name]} has no effect: no metric looks at {LOOKED_AT[name]}"
    chosen = Settings.of(Settings(metrics="bleu"), {name: GIVEN[name]})
    (note,) = noted(kilter.score(HYPOTHESIS, REFERENCE, settings=chosen))
    assert note.startswith(said)
    systems = {"a": HYPOTHESIS, "b": HYPOTHESIS}
    found = kilter.compare(systems, REFERENCE, settings=chosen, metrics=["bleu", "chrf"])
    assert noted(found) == [note]


@pytest.mark.parametrize(("name", "metric"), [("rule", "kendall"), ("aligner", "sen")])
def test_one_metric_that_looks_at_it_is_enough(name: str, metric: str) -> None:
    chosen = Settings.of(Settings(metrics=["bleu", metric]), {name: GIVEN[name]})
    result = kilter.score(HYPOTHESIS, REFERENCE, settings=chosen)
    assert noted(result) == []
    assert f"{name}:{GIVEN[name]}" in result.system[metric].signature


def test_the_default_rule_by_name_is_no_fault() -> None:
    assert noted(kilter.score(HYPOTHESIS, REFERENCE, metrics="bleu", rule="one-to-one")) == []
