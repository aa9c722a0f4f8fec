"""`kilter survey status`: how far a study is."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from kilter.cli.option.survey import database_option, opened_study


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="How to write the result.")  # fmt: skip
def command(*, folder: Path, database: str | None, form: str) -> None:
    """Write how far the study in FOLDER is: participants, answers, agreement, doubtful answers."""
    with opened_study(folder, database) as opened:
        data = opened.collected()
        state = opened.store.state()
        rows = data.progress()
        doubtful = sum(quality.is_doubtful for quality in data.quality())
        if form == "json":
            result = {
                "schema": "kilter.survey-status/1",
                "paused": state.paused,
                "links": state.links,
                "open_limit": state.open_limit,
                "questionnaires": [asdict(row) for row in rows],
                "agreement": data.agreement(),
                "participants_answering": len(data.active()),
                "participants_doubtful": doubtful,
            }
            click.echo(json.dumps(result, indent=1))
            return
        click.echo("questionnaire  participants  started  submitted  withdrawn  answered  median s")
        for row in rows:
            spent = "-" if row.median_seconds is None else f"{row.median_seconds:.1f}"
            answered = f"{row.answered}/{row.expected}"
            click.echo(
                f"{row.questionnaire:13}  {row.participants:12}  {row.started:7}  {row.submitted:9}  "
                f"{row.withdrawn:9}  {answered:>8}  {spent:>8}"
            )
        for name, alpha in data.agreement().items():
            said = "undefined" if alpha is None else f"{alpha:.3f}"
            click.echo(f"Krippendorff's alpha of {name} on shared items: {said}")
        click.echo(f"{doubtful} of {len(data.active())} participants with doubtful answers")
        if state.paused:
            click.echo("the study is paused")
