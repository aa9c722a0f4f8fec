"""`kilter.sentence` has a function for every metric that one sentence suffices for."""

import sys
from importlib import import_module
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

import kilter
from kilter.metrics.kendall import Kendall
from kilter.metrics.registry import METRICS, metric_class, metric_names


@pytest.mark.parametrize("name", metric_names())
def test_the_function_of_a_metric_is_there(name: str) -> None:
    function = name.replace("-", "_")
    home = import_module(metric_class(name).__module__)
    assert getattr(kilter.sentence, function, None) is getattr(home, function, None)
    assert (function in kilter.sentence.__all__) == hasattr(home, function)


def test_all_names_are_there() -> None:
    assert {"kendall", "coverage", "footrule", "dted_edits"} <= {*kilter.sentence.__all__}
    assert dir(kilter.sentence) == kilter.sentence.__all__
    for name in kilter.sentence.__all__:
        assert getattr(kilter.sentence, name).__name__ == name


def test_functions_that_others_are_built_of_are_not_there() -> None:
    for name in ("f1_scores", "order_match", "checked", "Kendall", "nothing"):
        with pytest.raises(AttributeError, match=f"kilter.sentence.*{name}"):
            getattr(kilter.sentence, name)


def test_a_new_metric_brings_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def new_order(permutation: object) -> float:
        return float(bool(permutation))

    home = ModuleType("somebody.new_order")
    vars(home).update(new_order=new_order, NewOrder=type("NewOrder", (Kendall,), {}))
    new_order.__module__ = home.NewOrder.__module__ = home.__name__
    monkeypatch.setitem(sys.modules, "somebody", ModuleType("somebody"))
    monkeypatch.setitem(sys.modules, home.__name__, home)
    entry = EntryPoint("new-order", f"{home.__name__}:NewOrder", "kilter.metrics")
    monkeypatch.setitem(METRICS._registered, "new-order", entry)
    assert "new_order" in kilter.sentence.__all__
    assert kilter.sentence.new_order([1]) == 1.0
    del vars(kilter.sentence)["new_order"]
