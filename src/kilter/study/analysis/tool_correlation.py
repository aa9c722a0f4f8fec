"""Correlations of judgments with every tool. Section 13.3"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.settings import Choice
from kilter.core.table import Table
from kilter.render.chart.drawing import INK, Style
from kilter.render.chart.frame import Caption, Key, statement
from kilter.render.chart.mark import Bar, Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import Cell, Figure, SubReport, figure_pages, file_name
from kilter.stats.undefined import Undefined
from kilter.study.analysis.judged_correlation import LEVEL, Correlation
from kilter.study.analysis.tool_name import (
    PUBLISHED,
    ToolFamily,
    family_colour,
    family_keys,
    tool_family,
    tool_label,
    tool_place,
)
from kilter.study.judgments.judgment_study import REPORTED, SentenceGroup, sentence_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kilter.render.chart.mark import Mark
    from kilter.study.analysis.judged_correlation import ToolCorrelation

    Tool = tuple[str, str]


COLUMNS = ("rho", "n", "sentences", "p", "p_holm", "sentence_p", "sentence_p_holm")


INTERVAL = ("low", "high")


_KEY = ("group", "question", "kind of sentences", "adjusted", "tool", "variant", "configuration")


NAMES = {
    SentenceGroup.TRANSLATION: "translations",
    SentenceGroup.ORDER: "permutations of type order",
    SentenceGroup.SWAP: "permutations of type swap",
    SentenceGroup.PHRASE: "permutations of type phrase",
    SentenceGroup.CHOICE: "permutations of type choice",
    SentenceGroup.BOTH: "permutations of type both",
}


class Correction(Choice):
    """How p-values of many comparisons are corrected before two stars are given."""

    HOLM = "holm"
    NONE = "none"


def correlation_cells(value: Correlation | Undefined) -> tuple[Cell, ...]:
    """Return a correlation in the order of the columns, without its interval."""
    if isinstance(value, Undefined):
        return (value, None, None, *(value,) * (len(COLUMNS) - 3))
    return (
        value.rho, value.judgments, value.sentences, value.p, value.holm, value.sentence_p,
        value.sentence_holm,
    )  # fmt: skip


def stars(values: Iterable[Correlation | Undefined], correction: Correction) -> str:
    """Return a star if all configurations are significant as published, two if by sentences as well."""
    listed = list(values)
    known = [value for value in listed if isinstance(value, Correlation)]
    if not known or len(known) < len(listed) or not all(v.is_significant for v in known):
        return ""
    strict = [v.sentence_holm if correction is Correction.HOLM else v.sentence_p for v in known]
    return "**" if all(isinstance(p, float) and p < LEVEL for p in strict) else "*"


def range_text(row: ToolCorrelation, correction: Correction) -> str | Undefined:
    """Return the largest and smallest correlation over configurations, with stars."""
    low, high = row.lowest, row.highest
    if isinstance(high, Undefined) or isinstance(low, Undefined):
        reasons = [v for v in row.configurations.values() if isinstance(v, Undefined)]
        return reasons[0] if reasons else Undefined("there is no score")
    shown = f"{high:.3f}" if len(row.configurations) == 1 else f"{high:.3f} ({low:.3f})"
    return shown + stars(row.configurations.values(), correction)


def correlation_table(rows: Iterable[ToolCorrelation], *, intervals: bool) -> Table:
    """Return one row for each configuration, with every number."""
    return Table(
        columns=(*_KEY, *COLUMNS, *(INTERVAL if intervals else ()), "missing"),
        rows=tuple(
            (
                *(row.group, row.question, str(row.sentences), row.adjusted),
                *(row.tool, row.variant, configuration),
                *correlation_cells(value),
                *(_interval(value) if intervals else ()),
                row.missing,
            )
            for row in rows
            for configuration, value in row.configurations.items()
        ),
        left=len(_KEY),
    )


def _interval(value: Correlation | Undefined) -> tuple[Cell, Cell]:
    return (value, value) if isinstance(value, Undefined) else (value.low, value.high)


def chosen(
    rows: Iterable[ToolCorrelation], *, sentences: SentenceGroup, adjusted: bool
) -> list[ToolCorrelation]:
    """Return the correlations on one kind of sentences, adjusted or not."""
    return [row for row in rows if row.sentences is sentences and row.adjusted is adjusted]


def correlation_reports(
    rows: Sequence[ToolCorrelation], *, adjusted: bool, correction: Correction, simulated: bool
) -> tuple[SubReport, ...]:
    """Return a sub-report for each kind of sentences, adjusted values beside unadjusted ones where there are any."""
    return tuple(
        _on_sentences(
            [row for row in rows if row.sentences is kind],
            kind,
            adjusted=adjusted,
            correction=correction,
            simulated=simulated,
        )
        for kind in REPORTED
        if kind is not SentenceGroup.BOTH or any(row.sentences is kind for row in rows)
    )


MOST_FURTHER = 5
"""Metrics beyond those that [TH] compares, in one chapter; where there are more, an appendix has them."""


def without_further(
    rows: Sequence[ToolCorrelation],
) -> tuple[list[ToolCorrelation], list[ToolCorrelation]]:
    """Return the correlations that a chapter shows, and those of further metrics that an appendix does."""
    further = [row for row in rows if _family(row) is ToolFamily.OTHER]
    main = [row for row in rows if _family(row) is not ToolFamily.OTHER]
    if not main or len({tool_of(row) for row in further}) <= MOST_FURTHER:
        return list(rows), []
    return main, further


def further_reports(
    rows: Sequence[ToolCorrelation], *, adjusted: bool, correction: Correction, simulated: bool
) -> tuple[SubReport, ...]:
    """Return the sub-report of further metrics on translations, where the chapter leaves them out."""
    _, further = without_further(
        [row for row in rows if row.sentences is SentenceGroup.TRANSLATION]
    )
    if not further:
        return ()
    found = _on_sentences(
        further,
        SentenceGroup.TRANSLATION,
        adjusted=adjusted,
        correction=correction,
        simulated=simulated,
    )
    title = "Correlation of further metrics on translations"
    return (replace(found, name="correlation-further", title=title),)


def _family(row: ToolCorrelation) -> ToolFamily:
    return tool_family(row.tool, row.variant, external=row.external)


def _on_sentences(
    rows: Sequence[ToolCorrelation],
    kind: SentenceGroup,
    *,
    adjusted: bool,
    correction: Correction,
    simulated: bool,
) -> SubReport:
    questions = list(dict.fromkeys(row.question for row in rows))
    sides = [False, True] if adjusted else [False]
    pictured, _ = without_further(rows) if kind is SentenceGroup.TRANSLATION else (rows, [])
    return SubReport(
        name=f"correlation-{kind}",
        title=f"Correlation on {NAMES[kind]}",
        figures=(
            *_pictures(pictured, kind, adjusted=adjusted, simulated=simulated),
            *(
                figure
                for question in questions
                for figure in figure_pages(
                    configuration_figures(
                        pictured,
                        question=question,
                        sentences=kind,
                        adjusted=adjusted,
                        simulated=simulated,
                    ),
                    name=file_name("figure", "configurations", question),
                    folded=True,
                )
            ),
        ),
        text=tuple(
            best_sentence(
                [row for row in rows if row.question == question and row.adjusted is sides[-1]],
                [row for row in rows if row.question == question and not row.adjusted],
            )
            for question in questions
        )
        or ("There is no question on a scale.",),
        data=correlation_table(rows, intervals=True),
        shown=(_table(pictured, kind, questions, sides, correction),) if rows else (),
        notes=_notes(rows, correction),
    )


def _pictures(
    rows: Sequence[ToolCorrelation], kind: SentenceGroup, *, adjusted: bool, simulated: bool
) -> Iterator[Figure]:
    """Yield the figures of all tools: with adjusted answers, then with unadjusted ones."""
    sides = {"figure": True, "figure-unadjusted": False} if adjusted else {"figure": False}
    for name, side in sides.items():
        drawn = correlation_figures(rows, sentences=kind, adjusted=side, simulated=simulated)
        yield from figure_pages(drawn, name=name, folded=name != "figure")


def placed(row: ToolCorrelation) -> tuple[int, int]:
    """Return where the tool of a row stands among others, for sorting."""
    return tool_place(row.tool, row.variant, external=row.external)


def _families(rows: Iterable[ToolCorrelation]) -> dict[ToolFamily, list[ToolCorrelation]]:
    found: dict[ToolFamily, list[ToolCorrelation]] = {family: [] for family in ToolFamily}
    for row in rows:
        found[_family(row)].append(row)
    return {family: listed for family, listed in found.items() if listed}


def _table(
    rows: Sequence[ToolCorrelation],
    kind: SentenceGroup,
    questions: Sequence[str],
    sides: Sequence[bool],
    correction: Correction,
) -> Table:
    by_tool = {(row.question, row.adjusted, *tool_of(row)): row for row in rows}
    sided = [(question, side) for question in questions for side in sides]
    return Table(
        columns=(
            "tool",
            *(f"{question}{', adjusted' if side else ''}" for question, side in sided),
            "n",
            "sentences",
        ),
        rows=by_family_rows(
            rows,
            lambda tool: (
                *(range_text(by_tool[question, side, *tool], correction) for question, side in sided),
                *_counts([by_tool[question, sides[-1], *tool] for question in questions]),
            ),
            columns=len(sided) + 2,
        ),
        title=f"Spearman's rho on {NAMES[kind]}: the largest over configurations, the smallest in brackets",
    )  # fmt: skip


def by_family_rows(
    rows: Sequence[ToolCorrelation],
    cells: Callable[[Tool], tuple[Cell, ...]],
    *,
    columns: int,
) -> tuple[tuple[Cell, ...], ...]:
    """Return a row for each tool, below the name of its family where there are several families."""
    families = _families(rows)
    found: list[tuple[Cell, ...]] = []
    for family, listed in families.items():
        if len(families) > 1:
            found.append((str(family), *[""] * columns))
        tools = dict.fromkeys(tool_of(row) for row in sorted(listed, key=placed))
        found += [(tool_label(*tool), *cells(tool)) for tool in tools]
    return tuple(found)


def best_sentence(rows: Sequence[ToolCorrelation], plain: Sequence[ToolCorrelation] = ()) -> str:
    """Return which tool correlates most with the answers to a question, and how sure that is.

    Only tools that scored nine in ten of the judged sentences are compared; `plain` are the same
    correlations with unadjusted answers.
    """
    question = rows[0].question if rows else "no question"
    known = [(row.highest, row) for row in rows if isinstance(row.highest, float)]
    if not known:
        reasons = [
            v.reason
            for row in rows
            for v in row.configurations.values()
            if isinstance(v, Undefined)
        ]
        reason = reasons[0] if reasons else "there is no tool"
        return f"With answers to {question}, no tool has a correlation ({reason})."
    compared = [(high, row) for high, row in known if row.covers_all]
    few = _few([row for _, row in known if not row.covers_all])
    if not compared:
        return f"No tool scored nine in ten of the sentences; {few} cannot be compared."
    high, best = max(compared, key=lambda pair: pair[0])
    starred = sum(row.is_starred for _, row in compared)
    sure = sum(_is_sure(row) for _, row in compared)
    return (
        f"With answers to {question}, {tool_label(best.tool, best.variant)} correlates most: rho = {high:.3f}"
        + _beside(best, compared, plain)
        + f". Significant: {starred} of {counted(len(compared), 'tool')} in tests on judgments (uncorrected), {sure} in tests "
        "on means of sentences (corrected)."
        + (f" Not compared are tools that scored less than nine in ten sentences: {few}." if few else "")
    )  # fmt: skip


def _is_sure(row: ToolCorrelation) -> bool:
    """Return whether all configurations are significant by the means of sentences, corrected."""
    return stars(row.configurations.values(), Correction.HOLM) == "**"


_NAMED = 3
"""Tools that a sentence names before it only counts the rest."""


def _few(rows: Sequence[ToolCorrelation]) -> str:
    named = [
        f"{tool_label(row.tool, row.variant)} ({_counts([row])[1]} of {row.judged})" for row in rows
    ]
    rest = len(named) - _NAMED
    return ", ".join([*named[:_NAMED], *([f"{rest} more"] if rest > 0 else [])])


def _beside(
    best: ToolCorrelation,
    compared: Sequence[tuple[float, ToolCorrelation]],
    plain: Sequence[ToolCorrelation],
) -> str:
    """Return what must be known beside the largest correlation, in brackets."""
    parts = []
    if best.adjusted:
        parts += [
            f"{row.highest:.3f} unadjusted"
            for row in plain
            if row.name == best.name and isinstance(row.highest, float)
        ]
    if len(best.configurations) > 1:
        parts.append(f"{best.lowest:.3f} in the worst configuration")
    known = [v for v in best.configurations.values() if isinstance(v, Correlation)]
    top = max(known, key=lambda value: value.rho)
    if isinstance(top.low, float) and isinstance(top.high, float):
        inside = sum(high >= top.low for high, row in compared if row is not best)
        others = f", which contains {counted(inside, 'other tool')}" if len(compared) > 1 else ""
        parts.append(f"95% interval {top.low:.3f} to {top.high:.3f}{others}")
    return f" ({'; '.join(parts)})" if parts else ""


def _counts(rows: Sequence[ToolCorrelation]) -> tuple[Cell, Cell]:
    """Return how many judgments and sentences there are, from the least to the most."""
    known = [v for row in rows for v in row.configurations.values() if isinstance(v, Correlation)]
    if not known:
        return 0, 0
    return _span([v.judgments for v in known]), _span([v.sentences for v in known])


def _span(values: Sequence[int]) -> Cell:
    low, high = min(values), max(values)
    return low if low == high else f"{low}-{high}"


def _notes(rows: Sequence[ToolCorrelation], correction: Correction) -> tuple[str, ...]:
    missing = {row.question: row.missing for row in rows}
    corrected = "corrected by Holm's method" if correction is Correction.HOLM else "not corrected"
    return (
        "n: judgments with answer and score; missing answers, which are left out: "
        + (", ".join(f"{count} {name}" for name, count in missing.items()) or "none") + ".",
        ("*: all configurations are significant at 0.05 on unadjusted judgments (t approximation), as published. "
        "That test takes judgments of one sentence for independent."),
        f"**: significant as well by the means of sentences, {corrected} over all tools and configurations.",
        ("CSV and JSON hold every configuration with both tests, corrected and not, and the interval over "
        "resampled sentences. Tools that grow with error, such as ter, agree where rho is negative."),
    )  # fmt: skip


_STAR = "* significant at 0.05 in all configurations, uncorrected, by unadjusted judgments."
_AXIS = "Spearman's rho, bar: largest over configurations"
_LEAST = Key("smallest over configurations", "stroke", Style(INK, "", "", ""))
_NOTHING = Undefined("no tool was correlated with these judgments")


def correlation_figures(
    rows: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup,
    adjusted: bool = True,
    group: str = "all",
    simulated: bool,
) -> tuple[str, ...]:
    """Return every tool's correlation with each question, for one group of sentences and participants."""
    chosen = on_sentences_of(rows, sentences, adjusted=adjusted)
    series = {
        row.question: {
            tool_of(other): other for other in chosen if is_of(other, row.question, group)
        }
        for row in chosen
        if row.group == group
    }
    who = "" if group == "all" else f", participants {group}"
    title = f"Correlation of tools with judgments: {sentence_label(sentences)}{who}"
    return side_by_side(series, series, title, adjusted=adjusted, simulated=simulated)


def side_by_side(
    series: Mapping[str, Mapping[Tool, ToolCorrelation]],
    names: Mapping[str, object],
    title: str,
    *,
    adjusted: bool,
    simulated: bool,
) -> tuple[str, ...]:
    """Return the figures of several series of correlations, tool by tool, coloured by family."""
    everything = [row for by_tool in series.values() for row in by_tool.values()]
    missing = max((row.missing for row in everything), default=0)
    left_out = [f"Judgments without answer, left out: {missing}."] if missing else []
    caption = Caption(
        title=f"{title} ({'adjusted' if adjusted else 'unadjusted'})",
        notes=[_STAR, "f: flattened.", *left_out],
        simulated=simulated,
    )
    families = {
        tool_of(row): tool_family(row.tool, row.variant, external=row.external)
        for row in sorted(everything, key=placed)
    }
    if not families:
        return (statement(caption, _NOTHING),)
    nothing = Undefined("not correlated with these judgments")
    listed = {
        tool: [_bar(by_tool[tool]) if tool in by_tool else nothing for by_tool in series.values()]
        for tool in families
    }
    labels = [name if isinstance(name, str) else key for key, name in names.items()]

    def pages(tools: Mapping[Tool, ToolFamily], titled: Caption) -> tuple[str, ...]:
        return row_pages(
            _by_family({tool: listed[tool] for tool in tools}, tools),
            caption=titled,
            axis=f"{_AXIS} ({_judgments(everything)})",
            series=labels,
            keys=[*family_keys(tools.values()), _LEAST],
            rule=0.0,
        )

    together = pages(families, caption)
    if len(together) == 1:
        return together
    # Where one page cannot hold all, what [TH] compares stands by itself, on a scale of its own.
    published = {tool: family for tool, family in families.items() if family in PUBLISHED}
    others = {tool: family for tool, family in families.items() if family not in PUBLISHED}
    parts = {"published tools": published, "other tools": others}
    return tuple(
        page
        for name, tools in parts.items()
        if tools
        for page in pages(tools, replace(caption, title=f"{caption.title}, {name}"))
    )


def _by_family(
    marks: Mapping[Tool, Sequence[Mark | Undefined]], families: Mapping[Tool, ToolFamily]
) -> list[RowGroup]:
    """Return rows of tools by family: those that [TH] compares stand together, the others after them."""
    published = [tool for family in PUBLISHED for tool in marks if families[tool] is family]
    others = [
        [tool for tool in marks if families[tool] is family]
        for family in ToolFamily
        if family not in PUBLISHED
    ]
    return [
        RowGroup(
            "",
            [Row(tool_label(*tool), marks[tool], family_colour(families[tool])) for tool in tools],
        )
        for tools in (published, *others)
        if tools
    ]


def configuration_figures(
    rows: Sequence[ToolCorrelation],
    *,
    question: str,
    sentences: SentenceGroup,
    adjusted: bool = True,
    group: str = "all",
    simulated: bool,
) -> tuple[str, ...]:
    """Return the correlations of every tool in each configuration, and their range."""
    chosen = [
        row
        for row in on_sentences_of(rows, sentences, adjusted=adjusted)
        if is_of(row, question, group)
    ]
    caption = Caption(
        title=f"Correlation of tools with {question} in each configuration: {sentence_label(sentences)} "
        f"({'adjusted' if adjusted else 'unadjusted'})",
        notes=[
            "The marker is the mean over configurations, the line their range.",
            "f: flattened.",
        ],
        simulated=simulated,
    )
    if not chosen:
        return (statement(caption, _NOTHING),)
    families = {
        tool_of(row): tool_family(row.tool, row.variant, external=row.external) for row in chosen
    }
    return row_pages(
        _by_family(
            {tool_of(row): [_range_dot(row)] for row in sorted(chosen, key=placed)}, families
        ),
        caption=caption,
        axis=f"Spearman's rho ({_judgments(chosen)})",
        keys=[
            *family_keys(families.values(), shape="marker"),
            Key("one configuration", "stroke", Style(INK, "", "", "")),
        ],
        rule=0.0,
    )


def on_sentences_of(
    rows: Sequence[ToolCorrelation], sentences: SentenceGroup, *, adjusted: bool
) -> list[ToolCorrelation]:
    """Return the correlations on these sentences, with adjusted judgments or without."""
    return [row for row in rows if row.sentences == sentences and row.adjusted == adjusted]


def is_of(row: ToolCorrelation, question: str, group: str) -> bool:
    """Return whether a correlation is of this question and group of participants."""
    return (row.question, row.group) == (question, group)


def tool_of(row: ToolCorrelation) -> Tool:
    """Return what a correlation is of: a tool and its variant."""
    return row.tool, row.variant


def _bar(row: ToolCorrelation) -> Bar | Undefined:
    """Return the largest correlation as a bar and the smallest as a stroke; a reason if there is none."""
    if isinstance(row.highest, Undefined) or isinstance(row.lowest, Undefined):
        reasons = [value for value in row.configurations.values() if isinstance(value, Undefined)]
        return reasons[0] if reasons else _NOTHING
    star = " *" if row.is_starred else ""
    several = len(row.configurations) > 1
    text = f"{row.highest:.3f}" + (f" (min {row.lowest:.3f})" if several else "") + star
    return Bar(value=row.highest, least=row.lowest if several else None, text=text)


def _range_dot(row: ToolCorrelation) -> Dot | Undefined:
    values = [
        value.rho for value in row.configurations.values() if not isinstance(value, Undefined)
    ]
    if not values:
        return next(
            (value for value in row.configurations.values() if isinstance(value, Undefined)),
            _NOTHING,
        )
    low, high, mean = min(values), max(values), sum(values) / len(values)
    text = f"{low:.3f} to {high:.3f} (of {len(values)})" if len(values) > 1 else f"{mean:.3f}"
    return Dot(value=mean, low=low, high=high, strokes=values, text=text)


def _judgments(rows: Sequence[ToolCorrelation]) -> str:
    """Return how many judgments the correlations are of."""
    counts = {
        value.judgments
        for row in rows
        for value in row.configurations.values()
        if not isinstance(value, Undefined)
    }
    if not counts:
        return "n = 0 judgments"
    low, high = min(counts), max(counts)
    return f"n = {counted(high, 'judgment')}" if low == high else f"n = {low} to {high} judgments"
