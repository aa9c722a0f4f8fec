"""The hypotheses of [TH], on translations and permutations, and variants by configuration. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import Cell, SubReport, figure_pages
from kilter.run.meta.hypothesis import (
    VARIANTS,
    HypothesisResult,
    hypotheses,
    stated_hypothesis,
)
from kilter.stats.undefined import Undefined
from kilter.study.analysis.judged_correlation import LEAST_COMMON, Correlation, tool_correlations
from kilter.study.analysis.tool_name import BASELINES, variant_colour, variant_name
from kilter.study.judgments.judgment_study import SentenceGroup, sentence_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.adjustment import Adjustment, ToolKey
    from kilter.study.analysis.judged_correlation import ToolCorrelation
    from kilter.study.design.hypothesis import StatedHypothesis
    from kilter.study.judgments.judgment_study import JudgmentStudy

    Results = Mapping[SentenceGroup, Sequence[HypothesisResult]]
    Values = Mapping[str, Correlation | Undefined]


def baseline_correlations(
    correlations: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup = SentenceGroup.TRANSLATION,
    adjusted: bool = True,
    group: str = "all",
    baselines: Sequence[str] = (),
) -> dict[str, list[float]]:
    """Return the correlations with order, over configurations, of all that variants must outperform.

    They are the published baselines, and tools by name in `baselines`. What an external tool says of fewer
    than 15 sentences is no correlation.
    """
    found: dict[str, list[float]] = {}
    for row in _chosen(correlations, sentences, adjusted=adjusted, group=group):
        wanted = row.tool in BASELINES or row.name in baselines
        own = variant_name(row.tool, row.variant) is not None
        if row.question == "order" and wanted and not own:
            found[row.name] = [
                value.rho
                for value in row.configurations.values()
                if isinstance(value, Correlation)
                and not (row.external and value.sentences < LEAST_COMMON)
            ]
    return found


def hypothesis_table(
    correlations: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup = SentenceGroup.TRANSLATION,
    adjusted: bool = True,
    group: str = "all",
    baselines: Sequence[str] = (),
) -> tuple[HypothesisResult, ...]:
    """Return the hypotheses on one group of sentences; what lacks correlations is undefined.

    `baselines` are further tools that variants must outperform, beside the published ones.
    """
    order: dict[str, list[float]] = {}
    holistic: dict[str, list[float]] = {}
    for row in _chosen(correlations, sentences, adjusted=adjusted, group=group):
        values = [
            value.rho for value in row.configurations.values() if isinstance(value, Correlation)
        ]
        name = variant_name(row.tool, row.variant)
        if name is not None and row.question in ("order", "holistic"):
            (order if row.question == "order" else holistic)[name] = values
    others = baseline_correlations(
        correlations, sentences=sentences, adjusted=adjusted, group=group, baselines=baselines
    )
    return hypotheses(order, holistic, others)


def stated_table(
    correlations: Sequence[ToolCorrelation],
    stated: Sequence[StatedHypothesis],
    *,
    adjusted: bool,
) -> tuple[HypothesisResult, ...]:
    """Return the hypotheses that a study states, each from correlations with its question on its sentences."""
    found = []
    for each in stated:
        values = {
            row.name: [
                value.rho for value in row.configurations.values() if isinstance(value, Correlation)
            ]
            for row in correlations
            if (str(row.sentences), row.question) == (each.sentences, each.question)
            and (row.adjusted, row.group) == (adjusted, "all")
        }
        better, others = (
            {name: values.get(name, []) for name in names} for names in (each.better, each.than)
        )
        found.append(stated_hypothesis(each.id, each.claim, better, others))
    return tuple(found)


def stated_report(
    results: Sequence[HypothesisResult], *, adjusted: bool, simulated: bool
) -> SubReport:
    """Return the sub-report of the hypotheses that the file of the study states."""
    return SubReport(
        name="stated-hypotheses",
        title="Hypotheses of the study",
        figures=figure_pages(hypothesis_figures(results, simulated=simulated)),
        text=(_outcome(results),),
        data=Table(
            columns=("id", "alternative", "result", "supporting", "variant", "number"),
            rows=tuple(row for each in results for row in _rows(each, None)),
            left=5,
        ),
        shown=(
            Table(
                columns=("id", "supported when", "result", "supporting", "numbers"),
                rows=tuple(
                    (
                        each.id,
                        each.alternative,
                        _result(each),
                        ", ".join(each.variants) or None,
                        _numbers(each),
                    )
                    for each in results
                ),
                left=5,
            ),
        ),
        notes=(
            (
                f"n: {counted(len(results), 'hypothesis', plural='hypotheses')}, from "
                f"{'adjusted' if adjusted else 'unadjusted'} answers. One is supported if the smallest correlation of some "
                "tool over its configurations is above the largest of all that it is compared with; numbers are these margins. "
                "No test is made: a margin of 0.001 counts."
            ),
        ),
    )


def _chosen(
    correlations: Sequence[ToolCorrelation], sentences: SentenceGroup, *, adjusted: bool, group: str
) -> list[ToolCorrelation]:
    return [
        row
        for row in correlations
        if (row.sentences, row.adjusted, row.group) == (sentences, adjusted, group)
    ]


def permuted_hypotheses(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    by_tool: Mapping[ToolKey, Adjustment] | None = None,
    baselines: Sequence[str] = (),
) -> dict[SentenceGroup, tuple[HypothesisResult, ...]]:
    """Return the hypotheses on all permutations together, and on each type that the study reports.

    Correlations are with adjusted answers where there are `adjustments`; `baselines` are further tools that
    variants must outperform.
    """
    types = (kind for kind in study.reported if kind is not SentenceGroup.TRANSLATION)
    kinds = (SentenceGroup.PERMUTATION, *types)
    correlations = tool_correlations(
        study, adjustments=adjustments, by_tool=by_tool, sentences=kinds
    )
    return {
        kind: hypothesis_table(
            correlations, sentences=kind, adjusted=bool(adjustments), baselines=baselines
        )
        for kind in kinds
    }


def hypothesis_figures(results: Sequence[HypothesisResult], *, simulated: bool) -> tuple[str, ...]:
    """Return the margins by which each variant supports the hypotheses, or fails to; the same ones once."""
    sections, drawn = list[RowGroup](), list[HypothesisResult]()
    for result in results:
        heading = f"{result.id}: {result.alternative}"
        if isinstance(result.supported, Undefined):
            sections.append(RowGroup(heading, result.supported))
            continue
        heading += f": {result.result}"
        same = [other.id for other in drawn if result.numbers.items() <= other.numbers.items()]
        if same:
            sections.append(RowGroup(f"{heading} (margins: see {same[0]})", ()))
            continue
        drawn.append(result)
        rows = [
            Row(name, [Bar(value=value, text=f"{value:+.3f}")], variant_colour(name))
            for name, value in result.numbers.items()
        ]
        sections.append(RowGroup(heading, rows))
    caption = Caption(
        title="Hypotheses: margins by variant",
        notes=[
            "Positive margins support the alternative.",
            "EVAL_CONF: spreads over configurations; it holds if none is above the threshold.",
        ],
        simulated=simulated,
    )
    if not sections:
        return (statement(caption, Undefined("there is no hypothesis")),)
    return row_pages(sections, caption=caption, axis="difference of correlations", rule=0.0)


def hypothesis_report(
    results: Sequence[HypothesisResult],
    *,
    baselines: Mapping[str, Sequence[float]],
    unadjusted: Sequence[HypothesisResult] = (),
    adjusted: bool,
    simulated: bool,
) -> SubReport:
    """Return the sub-report of the hypothesis table.

    `baselines` are correlations with order of what variants must outperform; `unadjusted` are the same
    hypotheses from unadjusted answers, where `results` are from adjusted ones.
    """
    plain = {each.id: each for each in unadjusted}
    beside = ("unadjusted",) if plain else ()
    return SubReport(
        name="hypotheses",
        title="Hypotheses",
        figures=figure_pages(hypothesis_figures(results, simulated=simulated)),
        text=(_outcome(results), *_differing(results, plain), _baseline_text(baselines)),
        data=Table(
            columns=(
                "id", "alternative", "result", *(f"{name} result" for name in beside), "supporting", "variant",
                "number",
            ),
            rows=tuple(row for each in results for row in _rows(each, plain.get(each.id))),
            left=5 + len(beside),
        ),
        shown=(
            Table(
                columns=("id", "supported when", "result", *beside, "supporting", "numbers"),
                rows=tuple(
                    (
                        each.id,
                        each.alternative,
                        _result(each),
                        *(_result(plain[each.id]) for _ in beside),
                        ", ".join(each.variants) or None,
                        _numbers(each),
                    )
                    for each in results
                ),
                left=5 + len(beside),
            ),
        ),
        notes=(
            (
                f"n: {counted(len(results), 'hypothesis', plural='hypotheses')}, from correlations over configurations on "
                f"translations, {'adjusted' if adjusted else 'unadjusted'}; variants without correlations are left out."
            ),
            (
                "T outperforms U if the smallest correlation of T is above the largest of U; T is at least as accurate "
                "if its largest is above the smallest of U. No test is made: a margin of 0.001 counts."
            ),
            (
                "Numbers are margins, positive where a variant supports the alternative; for EVAL_CONF they are "
                "differences between configurations, and the threshold is the standard deviation of all correlations "
                "of structured variants."
            ),
        ),
    )  # fmt: skip


def _outcome(results: Sequence[HypothesisResult]) -> str:
    supported = [
        f"{each.alternative} ({', '.join([each.id, *each.variants])})"
        for each in results
        if each.supported is True
    ]
    against = [each.id for each in results if each.supported is False]
    unknown = [each.id for each in results if isinstance(each.supported, Undefined)]
    return (
        f"Supported: {'; '.join(supported) or 'none'}. Not supported: {', '.join(against) or 'none'}. "
        f"Undefined: {', '.join(unknown) or 'none'}."
    )


def _differing(
    results: Sequence[HypothesisResult], plain: Mapping[str, HypothesisResult]
) -> tuple[str, ...]:
    """Return whether the adjustment of answers decides a hypothesis."""
    if not plain:
        return ()
    differ = [each.id for each in results if each.supported != plain[each.id].supported]
    if differ:
        return (f"With unadjusted answers the outcome of {', '.join(differ)} is another.",)
    return ("With unadjusted answers every outcome is the same.",)


def _baseline_text(baselines: Mapping[str, Sequence[float]]) -> str:
    """Return what variants are compared with, and which of these is the best."""
    known = {name: values for name, values in baselines.items() if values}
    absent = [name for name, values in baselines.items() if not values]
    if not known:
        return "There is no baseline with a correlation that a variant could outperform."
    best = max(known, key=lambda name: max(known[name]))
    listed = ", ".join(f"{name} {_span(values)}" for name, values in known.items())
    text = (
        f"The baselines are, with their correlations with order: {listed}. The highest is that of {best}: "
        f"a variant outperforms every baseline if all its configurations are above {max(known[best]):.3f}."
    )
    return text + (f" Without a correlation: {', '.join(absent)}." if absent else "")


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{high:.3f}" if len(values) == 1 else f"{low:.3f} to {high:.3f}"


def _result(each: HypothesisResult) -> str | Undefined:
    return each.supported if isinstance(each.supported, Undefined) else each.result


def _rows(each: HypothesisResult, plain: HypothesisResult | None) -> list[tuple[Cell, ...]]:
    said = (each.id, each.alternative, _result(each), *([] if plain is None else [_result(plain)]))
    supporting = " ".join(each.variants)
    if not each.numbers:
        return [(*said, supporting, None, None)]
    return [(*said, supporting, name, value) for name, value in each.numbers.items()]


def _numbers(each: HypothesisResult) -> str | None:
    return ", ".join(f"{name} {value:+.3f}" for name, value in each.numbers.items()) or None


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
        text=_permuted_outcomes(results),
        data=Table(
            columns=(
                "kind of sentences", "id", "alternative", "result", "supporting", "variant", "number",
            ),
            rows=tuple(
                row for kind, tested in results.items() for each in tested for row in _permuted_rows(str(kind), each)
            ),
            left=6,
        ),
        shown=(
            Table(
                columns=("id", "supported when", *kinds),
                rows=tuple(
                    (same[0].id, same[0].alternative, *map(_permuted_cell, same))
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


def _permuted_outcomes(results: Results) -> tuple[str, ...]:
    """Return the outcome for each kind of permutations; those without any outcome share a sentence."""
    sentences, unknown = [], []
    for kind, tested in results.items():
        parts = {
            "supported": [each.id for each in tested if each.supported is True],
            "not supported": [each.id for each in tested if each.supported is False],
            "undefined": [each.id for each in tested if isinstance(each.supported, Undefined)],
        }
        if len(parts["undefined"]) == len(tested):
            unknown.append(sentence_label(kind))
            continue
        listed = [f"{said} {', '.join(ids)}" for said, ids in parts.items() if ids]
        sentences.append(f"On {sentence_label(kind)}: {'; '.join(listed)}.")
    if unknown:
        sentences.append(f"Every hypothesis is undefined on {', '.join(unknown)}.")
    return tuple(sentences)


def _permuted_rows(kind: str, each: HypothesisResult) -> list[tuple[Cell, ...]]:
    result: Cell = each.supported if isinstance(each.supported, Undefined) else each.result
    said = (kind, each.id, each.alternative, result, " ".join(each.variants))
    return [(*said, name, value) for name, value in each.numbers.items()] or [(*said, None, None)]


def _permuted_cell(each: HypothesisResult) -> Cell:
    if isinstance(each.supported, Undefined):
        return each.supported
    return f"{each.result}: {', '.join(each.variants)}" if each.supported else each.result


_WORDS_ONLY = "words only"
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
        text=_configuration_text(by_question),
        data=Table(
            columns=("question", "configuration", "variant", "rho", "n", "sentences"),
            rows=tuple(
                (question, name or _WORDS_ONLY, variant, *_configuration_cells(value))
                for question, variants in by_question.items()
                for variant, values in variants.items()
                for name, value in values.items()
            ),
            left=3,
        ),
        shown=tuple(
            _configuration_table(question, variants) for question, variants in by_question.items()
        ),
        notes=(
            (
                f"n: correlations with {'adjusted' if adjusted else 'unadjusted'} answers about translations; CSV and JSON "
                "hold the number of judgments (n) and of sentences of each."
            ),
            (
                "A configuration is an aligner and a parser; b and fb need no aligner, flattened variants no parser "
                f"({_WORDS_ONLY}: neither). A dash: the variant does not depend on this configuration. The last row is the "
                "spread that EVAL_CONF compares with its threshold."
            ),
        ),
    )


def _configuration_cells(value: Correlation | Undefined) -> tuple[Cell, ...]:
    if isinstance(value, Undefined):
        return value, None, None
    return value.rho, value.judgments, value.sentences


def _configuration_table(question: str, variants: Mapping[str, Values]) -> Table:
    names = dict.fromkeys(name for values in variants.values() for name in values)
    rows: list[tuple[Cell, ...]] = [
        (name or _WORDS_ONLY, *(_rho(values.get(name)) for values in variants.values()))
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


def _configuration_text(by_question: Mapping[str, Mapping[str, Values]]) -> tuple[str, ...]:
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
