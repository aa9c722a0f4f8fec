"""Which metrics are measured: those that are named, or all that the inputs allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.errors import OptionError, Setting
from kilter.metrics.registry import metric, metric_class, metric_names
from kilter.pipeline.scoring.trees import TREE_NEEDS
from kilter.structures.text.language import base_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.metrics.metric import Metric
    from kilter.pipeline.scoring.corpus import Texts
    from kilter.pipeline.scoring.settings import Settings

DEFAULT_PARSER = "model"
PARSED_LANGUAGE = "en"


def available(texts: Texts) -> set[str]:
    """Return what the inputs offer to metrics, in the words of `Metric.needs`."""
    offered = {"words", "text", "links"}
    if texts.source is not None:
        offered.add("source")
    if texts.links.source_hypothesis:
        offered.add("source-links")
    if texts.links.source_reference:
        offered.add("reference-links")
    return offered | texts.trees.offered()


@dataclass(frozen=True, kw_only=True)
class MetricChoice:
    """What a run measures, with what trees."""

    metrics: dict[str, Metric]
    parsers: tuple[str, ...]
    """Those of the settings, or the one that a named metric needs."""
    offered: set[str]
    """What the inputs hold, in the words of `Metric.needs`."""
    optional: set[str]
    """Metrics that are there because all were asked for."""

    @classmethod
    def of(cls, texts: Texts, settings: Settings) -> MetricChoice:
        """Return what texts and settings ask for; what cannot be had is an `OptionError`."""
        offered, parsers = available(texts), settings.parsers
        named = [metric(each) for each in settings.specifications if each != "all"]
        if not parsers and not texts.trees:
            parsers = default_parsers(named, offered, settings.language)
        if parsers:
            offered |= TREE_NEEDS
        chosen = choose_metrics(settings.specifications, offered)
        optional = set(chosen) - {each.specification() for each in named}
        return cls(metrics=chosen, parsers=parsers, offered=offered, optional=optional)


def choose_metrics(specifications: Sequence[str], offered: set[str]) -> dict[str, Metric]:
    """Return the metrics by specification; one that needs what is not given is an `OptionError`."""
    chosen: dict[str, Metric] = {}
    for specification in specifications:
        if specification == "all":
            for name in metric_names():
                found = metric_class(name)()
                missing = set(found.needed(offered)) - offered
                variant = found.without(missing) if missing else found
                if found.in_all and variant is not None:
                    chosen.setdefault(variant.specification(), variant)
            continue
        made = metric(specification)
        lacking = sorted(set(made.needed(offered)) - offered)
        if lacking:
            if TREE_NEEDS & set(lacking):
                raise OptionError(
                    f"{made.name} needs {_lacking(lacking)}; give all of them, or let a parser make them:",
                    advice=Setting("parser", DEFAULT_PARSER),
                )
            raise OptionError(f"{made.name} needs {_lacking(lacking)}")
        chosen[made.specification()] = made
    if not chosen:
        raise OptionError("there is no metric to compute; name at least one, or all")
    return chosen


def default_parsers(
    named: Iterable[Metric], offered: set[str], language: str | None
) -> tuple[str, ...]:
    """Return the embedded parser if a metric that is named needs trees that are not there, else none."""
    for made in named:
        if set(made.needed(offered)) & TREE_NEEDS - offered:
            if base_language(language) in (None, PARSED_LANGUAGE):
                return (DEFAULT_PARSER,)
            raise OptionError(
                f"{made.name} needs trees, and the embedded parser knows English only, not "
                f"{language}; name another parser, or give trees"
            )
    return ()


_INPUTS = {
    "source": "the source text",
    "source-links": "links of source and hypothesis",
    "reference-links": "links of source and reference",
    "trees": "dependency trees of each system and reference",
    "reference-trees": "dependency trees of each reference",
}


def _lacking(missing: Sequence[str]) -> str:
    """Return what is not given, in words."""
    verb = "are" if len(missing) > 1 or missing[0].endswith("s") else "is"
    words = [f"{need} ({_INPUTS[need]})" if need in _INPUTS else need for need in missing]
    return f"{' and '.join(words)}, which {verb} not given"
