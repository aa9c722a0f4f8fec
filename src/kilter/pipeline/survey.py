"""What a study has collected, as files, with scores of its items."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError, MissingToolError, OptionError
from kilter.pipeline.corpus import Texts
from kilter.pipeline.score import score_texts
from kilter.survey.export import as_csv, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from kilter.survey.item import Item
    from kilter.survey.opened import OpenStudy

EXPORT_FORMATS = ("csv", "jsonl", "parquet")


def write_export(
    opened: OpenStudy,
    folder: Path,
    *,
    form: str,
    metrics: Sequence[str] = (),
    identified: bool = False,
) -> dict[str, int]:
    """Write the tables of a study into a folder and return how many rows each has."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("exists and is not empty; name a new folder", where=str(folder))
    data = opened.collected()
    found = tables(data, secret=opened.keys.secret, identified=identified)
    if metrics:
        scores = item_scores(list(opened.items.values()), metrics)
        found["scores"] = (list(_SCORE_COLUMNS), scores)
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for name, (columns, rows) in found.items():
        listed = list(rows)
        if name == "dictionary" and metrics:
            listed += [
                {"table": "scores", "column": key, "meaning": text}
                for key, text in _SCORE_COLUMNS.items()
            ]
        _write(folder / f"{name}.{form}", columns, listed, form)
        written[name] = len(listed)
    return written


_SCORE_COLUMNS = {
    "sentence": "id of the item; see the items",
    "tool": "metric",
    "variant": "options of the metric that were asked for",
    "configuration": "signature: everything that the score depends on",
    "value": "score of hypothesis against reference; empty where it is undefined",
}


def item_scores(items: Sequence[Item], metrics: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield every metric's score of every item, hypothesis against reference."""
    texts = Texts(
        systems={"items": tuple(item.hypothesis for item in items)},
        references={"reference": tuple(item.reference for item in items)},
    )
    result = score_texts(texts, metrics=tuple(metrics))
    table = result.segments
    for metric, segment, score in zip(
        table["metric"].tolist(), table["segment"].tolist(), table["score"].tolist(), strict=True
    ):
        tool, _, variant = metric.partition(":")
        yield {
            "sentence": items[segment - 1].id,
            "tool": tool,
            "variant": variant,
            "configuration": result.signatures[metric],
            "value": None if score is None or score != score else score,  # noqa: PLR0124 - not a number
        }


def _write(path: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]], form: str) -> None:
    if form == "csv":
        path.write_text(as_csv(columns, iter(rows)), encoding="utf-8", newline="")
    elif form == "jsonl":
        lines = [
            json.dumps({name: row.get(name) for name in columns}, ensure_ascii=False)
            for row in rows
        ]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    elif form == "parquet":
        _write_parquet(path, columns, list(rows))
    else:
        raise OptionError(f"the format is {form!r}; it can be {', '.join(EXPORT_FORMATS)}")


def _write_parquet(path: Path, columns: Sequence[str], rows: list[dict[str, Any]]) -> None:
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional and heavy
        import pyarrow.parquet as pq  # noqa: PLC0415 - the same
    except ModuleNotFoundError as error:
        raise MissingToolError("Parquet", install="pip install 'kilter[arrow]'") from error
    pq.write_table(pa.table({name: [row.get(name) for row in rows] for name in columns}), path)
