"""Located order errors of systems: CPU seconds of links and of locating, and of the command.

The data is WMT 2013 German-English where `KILTER_DATA` or `../shared/data` holds it, and text made up from a
seed elsewhere. Repairing all errors must restore the order, and their shares add up, before anything is timed.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.systems import systems_text
from kilter.core.permutation import Permutation
from kilter.run.explanation.error_summary import summarise_errors
from kilter.run.explanation.order_errors import (
    costed_metrics,
    linked_evaluation,
    locate_errors,
)
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.run import Run, SystemEvaluations
from kilter.run.scoring.settings import Settings


def run() -> None:
    name, reference, systems = systems_text()
    texts = Texts(systems=systems, references={"reference": reference})
    print(f"{name}: {len(systems)} systems x {len(reference)} segments, CPU seconds of one pass")
    start = time.process_time()
    ready = Run.of(texts, Settings(metrics=["kendall"]))
    words = time.process_time()
    metrics = costed_metrics(ready.metrics)
    seen = [
        linked_evaluation(ready, place, SystemEvaluations(ready, place))
        for place in range(len(systems))
    ]
    counted = sum(len(each.links[0].links) for each in seen)
    links = time.process_time()
    found = [locate_errors(each, metrics, system=each.hypothesis.name) for each in seen]
    located = time.process_time()
    for errors, each in zip(found, seen, strict=True):
        summarise_errors(errors, each)
    summed = time.process_time()
    for errors in found:
        faulty = np.flatnonzero(errors.losses)
        shares = np.bincount(errors.segments(), weights=errors.shares, minlength=len(errors))
        assert np.allclose(shares[faulty], 1)
        for segment in faulty[:20].tolist():
            (*_, last) = errors.moves.replay(segment)
            assert last == Permutation.identity(len(last))
    total = sum(len(errors.kinds) for errors in found)
    proved = sum(int(errors.moves.exact.sum()) for errors in found)
    print(f"  words               {words - start:8.2f}")
    print(f"  links of match      {links - words:8.2f}   {counted:,} links")
    print(
        f"  order errors        {located - links:8.2f}   {total:,} errors, {proved:,} of "
        f"{len(systems) * len(reference):,} sets proved smallest"
    )
    print(f"  sums of them        {summed - located:8.2f}")
    print(f"  all                 {summed - start:8.2f}")
