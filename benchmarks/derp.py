"""DERP beside plain Python with a compiled edit distance: the same sums, and how much longer it takes."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.timing import best_seconds
from benchmarks.tree_pairs import all_pairs, print_growth
from kilter.core.path_graph import (
    flat_path_disparities,
    path_disparities,
    reference_disparities,
)

if TYPE_CHECKING:
    from benchmarks.tree_pairs import Pairs


def run() -> None:
    for pairs in all_pairs():
        print(
            f"{pairs.name}: {len(pairs)} pairs of {pairs.words:.1f} words, one core, pairs per CPU second"
        )
        _beside_plain(pairs)
    print_growth(path_disparities)


def _beside_plain(pairs: Pairs) -> None:
    first, second, links = pairs.columns()
    for name, work in (
        ("kilter, labels", partial(path_disparities, first, second, links)),
        ("kilter, labels=false", partial(path_disparities, first, second, links, labels=False)),
        ("kilter, flat", partial(flat_path_disparities, links)),
        ("kilter, derp-reference", partial(reference_disparities, second, first.lengths, links)),
    ):
        print(f"  {name:34}{len(pairs) / best_seconds(work):12,.0f}")
    few = pairs.some(200)
    columns = few.columns()
    sums, seconds = _plain(few)
    assert path_disparities(*columns).rows.tolist() == [list(entry) for entry in sums]
    own = best_seconds(partial(path_disparities, *columns))
    print(
        f"  {'plain Python with rapidfuzz':34}{len(few) / seconds:12,.1f}   kilter on the same: "
        f"{seconds / own:,.0f}x"
    )


def _plain(pairs: Pairs) -> tuple[list[tuple[int, int]], float]:
    from benchmarks.plain_derp import derp_sums  # noqa: PLC0415 - needs a bench tool

    start = time.thread_time()
    sums = [
        derp_sums(first, second, links)
        for first, second, links in zip(
            pairs.hypotheses, pairs.references, pairs.links, strict=True
        )
    ]
    return sums, time.thread_time() - start


if __name__ == "__main__":
    run()
