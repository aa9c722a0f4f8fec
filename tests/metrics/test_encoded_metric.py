"""Metrics of links, or of word vectors."""

import kilter
from kilter.metrics.encoded_metric import EncodedMetric
from kilter.metrics.registry import metric


def test_a_language_without_a_model_asks_for_none() -> None:
    assert EncodedMetric.language_options("en") == {"encoder": "en"}
    assert EncodedMetric.language_options("de") == {}


def test_a_metric_that_was_made_follows_its_own_option_and_not_the_language() -> None:
    made = [metric("kilter"), metric("order:near=0.2"), metric("bleu")]
    lines = ["one two three"]
    beside = kilter.score(lines, lines, metrics=made, language="en")
    assert list(beside.system) == ["kilter:encoder=none", "order:encoder=none,near=0.2", "bleu"]
    alone = kilter.score(lines, lines, metrics=made)
    assert list(alone.system) == ["kilter", "order:near=0.2", "bleu"]
    assert all("|encoder:none|" in beside.signatures[name] for name in list(beside.system)[:2])
