"""What no test could notice is found, and nothing else."""

import pytest

from tools.mutation.neutral import neutral_reason, neutral_spans


@pytest.mark.parametrize(
    ("code", "sign", "reason"),
    [
        ("def f(a: int | None) -> None: ...", "|", "annotation"),
        ("def f() -> int | None: ...", "|", "annotation"),
        ("x: dict[str, int | None] = {}", "|", "annotation"),
        ("Some: TypeAlias = int | str", "|", "type alias"),
        ("Some = Path | None", "|", "type alias"),
        ("if TYPE_CHECKING:\n    x = 1 < 2", "<", "for type checkers"),
        ("def __repr__(self) -> str:\n    return f(1 + 2)", "+", "text for people who debug"),
        ("x = cast(int | str, y)", "|", "type of a cast"),
        ("@overload\ndef f(x=1 + 2): ...", "+", "for type checkers"),
        ("class A:\n    @abstractmethod\n    def f(self): ...", "@", "for type checkers"),
        ("@functools.cache\ndef f(): ...", "@", "remembers for speed"),
        ("@dataclass(frozen=True, slots=1 + 1)\nclass A: ...", "+", "saves memory"),
        ("@loaded_once(1 + 1)\ndef f(): ...", "+", "remembers for speed"),
        ("x: int = field(repr=1 + 1)", "+", "text for people who debug"),
        ("zip(a, b, strict=1 + 1)", "+", "asserts what was checked before"),
        ("é = 'é'; x: int | None = 1", "|", "annotation"),
    ],
)
def test_code_without_effect_is_found(code: str, sign: str, reason: str) -> None:
    assert neutral_reason(neutral_spans(code), _place(code, sign)) == reason


@pytest.mark.parametrize(
    ("code", "sign"),
    [
        ("x: int = 1 + 2", "+"),
        ("def f(a: int = 1 + 2) -> None: ...", "+"),
        ("FLAGS = READ | WRITE", "|"),
        ("both = first | second", "|"),
        ("if DEBUGGING:\n    x = 1 < 2", "<"),
        ("x = cast(int, y + 1)", "+"),
        ("@dataclass(frozen=True, slots=True)\nclass A: ...", "@"),
        ("@dataclass(frozen=1 + 1, slots=True)\nclass A: ...", "+"),
        ("@property\ndef f(self): ...", "@"),
        ("@functools.cache\ndef f():\n    return 1 + 2", "+"),
        ("isinstance(x, Path | None)", "|"),
    ],
)
def test_code_with_effect_is_left(code: str, sign: str) -> None:
    assert neutral_reason(neutral_spans(code), _place(code, sign)) is None


def _place(code: str, sign: str) -> tuple[int, int]:
    before = code[: code.index(sign)]
    return before.count("\n") + 1, len(before.rsplit("\n", 1)[-1])
