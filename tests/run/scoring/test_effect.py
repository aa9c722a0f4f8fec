"""Settings that no metric looks at are noted, those that one looks at are not."""

import pytest

import kilter
from kilter.core.settings import changed
from kilter.run.scoring.settings import Settings

HYPOTHESIS, REFERENCE = ["the mat sat on the cat"], ["the cat sat on the mat"]
GIVEN = {"rule": "mean", "aligner": "ribes", "parser": "perceptron"}
LOOKED_AT = {"rule": "an order of links", "aligner": "links", "parser": "trees"}


def noted(result: kilter.ScoreResult | kilter.Comparison) -> list[str]:
    return [note for note in result.notes if "no effect" in note]


@pytest.mark.parametrize("name", [*GIVEN])
def test_what_no_metric_looks_at_is_noted(name: str) -> None:
    said = f"the {name} {GIVEN[name]} has no effect: no metric looks at {LOOKED_AT[name]}"
    chosen = changed(Settings(metrics="bleu"), {name: GIVEN[name]})
    (note,) = noted(kilter.score(HYPOTHESIS, REFERENCE, settings=chosen))
    assert note.startswith(said)
    systems = {"a": HYPOTHESIS, "b": HYPOTHESIS}
    found = kilter.compare(systems, REFERENCE, settings=chosen, metrics=["bleu", "chrf"])
    assert noted(found) == [note]


@pytest.mark.parametrize(("name", "metric"), [("rule", "kendall"), ("aligner", "sen")])
def test_one_metric_that_looks_at_it_is_enough(name: str, metric: str) -> None:
    chosen = changed(Settings(metrics=["bleu", metric]), {name: GIVEN[name]})
    result = kilter.score(HYPOTHESIS, REFERENCE, settings=chosen)
    assert noted(result) == []
    assert f"{name}:{GIVEN[name]}" in result.system[metric].signature


def test_the_default_rule_by_name_is_no_fault() -> None:
    assert noted(kilter.score(HYPOTHESIS, REFERENCE, metrics="bleu", rule="one-to-one")) == []


@pytest.mark.parametrize(
    ("language", "metric", "said"),
    [
        (None, "kilter:worst=2", "worst has no effect on kilter:encoder=none,worst=2.0"),
    ],
)
def test_an_option_that_the_model_leaves_idle_is_noted_and_changes_nothing(
    language: str | None, metric: str, said: str
) -> None:
    plain = metric.partition(":")[0]
    changed, given = (
        kilter.score(HYPOTHESIS, REFERENCE, metrics=name, language=language)
        for name in (metric, plain)
    )
    assert noted(changed) == [said]
    assert noted(given) == []
    assert [each.score for each in changed.system.values()] == [given.system[plain].score]


@pytest.mark.parametrize(
    ("language", "metric"), [("en", "kilter:worst=2"), (None, "kilter:words=2")]
)
def test_the_same_option_is_looked_at_with_the_other_model(
    language: str | None, metric: str
) -> None:
    plain = metric.partition(":")[0]
    found = kilter.score(HYPOTHESIS, REFERENCE, metrics=[metric, plain], language=language)
    assert noted(found) == []
    first, second = found.system.values()
    assert first.score != second.score
