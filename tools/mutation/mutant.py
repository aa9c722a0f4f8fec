"""Changed copies of a module, made by the operators of Cosmic Ray, and a sample of them."""

import ast
import random
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tools.mutation.neutral import neutral_reason, neutral_spans

# Stars and slashes that multiply and divide nothing, which Cosmic Ray takes for operators.
NO_OPERATION = {"parameters", "lambdef", "dictorsetmaker", "arglist", "subscriptlist", "testlist"}
# Numbers, None, booleans and members of enumerations are the same object when they are equal.
SAME = {("Eq", "Is"), ("NotEq", "IsNot"), ("Is", "Eq"), ("IsNot", "NotEq")}
# Of something counted, which is never below zero.
COUNTED = {("Eq", "LtE"), ("NotEq", "Gt"), ("Gt", "NotEq"), ("LtE", "Eq")}
LEAST_OF_A_PACKAGE = 5


Key = tuple[str, str, str, str]
"""What a change is recognised by: file, function or class, and lines before and after; lines move."""


@dataclass(frozen=True)
class Mutant:
    """One change: the file, by its path from `src/`, its new text, where, and by which operator.

    `within` is the function or class around it, such as `Corpus.of`; empty for a module's own lines.
    """

    file: str
    within: str
    line: int
    column: int
    operator: str
    before: str
    after: str
    code: str

    @property
    def package(self) -> str:
        """The package below `kilter`, or `kilter` for its own modules."""
        parts = self.file.split("/")
        return parts[1] if len(parts) > 2 else parts[0]

    @property
    def key(self) -> Key:
        """What the change is recognised by."""
        return self.file, self.within, self.before, self.after

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"src/{self.file}:{self.line}"


@dataclass(frozen=True)
class Spot:
    """A place of a module that operators can change: their names and occurrences there."""

    file: str
    start: tuple[int, int]
    changes: tuple[tuple[str, int], ...]


def spots(file: str, code: str) -> list[Spot]:
    """Return every place of a module that can be changed with an effect."""
    neutral = neutral_spans(code)
    found: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    occurrences: Counter[str] = Counter()
    for node in _changeable(get_ast(code)):
        for name, operator in _operators():
            for start, _ in operator.mutation_positions(node):
                if _has_effect(name, node) and neutral_reason(neutral, start) is None:
                    found[start].append((name, occurrences[name]))
                occurrences[name] += 1
    return [Spot(file, start, tuple(changes)) for start, changes in sorted(found.items())]


def mutants(spot: Spot, code: str, chance: random.Random) -> Iterator[Mutant]:
    """Yield the changes of a place that are Python and another program, in an order by chance."""
    for name, occurrence in chance.sample(spot.changes, len(spot.changes)):
        changed = mutate_code(code, get_operator(name)(), occurrence)
        if changed is None or not _is_another_program(code, changed):
            continue
        before, after = _difference(code, changed)
        line, column = spot.start
        yield Mutant(
            file=spot.file,
            within=definition(code, line),
            line=line,
            column=column,
            operator=name.split("/")[1],
            before=before,
            after=after,
            code=changed,
        )


def definition(code: str, line: int) -> str:
    """Return the name of the innermost function or class around a line, with those around it."""
    names = []
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    for node in ast.walk(ast.parse(code)):  # which comes to what is outside first
        if isinstance(node, kinds):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or 0):
                names.append(node.name)
    return ".".join(names)


def sample(texts: dict[str, str], size: int, seed: int) -> list[Mutant]:
    """Return changes by chance, each of another place, with every package among them.

    A package gets its share of the places, but at least five or all it has.
    """
    by_package: dict[str, list[Spot]] = defaultdict(list)
    for file, code in texts.items():
        for spot in spots(file, code):
            by_package[_package(file)].append(spot)
    found = []
    for package, count in _shares({name: len(all_) for name, all_ in by_package.items()}, size):
        ranked = sorted(by_package[package], key=lambda spot: _rank(spot, texts[spot.file], seed))
        drawn: list[Mutant] = []
        for spot in ranked:
            if len(drawn) == count:
                break
            chance = random.Random(_rank(spot, texts[spot.file], seed))
            drawn += islice(mutants(spot, texts[spot.file], chance), 1)
        found += sorted(drawn, key=lambda mutant: (mutant.file, mutant.line, mutant.column))
    return found


def _rank(spot: Spot, code: str, seed: int) -> str:
    """Return a number by chance that stays the same when other lines of the code change."""
    line, column = spot.start
    lines = code.splitlines()
    text = lines[line - 1]
    before = lines[: line - 1].count(text)
    told = f"{seed} {spot.file} {text.strip()} {column - len(text) + len(text.lstrip())}"
    if before:
        told += f" again {before}"
    return sha256(told.encode()).hexdigest()


def _package(file: str) -> str:
    parts = file.split("/")
    return parts[1] if len(parts) > 2 else parts[0]


def _shares(places: dict[str, int], size: int) -> list[tuple[str, int]]:
    """Return how many of the sample each package gets, which may add up to a little more."""
    total = sum(places.values())
    least = min(LEAST_OF_A_PACKAGE, -(-size // max(len(places), 1)))
    return [
        (name, min(count, max(least, round(size * count / total))))
        for name, count in sorted(places.items())
    ]


@cache
def _operators() -> list[tuple[str, Any]]:
    classes = ((name, get_operator(name)) for name in operator_names())
    return [(name, operator()) for name, operator in classes if not operator.arguments()]


def _changeable(tree: Any) -> Iterator[Any]:
    kinds = {
        "operator",
        "keyword",
        "number",
        "comparison",
        "factor",
        "not_test",
        "if_stmt",
        "while_stmt",
        "assert_stmt",
        "test",
        "ternary",
        "for_stmt",
        "decorator",
        "try_stmt",
        "except_clause",
        "return_stmt",
    }
    for node in ast_nodes(tree):
        if node.type in kinds:
            if node.type == "operator" and node.value in {"(", ")", "[", "]", ",", ":", ".", "="}:
                continue
            yield node


def _has_effect(name: str, node: Any) -> bool:
    if "BinaryOperator" in name:
        return node.parent.type not in NO_OPERATION
    if "ComparisonOperator" in name:
        first, second = name.split("_")[-2:]
        return (first, second) not in SAME and not (
            (first, second) in COUNTED and _counts_from_zero(node)
        )
    return True


def _counts_from_zero(node: Any) -> bool:
    left, right = node.children[0].get_code().strip(), node.children[2].get_code().strip()
    counted = left.startswith("len(") or left.endswith((".size", ".sum()"))
    return len(node.children) == 3 and right == "0" and counted


def _is_another_program(code: str, changed: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile(changed, "changed", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, SyntaxWarning):
        return False
    return ast.dump(ast.parse(code)) != ast.dump(ast.parse(changed))


def _difference(code: str, changed: str) -> tuple[str, str]:
    """Return the lines that differ, before and after, without their indentation."""
    old, new = code.splitlines(), changed.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return _plain(old), _plain(new)


def _plain(lines: list[str]) -> str:
    return "\n".join(line.strip() for line in lines).strip()
