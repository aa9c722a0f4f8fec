"""The tests that may notice a change: those that run its statement, the nearest and cheapest first."""

import ast
import difflib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from tools.mutation.mutant import Mutant
from tools.mutation.record import Record, tests_by_line
from tools.mutation.workspace import digest, kept

# Seconds of a test that is worth asking before slower ones, wherever it stands.
QUICK = 0.25


@dataclass(frozen=True)
class Chosen:
    """The tests to run, in order, by test file; whether any of them runs the changed statement."""

    groups: list[tuple[str, list[str]]]
    covered: bool


class Choice:
    """Finds tests for changes, given the records and the texts of the package."""

    def __init__(self, records: dict[str, Record], texts: dict[str, str]) -> None:
        self.records = records
        self.texts = texts
        self._by_line: dict[str, dict[int, set[str]]] = {}

    def tests(self, mutant: Mutant) -> Chosen:
        """Return the tests for this change."""
        outline = _outline(self.texts[mutant.file])
        headed = self._of_lines(mutant.file, outline.headed(mutant.line))
        first = headed | self._of_lines(mutant.file, outline.statement(mutant.line))
        runs_at_import = outline.runs_at_import(mutant.line)
        named: set[str] = set()
        nearby: set[str] = set()
        if runs_at_import or not first:
            named = self._named(module_name(mutant.file))
            nearby |= self._of_lines(mutant.file, outline.all_functions())
            for importer in self._importers[mutant.file]:
                inside = _outline(self.texts[importer]).all_functions()
                nearby |= self._of_lines(importer, inside)
        # What a test computes, its neighbours may read from a cache; and whoever looks at what an
        # import made, such as a class or the options of a command, runs no line of the file.
        ran = {test.split("::")[0] for test in first}
        neighbours = {
            test
            for file, record in self.records.items()
            if _is_near(file, mutant.file) and (runs_at_import or file in ran)
            for test in record.tests
        }
        order = (first, named, nearby, neighbours)
        if runs_at_import:  # whoever happened to import it first is no nearer than others
            order = (headed, named, neighbours, first | nearby)
        groups: list[tuple[str, list[str]]] = []
        chosen: set[str] = set()
        for tests in order:
            groups += self._sorted(tests - chosen, mutant.file)
            chosen |= tests
        return Chosen(groups, covered=bool(groups))

    def knows(self, test: str) -> bool:
        """Return whether a test was recorded, and so passes without any change."""
        record = self.records.get(test.split("::", maxsplit=1)[0])
        return record is not None and test in record.tests

    def seconds(self, tests: list[str]) -> float:
        """Return how long these tests took when they were recorded."""
        return sum(self.records[test.split("::")[0]].tests[test] for test in tests)

    def _named(self, module: str) -> set[str]:
        """Return the tests of the whole package that have this module for a parameter."""
        named = (f"[{module}]", f"[{module}.")
        return {
            test
            for record in self.records.values()
            for test in record.tests
            if any(name in test for name in named)
        }

    def _sorted(self, tests: set[str], source: str) -> list[tuple[str, list[str]]]:
        """Return tests by file: the module's own, then those of its package, then others.

        Of each, the quick ones of all files come before the slow ones of any.
        """
        groups: list[tuple[str, list[str]]] = []
        for file, record in self.records.items():
            ran = sorted((t for t in record.tests if t in tests), key=record.tests.__getitem__)
            quick = [test for test in ran if record.tests[test] <= QUICK]
            groups += [(file, some) for some in (quick, ran[len(quick) :]) if some]
        return sorted(
            groups,
            key=lambda group: (
                not is_mirror(group[0], source),
                not _is_near(group[0], source),
                self.seconds(group[1][:1]) > QUICK,
                self.seconds(group[1]),
            ),
        )

    def _of_lines(self, file: str, lines: set[int]) -> set[str]:
        by_line = self._tests_by_line(file)
        return {test for line in lines for test in by_line.get(line, ())}

    def _tests_by_line(self, file: str) -> dict[int, set[str]]:
        if file not in self._by_line:
            found: dict[int, set[str]] = defaultdict(set)
            for record in self.records.values():
                if file not in record.lines:
                    continue
                now = _line_map(record.digests[file], digest(self.texts[file]))
                for line, tests in tests_by_line(record, file):
                    for place in now(line):
                        found[place].update(tests)
            self._by_line[file] = found
        return self._by_line[file]

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        files = {module_name(file): file for file in self.texts}
        found: dict[str, set[str]] = defaultdict(set)
        for file, text in self.texts.items():
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom) and node.module in files:
                    found[files[node.module]].add(file)
        return found


class _LineMap:
    """Where the lines of a recorded text are in the text of now; a changed line is near its old one."""

    def __init__(self, before: str, after: str) -> None:
        self.places: dict[int, list[int]] = {}
        old, new = before.splitlines(), after.splitlines()
        for tag, i, j, k, m in difflib.SequenceMatcher(
            None, old, new, autojunk=False
        ).get_opcodes():
            for line in range(i, j):
                if tag == "equal":
                    self.places[line + 1] = [k + line - i + 1]
                else:
                    self.places[line + 1] = list(range(k + 1, m + 1))
            if tag == "insert" and i > 0:
                # New lines are run by the tests that run the line before them.
                self.places[i] = [*self.places.get(i, []), *range(k + 1, m + 1)]

    def __call__(self, line: int) -> list[int]:
        return self.places.get(line, [])


@cache
def _line_map(before: str, after: str) -> _LineMap:
    return _LineMap(kept(before), kept(after))


class _Outline:
    """Which lines of a module are one statement, and which are in functions."""

    def __init__(self, code: str) -> None:
        self.spans: list[tuple[int, int]] = []
        self.functions: list[tuple[int, int]] = []
        self.heads: list[tuple[int, int]] = []
        module = ast.parse(code)
        called = _called_by(module)
        self.called = [
            (node.body[0].lineno, node.end_lineno or 0)
            for node in module.body
            if isinstance(node, ast.FunctionDef) and node.name in called
        ]
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions.append((node.body[0].lineno, node.end_lineno or 0))
                self.heads.append((_first_line(node), node.body[0].lineno - 1))
            if isinstance(node, ast.stmt):
                self.spans.append((_first_line(node), _last_line(node)))

    def statement(self, line: int) -> set[int]:
        around = [
            (last - first, first, last) for first, last in self.spans if first <= line <= last
        ]
        if not around:
            return {line}
        _, first, last = min(around)
        return set(range(first, last + 1))

    def headed(self, line: int) -> set[int]:
        """Return the lines of the functions whose decorators, defaults or names this line holds."""
        return {
            inside
            for (first, last), (begin, end) in zip(self.heads, self.functions, strict=True)
            if first <= line <= last
            for inside in range(begin, end + 1)
        }

    def runs_at_import(self, line: int) -> bool:
        """Return whether a line is in no function, or in one that makes something of the module."""
        if any(first <= line <= last for first, last in self.called):
            return True
        return not any(first <= line <= last for first, last in self.functions)

    def all_functions(self) -> set[int]:
        return {line for first, last in self.functions for line in range(first, last + 1)}


@cache
def _outline(code: str) -> _Outline:
    return _Outline(code)


def _called_by(module: ast.Module) -> set[str]:
    """Return the names that the statements of a module, not of its functions and classes, call."""
    return {
        node.func.id
        for statement in module.body
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _last_line(node: ast.stmt) -> int:
    """Return the last line of a statement, of its head alone if it has a body."""
    body: list[ast.stmt] = getattr(node, "body", [])
    if body:
        return max(node.lineno, body[0].lineno - 1)
    return node.end_lineno or node.lineno


def module_name(file: str) -> str:
    """Return the name of a module, such as `kilter.core` for `kilter/core/__init__.py`."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_mirror(test_file: str, source: str) -> bool:
    """Return whether a file of tests has the name and the folders of a module."""
    folders, name = parts(source)
    test_folders, test_name = parts(test_file)
    return test_name == f"test_{name}" and folders[: len(test_folders)] == test_folders


def _is_near(test_file: str, source: str) -> bool:
    return parts(test_file)[0][:1] == parts(source)[0][:1]


def parts(file: str) -> tuple[list[str], str]:
    """Return the folders below `kilter` or `tests`, and the name."""
    parts = file.removesuffix(".py").split("/")
    return parts[1:-1], parts[-1]


def chunks(chosen: Chosen, choice: Choice, limit: float) -> Iterator[list[str]]:
    """Yield tests to run together, few and cheap ones first, no more seconds than the limit."""
    size, chunk = 2.0, list[str]()
    for _, tests in chosen.groups:
        affordable = tests if choice.seconds(tests) <= limit else _within(tests, choice, limit)
        limit -= choice.seconds(affordable)
        chunk += affordable
        if choice.seconds(chunk) > size:
            yield chunk
            chunk, size = [], size * 4
    if chunk:
        yield chunk


def _within(tests: list[str], choice: Choice, limit: float) -> list[str]:
    found: list[str] = []
    for test in sorted(tests, key=lambda test: choice.seconds([test])):
        limit -= choice.seconds([test])
        if limit < 0:
            break
        found.append(test)
    return found
