"""Options by name: their ranges, those of the order part, and other values of them."""

import pytest

from kilter.core.errors import OptionError
from kilter.metrics.registry import metric
from kilter.run.meta.option_search import (
    has_option,
    option_value,
    tuned_option,
    with_option,
)


def test_a_range_is_that_of_the_option_or_a_part_of_it() -> None:
    whole = tuned_option(metric("full"), "alpha")
    assert (whole.name, whole.low, whole.high, whole.whole) == ("alpha", 0.0, 1.0, False)
    part = tuned_option(metric("full"), "alpha=0.2..0.7")
    assert (part.name, part.low, part.high) == ("alpha", 0.2, 0.7)


def test_an_option_of_the_order_part_is_changed_there() -> None:
    full = metric("full:alpha=0.25")
    beta = tuned_option(full, "order.beta")
    changed = with_option(full, beta, 0.75)
    assert option_value(changed, "order.beta") == 0.75
    assert option_value(changed, "alpha") == 0.25
    assert changed.specification() == "full:alpha=0.25,order=pef:beta=0.75"


def test_a_whole_number_stays_one() -> None:
    order = tuned_option(metric("bleu"), "order=1..4")
    assert order.whole
    assert order.valid(2.6) == 3.0
    assert with_option(metric("bleu"), order, 3.0).specification() == "bleu:order=3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gamma", "full has no numeric option 'gamma'; it has alpha"),
        ("order.alpha", "pef has no numeric option 'alpha'"),
        ("words.beta", "full has no part 'words'"),
        ("alpha=0.7..0.2", "the range must rise; write alpha=LOW..HIGH"),
        ("alpha=0..2", "the range must lie within 0..1"),
        ("alpha=half", "write NAME or NAME=LOW..HIGH"),
    ],
)
def test_what_cannot_be_tuned_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message.replace(".", r"\.")):
        tuned_option(metric("full"), text)


@pytest.mark.parametrize(("start", "name"), [("kilter:encoder=none", "worst")])
def test_an_option_without_effect_is_not_tuned(start: str, name: str) -> None:
    with pytest.raises(OptionError, match=f"{name} has no effect on {start}; leave it out"):
        tuned_option(metric(start), name)
    assert not has_option(metric(start), name)
