"""Hypotheses about variants: what supports them, and what leaves them open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.run.meta.hypothesis import hypotheses
from kilter.stats.undefined import Undefined


def test_margins_say_which_variants_support_a_hypothesis() -> None:
    order = {"b": [0.5, 0.6], "fb": [0.4], "derp": [0.3, 0.35], "fderp": [0.32]}
    found = {row.id: row for row in hypotheses(order, order, {"bleu": [0.45]})}
    assert found["EVAL"].variants == ("b",)
    assert found["EVAL"].numbers["b"] == 0.5 - 0.45
    assert found["STRUC"].variants == ("b",)
    assert found["STRUC_ALL"].result == "not rejected"
    assert found["EVAL_DERP"].supported is False
    assert found["ORD"].variants == ("b", "derp")  # a single number does not exceed itself


def test_without_correlations_every_hypothesis_says_what_is_missing() -> None:
    for row in hypotheses({}, {}, {}):
        assert isinstance(row.supported, Undefined)
        assert row.result.startswith("undefined: no ")


def test_one_configuration_says_nothing_about_configurations() -> None:
    (row,) = [row for row in hypotheses({"b": [0.5], "c": [0.4]}, {}, {}) if row.id == "EVAL_CONF"]
    assert row.supported == Undefined("no structured variant was scored in two configurations")


def test_the_threshold_of_configurations_is_the_sample_deviation_of_structured_variants() -> None:
    order = {"b": [0.5, 0.6], "co": [0.2, 0.23], "derp": [0.35, 0.4], "fb": [0.1, 0.9]}
    (found,) = [row for row in hypotheses(order, {}, {}) if row.id == "EVAL_CONF"]
    values = [0.5, 0.6, 0.2, 0.23, 0.35, 0.4]
    mean = sum(values) / 6
    deviation = (sum((value - mean) ** 2 for value in values) / 5) ** 0.5
    assert found.numbers["threshold"] == pytest.approx(deviation, rel=1e-12)
    assert found.numbers["fb"] == pytest.approx(0.8)
    assert found.variants == ("b", "co", "derp")
    assert found.supported is False


def test_a_spread_that_is_the_threshold_is_none_too_many() -> None:
    # Two configurations differ by sqrt(2) sample deviations of their own, so others must vary more.
    near = {"b": [0.4, 0.41], "c": [0.1, 0.11], "co": [0.8, 0.81]}
    (found,) = [row for row in hypotheses(near, {}, {}) if row.id == "EVAL_CONF"]
    assert found.supported is True
    (alone,) = [row for row in hypotheses({"b": [0.4, 0.5]}, {}, {}) if row.id == "EVAL_CONF"]
    assert alone.supported is False


VALUE = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5])
VALUES = st.lists(VALUE, max_size=3)
CORRELATIONS = st.fixed_dictionaries(dict.fromkeys(["b", "co", "derp", "fb", "fderp"], VALUES))
BASELINES = st.fixed_dictionaries({"bleu": VALUES, "ter": VALUES})


@given(order=CORRELATIONS, holistic=CORRELATIONS, baselines=BASELINES)
def test_every_hypothesis_is_that_of_its_words(
    order: dict[str, list[float]],
    holistic: dict[str, list[float]],
    baselines: dict[str, list[float]],
) -> None:
    found = {row.id: row for row in hypotheses(order, holistic, baselines)}
    known = [name for name in ("b", "co", "derp", "fb", "fderp") if order[name]]
    dted = [name for name in known if "derp" not in name]
    derp = [name for name in known if "derp" in name]
    lists = [values for values in baselines.values() if values]

    def beats(name: str, others: list[list[float]]) -> bool:
        return all(min(order[name]) > max(values) for values in others)

    def said(row: str, supported: list[bool], *, every: bool = False) -> None:
        result = found[row].supported
        if not supported:
            assert isinstance(result, Undefined)
        else:
            assert result is (all(supported) if every else any(supported)), row
            assert len(found[row].variants) == sum(supported)

    for row, names, others in (
        ("EVAL", known, lists),
        ("EVAL_DTED", dted, lists),
        ("EVAL_DERP", derp, lists),
        ("EVAL_DD", derp, [order[name] for name in dted]),
    ):
        said(row, [beats(name, others) for name in names] if others else [])
    pairs = [name for name in ("b", "co", "derp") if order[name] and order.get(f"f{name}")]
    for row in ("STRUC", "STRUC_ALL"):
        said(row, [min(order[n]) > max(order[f"f{n}"]) for n in pairs], every=row == "STRUC_ALL")
    asked = [name for name in known if holistic[name]]
    for row in ("ORD", "ORD_ALL"):
        better = [max(order[name]) > min(holistic[name]) for name in asked]
        said(row, better, every=row == "ORD_ALL")


def test_equal_correlations_outperform_nothing() -> None:
    def supported(row: str, variant: list[float], other: list[float]) -> object:
        rows = hypotheses({"b": variant}, {"b": other}, {"bleu": other})
        return {each.id: each for each in rows}[row].supported

    assert supported("EVAL", [0.4, 0.5], [0.3, 0.4]) is False
    assert supported("EVAL", [0.41, 0.5], [0.3, 0.4]) is True
    assert supported("ORD", [0.3, 0.4], [0.4, 0.5]) is False
    assert supported("ORD", [0.3, 0.41], [0.4, 0.5]) is True
