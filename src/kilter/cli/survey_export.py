"""`kilter survey export`: the data of a study as files."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.survey_extra import database_option, needs_extra, opened_study

_FORMATS = ("csv", "jsonl", "parquet")


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path),
              help="A new folder for the files.")  # fmt: skip
@database_option
@click.option("--format", "form", type=click.Choice(_FORMATS), default="csv", show_default=True,
              help="How to write the files.")  # fmt: skip
@click.option("-m", "--metric", "metrics", multiple=True, metavar="NAME[:OPTION=VALUE,...]",
              help="Add scores of all items by this metric; may be repeated.")  # fmt: skip
@click.option("--identified", is_flag=True, help="Add the numbers of links, which lead to people.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing on standard error but errors.")
def command(
    *,
    folder: Path,
    output: Path,
    database: str | None,
    form: str,
    metrics: tuple[str, ...],
    identified: bool,
    quiet: bool,
) -> None:
    """Write judgments, participants, items, scores and a data dictionary of the study in FOLDER."""
    with opened_study(folder, database) as opened:
        with needs_extra("survey"):
            from kilter.pipeline.survey import write_export  # noqa: PLC0415 - heavy
        written = write_export(opened, output, form=form, metrics=metrics, identified=identified)
    if not quiet:
        for name, rows in written.items():
            click.echo(f"{output / name}.{form}: {rows} rows", err=True)
