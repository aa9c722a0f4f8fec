"""A run made ready: corpus, links, trees and metrics of texts, under their settings."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import product, starmap
from typing import TYPE_CHECKING

from kilter.aligners.registry import MONOLINGUAL, default_aligner
from kilter.aligners.registry import aligner as make_aligner
from kilter.core.evaluation import Evaluation
from kilter.core.language import base_language
from kilter.core.link_rule import OrderRule
from kilter.core.links import (
    HYPOTHESIS_REFERENCE,
    SOURCE_HYPOTHESIS,
    SOURCE_REFERENCE,
    LinkOrigin,
)
from kilter.core.registry import check_knows, default_options
from kilter.io.tokenizer import default_tokenizer
from kilter.metrics.metric import LinkUse
from kilter.parsers.encoder.meaning import meaning_identity, meaning_signature
from kilter.parsers.registry import PARSERS
from kilter.run.cache.kept_meaning import MadeMeanings
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.links import (
    MadeLinks,
    check_link_options,
    corpus_links,
    link_reaches,
)
from kilter.run.scoring.metric_choice import (
    MEANING,
    REFERENCE_LINKS,
    SOURCE_LINKS,
    MetricChoice,
)
from kilter.run.scoring.settings import Configuration
from kilter.run.scoring.trees import TREE_NEEDS, check_tree_options, tree_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.aligners.aligner import Aligner
    from kilter.core.corpus import Corpus
    from kilter.core.dependency_tree_column import DependencyTreeSource
    from kilter.core.links import LinkBatch
    from kilter.metrics.metric import Metric
    from kilter.parsers.parser import Parser
    from kilter.run.scoring.links import CorpusLinks, LinkReach
    from kilter.run.scoring.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricUse:
    """What a metric looks at in a run, and in which configurations it is measured."""

    takes_links: bool
    """Links between hypothesis and reference, ..."""
    takes_order: bool
    """... in the order that the rule makes of them."""
    takes_aligner: bool
    """Links that may be an aligner's, of the source too."""
    takes_meaning: bool
    """What word vectors say."""
    takes_trees: bool
    configurations: tuple[Configuration, ...]
    """One for each aligner and parser that it depends on, else the first alone."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Tools(MetricChoice):
    """What measures texts, chosen before a line of them is looked at."""

    gives_links: bool
    """Whether links between hypothesis and reference are given, or follow from others that are."""
    aligners: tuple[Aligner, ...]
    parsers: tuple[Parser, ...]
    rule: OrderRule
    _uses: dict[Metric, MetricUse] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, texts: Texts, settings: Settings) -> Tools:
        """Return what these settings ask for, given which texts, links and trees there are."""
        rule = OrderRule.parse(settings.rule)
        check_link_options(texts.links, settings.aligners)
        check_tree_options(texts.trees, settings.parsers)
        chosen = MetricChoice.of(texts, settings)
        takers = models = False
        for metric in chosen.metrics.values():
            takers = takers or "links" in metric.needed(chosen.offered)
            models = models or metric.model_links
        # Where none takes links, they are asked for by order errors alone, and these have their costs in order.
        with_model = models or not takers
        plain = default_aligner(settings.language) if with_model else MONOLINGUAL
        aligners = tuple(
            make_aligner(each, language=settings.language) for each in settings.aligners or (plain,)
        )
        parsers = tuple(map(PARSERS.make, chosen.parser_names))
        for parser in parsers:
            check_knows(parser, parser.known_language, base_language(settings.language))
        _check_models(chosen)
        return Tools(
            **vars(chosen),
            gives_links=bool(texts.links.hypothesis_reference or texts.links.through_source),
            aligners=aligners,
            parsers=parsers,
            rule=rule,
        )

    @property
    def first_configuration(self) -> Configuration:
        """The configuration of what is measured in one only."""
        return Configuration(self.aligners[0], self.parsers[0] if self.parsers else None)

    def uses_words(self) -> bool:
        """Return whether it matters to any metric how texts are split into words."""
        return any(each.uses_words() for each in self.metrics.values())

    def use(self, metric: Metric) -> MetricUse:
        """Return what a metric looks at."""
        if metric not in self._uses:
            needs = {*metric.needed(self.offered)}
            links, trees = "links" in needs, not TREE_NEEDS.isdisjoint(needs)
            of_source = not self.source_links.isdisjoint(needs)
            several = (links and not self.gives_links) or of_source
            aligners = self.aligners if several else self.aligners[:1]
            parsers = self.parsers or (None,)
            self._uses[metric] = MetricUse(
                takes_links=links,
                takes_order=links and metric.link_use is LinkUse.ORDER,
                takes_aligner=links or of_source,
                takes_meaning=MEANING in needs,
                takes_trees=trees,
                configurations=tuple(
                    starmap(Configuration, product(aligners, parsers if trees else parsers[:1]))
                ),
            )
        return self._uses[metric]

    @property
    def used_aligners(self) -> tuple[Aligner, ...]:
        """The aligners whose links a metric may look at; none, if no metric does."""
        used = any(self.use(metric).takes_aligner for metric in self.metrics.values())
        return self.aligners if used else ()

    @cached_property
    def runs_aligner(self) -> bool:
        """Whether a metric looks at links that are not given."""
        return not self.gives_links and any(
            self.use(metric).takes_links for metric in self.metrics.values()
        )


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
    given_links: str
    """How signatures call links that no aligner makes: given, through-source, or nothing."""
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
            **{entry.name: getattr(tools, entry.name) for entry in fields(tools) if entry.init},
            texts=texts,
            corpus=corpus,
            trees=dict(zip(tools.parsers or (None,), trees, strict=True)),
            links=links,
            reaches=tuple(reaches),
            made_links=MadeLinks(corpus, jobs=settings.jobs, cache=settings.cache),
            meanings=MadeMeanings(corpus, jobs=settings.jobs, cache=settings.cache),
            given_links="given"
            if texts.links.hypothesis_reference
            else "through-source" * texts.links.through_source,
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
        used = self.use(found).configurations
        systems = [SystemEvaluations(self, place) for place in range(len(self.corpus.systems))]
        return [[system.of(one) for one in used] for system in systems]

    def signature(
        self, found: Metric, evaluation: Evaluation, used: Sequence[Configuration]
    ) -> str:
        """Return the signature of a metric with what of the run applies to it."""
        use, corpus = self.use(found), self.corpus
        reads_words = "text" not in found.needs or "words" in found.needs
        context = {}
        if use.takes_aligner and self.given_links:
            context["aligner"] = self.given_links
        elif use.takes_aligner:  # an aligner that nobody looks at need not be there
            # What several configurations share is said once.
            made = dict.fromkeys(self._signed(each.aligner) for each in used)
            context["aligner"] = "+".join(made)
        options = found.meaning_options() if use.takes_meaning else None
        if options is not None:
            context["vectors"] = meaning_signature(options)
        trees = [self.trees[one.parser] for one in used] if use.takes_trees else []
        if any(trees):
            context["trees"] = "+".join(dict.fromkeys(each.signature() for each in trees if each))
        if use.takes_order and self.rule != OrderRule():
            context["rule"] = self.rule.signature()
        if len(corpus.references) > 1:
            context["nrefs"] = str(len(corpus.references))
            if "links" in found.needs or use.takes_meaning:
                context["refs"] = "best"  # lexical scores pool references in their own ways
        if reads_words:  # what reads raw lines alone has its own words
            context["tok"] = corpus.tokenizer
        # Where links or words fold case.
        folds = use.takes_links and (not self.links.hypothesis_reference or "text" in found.needs)
        if corpus.lowercase or (corpus.vocabulary.turkic and folds):
            kinds = ("lower", corpus.lowercase), ("turkish", corpus.vocabulary.turkic)
            context["case"] = "-".join(kind for kind, is_used in kinds if is_used)
        return found.resolved(evaluation).signature(context)

    def _signed(self, aligner: Aligner) -> str:
        """Return the signature of an aligner, with how much it learned from where that decides."""
        if not aligner.learns_from_all:
            return aligner.signature()
        corpus = self.corpus
        pairs = len(corpus.systems) * len(corpus.references) * len(corpus)
        earlier = self.made_links.earlier_pairs(aligner)
        more = f",earlier:{earlier}" if earlier else ""
        return f"{aligner.signature().removesuffix(')')},pairs:{pairs}{more})"


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


def effect_notes(run: Tools, settings: Settings) -> Iterator[str]:
    """Yield a note for a rule, an aligner, a parser or an option that was chosen and that no metric looks at.

    Whoever chooses one expects another score; that it stays the same could be taken for a finding. It is no
    error: the same settings may be those of several runs, of which others look at it.
    """
    yield from structure_notes(run, settings)
    for found in run.metrics.values():
        idle = found.idle_options()
        defaults = default_options(type(found)) if idle else {}
        for name, value in found.options().items() if idle else ():
            if name in idle and value != defaults[name]:
                yield f"{name} has no effect on {found.decided()}"


def structure_notes(run: Tools, settings: Settings) -> Iterator[str]:
    """Yield a note for a rule, an aligner or a parser that no metric looks at."""
    uses = [run.use(found) for found in run.metrics.values()]
    if run.rule != OrderRule() and not any(use.takes_order for use in uses):
        yield _without_effect(f"rule {settings.rule}", "an order of links")
    if settings.aligners and not any(use.takes_aligner for use in uses):
        yield _without_effect(f"aligner {settings.aligners[0]}", "links")
    if settings.parsers and not any(use.takes_trees for use in uses):
        yield _without_effect(f"parser {settings.parsers[0]}", "trees")


def _without_effect(option: str, what: str) -> str:
    return f"the {option} has no effect: no metric looks at {what} that it could change"
