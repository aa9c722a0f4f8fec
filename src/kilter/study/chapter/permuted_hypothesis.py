"""The hypotheses about variants, tested on permutations. [TH] 7.1.1, section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Table
from kilter.render.page.sub_report import Cell, SubReport, figure_pages
from kilter.stats.undefined import Undefined
from kilter.study.chapter.hypothesis_table import hypothesis_figures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.run.meta.hypothesis import HypothesisResult
    from kilter.study.analysis.judgment_study import SentenceGroup

    Results = Mapping[SentenceGroup, Sequence[HypothesisResult]]


def permuted_hypothesis_report(results: Results, *, adjusted: bool, simulated: bool) -> SubReport:
    """Return the sub-report of the hypotheses on each kind of permutations, the same ones for each kind.

    The first kind is drawn.
    """
    kinds = [*map(str, results)]
    drawn = hypothesis_figures(next(iter(results.values())), simulated=simulated)
    return SubReport(
        name="hypotheses-permutations",
        title="Hypotheses on permutations",
        figures=figure_pages(drawn, subject=kinds[0], folded=True),
        text=tuple(_outcome(str(kind), tested) for kind, tested in results.items()),
        data=Table(
            columns=(
                "kind of sentences", "id", "alternative", "result", "supporting", "variant", "number",
            ),
            rows=tuple(
                row for kind, tested in results.items() for each in tested for row in _rows(str(kind), each)
            ),
            left=6,
        ),
        shown=(
            Table(
                columns=("id", "supported when", *kinds),
                rows=tuple(
                    (same[0].id, same[0].alternative, *map(_shown, same))
                    for same in zip(*results.values(), strict=True)
                ),
                left=2 + len(kinds),
            ),
        ),
        notes=(
            (
                "n: the same hypotheses as on translations, from correlations over configurations with judgments of "
                f"permutations, {'adjusted' if adjusted else 'unadjusted'}: of all types together, and of each type. "
                "Variants without correlations are left out."
            ),
            (
                "The baselines have the degree score of permutations among them, and no rank score, which permutations "
                "do not have."
            ),
        ),
    )  # fmt: skip


def _outcome(kind: str, results: Sequence[HypothesisResult]) -> str:
    parts = {
        "supported": [each.id for each in results if each.supported is True],
        "not supported": [each.id for each in results if each.supported is False],
        "undefined": [each.id for each in results if isinstance(each.supported, Undefined)],
    }
    listed = [f"{said} {', '.join(ids)}" for said, ids in parts.items() if ids]
    return f"{kind}: {'; '.join(listed)}."


def _rows(kind: str, each: HypothesisResult) -> list[tuple[Cell, ...]]:
    result: Cell = each.supported if isinstance(each.supported, Undefined) else each.result
    said = (kind, each.id, each.alternative, result, " ".join(each.variants))
    return [(*said, name, value) for name, value in each.numbers.items()] or [(*said, None, None)]


def _shown(each: HypothesisResult) -> Cell:
    if isinstance(each.supported, Undefined):
        return each.supported
    return f"{each.result}: {', '.join(each.variants)}" if each.supported else each.result
