"""What LaTeX and Markdown show of a text, character by character; what they would trip over is an error."""

import re
import string

_COMMANDS = {
    "textbackslash": "\\",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "allowbreak": "",
}
_FORMULAS = {"-": "-", "\\pm": "±"}
# What plain LaTeX takes for something else, or sets as something else in its default font.
_NOT_IN_LATEX = frozenset('\\{}$&#%_^~<>|"')
_ENTITY = re.compile(r"&(#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);|[\0-\x1f\x7f]")
_NOT_IN_MARKDOWN = frozenset("`*_|<~$")


def latex_shows(text: str) -> str:
    """Return what pdflatex would print."""
    shown = ""
    while text:
        if text[:2] in ("\\&", "\\%", "\\$", "\\#", "\\_", "\\{", "\\}"):
            shown, text = shown + text[1], text[2:]
        elif text[0] == "\\":
            name = text[1 : len(text) - len(text[1:].lstrip(string.ascii_letters))]
            shown, text = shown + _COMMANDS[name], text[1 + len(name) :].removeprefix("{}")
        elif text[:2] == "{}":
            text = text[2:]
        elif text[0] == "$":
            formula, _, text = text[1:].partition("$")
            shown += _FORMULAS[formula]
        elif text[0] in _NOT_IN_LATEX or text[:2] == "--" or text[0] < " ":
            raise ValueError(f"LaTeX would not show {text[:10]!r}")
        else:
            shown, text = shown + text[0], text[1:]
    return shown


def markdown_shows(text: str) -> str:
    """Return what a reader of GitHub's Markdown sees."""
    shown = ""
    while text:
        if text[0] == "\\" and text[1:2] and text[1] in string.punctuation:
            shown, text = shown + text[1], text[2:]
        elif text[0] in _NOT_IN_MARKDOWN or text[:2] in ("](", "][") or _ENTITY.match(text):
            raise ValueError(f"Markdown would not show {text[:10]!r}")
        else:
            shown, text = shown + text[0], text[1:]
    return shown


def latex_rows(text: str) -> list[list[str]]:
    """Return the cells of all tables as they are shown."""
    rows = [line.removesuffix(" \\\\") for line in text.splitlines() if line.endswith(" \\\\")]
    return [[latex_shows(cell) for cell in row.split(" & ")] for row in rows]


def markdown_rows(text: str) -> list[list[str]]:
    """Return the cells of all tables as they are shown, without the lines that rule them."""
    rows = [line for line in text.splitlines() if line.startswith("|") and "---" not in line]
    cells = [row.removeprefix("| ").removesuffix(" |").split(" | ") for row in rows]
    return [[markdown_shows(cell) for cell in row] for row in cells]
