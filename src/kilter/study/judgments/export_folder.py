"""What a study has collected, as files, with scores of its items."""

from __future__ import annotations

import io
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING

from kilter.core.errors import InputError, OptionError
from kilter.core.language import language_code
from kilter.core.table import Table
from kilter.io.output import check_new_folder, new_folder, write_file
from kilter.io.spreadsheet import csv_text
from kilter.render.table.parquet import check_parquet
from kilter.render.table.table import EXPORT_FORMATS, TableFormat, write_rows
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings
from kilter.study.design.item import judged_items
from kilter.study.exchange.export import ABOUT, marked, tables
from kilter.study.exchange.rating_table import PREFERENCE_COLUMNS, RATING_COLUMNS, rating_tables
from kilter.study.judgments.tool_scores import scoring_language
from kilter.study.password import participant_code
from kilter.study.simulation.effect import effects_text
from kilter.study.store.collected_data import ARCHIVING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from kilter.study.design.item import Item
    from kilter.study.exchange.export import Rows
    from kilter.study.simulation.simulation import SimulatedStudy
    from kilter.study.store.collected_data import CollectedData
    from kilter.study.store.running_study import RunningStudy


def write_export(
    running: RunningStudy,
    folder: Path,
    *,
    form: str,
    metrics: Sequence[str] = (),
    identified: bool = False,
    archive: bool = False,
    ratings: bool = False,
) -> dict[str, int]:
    """Write the tables of a study into a folder and return how many rows each has.

    For an archive, those who have not agreed to it are left out. With `ratings`, judgments of translations are
    also there as other commands read them.
    """
    data = _archivable(running) if archive else running.collected()
    made = tables(data, secret=running.keys.secret, identified=identified)
    if ratings:
        made |= rating_tables(data, secret=running.keys.secret)
    return _write_tables(
        made,
        data,
        folder,
        form=form,
        metrics=metrics,
    )


def _archivable(running: RunningStudy) -> CollectedData:
    if not all(ARCHIVING in form.consent for form in running.study.documents().values()):
        raise InputError(
            f"the consent form has no line called {ARCHIVING}, so that nobody has agreed to it; leave out --archive",
            where=str(running.study.folder),
        )
    return running.collected().archivable()


def write_simulation(
    simulated: SimulatedStudy,
    folder: Path,
    *,
    form: str,
    metrics: Sequence[str] = (),
    ratings: bool = False,
) -> dict[str, int]:
    """Write a simulated study as an export, with the truth beside it; return rows by table.

    The table `truth` holds what is true of each participant, and `effects.toml` what was stated.
    """
    made = tables(simulated.data, secret=simulated.secret)
    if ratings:
        found = rating_tables(simulated.data, secret=simulated.secret)
        made |= {name: marked(table) for name, table in found.items()}
    people = zip(
        simulated.data.participants,
        simulated.offsets.tolist(),
        simulated.careless.tolist(),
        strict=True,
    )
    truth = [
        {
            "participant": participant_code(simulated.secret, person.code_name),
            "offset": round(offset, 6),  # the last digits of logarithms differ between machines
            "careless": careless,
        }
        for person, offset, careless in people
    ]
    made["truth"] = marked((list(_TRUTH_COLUMNS), iter(truth)))
    stated = f"# Simulated with seed {simulated.seed}: nobody was asked.\n"
    stated += effects_text(simulated.effects)
    return _write_tables(
        made, simulated.data, folder, form=form, metrics=metrics, extra={"effects.toml": stated}
    )


def _write_tables(
    rows_by_table: dict[str, Rows],
    data: CollectedData,
    folder: Path,
    *,
    form: str,
    metrics: Sequence[str],
    extra: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, int]:
    written = _export_format(form)
    check_new_folder(folder)
    described = {
        name: columns
        for name in rows_by_table
        for start, columns in _DESCRIBED.items()
        if name.startswith(start)
    }
    simulated = {"simulated": ABOUT["simulated"]} if data.simulated else {}
    if metrics:
        scores = (list(_SCORE_COLUMNS), item_scores(judged_items(data.items.values()), metrics))
        rows_by_table["scores"] = marked(scores) if data.simulated else scores
        described["scores"] = _SCORE_COLUMNS
    # Everything is made before anything is written: a metric that cannot be computed leaves no files.
    listed = {name: list(rows) for name, (_, rows) in rows_by_table.items()}
    listed["dictionary"] += [
        {"table": table, "column": key, "meaning": text, "simulated": data.simulated}
        for table, meanings in described.items()
        for key, text in (meanings | simulated).items()
    ]
    with new_folder(folder) as temporary:
        for name, (columns, _) in rows_by_table.items():
            content = _content(columns, listed[name], written)
            write_file(temporary / f"{name}.{written}", content, private=True)
        for name, text in extra.items():
            write_file(temporary / name, text, private=True)
    return {name: len(rows) for name, rows in listed.items()}


def _export_format(form: str) -> TableFormat:
    """Return the format of this name, if exports have it and it can be written."""
    if form not in EXPORT_FORMATS:
        raise OptionError(f"the format is {form!r}; it can be {', '.join(EXPORT_FORMATS)}")
    if form == TableFormat.PARQUET:
        check_parquet("Parquet")
    return TableFormat(form)


_TRUTH_COLUMNS = {
    "participant": "code of the participant; see the participants",
    "offset": "how far the participant judges above the others, on the scale from 0 to 1",
    "careless": "whether the participant answers at random",
}
_DESCRIBED = {
    "truth": _TRUTH_COLUMNS,
    "ratings_": RATING_COLUMNS,
    "pairs": PREFERENCE_COLUMNS,
}
_SCORE_COLUMNS = {
    "sentence": "id of the item; see the items",
    "tool": "metric",
    "variant": "options of the metric that were asked for",
    "configuration": "signature: everything that the score depends on",
    "value": "score of hypothesis against reference; empty where it is undefined",
}


def item_scores(items: Sequence[Item], metrics: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield every metric's score of every item, hypothesis against reference, language by language.

    A metric of trees is an `OptionError` where items are not in English: the parser that would make them is.
    """
    by_language: dict[str, list[Item]] = {}
    for item in items:
        by_language.setdefault(language_code(item.target_language), []).append(item)
    for language, listed in by_language.items():
        settings = Settings(metrics=tuple(metrics), language=scoring_language(language))
        yield from _scored(listed, settings)


def _scored(items: Sequence[Item], settings: Settings) -> Iterator[dict[str, object]]:
    texts = Texts(
        systems={"items": tuple(item.hypothesis for item in items)},
        references={"reference": tuple(item.reference for item in items)},
    )
    result = score_texts(texts, settings)
    table = result.segments
    for metric, segment, score in zip(
        table["metric"].tolist(), table["segment"].tolist(), table["score"].tolist(), strict=True
    ):
        facts = result.metrics[metric]
        yield {
            "sentence": items[segment - 1].id,
            "tool": facts.tool,
            "variant": facts.variant,
            "configuration": facts.signature,
            "value": None if score is None or isnan(score) else score,
        }


def _content(columns: Sequence[str], rows: list[dict[str, object]], form: TableFormat) -> bytes:
    """Return a table as the file of a format."""
    if form is TableFormat.CSV:  # as spreadsheets open it without harm
        return csv_text(columns, rows).encode()
    content = io.BytesIO()
    out = io.TextIOWrapper(content, encoding="utf-8", newline="\n")
    write_rows(Table("", columns, [[row.get(name) for name in columns] for row in rows]), out, form)
    out.flush()
    return content.getvalue()
