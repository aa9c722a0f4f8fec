"""The tests near a change, by what their files import: for samples where no test was recorded."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from tools.mutation.choice import is_mirror, module_name, parts
from tools.mutation.mutant import Mutant
from tools.mutation.record import test_files
from tools.mutation.workspace import ROOT, SOURCE

FARTHEST = 4
"""How many imports away from a file of tests a module may be."""
MOST = 40
"""How many files of tests are asked at most; a module that all others use has hundreds."""
FRONT = "kilter/__init__.py"


class Nearby:
    """Finds files of tests for changes, given the texts of the package."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.tests = {name: (ROOT / name).read_text(encoding="utf-8") for name in test_files()}

    def files(self, mutant: Mutant) -> list[str]:
        """Return the files of tests that may notice a change, the nearest first.

        Near are those of the module; then those that import it through few others, stand in a
        folder of the same name, and name what is changed.
        """
        far = self._distances(mutant.file)
        words = {parts(mutant.file)[1], *mutant.within.split(".")} - {""}
        ranks = {}
        for test, used in self._used_by_tests.items():
            distance = min((far[file] for file in used if file in far), default=FARTHEST + 1)
            named = sum(word.lstrip("_") in self.tests[test] for word in words)
            mirror, shared = is_mirror(test, mutant.file), _shared(test, mutant.file)
            if distance <= FARTHEST or mirror or (named and shared):
                ranks[test] = (not mirror, distance - min(named, 2) - min(shared, 2), test)
        return sorted(ranks, key=ranks.__getitem__)[:MOST]

    def _distances(self, file: str) -> dict[str, int]:
        """Return how many imports each file is away from this one, itself with none."""
        found = {file: 0}
        edge = [file]
        for distance in range(1, FARTHEST + 1):
            edge = sorted({user for one in edge for user in self._users[one]} - found.keys())
            found |= dict.fromkeys(edge, distance)
        return found

    @cached_property
    def _files(self) -> dict[str, str]:
        return {module_name(file): file for file in self.texts}

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Return the module of each name of the front door."""
        stub = (SOURCE / "kilter" / "__init__.pyi").read_text(encoding="utf-8")
        return {module.rpartition(".")[2]: module.rpartition(".")[0] for module in _modules(stub)}

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for file, text in self.texts.items():
            for used in self._imported(text):
                found[used].add(file)
        return found

    @cached_property
    def _used_by_tests(self) -> dict[str, set[str]]:
        """Return what each file of tests imports, with what the helpers of tests do for it."""
        found = {}
        for name in self.tests:
            used: set[str] = {file for file in self.texts if is_mirror(name, file)}
            seen, left = {name}, [name]
            while left:
                text = (ROOT / left.pop()).read_text(encoding="utf-8")
                used.update(self._imported(text))
                helpers = {f"{module.replace('.', '/')}.py" for module in _modules(text)} - seen
                left += [one for one in helpers if one[:6] == "tests/" and (ROOT / one).exists()]
                seen |= helpers
            found[name] = used
        return found

    def _imported(self, text: str) -> Iterator[str]:
        for name in re.findall(r"\bkilter\.(\w+)", text):
            if name in self._homes:
                yield from self._of(self._homes[name], name)
        for module in _modules(text):
            yield from self._of(*module.rpartition(".")[::2])

    def _of(self, module: str, name: str) -> Iterator[str]:
        """Yield the file of what is imported from a module; that of the front door says where it is."""
        if module == "kilter" and name in self._homes:
            module = self._homes[name]
        for each in (f"{module}.{name}", module):
            if self._files.get(each, FRONT) != FRONT:
                yield self._files[each]


def _modules(text: str) -> list[str]:
    """Return what a file imports: each module and name, with a point between them."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{name.name}" for name in node.names]
            if node.module.startswith("tests."):
                found.append(node.module)
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names]
    return found


def _shared(test: str, source: str) -> int:
    """Return how many folders below `kilter` and `tests` two files have in common."""
    count = 0
    for one, other in zip(parts(test)[0], parts(source)[0], strict=False):
        if one != other:
            break
        count += 1
    return count
