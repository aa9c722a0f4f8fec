"""Count what the house is made of: files, lines and classes by room, and the functions that commands run.

python -m tools.house [SRC]
"""

from __future__ import annotations

import ast
import sys
import threading
from collections import defaultdict
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import FrameType

BY_HAND = ("click.option", "click.argument")
DERIVED = ("setting", "flag", "argument")
"""Calls that spell an option for click, and those that declare a field from which it is derived."""
SMALL = 50
"""Files with fewer lines are small."""

Counts = dict[str, int]


@dataclass
class Module:
    """A file of sources: its name, its text, and the modules that it imports."""

    name: str
    room: str
    text: str
    tree: ast.Module
    imports: set[str] = field(default_factory=set)

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.text.count("\n")


def read_modules(folder: Path) -> dict[str, Module]:
    """Return the modules of a package by their names, with what each imports of the package."""
    modules = {}
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        parts = relative.with_suffix("").parts
        name = ".".join((folder.name, *parts)).removesuffix(".__init__")
        text = path.read_text(encoding="utf-8")
        room = parts[0] if len(parts) > 1 else "(top)"
        modules[name] = Module(name, room, text, ast.parse(text))
    for module in modules.values():
        module.imports = {name for name in _imported(module.tree) if name in modules}
    return modules


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield every name that may be that of an imported module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{each.name}" for each in node.names]
            yield from (node.module, *inner)


def source_counts(modules: Iterable[Module]) -> Counts:
    """Return the files, lines, classes and options of modules."""
    counts: Counts = defaultdict(int)
    for module in modules:
        counts["files"] += 1
        counts["lines"] += module.lines
        counts[f"files under {SMALL} lines"] += module.lines < SMALL
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                counts["classes"] += 1
                counts["dataclasses"] += _is_dataclass(node)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                counts["lines of imports"] += 1 + (node.end_lineno or node.lineno) - node.lineno
            elif isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                counts["options by hand"] += called in BY_HAND
                counts["options derived"] += called in DERIVED
    return dict(counts)


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(each) for each in node.decorator_list)


def importers(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return the modules that import each module; commands, which are loaded by name, have none."""
    found: dict[str, set[str]] = {name: set() for name in modules}
    for module in modules.values():
        for name in module.imports - {module.name}:
            found[name].add(module.name)
    return found


class Walk:
    """The functions of a folder that are called meanwhile; comprehensions and lambdas are none."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.functions: set[tuple[str, int]] = set()

    def _watch(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.folder) and code.co_name[0] != "<":
            self.functions.add((code.co_filename, code.co_firstlineno))

    def __enter__(self) -> Self:
        threading.setprofile(self._watch)
        sys.setprofile(self._watch)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    @property
    def counts(self) -> tuple[int, int]:
        """The number of functions, and of the files that hold them."""
        return len(self.functions), len({file for file, _ in self.functions})


def walk_score(folder: Path) -> tuple[int, int]:
    """Return how many functions in how many files one score by Kendall of two texts runs, from Python."""
    import kilter

    names = ("local.en", "verb.en", "reference.en")
    texts = [(Path("examples") / name).read_text(encoding="utf-8").splitlines() for name in names]
    systems = {"local": texts[0], "verb": texts[1]}
    kilter.score(systems, texts[2], metrics="kendall")
    with Walk(folder) as walk:
        kilter.score(systems, texts[2], metrics="kendall")
    return walk.counts


def walk_command(folder: Path, first: str, second: str | None = None) -> tuple[int, int]:
    """Return how many functions in how many files a command runs, when it runs for the second time."""
    _run(first)
    with Walk(folder) as walk:
        _run(first if second is None else second)
    return walk.counts


def _run(command: str) -> None:
    from kilter.cli.main import run

    out, said = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = run(command.split())
    if code:
        raise RuntimeError(f"kilter {command} ended with {code}: {said.getvalue()}")


SYSTEMS = "examples/local.en examples/verb.en"
COMMANDS = {
    "score": f"score -r examples/reference.en {SYSTEMS} -m kendall -q",
    "meta": "meta --judgments examples/rankings.csv -r examples/reference.en --systems examples/local.en "
    "--systems examples/verb.en --systems examples/phrase.en --systems examples/lexical.en -m kendall",
    "explain": f"explain -r examples/reference.en {SYSTEMS} --segment 3 -m kendall",
}


def command_walks(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the commands that are walked with their functions and files."""
    yield "kilter.score", walk_score(folder)
    for name, command in COMMANDS.items():
        yield name, walk_command(folder, command)
    yield "survey analyse", walk_analysis(folder)


def walk_analysis(folder: Path) -> tuple[int, int]:
    """Return how many functions in how many files the analysis of a small simulated study runs."""
    with TemporaryDirectory() as parent:
        study, export, report = (f"{parent}/{name}" for name in ("study", "export", "report"))
        _run(f"survey create --example {study} -q")
        _run(f"survey simulate {study} -o {export} --participants 12 -q")
        analyse = f"survey analyse {export} -m kendall --resamples 100 --no-png -q -o {report}"
        return walk_command(folder, f"{analyse}1", f"{analyse}2")


def main() -> None:
    """Print every count."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "src/kilter").resolve()
    modules = read_modules(folder)
    whole = source_counts(modules.values())
    for name, count in whole.items():
        print(f"{count:7,} {name}")
    print(f"{whole['lines of imports'] / whole['lines']:7.1%} of lines are imports")
    alone = sum(len(each) == 1 for each in importers(modules).values())
    print(f"{alone:7,} modules that one other imports")
    columns = ("files", "lines", "classes", "dataclasses", f"files under {SMALL} lines")
    print(f"\n{'room':<14}" + "".join(f"{name.removesuffix(' lines'):>16}" for name in columns))
    for room in sorted({module.room for module in modules.values()}):
        counts = source_counts(each for each in modules.values() if each.room == room)
        print(f"{room:<14}" + "".join(f"{counts.get(name, 0):>16,}" for name in columns))
    print(f"\n{'walk':<14}{'functions':>16}{'files':>16}")
    for name, (functions, files) in command_walks(folder):
        print(f"{name:<14}{functions:>16,}{files:>16,}")


if __name__ == "__main__":
    main()
