"""What an import costs."""

import subprocess
import sys

import pytest

import kilter


def imported_by(code: str) -> set[str]:
    listed = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", listed], capture_output=True, check=True)
    return {name.split(".")[0] for name in done.stdout.decode().split()}


def test_the_package_loads_nothing_heavy() -> None:
    heavy = {"numpy", "click", "rich", "pyarrow", "pandas", "ssl", "socket", "asyncio"}
    assert imported_by("import kilter") & heavy == set()


def test_numpy_comes_when_it_is_needed() -> None:
    assert "numpy" in imported_by("import kilter; kilter.Permutation")


def test_scores_need_no_optional_package() -> None:
    found = imported_by("import kilter; kilter.permutation_scores([[0, 1]])")
    assert found & {"pyarrow", "pandas", "click", "rich"} == set()


@pytest.mark.parametrize("name", kilter.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(kilter, name).__name__ == name
    assert name in dir(kilter)


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'kilter' has no attribute 'nothing'"):
        _ = kilter.nothing
