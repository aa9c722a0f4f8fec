"""Order errors summed up, as a page."""

from dataclasses import replace
from io import StringIO

from kilter.render.table.page import Page
from kilter.render.table.table import TableFormat
from kilter.results.explanation import ErrorGroup, ErrorGrouping, ErrorSummary
from tests.render.cases import case

COUNTED = {
    ErrorGrouping.WORD: "occurrences",
    ErrorGrouping.TAG: "occurrences",
    ErrorGrouping.RELATION: "occurrences",
    ErrorGrouping.LENGTH: "segments",
}


def summary(*, proved: int = 9) -> ErrorSummary:
    groups = {
        grouping: tuple(
            ErrorGroup(
                name=f"{grouping}-{row}",
                errors=100 * number + row,
                loss=(number + row) / 8,
                occurrences=1000 * number + row if grouping in COUNTED else None,
            )
            for row in (1, 2, 3)
        )
        for number, grouping in enumerate(ErrorGrouping, start=1)
    }
    return ErrorSummary(
        system="one",
        metric="ulam",
        segments=9,
        faulty=4,
        proved=proved,
        errors=7,
        without_evidence=0,
        left_out=0,
        loss=16.0,
        whole_loss=64.0,
        groups=groups,
    )


def written(*summaries: ErrorSummary, most: int) -> str:
    out = StringIO()
    for each in summaries:
        Page(out, TableFormat.TEXT).write(each.tables(most))
    return out.getvalue()


@case("ErrorSummary")
def test_columns_of_error_summaries_hold_what_they_name() -> None:
    found = summary()
    blocks = written(found, most=3).split("\n\n")[1:]
    assert len(blocks) == len(ErrorGrouping)
    for grouping, block in zip(found.groups, blocks, strict=True):
        _, heading, *rows = block.splitlines()
        names = heading.replace("ulam lost", "loss").split()
        for row, group in zip(rows, found.groups[grouping], strict=True):
            cells = dict(zip(names, row.split(), strict=True))
            expected = {
                str(grouping): group.name,
                "errors": str(group.errors),
                "loss": f"{group.loss:.4f}",
                "share": f"{100 * group.loss / 16:.1f}%",
            }
            if grouping in COUNTED:
                expected[COUNTED[grouping]] = str(group.occurrences)
            assert cells == expected


def test_rows_that_are_left_out_are_counted() -> None:
    text = written(summary(), most=2)
    assert text.count("and 1 more") == len(ErrorGrouping)
    assert "word-2" in text
    assert "word-3" not in text
    assert "more" not in written(summary(), most=3)


def test_a_page_says_how_much_is_proved() -> None:
    assert (
        "one: 7 order errors in 4 of 9 segments cost 16.0000 ulam in all, 1.7778 per segment; no smaller set of moves restores the order."
        in " ".join(written(summary(), most=1).split())
    )
    assert "restores the order (proved in 8 segments)." in " ".join(
        written(summary(proved=8), most=1).split()
    )


def test_what_is_not_shown_is_said_with_its_part_of_the_loss_and_a_warning() -> None:
    text = " ".join(written(replace(summary(), left_out=30), most=1).split())
    assert (
        "cost 16.0000 ulam in all, 25.0% of the ulam that is lost, 1.7778 per segment; no smaller"
        in text
    )
    assert "With them ulam loses 64.0000." in text
    assert (
        "Do not compare systems by these counts: one with fewer links shows fewer errors. Compare ulam."
        in text
    )
    assert "With them" not in written(summary(), most=1)


def test_a_system_without_errors_has_no_tables() -> None:
    empty = replace(summary(), errors=0, faulty=0, loss=0.0, groups={ErrorGrouping.WORD: ()})
    assert written(empty, most=3).split("\n") == [
        "one: nothing is out of order in 9 segments.",
        "",
    ]
