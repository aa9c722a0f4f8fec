"""A module that is loaded when something in it is first looked up."""

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from kilter.cli.deferred_module import defer

SLOW = """
import sys, time
sys.loaded.append(__name__)
import tardy  # as numpy asks for itself while it is loaded
time.sleep(0.05)
half = hasattr(tardy, "answer")
answer = 42
"""


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    package = tmp_path / "tardy"
    package.mkdir()
    (package / "__init__.py").write_text(SLOW, encoding="utf-8")
    inner = "import sys, tardy\nsys.loaded.append(__name__)\nanswer = tardy.answer\n"
    (package / "inner.py").write_text(inner, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("tardy", "tardy.inner"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    found: list[str] = []
    monkeypatch.setattr(sys, "loaded", found, raising=False)
    defer("tardy")
    return found


def imported(name: str = "tardy") -> ModuleType:
    return importlib.import_module(name)


def test_an_import_loads_nothing_however_often(loaded: list[str]) -> None:
    first, second = imported(), imported()
    space: dict[str, ModuleType] = {}
    exec("import tardy as third", space)  # noqa: S102 - the statement looks at more than the function
    assert first is second is space["third"]
    assert loaded == []


def test_the_first_look_loads_it_once(loaded: list[str]) -> None:
    module = imported()
    assert (module.answer, module.half, module.answer) == (42, False, 42)
    assert loaded == ["tardy"]
    assert type(module) is ModuleType
    with pytest.raises(AttributeError, match="module 'tardy' has no attribute 'nothing'"):
        _ = module.nothing


def test_a_module_inside_comes_after_the_whole(loaded: list[str]) -> None:
    assert imported("tardy.inner").answer == 42
    assert loaded == ["tardy", "tardy.inner"]


def test_nobody_sees_half_of_it(loaded: list[str]) -> None:
    module = imported()
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda _: module.answer, range(8))] == [42] * 8
    assert loaded == ["tardy"]


def test_what_is_loaded_or_nowhere_stays_as_it_is() -> None:
    defer("pathlib")
    assert sys.modules["pathlib"].Path is Path
    defer("no_such_module")
    assert "no_such_module" not in sys.modules
