"""Which metrics are measured: those that are named, or all that the inputs allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.aligners.registry import ALIGNERS, BILINGUAL
from kilter.core.errors import OptionError, Remedy, Setting
from kilter.core.language import base_language
from kilter.core.registry import split_specification
from kilter.metrics.registry import METRICS, group_names, is_group, metric_class
from kilter.run.scoring.trees import TREE_NEEDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.metrics.metric import Metric
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.settings import Settings

DEFAULT_PARSER = "model"
MEANING = "meaning"
"""What word vectors say about hypothesis and reference, in the words of `Metric.needs`; the embedded model says
it of any text in its language."""
PARSED_LANGUAGE = "en"
SOURCE_LINKS, REFERENCE_LINKS = "source-links", "reference-links"
_LINKS = {SOURCE_LINKS: "source-hypothesis", REFERENCE_LINKS: "source-reference"}
"""Which links of the source are which of the inputs."""


def available(texts: Texts) -> set[str]:
    """Return what the inputs offer to metrics, in the words of `Metric.needs`."""
    offered = {"words", "text", "links", MEANING}
    if texts.source is not None:
        offered.add("source")
    if texts.links.source_hypothesis:
        offered.add(SOURCE_LINKS)
    if texts.links.source_reference:
        offered.add(REFERENCE_LINKS)
    return offered | texts.trees.offered()


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricChoice:
    """What a run measures, with what trees."""

    metrics: dict[str, Metric]
    parser_names: tuple[str, ...]
    """Those of the settings, or the one that a named metric needs."""
    offered: set[str]
    """What the inputs hold, in the words of `Metric.needs`."""
    optional: set[str]
    """Metrics that are there because a group was asked for."""
    source_links: frozenset[str] = frozenset()
    """Links of the source that an aligner makes, in the words of `Metric.needs`."""

    @classmethod
    def of(cls, texts: Texts, settings: Settings) -> MetricChoice:
        """Return what texts and settings ask for; what cannot be had is an `OptionError`."""
        offered, parsers, language = available(texts), settings.parsers, settings.language
        names = [each for each in settings.specifications if not is_group(each)]
        named = [METRICS.make(each, language=language) for each in names]
        if not parsers and not texts.trees:
            parsers = default_parsers(named, offered, language)
        if parsers:
            offered |= TREE_NEEDS
        made = _made_links(named, offered, settings.aligners)
        offered |= made
        chosen = choose_metrics(settings.specifications, offered, language=language)
        optional = set(chosen) if any(map(is_group, settings.specifications)) else set()
        for each, own in zip(names, named, strict=True) if optional else ():
            plain = plain_name(own, each, language=language)
            optional.discard(metric_name(own, plain, language=language))
        return cls(
            metrics=chosen,
            parser_names=parsers,
            offered=offered,
            optional=optional,
            source_links=made,
        )


def _made_links(
    named: Iterable[Metric], offered: set[str], aligners: Sequence[str]
) -> frozenset[str]:
    """Return the links of the source that a named metric lacks and the named aligners can make."""
    if "source" not in offered or not aligners:
        return frozenset()
    lacking = {need for made in named for need in made.needed(offered)} & set(_LINKS) - offered
    if not lacking:
        return frozenset()
    between = all(not ALIGNERS.find(name.partition(":")[0]).monolingual for name in aligners)
    return frozenset(lacking) if between else frozenset()


def choose_metrics(
    specifications: Sequence[str], offered: set[str], *, language: str | None = None
) -> dict[str, Metric]:
    """Return the metrics by specification; one that needs what is not given is an `OptionError`.

    The specifications are those that were asked for; what the language adds is in the metrics alone.
    """
    chosen: dict[str, Metric] = {}
    for specification in specifications:
        if is_group(specification):
            for name, variant in _group_metrics(specification, offered, language):
                chosen.setdefault(name, variant)
            continue
        made = METRICS.make(specification, language=language)
        lacking = sorted(set(made.needed(offered)) - offered)
        if lacking:
            if TREE_NEEDS & set(lacking):
                raise OptionError(
                    f"{made.name} needs {_lacking(lacking)}; give all of them, or let a parser make them:",
                    advice=Setting("parser", DEFAULT_PARSER),
                )
            if not set(lacking) <= {"source", *_LINKS}:
                raise OptionError(f"{made.name} needs {_lacking(lacking)}")
            pronoun = "them" if _is_plural(lacking) else "it"
            raise OptionError(
                f"{made.name} needs {_lacking(lacking)}; give {pronoun} beside texts with",
                advice=_given_by(lacking),
            )
        if MEANING in made.needed(offered) and not _in_english(language):
            raise OptionError(
                f"{made.name} needs word vectors, and the embedded model knows English only, not {language}; "
                "leave out the option that asks for them"
            )
        plain = plain_name(made, specification, language=language)
        chosen[metric_name(made, plain, language=language)] = made
    if not chosen:
        raise OptionError("there is no metric to compute; name at least one, or all")
    return chosen


def plain_name(made: Metric, asked: str, *, language: str | None) -> str:
    """Return what was asked for as short as it can be written, without what the language adds.

    Nothing is made anew for it: a file of weights may suit one model alone.
    """
    options = made.changed_options(without=_open_options(made, asked, language))
    return ":".join(filter(None, [made.name, options]))


def metric_name(made: Metric, name: str, *, language: str | None) -> str:
    """Return the specification that makes a metric under this language: the name, if it is enough.

    A default that was named against the language (`kilter:encoder=none` of English texts) stays named.
    """
    added = _open_options(made, name, language)
    if not added:
        return name
    options = made.options()
    against = [f"{key}={options[key]}" for key, value in added.items() if options[key] != value]
    if not against:
        return name
    return f"{made.name}:{','.join(filter(None, [*against, made.changed_options(without=added)]))}"


def _open_options(made: Metric, name: str, language: str | None) -> dict[str, str]:
    """Return the options that the language gives to what a name leaves open."""
    base = base_language(language)
    if base is None:
        return {}
    _, named = split_specification(name, METRICS.noun)
    return {key: v for key, v in made.language_options(base).items() if key not in named}


def _group_metrics(
    group: str, offered: set[str], language: str | None
) -> Iterator[tuple[str, Metric]]:
    """Yield every metric of a group that the inputs allow, under the name that it has without a language."""
    for name in group_names(group):
        found = METRICS.make(name, language=language)
        missing = set(found.needed(offered)) - offered
        variant, plain = (
            each.without(missing) if missing else each for each in (found, metric_class(name)())
        )
        if variant is not None:
            yield (plain or variant).specification(), variant


def _in_english(language: str | None) -> bool:
    """Return whether texts are in English, as the embedded model needs it, or in a language that nobody named."""
    return base_language(language) in (None, PARSED_LANGUAGE)


def default_parsers(
    named: Iterable[Metric], offered: set[str], language: str | None
) -> tuple[str, ...]:
    """Return the embedded parser if a metric that is named needs trees that are not there, else none."""
    for made in named:
        if set(made.needed(offered)) & TREE_NEEDS - offered:
            if _in_english(language):
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
    MEANING: "word vectors of the embedded model",
}


def _given_by(missing: Sequence[str]) -> Remedy:
    """Return how inputs are given."""
    own = ["source"] if "source" in missing else []
    links = [name for need, name in _LINKS.items() if need in missing]
    held = ", ".join(f"{name.replace('-', '_')}=..." for name in links)
    arguments = [f"{name}=..." for name in own] + ([f"links=kilter.Links({held})"] if links else [])
    options = [f"--{name} FILE" for name in own] + [f"--links-{name} FILE" for name in links]
    given = Remedy(" and ".join(arguments), " and ".join(options))
    if not links:
        return given
    return Remedy(
        f"{given.argument}, or let an aligner link the source: source=..., aligner='{BILINGUAL}'",
        f"{given.option}, or let an aligner link the source: --source FILE --aligner {BILINGUAL}",
    )


def _is_plural(missing: Sequence[str]) -> bool:
    return len(missing) > 1 or missing[0].endswith("s")


def _lacking(missing: Sequence[str]) -> str:
    """Return what is not given, in words."""
    verb = "are" if _is_plural(missing) else "is"
    words = [f"{need} ({_INPUTS[need]})" if need in _INPUTS else need for need in missing]
    return f"{' and '.join(words)}, which {verb} not given"
