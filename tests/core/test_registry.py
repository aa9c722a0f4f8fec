"""Classes by name, from entry points."""

from functools import cache
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from kilter.core import registry
from kilter.core.errors import OptionError
from kilter.core.registry import Registry
from kilter.metrics.metric import Metric

ENTRIES = [
    EntryPoint("kendall", "kilter.metrics.kendall:Kendall", "things"),
    EntryPoint("absent", "nowhere.at_all:Absent", "things"),
]


@pytest.fixture
def things(monkeypatch: pytest.MonkeyPatch) -> Registry[Metric]:
    monkeypatch.setattr(registry, "_entry_points", lambda: EntryPoints(ENTRIES))
    return Registry("things", "thing")


def test_what_packages_register_is_read_once_for_all_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    found = EntryPoints([*ENTRIES, EntryPoint("tau", "kilter.metrics.tau:Tau", "others")])
    reads = iter([found])
    monkeypatch.setattr(metadata, "entry_points", lambda: next(reads))
    monkeypatch.setattr(registry, "_entry_points", cache(registry._entry_points.__wrapped__))
    kinds: list[Registry[Metric]] = [Registry("things", "thing"), Registry("others", "other")]
    assert [kind.names() for kind in kinds] == [["kendall", "absent"], ["tau"]]


def test_nothing_is_imported_before_it_is_asked_for(things: Registry[Metric]) -> None:
    assert things.names() == ["kendall", "absent"]
    assert things.make("kendall:penalty=false").specification() == "kendall:penalty=false"
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        things.find("absent")


def test_an_unknown_name_is_refused_with_the_nearest_and_all_there_are(
    things: Registry[Metric],
) -> None:
    with pytest.raises(OptionError) as near:
        things.find("kendal")
    assert str(near.value) == (
        "there is no thing 'kendal'; did you mean kendall? there are: kendall, absent"
    )
    with pytest.raises(OptionError, match=r"^there is no thing 'zz'; there are: kendall, absent$"):
        things.make("zz:a=b")
