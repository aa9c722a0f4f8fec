"""What commands that draw questionnaires say of them, and of all that is wrong with a study."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from kilter.core.counted import counted
from kilter.core.settings import flag
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.study.design.study_file import StudyFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.study.design.creation import DrawnStudy


def permutations_setting() -> Any:
    """Declare the flag that counts all permutations."""
    return flag(description="Count the permutations of all sentences (slow).")


_WHOLE = 1000
"""Columns of a page on which no table is continued below."""


@contextmanager
def all_problems() -> Iterator[None]:
    """Write every problem of a study on standard error, one a line, before the command ends with them."""
    try:
        yield
    except StudyFileError as error:
        if len(error.problems) > 1:
            for problem in error.problems:
                click.echo(problem.for_command(), err=True)
            raise _ListedProblemsError(error) from None
        raise


class _ListedProblemsError(StudyFileError):
    """Problems that were listed already."""

    def for_command(self) -> str:
        """Return how many there are."""
        return f"{counted(len(self.problems), 'problem')} in the study; correct them and try again"

    def __init__(self, error: StudyFileError) -> None:
        super().__init__(error.problems)


def describe(drawn: DrawnStudy, *, err: bool = False) -> None:
    """Write what was drawn, from which pool, and what could not be satisfied."""
    study, design = drawn.study, drawn.design
    sizes = {len(entry.items) for entry in design.questionnaires}
    shared = sum(item.shared for item in design.items)
    click.echo(
        f"{len(design.questionnaires)} questionnaires of {'-'.join(map(str, sorted(sizes)))} items, "
        f"{shared} of them shared; {len(design.items)} items in all, seed {study.seed}",
        err=err,
    )
    kinds = Counter(f"{item.kind} {item.type or ''}".strip() for item in design.items)
    for kind, count in sorted(kinds.items()):
        click.echo(f"  {count:4} {kind}", err=err)
    if study.items_per_rater:
        share = max(sizes) / len(design.items)
        click.echo(
            f"no rater judges more than {max(sizes)} of {len(design.items)} items ({share:.1%})",
            err=err,
        )
    write_result(drawn.pool, sys.stderr if err else sys.stdout, TableFormat.TEXT, width=_WHOLE)
    for note in design.notes:
        click.echo(f"note: {note}", err=err)
    if design.unmet:
        wishes = counted(len(design.unmet), "wish", plural="wishes")
        click.echo(f"{wishes} could not be satisfied:", err=err)
        for lack in design.unmet:
            click.echo(f"  {lack}", err=err)
    else:
        click.echo(
            "checked: every row of the composition is filled, and every permutation is beside the translation "
            "of its sentence"
        )
