"""Human scores as mt-metrics-eval lays them out: `human-scores/PAIR.NAME.seg.score`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, Setting
from kilter.core.judgments import JudgedScores, Judgments
from kilter.core.language import same_pair
from kilter.io.judgments.system_name import SystemNames
from kilter.io.score_file import read_score_rows
from kilter.io.stream import ByteSource, is_folder

if TYPE_CHECKING:
    from collections.abc import Container

SUFFIX = ".seg.score"


def human_score_file(folder: str, *, pair: str | None = None, name: str | None = None) -> str:
    """Return the file of human segment scores in a folder of mt-metrics-eval.

    The only one is taken; of several, `pair` and `name` have to leave one.
    """
    below = Path(folder) / "human-scores"
    if not is_folder(below):
        raise InputError(
            "is a directory without human-scores/ in it; name a judgment file", where=folder
        )
    names = sorted(path.name for path in below.glob(f"*{SUFFIX}"))
    kept = [
        entry
        for entry in names
        if (pair is None or same_pair(entry.partition(".")[0], pair))
        and (name is None or entry.removesuffix(SUFFIX).partition(".")[2] == name)
    ]
    if len(kept) != 1:
        listed = ", ".join(names) or "there is none"
        raise InputError(
            f"{len(kept)} of its files of human segment scores fit: {listed}"
            + ("; choose one, such as" if names else ""),
            where=str(below),
            advice=_choice(kept or names),
        )
    return str(below / kept[0])


def _choice(files: list[str]) -> Setting | None:
    """Return what chooses among files: the language pair of the first, or the name if all have one pair."""
    parts = [entry.removesuffix(SUFFIX).partition(".") for entry in files]
    if not parts:
        return None
    if len({pair for pair, _, _ in parts}) > 1:
        return Setting("pair", parts[0][0])
    return Setting("judgment_name", parts[0][2])


def metrics_eval(path: str, *, known: Container[str] = ()) -> Judgments:
    """Return the scores of a `.seg.score` file: rows of one system are its segments in order."""
    source = ByteSource(path)
    names = SystemNames(known)
    rows = read_score_rows(source)
    systems = names.single([row.system for row in rows])
    filled = [place for place, row in enumerate(rows) if row.score is not None]
    kept = [rows[place] for place in filled]
    counts = {"rows": len(rows), "scores": len(kept), "missing": len(rows) - len(kept)}
    return Judgments(
        source=source.name,
        systems=names.names,
        scores=JudgedScores(
            segment=np.array([row.segment for row in kept], dtype=np.int64),
            system=systems[filled],
            value=np.array([row.score for row in kept], dtype=np.float64),
            line=np.array([row.line for row in kept], dtype=np.int64),
        ),
        counts=counts,
    )
