"""Tables of any width and any names, laid out for terminals and documents."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.markup import text_width
from kilter.core.table import Note
from kilter.core.table import matrix as square
from kilter.render.table.page import Page, short_names
from kilter.render.table.table import TableFormat
from tests.oracles.markup import latex_rows, latex_shows, markdown_rows

MANY = [f"system-{number}" for number in range(1, 24)]
ODD = [
    "a" * 60,
    "a|b",
    "a_b",
    "$5",
    "a\\b",
    "a\nb",
    "日本語のとても長いシステムの名前です",
    "größe",
    *MANY[8:],
]
CELLS = [[f"{row}/{column}" for column in range(23)] for row in range(23)]
PEOPLE = (TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX)


def matrix(names: list[str], form: TableFormat, width: int = 100) -> str:
    out = io.StringIO()
    Page(out, form, width).write([square("", names, CELLS)])
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize("names", [MANY, ODD, [str(k) for k in range(23)]])
def test_a_matrix_of_23_systems_fits_its_page(names: list[str], width: int) -> None:
    table = matrix(names, TableFormat.TEXT, width).split("\n\n")
    bands = [band.rstrip().splitlines() for band in table if not band.startswith("a" * 5)]
    assert {text_width(line) <= width for band in bands for line in band} == {True}
    # As wide as may be: the next column would not have fitted.
    widest = max(text_width(line) for line in bands[0])
    assert widest + 12 > width or len(bands) == 1
    cells = [re.findall(r"\d+/\d+", line) for band in bands for line in band[1:]]
    found = {cell for row in cells for cell in row}
    assert found == {cell for row in CELLS for cell in row}


@pytest.mark.parametrize("width", [80, 200])
def test_the_columns_of_a_text_stand_beneath_their_headings(width: int) -> None:
    for band in matrix(ODD, TableFormat.TEXT, width).split("\n\n"):
        lines = [line for line in band.splitlines() if re.search(r"\d/\d", line)]
        if lines:
            assert len({text_width(line) for line in lines}) == 1


def test_long_names_are_numbered_in_columns_and_spelled_in_rows() -> None:
    text = matrix(ODD, TableFormat.TEXT, 80)
    header, first, *_ = text.splitlines()
    assert header.split()[:3] == ["1", "2", "3"]
    assert first.startswith(" 1 aaa")
    assert "\n 2 a|b " in text
    assert "\n10 system-10 " in text
    assert f": {'a' * 60}\n" in text
    short = [str(k) for k in range(23)]
    assert matrix(short, TableFormat.TEXT).split()[:3] == ["0", "1", "2"]


def test_names_are_shown_as_they_are_in_markdown_and_latex() -> None:
    shown = [name.replace("\n", "\\n") for name in ODD]
    for rows in (
        markdown_rows(matrix(ODD, TableFormat.MD)),
        latex_rows(matrix(ODD, TableFormat.LATEX)),
    ):
        assert {len(row) for row in rows} == {9, 8}
        assert [row[0] for row in rows[1:24]] == [f"{k} {n}" for k, n in enumerate(shown, 1)]
        assert rows[0] == ["", *(str(k) for k in range(1, 9))]
        assert rows[1][1:] == CELLS[0][:8]
        assert len(rows) == 3 * 24


def test_every_markdown_table_is_a_table() -> None:
    for band in matrix(ODD, TableFormat.MD).rstrip().split("\n\n"):
        header, rule, *rows = band.splitlines()
        count = len(markdown_rows(header)[0])
        assert rule == "| :--- |" + " ---: |" * (count - 1)
        assert {len(row) for row in markdown_rows("\n".join(rows))} == {count}


def test_latex_says_what_it_needs() -> None:
    assert matrix(MANY, TableFormat.LATEX).startswith(
        "% The tables need \\usepackage{booktabs}.\n\\b"
    )
    lines = matrix(ODD, TableFormat.LATEX).splitlines()
    assert lines[1] == "% Some characters need xelatex or lualatex and a font with them."
    assert "xelatex" not in matrix(["größe", *MANY[1:]], TableFormat.LATEX)


@pytest.mark.parametrize("form", PEOPLE)
def test_signatures_stay_whole_beneath_a_table(form: TableFormat) -> None:
    signature = "pef|beta:0.6|aligner:match(stages:exact+stem,language:en)|tok:13a|v:0.1.0"
    out = io.StringIO()
    Page(out, form, 40).notes(
        [Note("a sentence that is longer than the page, " * 3), Note("", signature)]
    )
    text = out.getvalue()
    if form is TableFormat.LATEX:
        (line,) = [line for line in text.splitlines() if line.startswith("pef")]
        assert latex_shows(line.removesuffix("\\par}")) == signature
        assert text.count("{\\footnotesize") == text.count("\\par}") == 1
    elif form is TableFormat.MD:
        assert text.endswith(f"\n- `{signature}`\n")
    else:
        *lines, last = text.strip().splitlines()
        assert last == signature
        assert 30 < max(map(len, lines)) <= 40
        assert " ".join(lines).split() == ("a sentence that is longer than the page, " * 3).split()


def test_headings_are_shown_as_they_are() -> None:
    for form, expected in (
        (TableFormat.TEXT, "pef: against a_b|c\\n\n"),
        (TableFormat.MD, "### pef: against a\\_b\\|c\\\\n\n\n"),
        (
            TableFormat.LATEX,
            (
                "\\par\\medskip\\noindent\\textbf{pef: against a\\_b\\textbar{}c\\textbackslash{}n}"
                "\\par\\smallskip\n"
            ),
        ),
    ):
        out = io.StringIO()
        Page(out, form).heading("pef: against a_b|c\n")
        assert out.getvalue() == expected


# Names cut to a width.


NAMES = st.lists(st.text(st.sampled_from("abc-漢…1"), min_size=1, max_size=30), unique=True)


@given(names=NAMES, width=st.integers(10, 30))
def test_cut_names_fit_and_stay_different(names: list[str], width: int) -> None:
    short = short_names(names, width=width)
    assert len({*short}) == len(names)
    for name, cut in zip(names, short, strict=True):
        assert text_width(cut) <= width
        assert (cut == name) == (text_width(name) <= width)


def test_beginning_and_end_stay() -> None:
    assert short_names(["newstest2019-online-B"], width=9) == ["newst…e-B"]


def test_the_beginning_ends_before_the_first_character_that_does_not_fit() -> None:
    assert short_names(["ab漢cdefghij"], width=7) == ["ab…hij"]


def test_a_name_that_stands_twice_is_cut_alike() -> None:
    one, other = "perceptron(model:0123456789abcdef)", "perceptron(model:0123456789fedcef)"
    found = short_names([one, one, other, one], width=16)
    assert found[0] == found[1] == found[3]
    assert found[2] != found[0]
