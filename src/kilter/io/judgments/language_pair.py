"""The language pair of a table that holds several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError, Setting
from kilter.core.language import same_pair

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.io.delimited import DelimitedTable


def rows_of_pair(table: DelimitedTable, pair: str | None) -> NDArray[np.bool_]:
    """Return which rows belong to a pair such as `Czech-English` or `cs-en`; every row if there is only one.

    The columns `srclang` and `trglang`, or `lp`, say which pair a row belongs to. A table without
    them is of one pair.
    """
    written = _written(table)
    if written is None:
        if pair is not None:
            raise InputError(
                f"does not say what language pair a row belongs to, so that {pair} cannot be chosen; "
                "leave the choice out",
                where=table.name,
            )
        return np.ones(len(table), dtype=np.bool_)
    there = list(dict.fromkeys(written))
    if pair is None:
        if len(there) > 1:
            raise InputError(
                f"holds several language pairs: {', '.join(there)}; choose one, such as",
                where=table.name,
                advice=Setting("pair", there[0]),
            )
        return np.ones(len(table), dtype=np.bool_)
    meant = {name for name in there if name.lower() == pair.lower()}
    meant = meant or {name for name in there if same_pair(name, pair)}
    rows = np.array([name in meant for name in written], dtype=np.bool_)
    if not rows.any():
        raise InputError(f"has no judgment of {pair}; it has {', '.join(there)}", where=table.name)
    return rows


def names_pairs(table: DelimitedTable) -> bool:
    """Return whether a table says which language pair each row belongs to."""
    return _written(table) is not None


def _written(table: DelimitedTable) -> list[str] | None:
    if "srclang" in table.columns and "trglang" in table.columns:
        both = zip(table.columns["srclang"], table.columns["trglang"], strict=True)
        return [f"{source}-{target}" for source, target in both]
    column = table.find("lp", "pair")
    return None if column is None else list(table.columns[column])
