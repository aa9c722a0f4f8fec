"""A quality gate: outputs against floors, and against a baseline that was saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import comb, isfinite
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import check_fields, checked_value, setting, taken, takes
from kilter.io.saved_result import load
from kilter.io.stream import exists
from kilter.render.explanation.error_table import short_error_text
from kilter.results.check_result import CheckKind, CheckResult, Condition, WorseSegment
from kilter.results.comparison import SignificanceTest
from kilter.results.score_result import ByMetric, ScoreResult, short_signature
from kilter.run.explanation.explain import explain_texts
from kilter.run.explanation.report import report_texts
from kilter.run.explanation.segment_choice import SegmentChoice
from kilter.run.scoring.corpus import Texts, texts_from_api
from kilter.run.scoring.links import GivenLinks, Links
from kilter.run.scoring.saved import check_same, compare_results
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.trees import Trees
from kilter.stats.significance import holm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.render.page.system_report import SystemReport
    from kilter.results.comparison import Pair
    from kilter.results.explanation import Explanation

_SHOWN = 3
"""Segments that are shown of each system, ..."""
_ERRORS = 3
"""... with so many order errors each."""
_THIS = "this run"


def _limits(given: Sequence[str]) -> dict[str, float]:
    """Return limits by metric, of texts such as order=0.85."""
    found: dict[str, float] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not equals or not name or not isfinite(value):
            raise OptionError(f"a limit is {text!r}; write METRIC=SCORE, such as order=0.85")
        if name in found:
            raise OptionError(f"there are two limits of {name}; keep one")
        found[name] = value
    return found


@dataclass(frozen=True, kw_only=True)
class CheckSettings:
    """What outputs have to be, and how they are scored."""

    floors: Mapping[str, float] = setting(
        "--min",
        default=dict,
        metavar="METRIC=SCORE",
        parse=_limits,
        description="Minimum score of every system; repeatable.",
    )
    ceilings: Mapping[str, float] = setting(
        "--max",
        default=dict,
        metavar="METRIC=SCORE",
        parse=_limits,
        description="Maximum score, where lower is better; repeatable.",
    )
    evidence: float = setting(
        "--evidence",
        default=0.0,
        low=0.0,
        high=1.0,
        description="The least share of segments of whose word order anything is known.",
    )
    alpha: float = setting(
        "--alpha",
        default=0.05,
        low=0.0,
        high=1.0,
        above_low=True,
        description="Level of significance of a loss.",
    )
    drop: float = setting(
        "--drop",
        default=0.5,
        low=0.0,
        above_low=True,
        description="Loss that makes a segment badly worse.",
    )
    worse: int | None = setting(
        "--worse",
        default=None,
        low=0,
        description="Number of badly worse segments allowed.  [default: by a test]",
    )
    scoring: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        check_fields(self)


@takes(CheckSettings)
def check(
    hypotheses: object,
    references: object,
    *,
    baseline: ScoreResult | str | Path | None = None,
    source: object = None,
    links: Links | GivenLinks | None = None,
    trees: Trees | None = None,
    settings: CheckSettings | None = None,
    **keywords: object,
) -> CheckResult:
    """Return whether outputs reach the floors, and lose nothing against a baseline: `passed` of the result.

    The baseline is a `ScoreResult` of other outputs for the same references, or the file that one was saved in. Texts
    are given as to `score`.

    >>> check(["a b c d"] * 9, ["a b c d"] * 9, floors={"order": 0.9}).passed
    True
    """
    options = taken(CheckSettings, settings, keywords)
    texts = texts_from_api(hypotheses, references, source, links=links, trees=trees)
    given = checked_value("baseline", baseline, ScoreResult | str | Path | None)
    return check_texts(texts, options, baseline=given)[0]


def check_texts(
    texts: Texts,
    settings: CheckSettings,
    *,
    baseline: ScoreResult | str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[CheckResult, ScoreResult]:
    """Return whether texts that are already read pass, and their scores; see `check`."""
    settings.scoring.check_single("the segments that lost most are explained by")
    result = score_texts(texts, settings.scoring, progress=progress)
    checks = [*_floors(texts, result, settings)]
    notes = [*result.notes]
    worse: list[WorseSegment] = []
    called = None
    if baseline is not None:
        called = "the baseline" if isinstance(baseline, ScoreResult) else fspath(baseline)
        known = baseline if isinstance(baseline, ScoreResult) else _saved_scores(called)
        losses = _Losses(texts, settings, result, known, called)
        checks += losses.checks()
        worse = losses.worse_segments({each.system for each in checks if not each.passed})
        notes += losses.notes
    found = CheckResult(
        systems=tuple(result.systems),
        segments=result.count,
        baseline=called,
        updated=False,
        alpha=settings.alpha,
        drop=settings.drop,
        checks=tuple(checks),
        worse=tuple(worse),
        signature=short_signature(result.signatures.values()),
        notes=tuple(dict.fromkeys(notes)),
    )
    return found, result


def check_report(
    texts: Texts, settings: CheckSettings, *, baseline: ScoreResult | str | Path | None = None
) -> SystemReport:
    """Return the report on outputs, each beside that of the baseline, unless links or trees are given."""
    known = None
    if baseline is not None and not (texts.links.any() or texts.trees):
        known = baseline if isinstance(baseline, ScoreResult) else _saved_scores(fspath(baseline))
    systems = dict(texts.systems)
    if known is not None and known.texts is not None:
        before = known.texts.systems
        systems = {
            name: lines
            for system, now in texts.systems.items()
            for name, lines in ((f"{system}, baseline", before.get(system)), (system, now))
            if lines is not None
        }
    return report_texts(replace(texts, systems=systems), settings.scoring)


def _saved_scores(path: str) -> ScoreResult:
    if not exists(path):
        raise InputError("there is no such baseline; kilter check --update writes one", where=path)
    found = load(path)
    if not isinstance(found, ScoreResult):
        raise InputError(f"holds no scores but a {type(found).__name__}", where=path)
    return found


def _floors(texts: Texts, result: ScoreResult, settings: CheckSettings) -> Iterator[Condition]:
    for name in (*settings.floors, *settings.ceilings):
        if _known(result, name) is None:
            raise OptionError(
                f"there is a limit of {name}, which is not scored; metrics are {', '.join(result.metrics)}"
            )
    for system, scores in result.systems.items():
        lines = texts.systems[system]
        if not any(line.strip() for line in lines):
            fault = f"all {counted(len(lines), 'line')} of it are empty"
            yield Condition(
                system=system,
                kind=CheckKind.INPUT,
                name="words",
                value=0,
                limit=1,
                passed=False,
                fault=fault,
            )
        yield from _limit_checks(system, scores, settings)
        if settings.evidence:
            yield _evidence_check(system, result, settings.evidence)


def _known(result: ScoreResult, name: str) -> str | None:
    try:
        return result.metrics[name].name
    except (KeyError, OptionError):
        return None


def _limit_checks(
    system: str, scores: ByMetric[Any], settings: CheckSettings
) -> Iterator[Condition]:
    limits = (
        (CheckKind.FLOOR, settings.floors, 1.0, "below"),
        (CheckKind.CEILING, settings.ceilings, -1.0, "above"),
    )
    for kind, by_metric, sign, side in limits:
        for name, limit in by_metric.items():
            scored = scores[name]
            passed = scored.value is not None and sign * (scored.value - limit) >= 0.0
            fault = "" if passed else f"{name} is missing: {scored.reason or 'undefined'}"
            if not passed and scored.value is not None:
                fault = f"{name} is {scored.value:.4f}, {side} {limit:g}"
            yield Condition(
                system=system,
                kind=kind,
                name=name,
                value=scored.value,
                limit=limit,
                passed=passed,
                fault=fault,
            )


def _evidence_check(system: str, result: ScoreResult, least: float) -> Condition:
    """Return whether of enough segments it is known in which order their words are."""
    share = _evidence(system, result)
    if share is None:
        raise OptionError("no metric tells of which segments the order is known; add -m order")
    passed = share >= least
    fault = (
        ""
        if passed
        else f"the order of words is known in {share:.0%} of the segments, below {least:.0%}"
    )
    return Condition(
        system=system,
        kind=CheckKind.EVIDENCE,
        name="segments with evidence",
        value=share,
        limit=least,
        passed=passed,
        fault=fault,
    )


def _evidence(system: str, result: ScoreResult) -> float | None:
    """Return the share of segments of whose order anything is known; None where no metric tells."""
    for name, facts in result.metrics.items():
        if facts.tool == "order":
            return float(1.0 - np.isnan(np.asarray(result.segment_arrays[name, system])).mean())
    for name in result.metrics:
        for parts in result.part_arrays.get((name, system), ()):
            return float(np.mean(np.asarray(parts.evidence) != 0))
    return None


def sign_test(worse: int, better: int) -> float:
    """Return the exact two-sided p-value of so many losses and gains, if either is as likely.

    >>> sign_test(8, 0), sign_test(3, 3)
    (0.0078125, 1.0)
    """
    many = worse + better
    tail = sum(comb(many, k) for k in range(max(worse, better), many + 1))
    return min(1.0, float(2 * tail / 2**many))


class _Losses:
    """Differences from a baseline: one test for each system and metric, and one of its segments."""

    def __init__(
        self,
        texts: Texts,
        settings: CheckSettings,
        result: ScoreResult,
        baseline: ScoreResult,
        called: str,
    ) -> None:
        check_same({called: baseline, _THIS: result})
        self._texts = texts
        self._settings = settings
        self._result = result
        self._baseline = baseline
        self._called = called
        self._metrics = [name for name in result.metrics if name in baseline.metrics]
        if not self._metrics:
            raise InputError(
                "has no metric of this run; update it, or name its metrics", where=called
            )
        new = [name for name in result.metrics if name not in baseline.metrics]
        self.notes = [f"{name}: not in {called}, and not compared with it" for name in new]
        new = [name for name in result.systems if name not in baseline.systems]
        self.notes += [f"{name}: not in {called}, and compared with nothing" for name in new]

    def checks(self) -> list[Condition]:
        """Return a check for each system of the baseline, by metric, and of its segments."""
        found: list[Condition] = []
        new = [name for name in self._result.systems if name not in self._baseline.systems]
        for system in self._baseline.systems:
            if system not in self._result.systems:
                fault = f"is in {self._called}, but not given"
                if new:  # which may be the same system in a file of another name
                    fault += f"; if {' or '.join(new)} is this system, add --name {system}"
                found.append(
                    Condition(
                        system=system,
                        kind=CheckKind.INPUT,
                        name="text",
                        value=None,
                        limit=None,
                        passed=False,
                        fault=fault,
                    )
                )
                continue
            found += self._of_system(system)
        corrected = iter(holm([each.p for each in found if each.kind is not CheckKind.INPUT]))
        return [
            each
            if each.kind is CheckKind.INPUT
            else self._decided(replace(each, p=next(corrected)))
            for each in found
        ]

    def _of_system(self, system: str) -> Iterator[Condition]:
        """Yield checks of a system that nobody has decided on yet, with their p-values by themselves."""
        sides = {
            name: replace(each, systems={system: each.systems[system]})
            for name, each in ((self._called, self._baseline), (_THIS, self._result))
        }
        compared = compare_results(
            sides,
            tests=[SignificanceTest.RANDOMISATION],
            resampling=self._settings.scoring.resampling,
        )
        for metric in compared.metrics:
            pair: Pair = metric.pairs[0]
            before, after = (each.value for each in metric.intervals)
            yield Condition(
                system=system,
                kind=CheckKind.LOSS,
                name=metric.name,
                value=after,
                limit=before,
                p=pair.p[SignificanceTest.RANDOMISATION],
            )
        worse, better = self._moved(system)
        yield Condition(
            system=system,
            kind=CheckKind.SEGMENTS,
            name=f"segments that lost {self._settings.drop:g} {self._metrics[0]}",
            value=len(worse),
            limit=self._settings.worse,
            p=sign_test(len(worse), better) if len(worse) + better else None,
        )

    def _decided(self, check: Condition) -> Condition:
        significant = check.p is not None and check.p < self._settings.alpha
        if check.kind is CheckKind.SEGMENTS:
            worse, better = self._moved(check.system)
            limit = self._settings.worse
            fault = f"{counted(len(worse), 'segment')} got badly worse, {better} as much better"
            if limit is not None and len(worse) > limit:
                return replace(check, passed=False, fault=f"{fault}; {limit} may")
            if limit is None and significant and len(worse) > better:
                return replace(check, passed=False, fault=fault)
            return check
        sign = 1.0 if self._result.metrics[check.name].higher_is_better else -1.0
        if check.value is None or check.limit is None:
            lost = check.value is None and check.limit is not None
            fault = f"{check.name} is missing, and was {check.limit:.4f}" if lost else ""
            return replace(check, passed=not lost, fault=fault)
        if significant and sign * (check.value - check.limit) < 0.0:
            fault = (
                f"{check.name} is {check.value:.4f}, and was {check.limit:.4f} (p = {check.p:.3f})"
            )
            return replace(check, passed=False, fault=fault)
        return check

    def _moved(self, system: str) -> tuple[NDArray[np.int64], int]:
        """Return the segments that got badly worse, the worst first, and how many got as much better."""
        gains = self._gains(system)
        worse = np.flatnonzero(gains <= -self._settings.drop)
        return worse[np.argsort(gains[worse], kind="stable")], int(
            (gains >= self._settings.drop).sum()
        )

    def _gains(self, system: str) -> NDArray[np.float64]:
        """Return by how much the first metric thinks better of each segment; no score is the worst one."""
        name = self._metrics[0]
        facts = self._result.metrics[name]
        sign = 1.0 if facts.higher_is_better else -1.0
        worst = facts.range[0] if facts.higher_is_better else facts.range[1]
        sides = [
            np.asarray(each.segment_arrays[name, system]) for each in (self._baseline, self._result)
        ]
        if isfinite(worst):
            sides = [np.where(np.isnan(side), worst, side) for side in sides]
        # What is 0.5 but for rounding is 0.5.
        found: NDArray[np.float64] = np.nan_to_num(sign * (sides[1] - sides[0])).round(12)
        return found

    def worse_segments(self, failed: set[str]) -> list[WorseSegment]:
        """Return segments that got badly worse, and of systems that failed those that lost most."""
        found: list[WorseSegment] = []
        for system in self._result.systems:
            if system not in self._baseline.systems:
                continue
            gains = self._gains(system)
            lowest = np.argsort(gains, kind="stable")[:_SHOWN]
            most = -self._settings.drop if system not in failed else -1e-9
            chosen = [place for place in lowest.tolist() if gains[place] <= most]
            if chosen:
                found += self._explained(system, chosen)
        return found

    def _explained(self, system: str, chosen: list[int]) -> Iterator[WorseSegment]:
        name = self._metrics[0]
        texts, known = self._texts, self._baseline.texts
        choice = SegmentChoice(segments=tuple(place + 1 for place in chosen))
        found = explain_texts(texts.of_systems([system]), self._settings.scoring, choice)
        by_segment = {each.segment: each for each in found}
        for place in chosen:
            before, after = (
                each.segment_arrays[name, system][place].item()
                for each in (self._baseline, self._result)
            )
            yield WorseSegment(
                system=system,
                segment=place + 1,
                metric=name,
                before=before if isfinite(before) else None,
                after=after if isfinite(after) else None,
                was=known.systems[system][place] if known else "",
                now=texts.systems[system][place],
                reference=next(iter(texts.references.values()))[place],
                explanation=tuple(_reasons(by_segment[place + 1])),
                file=texts.files.get(system, ""),
            )


def _reasons(explanation: Explanation) -> Iterator[str]:
    """Yield what is wrong with a segment: words that are out of place, that are missing, and that are too many."""
    errors = explanation.errors
    if errors is None:
        return
    for each in errors.errors[:_ERRORS]:
        yield short_error_text(each, explanation.hypothesis, explanation.misplaced)
    if len(errors.errors) > _ERRORS:
        yield f"and {counted(len(errors.errors) - _ERRORS, 'further order error')}"
    for places, words, what in (
        (errors.missing, explanation.reference, "not in the output"),
        (errors.added, explanation.hypothesis, "not in the reference"),
    ):
        if places:
            yield f"{what}: {', '.join(words[place] for place in places[:8])}" + ", …" * (
                len(places) > 8
            )
