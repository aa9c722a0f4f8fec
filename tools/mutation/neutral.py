"""Code whose change no test could notice, with the reason: what is never run, or runs for speed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

TYPE_MAKERS = {"TypeVar", "NewType", "ParamSpec", "TypeAliasType"}
TYPE_DECORATORS = {"overload", "override", "final", "runtime_checkable", "abstractmethod"}
MEMORIES = {"cache", "lru_cache", "loaded_once"}
NEUTRAL_OPTIONS: dict[tuple[str, str | None], str] = {
    ("dataclass", "slots"): "saves memory",
    ("field", "repr"): "text for people who debug",
    ("zip", "strict"): "asserts what was checked before",
}


@dataclass(frozen=True)
class Span:
    """A stretch of code, from (line, column) to (line, column) without the end, and why it is one.

    Lines count from 1 and columns, of characters, from 0.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    reason: str


def neutral_spans(code: str) -> list[Span]:
    """Return the stretches of a module whose change is without effect.

    >>> [span.reason for span in neutral_spans("x: int | None = 1 | 2")]
    ['annotation']
    """
    lines = code.splitlines()
    return [
        Span(
            _characters(lines, node.lineno, node.col_offset),
            _characters(lines, node.end_lineno or 0, node.end_col_offset or 0),
            reason,
        )
        for node, reason in _neutral(ast.parse(code))
    ]


def neutral_reason(spans: list[Span], start: tuple[int, int]) -> str | None:
    """Return why a change that begins here is without effect, None if it may have one."""
    return next((span.reason for span in spans if span.start <= start < span.end), None)


def _characters(lines: list[str], line: int, column: int) -> tuple[int, int]:
    return line, len(lines[line - 1].encode()[:column].decode())


def _neutral(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as annotation):
                yield annotation, "annotation"
            case ast.AnnAssign():
                yield node.annotation, "annotation"
                yield from _of_alias(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _of_function(node)
            case ast.ClassDef():
                yield from _of_class(node)
            case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
                yield node, "for type checkers"
            case ast.Call():
                yield from _of_call(node)
            case ast.Assign() if _is_union_of_types(node.value):
                yield node.value, "type alias"


def _of_alias(node: ast.AnnAssign) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if node.value and ast.unparse(node.annotation).endswith("TypeAlias"):
        yield node.value, "type alias"


def _of_function(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if node.returns:
        yield node.returns, "annotation"
    if node.name == "__repr__":
        yield node, "text for people who debug"
    for decorator in node.decorator_list:
        name = _last_name(decorator)
        if name == "overload":
            yield node, "for type checkers"
        if name in TYPE_DECORATORS:
            yield _with_at(decorator), "for type checkers"
        if name in MEMORIES:
            yield _with_at(decorator), "remembers for speed"


def _of_class(node: ast.ClassDef) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    if any(_last_name(base) == "Protocol" for base in node.bases):
        yield node, "for type checkers"
    for decorator in node.decorator_list:
        if _last_name(decorator) in TYPE_DECORATORS:
            yield _with_at(decorator), "for type checkers"


def _of_call(node: ast.Call) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    name = _last_name(node.func)
    if name == "cast" and node.args:
        yield node.args[0], "type of a cast"
    if name in TYPE_MAKERS:
        yield node, "type variable"
    for keyword in node.keywords:
        if (name, keyword.arg) in NEUTRAL_OPTIONS:
            yield keyword.value, NEUTRAL_OPTIONS[name, keyword.arg]


def _with_at(decorator: ast.expr) -> ast.expr:
    """Return the decorator with the sign before it, where its removal begins."""
    moved = ast.Name(id="")
    ast.copy_location(moved, decorator)
    moved.col_offset -= 1
    return moved


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Call(func=function):
            return _last_name(function)
        case ast.Subscript(value=value):
            return _last_name(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _is_union_of_types(node: ast.expr) -> bool:
    """Tell whether this is `A | B` of nothing but classes, by their capital letters."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr):
        return False
    builtin = {"int", "float", "str", "bytes", "bool", "list", "tuple", "dict", "set"}
    return all(
        _is_union_of_types(side)
        or (isinstance(side, ast.Constant) and side.value is None)
        or (name := _last_name(side)) in builtin
        or (name[:1].isupper() and not name.isupper())
        for side in (node.left, node.right)
    )
