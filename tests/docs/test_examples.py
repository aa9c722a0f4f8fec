"""Every example of every page says what it says when it is run."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks, pages, reader, refreshed
from tests.thorough import some

# Each command takes a fraction of a second to start; what they do is tested elsewhere as well.
_FEW_COMMANDS = 1
_ALWAYS = ("README.md", "docs/tutorial.md")
_RUN = frozenset({"console", "python"})
_READ = frozenset({"text", "toml", "yaml", "ini", "nginx", "apacheconf"})


def _is_quick(page: Path) -> bool:
    found = blocks(page.read_text(encoding="utf-8"))
    commands = sum(len(block.examples()) for block in found if block.language == "console")
    return commands <= _FEW_COMMANDS or page in {ROOT / name for name in _ALWAYS}


@pytest.mark.parametrize(
    "page",
    some(pages(), quick=[page for page in pages() if _is_quick(page)]),
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_example_says_what_the_page_shows(page: Path) -> None:
    with reader() as tried:
        for block in blocks(page.read_text(encoding="utf-8")):
            for example, output in tried.outputs(block):
                shown = example.output.replace("<BLANKLINE>", "")
                assert f"{example.shown}\n{output}" == f"{example.shown}\n{shown}"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_is_either_run_or_declared_as_text(page: Path) -> None:
    found = [block for block in blocks(page.read_text(encoding="utf-8")) if block.place is None]
    assert {block.language for block in found} <= _RUN | _READ
    assert all(block.examples() for block in found if block.language in _RUN)


def test_refreshing_writes_the_output_of_commands_and_keeps_their_files() -> None:
    page = (
        "a\n\n```console\n$ printf 'x\\ny\\n' > f\nold\n$ cat \\\n  f\n$ cat f; false\n```\n\nb\n"
    )
    block = "$ printf 'x\\ny\\n' > f\n$ cat \\\n  f\nx\ny\n$ cat f; false\nx\ny\n"
    assert refreshed(page) == f"a\n\n```console\n{block}```\n\nb\n"


def test_refreshing_writes_the_output_of_sessions_and_keeps_their_names() -> None:
    page = "```python\n>>> x = 1\n```\n```python\n>>> print(x)\n0\n>>> print('a\\n\\nb')\n```\n"
    shown = "```python\n>>> print(x)\n1\n>>> print('a\\n\\nb')\na\n<BLANKLINE>\nb\n```\n"
    assert refreshed(page) == f"```python\n>>> x = 1\n```\n{shown}"


def test_refreshing_shows_the_last_line_of_an_error() -> None:
    page = "```python\n>>> [][0]\n```\n"
    message = "IndexError: list index out of range"
    shown = f">>> [][0]\nTraceback (most recent call last):\n    ...\n{message}\n"
    assert refreshed(page) == f"```python\n{shown}```\n"
    assert refreshed(refreshed(page)) == refreshed(page)


def test_the_statement_of_the_tutorial_has_the_numbers_and_the_signature_of_its_tables() -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    (quoted,) = re.findall(r"(?:^> .*\n)+", text, re.MULTILINE)
    outputs = "".join(block.text for block in blocks(text) if block.language == "console")
    numbers = re.findall(r"-?\d?\.\d+\b(?![.:|])", quoted.partition("Signature")[0])
    assert len(numbers) == 9
    assert [number for number in numbers if number not in outputs] == []
    (signature,) = re.findall(r"`(pef\|.*)`", quoted)
    assert signature in outputs


def test_a_console_block_that_begins_without_a_command_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with a command"):
        refreshed("```console\nkilter\n```\n")


def test_text_is_left_alone() -> None:
    page = "```text\n$ false\n>>> 1 / 0\n```\n"
    assert refreshed(page) == page
