"""What an import costs."""

import subprocess
import sys
from types import ModuleType

import pytest

import kilter
from tests.docs.pages import ROOT


def imported_by(code: str) -> set[str]:
    listed = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, check=True)
    return {*done.stdout.decode().split()}


def test_the_package_loads_nothing_heavy() -> None:
    heavy = {"numpy", "click", "rich", "pyarrow", "pandas", "ssl", "socket", "asyncio"}
    assert imported_by("import kilter") & heavy == set()


def test_numpy_comes_when_it_is_needed() -> None:
    assert "numpy" in imported_by("import kilter; kilter.Permutation")


def test_scores_need_no_optional_package() -> None:
    found = imported_by(
        "import kilter; kilter.permutation_scores([[0, 1]]); kilter.Permutation([0, 1])"
    )
    assert found & {"pyarrow", "pandas", "click", "rich", "numpy.ma"} == set()


def test_no_command_loads_much_before_it_works() -> None:
    """Else --help fails where an extra is missing, and every start waits."""
    found = imported_by(
        "from kilter.cli.deferred_module import defer; defer('numpy')\n"
        "from benchmarks.comparison.startup import command_names; command_names()"
    )
    assert "click" in found
    extras = {
        "sqlalchemy",
        "starlette",
        "uvicorn",
        "jinja2",
        "reportlab",
        "cv2",
        "pyarrow",
        "pandas",
    }
    slow = {
        "numpy._core",
        "asyncio",
        "concurrent.futures",
        "http",
        "multiprocessing",
        "xml",
    }
    assert found & (extras | slow) == set()


_WITHOUT_EXTRAS = """
import pkgutil, re, sys
from importlib import import_module
from importlib.metadata import packages_distributions, requires

def called(requirement):
    return re.match(r"[\\w.-]+", requirement)[0].lower().replace("_", "-")

listed = requires("kilter")
core = {called(each) for each in listed if "extra ==" not in each}
optional = {called(each) for each in listed} - core - {"kilter"}
modules = {
    module for module, owners in packages_distributions().items() if optional & {*map(called, owners)}
}
assert {"pyarrow", "sqlalchemy", "cv2"} <= modules, modules

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in modules:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Missing())
import kilter, kilter.cli
for name in kilter.__all__:
    getattr(kilter, name)
for found in pkgutil.walk_packages(kilter.cli.__path__, "kilter.cli."):
    import_module(found.name)
"""


def test_every_public_name_and_every_command_is_there_without_optional_packages() -> None:
    subprocess.run([sys.executable, "-c", _WITHOUT_EXTRAS], check=True)


def test_every_public_name_is_there() -> None:
    names = [getattr(kilter, name).__name__.removeprefix("kilter.") for name in kilter.__all__]
    assert names == [*kilter.__all__]
    assert {*names} <= {*dir(kilter)}


def test_the_list_of_public_names_is_read_when_the_first_is_asked_for() -> None:
    assert "ast" not in imported_by("import kilter; from kilter import _core")


@pytest.mark.parametrize("module", [kilter.preorder, kilter.reorder])
def test_every_public_name_of_a_command_with_commands_is_its_own(module: ModuleType) -> None:
    for name in module.__all__:
        assert getattr(module, name).__module__ == module.__name__
    commands = {path.stem for path in (ROOT / "src/kilter/cli" / module.__name__[7:]).glob("*.py")}
    assert commands - {"__init__"} <= set(module.__all__)


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'kilter' has no attribute 'nothing'"):
        _ = kilter.nothing  # type: ignore[attr-defined] # which type checkers tell, too


@pytest.mark.parametrize(
    "module",
    ["kilter.study.analysis.report_folder", "kilter.study.simulation.simulation"],
)
def test_studies_are_simulated_and_analysed_without_a_database(module: str) -> None:
    assert imported_by(f"import {module}") & {"sqlalchemy", "starlette", "jinja2"} == set()
