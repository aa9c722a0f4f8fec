"""Ratings that people gave to single translations, one rater or several. [FRS]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.judgments import JudgedScores, Judgments
from kilter.io.judgments.system_name import SystemNames
from kilter.io.rating_file import read_ratings

if TYPE_CHECKING:
    from collections.abc import Container

    from kilter.io.stream import ByteSource


def ratings(
    source: ByteSource, *, known: Container[str] = (), pair: str | None = None
) -> Judgments:
    """Return the ratings of a file, higher for better; a translation has the mean of its raters'."""
    files = read_ratings(source, name="ratings", pair=pair)
    if len(files) > 1:
        raise InputError(
            f"holds ratings of several things: {', '.join(files)}; keep one", where=source.name
        )
    (rated,) = files.values()
    rows = [row for row in rated.rows if row.score is not None]
    names = SystemNames(known)
    systems = names.single([row.system for row in rows])
    return Judgments(
        source=source.name,
        systems=names.names,
        scores=JudgedScores(
            segment=np.array([row.segment for row in rows], dtype=np.int64),
            system=systems,
            value=np.array([row.score for row in rows], dtype=np.float64),
            line=np.array([row.line for row in rows], dtype=np.int64),
        ),
        counts={
            "rows": len(rated.rows),
            "judges": rated.raters,
            "scores": len(rows),
            "missing": len(rated.rows) - len(rows),
        },
    )
