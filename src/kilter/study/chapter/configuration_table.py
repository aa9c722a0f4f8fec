"""Correlations of every variant in every configuration. [TH] table 7.3, section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Table
from kilter.render.page.sub_report import Cell, SubReport
from kilter.run.meta.hypothesis import VARIANTS
from kilter.stats.undefined import Undefined
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.variant import variant_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.judged_correlation import Correlation
    from kilter.study.analysis.tool_correlation import ToolCorrelation

    Values = Mapping[str, Correlation | Undefined]

_NOTHING = "words only"
"""The configuration of a variant that needs neither links nor trees."""


def configuration_report(rows: Sequence[ToolCorrelation], *, adjusted: bool) -> SubReport:
    """Return the sub-report of variants of DTED and DERP by configuration, on translations.

    `rows` are correlations of all tools, kinds of sentences and participants, adjusted or not.
    """
    by_question: dict[str, dict[str, Values]] = {}
    for row in rows:
        chosen = row.adjusted is adjusted and row.sentences is SentenceGroup.TRANSLATION
        name = None if row.external else variant_name(row.tool, row.variant)
        if chosen and name is not None:
            by_question.setdefault(row.question, {})[name] = row.configurations
    by_question = {
        question: dict(sorted(variants.items(), key=lambda entry: VARIANTS.index(entry[0])))
        for question, variants in by_question.items()
    }
    return SubReport(
        name="configurations",
        title="Variants by configuration",
        text=_text(by_question),
        data=Table(
            columns=("question", "configuration", "variant", "rho", "n", "sentences"),
            rows=tuple(
                (question, name or _NOTHING, variant, *_cells(value))
                for question, variants in by_question.items()
                for variant, values in variants.items()
                for name, value in values.items()
            ),
            left=3,
        ),
        shown=tuple(_table(question, variants) for question, variants in by_question.items()),
        notes=(
            (
                f"n: correlations with {'adjusted' if adjusted else 'unadjusted'} answers about translations; CSV and JSON "
                "hold the number of judgments (n) and of sentences of each."
            ),
            (
                "A configuration is an aligner and a parser; b and fb need no aligner, flattened variants no parser "
                f"({_NOTHING}: neither). A dash: the variant does not depend on this configuration. The last row is the "
                "spread that EVAL_CONF compares with its threshold."
            ),
        ),
    )


def _cells(value: Correlation | Undefined) -> tuple[Cell, ...]:
    if isinstance(value, Undefined):
        return value, None, None
    return value.rho, value.judgments, value.sentences


def _table(question: str, variants: Mapping[str, Values]) -> Table:
    names = dict.fromkeys(name for values in variants.values() for name in values)
    rows: list[tuple[Cell, ...]] = [
        (name or _NOTHING, *(_rho(values.get(name)) for values in variants.values()))
        for name in names
    ]
    rows.append(("largest - smallest", *(_spread(values) for values in variants.values())))
    return Table(
        columns=("configuration", *variants),
        rows=tuple(rows),
        title=f"Correlation with {question} on translations, by configuration and variant",
    )


def _rho(value: Correlation | Undefined | None) -> Cell:
    return value if value is None or isinstance(value, Undefined) else value.rho


def _spread(values: Values) -> Cell:
    known = [value.rho for value in values.values() if not isinstance(value, Undefined)]
    return max(known) - min(known) if known else Undefined("no configuration has a correlation")


def _text(by_question: Mapping[str, Mapping[str, Values]]) -> tuple[str, ...]:
    sentences = []
    for question, variants in by_question.items():
        spreads = {
            name: spread
            for name, values in variants.items()
            if isinstance(spread := _spread(values), float)
        }
        if spreads:
            most = max(spreads, key=lambda name: spreads[name])
            sentences.append(
                f"With {question}, {most} depends most on the configuration: its correlations differ by up to "
                f"{spreads[most]:.3f}."
            )
    return tuple(sentences) or ("No variant of DTED or DERP has correlations.",)
