"""`kilter.sentence` has a function for every metric that one sentence suffices for."""

from importlib import import_module

import pytest

import kilter
from kilter.metrics.registry import metric_class, metric_names


@pytest.mark.parametrize("name", metric_names())
def test_the_function_of_a_metric_is_there(name: str) -> None:
    function = name.replace("-", "_")
    home = import_module(metric_class(name).__module__)
    assert getattr(kilter.sentence, function, None) is getattr(home, function, None)
    assert (function in kilter.sentence.__all__) == hasattr(home, function)


def test_all_names_are_there() -> None:
    for name in kilter.sentence.__all__:
        assert getattr(kilter.sentence, name).__name__ == name
