"""Hypotheses about variants of a metric from ranges of correlations over configurations. [TH] 7.1"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev

from kilter.stats.undefined import Undefined

Correlations = Mapping[str, Sequence[float]]
"""Correlations over configurations by variant, as [TH] calls them, or by baseline."""
DTED = ("b", "c", "co", "cl")
DERP = ("derp",)
STRUCTURED = DTED + DERP
VARIANTS = (*DTED, *(f"f{name}" for name in DTED), *DERP, *(f"f{name}" for name in DERP))
"""All variants; those with an f are flattened."""
_ALTERNATIVES = {
    "EVAL": "some variant outperforms every baseline",
    "STRUC": "some structured variant outperforms its flattened one",
    "ORD": "for some variant, order is at least as accurate as holistic",
    "EVAL_DTED": "some DTED variant outperforms every baseline",
    "EVAL_DERP": "some DERP variant outperforms every baseline",
    "EVAL_DD": "some DERP variant outperforms every DTED variant",
    "EVAL_CONF": "no variant differs between configurations by more than the threshold",
    "STRUC_ALL": "every structured variant outperforms its flattened one",
    "ORD_ALL": "for every variant, order is at least as accurate as holistic",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesisResult:
    """One row of the table: whether the alternative is supported, by which variants, and the numbers.

    `numbers` are margins by variant, positive where it supports the alternative: the smallest of the one
    side minus the largest of the other for "outperforms", the largest minus the smallest for "at least as
    accurate". For EVAL_CONF they are spreads by variant, and `threshold`.
    """

    id: str
    alternative: str
    supported: bool | Undefined
    variants: tuple[str, ...] = ()
    numbers: Mapping[str, float]

    @property
    def result(self) -> str:
        """What the table prints: null rejected, or not rejected."""
        if isinstance(self.supported, Undefined):
            return str(self.supported)
        return "null rejected" if self.supported else "not rejected"


def hypotheses(
    order: Correlations, holistic: Correlations, baselines: Correlations
) -> tuple[HypothesisResult, ...]:
    """Return the nine hypotheses; `baselines` are correlations with the question of order.

    Variants without correlations are left out; a hypothesis about nothing is undefined.
    """
    by_order = {name: order[name] for name in VARIANTS if order.get(name)}
    by_holistic = {name: holistic[name] for name in VARIANTS if holistic.get(name)}
    dted = {name: values for name, values in by_order.items() if not name.endswith("derp")}
    derp = {name: values for name, values in by_order.items() if name.endswith("derp")}
    known = {name: values for name, values in baselines.items() if values}
    structure = {
        name: min(by_order[name]) - max(by_order[f"f{name}"])
        for name in STRUCTURED
        if name in by_order and f"f{name}" in by_order
    }
    questions = {
        name: max(values) - min(by_holistic[name])
        for name, values in by_order.items()
        if name in by_holistic
    }
    return (
        _some("EVAL", _margins(by_order, known), "no variant and baseline to compare"),
        _some("STRUC", structure, "no variant was scored both structured and flattened"),
        _some("ORD", questions, "no variant has correlations with both questions"),
        _some("EVAL_DTED", _margins(dted, known), "no variant of DTED and baseline to compare"),
        _some("EVAL_DERP", _margins(derp, known), "no variant of DERP and baseline to compare"),
        _some("EVAL_DD", _margins(derp, dted), "no variants of DERP and DTED to compare"),
        _configurations(by_order),
        _every("STRUC_ALL", structure, "no variant was scored both structured and flattened"),
        _every("ORD_ALL", questions, "no variant has correlations with both questions"),
    )


def stated_hypothesis(
    name: str, claim: str, better: Correlations, others: Correlations
) -> HypothesisResult:
    """Return whether some tool outperforms all others, by the smallest and largest of their correlations.

    >>> found = stated_hypothesis("H1", "b is best", {"b": [0.4, 0.5]}, {"c": [0.3]})
    >>> found.result, found.variants, round(found.numbers["b"], 3)
    ('null rejected', ('b',), 0.1)
    """
    known = {tool: values for tool, values in better.items() if values}
    margins = _margins(known, {tool: values for tool, values in others.items() if values})
    found = tuple(tool for tool, margin in margins.items() if margin > 0)
    supported = bool(found) if margins else Undefined("no two of these tools have a correlation")
    return HypothesisResult(
        id=name, alternative=claim, supported=supported, variants=found, numbers=margins
    )


def _margins(variants: Correlations, others: Correlations) -> dict[str, float]:
    """Return by how much each variant outperforms the best of the others."""
    if not others:
        return {}
    best = max(max(values) for values in others.values())
    return {name: min(values) - best for name, values in variants.items()}


def _some(name: str, margins: Mapping[str, float], reason: str) -> HypothesisResult:
    better = tuple(variant for variant, margin in margins.items() if margin > 0)
    return _result(name, bool(better) if margins else Undefined(reason), better, margins)


def _every(name: str, margins: Mapping[str, float], reason: str) -> HypothesisResult:
    better = tuple(variant for variant, margin in margins.items() if margin > 0)
    supported = len(better) == len(margins) if margins else Undefined(reason)
    return _result(name, supported, better, margins)


def _configurations(order: Correlations) -> HypothesisResult:
    structured = [value for name in STRUCTURED for value in order.get(name, ())]
    spreads = {name: max(values) - min(values) for name, values in order.items()}
    if len(structured) < 2 or max(map(len, order.values())) < 2:
        reason = Undefined("no structured variant was scored in two configurations")
        return _result("EVAL_CONF", reason, (), spreads)
    threshold = stdev(structured)
    steady = tuple(name for name, spread in spreads.items() if spread <= threshold)
    numbers = {**spreads, "threshold": threshold}
    return _result("EVAL_CONF", len(steady) == len(spreads), steady, numbers)


def _result(
    name: str,
    supported: bool | Undefined,  # noqa: FBT001 - one cell of a table
    variants: tuple[str, ...],
    numbers: Mapping[str, float],
) -> HypothesisResult:
    return HypothesisResult(
        id=name,
        alternative=_ALTERNATIVES[name],
        supported=supported,
        variants=variants,
        numbers=numbers,
    )
