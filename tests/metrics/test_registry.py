"""Metrics by name, with their options."""

import tomllib

import pytest

from kilter.core.errors import OptionError
from kilter.metrics.kendall import Kendall
from kilter.metrics.pef import Pef
from kilter.metrics.registry import metric, metric_class, metric_names
from tests.docs.pages import ROOT


def test_the_names_are_those_that_the_package_declares_in_its_order() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert metric_names() == [*project["entry-points"]["kilter.metrics"]]


def test_a_specification_names_a_metric_with_options() -> None:
    assert metric("pef") == Pef()
    assert metric("pef:") == Pef()
    assert metric("pef:beta=0.5,gamma=1") == Pef(beta=0.5, gamma=1.0)
    assert metric("kendall:root=true") == metric("kendall:root=yes") == Kendall(root=True)
    assert metric_class("pef") is Pef


@pytest.mark.parametrize(
    ("specification", "reason"),
    [
        ("kendal", "there is no metric 'kendal'; did you mean kendall?"),
        ("", "there is no metric ''"),
        ("pef:beta", "write options as name=value, not 'beta'"),
        ("pef:beta=0.1,beta=0.2", "option beta is given twice"),
        ("pef:betta=1", "pef has no option 'betta'; did you mean beta? its options are: beta"),
        ("KENDALL", "there is no metric 'KENDALL'; did you mean kendall? there are: kendall"),
        ("xqz", "there is no metric 'xqz'; there are: kendall"),
        ("pef:delta=1", "pef has no option 'delta'; its options are: beta, empty, gamma"),
        ("pef:beta=x", "beta is 'x', which is not a number"),
        ("pef:beta=nan", "beta is 'nan', which is not a number"),
        ("pef:beta=inf", "beta is 'inf', which is not a number"),
        ("pef:operator=", "operator is ''; it can be order, kendall"),
        ("kendall:root=maybe", "root is 'maybe'; it can be true or false"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(specification: str, reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        metric(specification)
    assert reason in str(caught.value)
