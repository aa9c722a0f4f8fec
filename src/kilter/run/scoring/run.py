"""A run made ready: corpus, links, trees and metrics of texts, under their settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from kilter.aligners.registry import MONOLINGUAL, default_aligner
from kilter.aligners.registry import aligner as make_aligner
from kilter.core.evaluation import Evaluation
from kilter.core.language import base_language, check_knows
from kilter.core.link_rule import OrderRule
from kilter.core.links import (
    HYPOTHESIS_REFERENCE,
    SOURCE_HYPOTHESIS,
    SOURCE_REFERENCE,
    LinkOrigin,
)
from kilter.io.tokenizer import default_tokenizer
from kilter.metrics.metric import LinkUse
from kilter.parsers.encoder.meaning import meaning_identity, meaning_signature
from kilter.parsers.registry import parser as make_parser
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.links import (
    Links,
    MadeLinks,
    check_link_options,
    corpus_links,
    link_reaches,
)
from kilter.run.scoring.made_meanings import MadeMeanings
from kilter.run.scoring.metric_choice import (
    MEANING,
    REFERENCE_LINKS,
    SOURCE_LINKS,
    MetricChoice,
)
from kilter.run.scoring.settings import Configuration
from kilter.run.scoring.trees import TREE_NEEDS, check_tree_options, tree_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from kilter.aligners.aligner import Aligner
    from kilter.core.corpus import Corpus
    from kilter.core.dependency_tree_column import DependencyTreeSource
    from kilter.core.links import LinkBatch
    from kilter.metrics.metric import Metric
    from kilter.parsers.parser import Parser
    from kilter.run.scoring.links import CorpusLinks, LinkReach
    from kilter.run.scoring.settings import Settings


@dataclass(frozen=True, kw_only=True, eq=False)
class Tools:
    """What measures texts, chosen before a line of them is looked at."""

    metrics: dict[str, Metric]
    offered: set[str]
    """What the inputs hold, in the words of `Metric.needs`."""
    optional: set[str]
    """Metrics that are there because all were asked for."""
    source_links: frozenset[str]
    """Links of the source that an aligner makes, in the words of `Metric.needs`."""
    gives_links: bool
    """Whether links between hypothesis and reference are given, or follow from others that are."""
    aligners: tuple[Aligner, ...]
    parsers: tuple[Parser, ...]
    rule: OrderRule

    @classmethod
    def of(cls, texts: Texts, settings: Settings) -> Tools:
        """Return what these settings ask for, given which texts, links and trees there are."""
        rule = OrderRule.parse(settings.rule)
        check_link_options(texts.links, settings.aligners)
        check_tree_options(texts.trees, settings.parsers)
        chosen = MetricChoice.of(texts, settings)
        takers = [
            each for each in chosen.metrics.values() if "links" in each.needed(chosen.offered)
        ]  # where there is none, links are asked for by order errors alone, and these have their costs in order
        model = not takers or any(each.model_links for each in chosen.metrics.values())
        plain = default_aligner(settings.language) if model else MONOLINGUAL
        named = settings.aligners or (plain,)
        aligners = tuple(make_aligner(each, language=settings.language) for each in named)
        parsers = tuple(make_parser(each) for each in chosen.parsers)
        for parser in parsers:
            check_knows(parser, parser.known_language, base_language(settings.language))
        _check_models(chosen)
        return Tools(
            metrics=chosen.metrics,
            offered=chosen.offered,
            optional=chosen.optional,
            source_links=chosen.made_links,
            gives_links=bool(texts.links.hypothesis_reference or texts.links.through_source),
            aligners=aligners,
            parsers=parsers,
            rule=rule,
        )

    @cached_property
    def configurations(self) -> tuple[tuple[Configuration, ...], ...]:
        """For each aligner one with every parser, or one alone."""
        return tuple(
            tuple(Configuration(each, parser) for parser in self.parsers or (None,))
            for each in self.aligners
        )

    def uses_words(self) -> bool:
        """Return whether it matters to any metric how texts are split into words."""
        return any(each.uses_words() for each in self.metrics.values())

    def taking(self, needs: AbstractSet[str]) -> list[Metric]:
        """Return the metrics that look at any of these inputs."""
        return [each for each in self.metrics.values() if needs & set(each.needed(self.offered))]

    def uses(self, found: Metric) -> tuple[Configuration, ...]:
        """Return the configurations that a metric is measured in; one, unless it depends on several."""
        needed = set(found.needed(self.offered))
        makes_links = "links" in needed and not self.gives_links
        makes_links = makes_links or bool(needed & self.source_links)
        rows = self.configurations if makes_links else self.configurations[:1]
        return tuple(one for row in rows for one in (row if needed & TREE_NEEDS else row[:1]))

    @property
    def used_aligners(self) -> tuple[Aligner, ...]:
        """The aligners whose links a metric may look at; none, if no metric does."""
        return self.aligners if self.taking({"links", *self.source_links}) else ()

    @cached_property
    def runs_aligner(self) -> bool:
        """Whether a metric looks at links that are not given."""
        takers = any(self.takes_links(found) for found in self.metrics.values())
        return takers and not self.gives_links

    def takes_aligner(self, found: Metric) -> bool:
        """Return whether a metric looks at links that may be an aligner's, of the source too."""
        return self.takes_links(found) or bool(self.source_links & set(found.needed(self.offered)))

    def takes_links(self, found: Metric) -> bool:
        """Return whether a metric looks at links between hypothesis and reference."""
        return "links" in found.needed(self.offered)

    def takes_meaning(self, found: Metric) -> bool:
        """Return whether a metric looks at what word vectors say."""
        return MEANING in found.needed(self.offered)

    def takes_trees(self, found: Metric) -> bool:
        """Return whether a metric looks at dependency trees."""
        return bool(TREE_NEEDS & set(found.needed(self.offered)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Run(Tools):
    """What is measured, and with what."""

    texts: Texts
    corpus: Corpus
    trees: dict[Parser | None, DependencyTreeSource | None]
    """By the parser that makes those that are not given."""
    links: CorpusLinks
    reaches: tuple[LinkReach, ...]
    """Of links that are given, where it has to be asked which words they count."""
    made_links: MadeLinks
    meanings: MadeMeanings
    context: dict[str, str]
    """What of the whole run shows in signatures, but for an aligner that runs."""
    jobs: int

    @classmethod
    def of(cls, texts: Texts, settings: Settings, *, part: bool = False) -> Run:
        """Return the run that these texts and settings ask for; whatever is wrong with them is an error.

        Of texts that are `part` of larger ones it is not asked whether the tokeniser finds words, and whether links
        count them.
        """
        tools = Tools.of(texts, settings)
        corpus = build_corpus(
            texts,
            tokenize=chosen_tokenizer(settings, trees=bool(texts.trees)),
            language=settings.language,
            lowercase=settings.lowercase,
            empty=settings.empty,
            words=tools.uses_words() and not part,
        )
        trees = tree_sources(
            corpus,
            texts.trees,
            tools.parsers,
            called=texts.called,
            before=texts.before,
            jobs=settings.jobs,
            cache=settings.cache,
        )
        links = corpus_links(texts.links, corpus)
        reaches = []
        if settings.tokenize is None:
            reaches = link_reaches(links, corpus, joined=texts.links.through_source)
        for reach in [] if part else reaches:
            reach.check(corpus.tokenizer)
        run = cls(
            **{entry.name: getattr(tools, entry.name) for entry in fields(tools)},
            texts=texts,
            corpus=corpus,
            trees=dict(zip(tools.parsers or (None,), trees, strict=True)),
            links=links,
            reaches=tuple(reaches),
            made_links=MadeLinks(corpus, jobs=settings.jobs, cache=settings.cache),
            meanings=MadeMeanings(corpus, jobs=settings.jobs, cache=settings.cache),
            context=_context(corpus, texts.links, tools.rule),
            jobs=settings.jobs,
        )
        if run.runs_aligner:
            for each in tools.aligners:
                each.check_pairs_of_texts(len(corpus.systems) * len(corpus.references))
        return run

    def source_links_by(
        self, aligner: Aligner, place: int
    ) -> tuple[LinkBatch | None, tuple[LinkBatch, ...]]:
        """Return the links of the source with a system and with the references: given, made, or none."""
        given = self.links.source_hypothesis
        with_system, with_references = given[place] if given else None, self.links.source_reference
        corpus, made = self.corpus, self.made_links
        if SOURCE_LINKS in self.source_links:
            with_system = made.of_source(aligner, corpus.systems[place], SOURCE_HYPOTHESIS)
        if REFERENCE_LINKS in self.source_links:
            with_references = tuple(
                made.of_source(aligner, each, SOURCE_REFERENCE) for each in corpus.references
            )
        return with_system, with_references

    def evaluations_for(self, found: Metric) -> list[list[Evaluation]]:
        """Return what a metric looks at to score each system, in each of its configurations."""
        used = self.uses(found)
        systems = [SystemEvaluations(self, place) for place in range(len(self.corpus.systems))]
        return [[system.of(one) for one in used] for system in systems]

    def signature(
        self, found: Metric, evaluation: Evaluation, used: Sequence[Configuration]
    ) -> str:
        """Return the signature of a metric with what of the run applies to it."""
        makers = {}
        if self.takes_aligner(found):  # an aligner that nobody looks at need not be there
            makers["aligner"] = _joined(self._signed(each.aligner) for each in used)
        options = found.meaning_options() if self.takes_meaning(found) else None
        if options is not None:
            makers["vectors"] = meaning_signature(options)
        trees = [self.trees[one.parser] for one in used]
        if trees[0] is not None:
            makers["trees"] = _joined(each.signature() for each in trees if each)
        context = {**makers, **self.context}
        applying = {k: value for k, value in context.items() if self._applies(k, found)}
        return found.resolved(evaluation).signature(applying)

    def _signed(self, aligner: Aligner) -> str:
        """Return the signature of an aligner, with how much it learned from where that decides."""
        if not aligner.learns_from_all:
            return aligner.signature()
        corpus = self.corpus
        pairs = len(corpus.systems) * len(corpus.references) * len(corpus)
        earlier = self.made_links.earlier_pairs(aligner)
        more = f",earlier:{earlier}" if earlier else ""
        return f"{aligner.signature().removesuffix(')')},pairs:{pairs}{more})"

    def _applies(self, key: str, found: Metric) -> bool:
        """Return whether something of the whole run decides the scores of a metric."""
        if key == "rule":
            return self.takes_links(found) and found.link_use is LinkUse.ORDER
        if key == "case" and not self.corpus.lowercase:  # where links or words fold case
            made = not self.links.hypothesis_reference
            return self.takes_links(found) and (made or "text" in found.needs)
        if key == "aligner":
            return self.takes_aligner(found)
        if key == "trees":
            return self.takes_trees(found)
        if key == "refs":  # lexical scores pool references in their own ways
            return "links" in found.needs or self.takes_meaning(found)
        # What reads raw lines alone has its own words.
        return key != "tok" or "text" not in found.needs or "words" in found.needs


class SystemEvaluations:
    """What metrics look at to score one system, by configuration; links are made once for each aligner."""

    def __init__(self, run: Run, place: int) -> None:
        self._run = run
        self._place = place
        self._links: dict[Aligner, tuple[LinkBatch, ...]] = {}
        self._made: dict[Configuration, Evaluation] = {}

    def of(self, configuration: Configuration) -> Evaluation:
        """Return what metrics look at in a configuration."""
        if configuration not in self._made:
            run, corpus = self._run, self._run.corpus
            aligner = configuration.aligner
            source_links, reference_links = run.source_links_by(aligner, self._place)
            self._made[configuration] = Evaluation(
                vocabulary=corpus.vocabulary,
                hypothesis=corpus.systems[self._place],
                references=corpus.references,
                source=corpus.source,
                links=self._links_by(aligner),
                source_links=source_links,
                reference_links=reference_links,
                rule=run.rule,
                trees=run.trees[configuration.parser],
                meanings=run.meanings,
                jobs=run.jobs,
            )
        return self._made[configuration]

    def _links_by(self, aligner: Aligner) -> tuple[LinkBatch, ...]:
        run, corpus = self._run, self._run.corpus
        if run.links.hypothesis_reference:
            return run.links.hypothesis_reference[self._place]
        if not run.runs_aligner:
            return ()
        if aligner not in self._links:
            system = corpus.systems[self._place]
            made = []
            batches = run.made_links.of(aligner, self._place)
            for reference, batch in zip(corpus.references, batches, strict=True):
                texts = f"{run.texts.called(system.name)} and {reference.name}"
                origin = LinkOrigin(f"aligner {aligner.name} on {texts}", HYPOTHESIS_REFERENCE)
                made.append(replace(batch, origin=origin))
            self._links[aligner] = tuple(made)
        return self._links[aligner]

    def all_links(self) -> Iterator[LinkBatch]:
        """Yield all links that an aligner made."""
        for batches in self._links.values():
            yield from batches


def _check_models(chosen: MetricChoice) -> None:
    """Raise a `MissingToolError`, before anything is done, if the model of a metric is missing."""
    for found in chosen.metrics.values():
        options = found.meaning_options() if MEANING in found.needed(chosen.offered) else None
        if options is not None:
            meaning_identity(options)


def chosen_tokenizer(settings: Settings, *, trees: bool) -> str:
    """Return how words are split: as asked for, else as they stand for trees, or as the language asks."""
    return settings.tokenize or ("none" if trees else default_tokenizer(settings.language))


def _context(corpus: Corpus, given: Links, rule: OrderRule) -> dict[str, str]:
    """Return what of the whole run shows in signatures, but for aligners and parsers that run."""
    context: dict[str, str] = {}
    if given.hypothesis_reference or given.through_source:
        context["aligner"] = "given" if given.hypothesis_reference else "through-source"
    if rule != OrderRule():
        context["rule"] = rule.signature()
    if len(corpus.references) > 1:
        context["nrefs"] = str(len(corpus.references))
        context["refs"] = "best"
    context["tok"] = corpus.tokenizer
    if corpus.lowercase or corpus.vocabulary.turkic:
        kinds = ("lower", corpus.lowercase), ("turkish", corpus.vocabulary.turkic)
        context["case"] = "-".join(kind for kind, used in kinds if used)
    return context


def _joined(signatures: Iterable[str]) -> str:
    """Return what several configurations share once, else all of it."""
    return "+".join(dict.fromkeys(signatures))
