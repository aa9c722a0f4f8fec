"""Classes by name, from entry points."""

from importlib import metadata
from importlib.metadata import EntryPoint

import pytest

from kilter.errors import OptionError
from kilter.metrics.metric import Metric
from kilter.options.registry import Registry

ENTRIES = [
    EntryPoint("kendall", "kilter.metrics.kendall:Kendall", "things"),
    EntryPoint("absent", "nowhere.at_all:Absent", "things"),
]


@pytest.fixture
def things(monkeypatch: pytest.MonkeyPatch) -> Registry[Metric]:
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: ENTRIES if group == "things" else []
    )
    return Registry("things", "thing")


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
