"""Hypotheses about variants: what supports them, and what leaves them open."""

from kilter.meta.hypothesis import hypotheses
from kilter.structures.undefined import Undefined


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
