"""Verdicts: what comparing two systems showed, in a sentence that can be quoted, and a ranking of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.estimate import p_text
from kilter.results.measure import COVERAGE, ORDER
from kilter.results.score_result import WHOLE
from kilter.stats.significance import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.core.estimate import Estimate
    from kilter.results.comparison import Comparison, MetricComparison, Pair

MOST_VERDICTS = 4
"""Systems beside the baseline up to which each has a sentence; a ranking says it of more."""
_MOST_METRICS = 3
_MOST_EQUALS = 5
"""Systems beside the best that are named; more are counted."""
_BETTER = (Mark.BETTER, Mark.SURELY_BETTER)
_WORSE = (Mark.WORSE, Mark.SURELY_WORSE)


def verdicts(comparison: Comparison) -> Iterator[str]:
    """Yield what is found of each system against the baseline: its order and coverage, then the overall score.

    Without any of these among the metrics, there is a sentence for each of the first few.
    """
    if len(comparison.systems) - 1 > MOST_VERDICTS:
        return
    by_name = {metric.name.partition(":")[0]: metric for metric in comparison.metrics}
    known = {name: by_name[name] for name in (ORDER, COVERAGE, WHOLE) if name in by_name}
    for system in comparison.systems:
        if system == comparison.baseline:
            continue
        verdict = _Verdict(comparison, system)
        if known.keys() - {COVERAGE}:
            yield verdict.known(known)
        else:
            yield " ".join(verdict.plain(each) for each in comparison.metrics[:_MOST_METRICS])


def overview(comparison: Comparison) -> list[str]:
    """Return the verdicts or, of more systems, which of them leads by each of the main metrics."""
    if len(comparison.systems) - 1 <= MOST_VERDICTS:
        return [*verdicts(comparison)]
    return [leader(comparison, metric) for metric in _main(comparison)]


_CLAIMS = {
    ORDER: ("orders words better", "orders words worse"),
    COVERAGE: ("covers more words", "covers fewer words"),
    WHOLE: ("is better overall", "is worse overall"),
    "crossings": (
        "keeps closer to the order of the source",
        "moves farther from the order of the source",
    ),
    "anticipation": ("takes fewer words from far ahead", "takes more words from far ahead"),
}


def claim(comparison: Comparison, system: str) -> str:
    """Return in words what is known of a system against the baseline: what differs, what does not, what is open.

    It has no numbers: `verdicts` has them.
    """
    differs, alike, open_, missing = list[str](), list[str](), list[str](), list[str]()
    better, worse = list[str](), list[str]()
    places = [*_CLAIMS]
    for metric in sorted(
        _main(comparison),
        key=lambda each: places.index(each.name) if each.name in places else len(places),
    ):
        kind = metric.name.partition(":")[0]
        name = "overall quality" if kind == WHOLE else metric.name
        pair = metric.pair(comparison.baseline, system)
        mark = None if pair is None else pair.mark_baseline
        if mark in (*_BETTER, *_WORSE):
            if kind in _CLAIMS:
                differs.append(_CLAIMS[kind][mark in _WORSE])
            else:
                (worse if mark in _WORSE else better).append(name)
        elif mark is Mark.OPEN:
            alike.append(name)
        elif pair is None or pair.difference is None or pair.is_withheld:
            missing.append(name)
        else:
            open_.append(name)
    differs += [f"is better in {listed(better)}"] if better else []
    differs += [f"is worse in {listed(worse)}"] if worse else []
    parts = []
    if differs:
        parts.append(listed(differs))
    if alike:
        parts.append(f"no significant difference in {listed(alike)}")
    if open_:
        parts.append(f"too few {comparison.lacking} to tell in {listed(open_)}")
    if missing:
        parts.append(f"cannot be compared in {listed(missing)}")
    return "; ".join(parts)


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _main(comparison: Comparison) -> Sequence[MetricComparison]:
    """Return the metrics that verdicts are about: order, coverage and the overall score, else the first few."""
    names = (ORDER, COVERAGE, WHOLE)
    main = [each for each in comparison.metrics if each.name.partition(":")[0] in names]
    return main or comparison.metrics[:_MOST_METRICS]


def leader(comparison: Comparison, metric: MetricComparison) -> str:
    """Return the best system by a metric and those that may be as good."""
    rows = [name for name, _, ranks in ranked(comparison, metric) if ranks]
    if len(rows) < 2:
        return f"Fewer than two systems have a score in {metric.name}."
    best, others = rows[0], rows[1:]
    values = dict(zip(comparison.systems, (each.value for each in metric.intervals), strict=True))
    verdict = _Verdict(comparison, best)
    shown = {name: verdict.number(values[name] or 0.0, ".3f") for name in rows}
    beaten = _beaten(metric, best, comparison.systems)
    equals = [name for name in others if name not in beaten]
    open_ = [name for name in equals if mark_of(metric, name, best) in (Mark.UNDECIDED, None)]
    found = f"{best} is best in {metric.name} ({shown[best]})"
    if open_:
        reason = comparison.decision_note or f"too few {comparison.lacking} to decide"
        return f"{found}, but it cannot be told from {_some(open_, shown)}: {reason}."
    if not equals:
        return f"{found}; every other system is significantly worse."
    return f"{found}; not significantly worse: {_some(equals, shown)}."


def _some(names: Sequence[str], shown: dict[str, str]) -> str:
    """Return systems with their scores, or how many they are."""
    if len(names) > _MOST_EQUALS:
        return f"{len(names)} other systems"
    return ", ".join(f"{name} ({shown[name]})" for name in names)


class _Verdict:
    """One system against the baseline."""

    def __init__(self, comparison: Comparison, system: str) -> None:
        self.comparison, self.system, self.baseline = comparison, system, comparison.baseline

    def known(self, metrics: dict[str, MetricComparison]) -> str:
        """Return a sentence on order with coverage, and one on the overall score."""
        sentences = []
        if ORDER in metrics:
            covered = f"; {self._covered(metrics[COVERAGE])}" if COVERAGE in metrics else ""
            sentences.append(self._order(metrics[ORDER]) + covered + ".")
        if WHOLE in metrics:
            sentences.append(self._overall(metrics[WHOLE]))
        return " ".join(sentences)

    def plain(self, metric: MetricComparison) -> str:
        """Return a sentence on any metric."""
        return self._sentence(
            metric,
            better=f"{self.system} is better than {self.baseline} in {metric.name}",
            worse=f"{self.system} is worse than {self.baseline} in {metric.name}",
            open_=f"{self.system} and {self.baseline} do not differ significantly in {metric.name}",
            name="",
        )

    def _order(self, metric: MetricComparison) -> str:
        return self._sentence(
            metric,
            better=f"{self.system} orders words better than {self.baseline}",
            worse=f"{self.system} orders words worse than {self.baseline}",
            open_=f"The word order of {self.system} and {self.baseline} does not differ significantly",
            name=f"{metric.name} ",
        ).removesuffix(".")

    def _overall(self, metric: MetricComparison) -> str:
        return self._sentence(
            metric,
            better=f"Overall {self.system} is better",
            worse=f"Overall {self.system} is worse",
            open_="Overall there is no significant difference",
            name=f"{metric.name} ",
        )

    def _covered(self, metric: MetricComparison) -> str:
        pair = self._pair(metric)
        values = self._values(metric)
        if pair is None or values is None or pair.mark_baseline is None:
            return "their coverage cannot be compared"
        second, first = values
        if pair.mark_baseline in _BETTER:
            found = f"the coverage of {self.system} is higher"
        elif pair.mark_baseline in _WORSE:
            found = f"the coverage of {self.system} is lower"
        else:
            found = "their coverage is about the same"
        return f"{found} ({second} against {first})"

    def _sentence(
        self, metric: MetricComparison, *, better: str, worse: str, open_: str, name: str
    ) -> str:
        pair = self._pair(metric)
        values = self._values(metric)
        if pair is None or values is None:
            return f"The {metric.name} of {self.system} and {self.baseline} cannot be compared: {self._why(metric)}."
        if pair.is_withheld:
            return (
                f"The {metric.name} of {self.system} and {self.baseline} cannot be compared: they have scores of "
                "different segments."
            )
        second, first = values
        found = open_
        if pair.mark_baseline in _BETTER:
            found = better
        elif pair.mark_baseline in _WORSE:
            found = worse
        elif pair.mark_baseline in (Mark.UNDECIDED, None):
            lacking = self.comparison.lacking
            found = f"There are too few {lacking} to tell whether {self.system} and {self.baseline} differ in {metric.name}"
        return f"{found}: {name}{second} against {first}{self._difference(pair)}."

    def _difference(self, pair: Pair) -> str:
        """Return the difference with its interval and its p-value, as far as there are any."""
        if pair.difference is None or pair.low is None or pair.high is None:
            return ""
        numbers = (pair.difference, pair.low, pair.high)
        # As many decimals as show every number to be something, where it is, and an interval to be one.
        digits = next(
            (
                n
                for n in (2, 3)
                if all(not x or abs(x) >= 0.5 * 10.0**-n for x in numbers)
                and (pair.low == pair.high or f"{pair.low:.{n}f}" != f"{pair.high:.{n}f}")
            ),
            4,
        )
        difference, low, high = (self.number(each, f"+.{digits}f") for each in numbers)
        interval = f", {difference} [{low}, {high}]"
        p = (pair.holm_baseline or pair.holm)[self.comparison.tests[0]]
        return interval + ("" if p is None else f", {p_equation(p)}")

    def _pair(self, metric: MetricComparison) -> Pair | None:
        return metric.pair(self.baseline, self.system)

    def _scores(self, metric: MetricComparison) -> tuple[Estimate, Estimate]:
        places = [self.comparison.systems.index(name) for name in (self.system, self.baseline)]
        return metric.intervals[places[0]], metric.intervals[places[1]]

    def _values(self, metric: MetricComparison) -> tuple[str, str] | None:
        """Return both scores with as many decimals as tell them apart, two to four; None if one is missing."""
        second, first = (each.value for each in self._scores(metric))
        if second is None or first is None:
            return None
        digits = next(
            (n for n in (2, 3) if second == first or f"{second:.{n}f}" != f"{first:.{n}f}"), 4
        )
        return self.number(second, f".{digits}f"), self.number(first, f".{digits}f")

    def number(self, value: float, kind: str) -> str:
        """Return a score in a format, or times 100 with one decimal less."""
        if not self.comparison.percent:
            return format(value, kind)
        return format(100.0 * value, kind.translate({ord("2"): "1", ord("3"): "1", ord("4"): "2"}))

    def _why(self, metric: MetricComparison) -> str:
        for name, scored in zip((self.system, self.baseline), self._scores(metric), strict=True):
            if scored.value is None:
                return f"{name} has none" + (f" ({scored.reason})" if scored.reason else "")
        return "there is no pair of them"


def p_equation(p: float) -> str:
    """Return a p-value as papers print it.

    >>> p_equation(0.243), p_equation(0.0001)
    ('p = .243', 'p < .001')
    """
    cell = p_text(p, digits=3).replace("0.", ".", 1)
    return f"p {cell}" if cell.startswith("<") else f"p = {cell}"


def ranked(comparison: Comparison, metric: MetricComparison) -> list[tuple[str, int, str]]:
    """Return the systems, the best first, each with its group and its range of ranks.

    Every system of a group is significantly worse than every system of the groups before it. A system's ranks reach
    from one more than how many systems are significantly better to the number of those that are not significantly
    worse. Systems without a score come last, without a rank.
    """
    values = dict(zip(comparison.systems, (each.value for each in metric.intervals), strict=True))
    sign = -1.0 if metric.higher_is_better else 1.0
    order = sorted(
        comparison.systems,
        key=lambda name: (values[name] is None, sign * (values[name] or 0.0)),
    )
    beaten = {name: _beaten(metric, name, comparison.systems) for name in order}
    rows, group = [], 1
    for place, name in enumerate(order):
        if place and all(beaten[above] >= {*order[place:]} for above in order[:place]):
            group += 1
        better = sum(name in others for others in beaten.values())
        low, high = 1 + better, len(order) - len(beaten[name])
        rank = f"{low}" if low == high else f"{low}-{high}"
        rows.append((name, group, rank if values[name] is not None else ""))
    return rows


def _beaten(metric: MetricComparison, name: str, systems: Sequence[str]) -> set[str]:
    """Return the systems that are significantly worse than one."""
    return {other for other in systems if other != name and mark_of(metric, other, name) in _BETTER}


def mark_of(metric: MetricComparison, first: str, second: str) -> Mark | None:
    """Return the mark of the second system against the first, whichever way round the pair was tested."""
    pair = metric.pair(first, second)
    if pair is not None:
        return pair.mark
    pair = metric.pair(second, first)
    return None if pair is None or pair.mark is None else pair.mark.reversed()
