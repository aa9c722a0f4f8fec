"""The counts of the house are those of its files, and a walk those of the functions that run."""

from pathlib import Path

import pytest

import kilter
from tools.house import Walk, importers, read_modules, source_counts, walk_command

SOURCE = Path(kilter.__file__).parent
FILES = {
    "__init__.py": "",
    "core/shape.py": "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Shape:\n    x: int\n",
    "core/size.py": "from house.core import shape\n\n\nclass Size:\n    pass\n",
    "cli/draw.py": "import click\n\nfrom house.core.shape import Shape\nfrom house.core.size import (\n    Size,\n)\n\n"
    "option = click.option\nname: str = setting(default='a')\nnames = click.option('--name')\n",
}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "house"


def test_sources_are_counted(house: Path) -> None:
    assert source_counts(read_modules(house).values()) == {
        "files": 4,
        "lines": 21,
        "files under 50 lines": 4,
        "lines of imports": 7,
        "classes": 2,
        "dataclasses": 1,
        "options by hand": 1,
        "options derived": 1,
    }


def test_modules_stand_in_rooms_and_know_their_importers(house: Path) -> None:
    modules = read_modules(house)
    assert {name: each.room for name, each in modules.items()} == {
        "house": "(top)",
        "house.core.shape": "core",
        "house.core.size": "core",
        "house.cli.draw": "cli",
    }
    found = importers(modules)
    assert found["house.core.shape"] == {"house.core.size", "house.cli.draw"}
    assert found["house.core.size"] == {"house.cli.draw"}
    assert found["house.cli.draw"] == set()


def test_a_walk_counts_functions_of_its_folder_once() -> None:
    def called() -> int:
        return sum(number for number in range(3))

    with Walk(Path(__file__).parent) as walk:
        called()
        called()
    assert walk.counts == (1, 1)


def test_a_command_is_walked() -> None:
    functions, files = walk_command(SOURCE, "metrics kendall")
    assert functions > files > 5


def test_a_command_that_fails_is_no_walk() -> None:
    with pytest.raises(RuntimeError, match="there is no metric"):
        walk_command(SOURCE, "metrics kendal")
