"""`kilter preorder` in Python: parsers and rules that bring a source into the order of the target.

>>> import kilter
>>> trees = kilter.parse(["Anna reads a long letter ."], tokenize="none")
>>> kilter.reorder.lines(kilter.preorder.apply(trees, "en-verb-final"))
['Anna a long letter reads .']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import OptionError
from kilter.core.reordering import PrintedOrder
from kilter.core.settings import checked, taken, takes
from kilter.io.conllu import Treebank, detailed, read_conllu, read_trees
from kilter.io.reordering import printed_order
from kilter.metrics.tied_order import Matching
from kilter.preordering.dependency_tree_order import reorder_trees
from kilter.preordering.rule_file import as_rule_set, load_rule_set, shipped_names
from kilter.preordering.rule_set import RuleSet
from kilter.results.preordering import (
    AnalysisResult,
    PreorderEvaluation,
    PreorderExplanation,
    RuleSearchResult,
    SelfTrainingResult,
)
from kilter.results.rated_systems import RatedSystems
from kilter.run.meta.rated_systems import rated_systems
from kilter.run.preordering.analyse import AnalyseSettings, analyse_preorder
from kilter.run.preordering.evaluate import evaluate_preorder
from kilter.run.preordering.explain import explain_preorder
from kilter.run.preordering.search import SearchSettings, search_rules
from kilter.run.preordering.select import Selection, SelectSettings, select_parses, write_selection
from kilter.run.preordering.self_training import self_train
from kilter.run.preordering.self_training_data import (
    SelfTrainingData,
    SelfTrainingSettings,
    Sentences,
)
from kilter.run.reordering.score import score_reorderings
from kilter.stats.resampling import Resampling

__all__ = [
    "analyse",
    "apply",
    "evaluate",
    "explain",
    "ratings",
    "rules",
    "search",
    "select",
    "selftrain",
    "write",
]


@checked
def apply(
    trees: DependencyTreeColumn | Treebank | str, rules: RuleSet | str, *, jobs: int = 1
) -> PrintedOrder:
    """Return the sentences of trees in the order of the rules; the first parse of each counts.

    Trees are what `kilter.parse` or `kilter.read_conllu` returns, or the name of a CoNLL-U file; rules a
    `RuleSet`, the name of one that comes with Kilter, or of a `.toml` file.
    """
    column = _column(trees)
    order = reorder_trees(column, as_rule_set(rules), jobs=jobs)
    return PrintedOrder.of("reorderings", order, column.sentences())


@checked
@takes(Matching)
def evaluate(
    parses: Mapping[str, DependencyTreeColumn | Treebank | str],
    rules: RuleSet | str | Sequence[RuleSet | str],
    reference: object,
    *,
    gold: DependencyTreeColumn | Treebank | str | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    settings: Matching | None = None,
    **keywords: object,
) -> PreorderEvaluation:
    """Return the scores of every parser x rule set against reference reorderings, all pairs compared.

    `parses` are trees of one source by the names of their parsers, as `apply` takes them; `reference` is
    as in `kilter.reorder.score`. With `gold` trees, parsers are measured against these, too.
    """
    options = taken(Matching, settings, keywords)
    return evaluate_preorder(
        {name: _column(each) for name, each in parses.items()},
        [rules] if isinstance(rules, (RuleSet, str)) else list(rules),
        printed_order(reference, where="reference"),
        metrics=options.parsing_metrics(),
        gold=None if gold is None else _column(gold),
        resampling=resampling,
        jobs=jobs,
    )


@checked
@takes(AnalyseSettings)
def analyse(
    parses: Mapping[str, DependencyTreeColumn | Treebank | str],
    rules: RuleSet | str | Sequence[RuleSet | str],
    reference: object,
    *,
    gold: DependencyTreeColumn | Treebank | str | None = None,
    resampling: Resampling | None = None,
    jobs: int = 1,
    settings: AnalyseSettings | None = None,
    **keywords: object,
) -> AnalysisResult:
    """Return the words, classes of words, sentences and rules that cost most, of one parser or two.

    There are at most `top` rows of each analysis, and of each kind of class; 0 is all of them. `sort` says what comes
    first of words and classes: `wrong-pairs`, `misordered`, `rate` or `count`. Two rule sets are compared.
    """
    options = taken(AnalyseSettings, settings, keywords)
    return analyse_preorder(
        {name: _column(each) for name, each in parses.items()},
        rules,
        printed_order(reference, where="reference"),
        settings=options,
        gold=None if gold is None else _column(gold),
        resampling=resampling,
        jobs=jobs,
    )


@checked
@takes(Matching)
def explain(
    trees: DependencyTreeColumn | Treebank | str,
    rules: RuleSet | str | Sequence[RuleSet | str],
    *,
    segment: int,
    reference: object = None,
    settings: Matching | None = None,
    **keywords: object,
) -> PreorderExplanation:
    """Return what rules do with one sentence, counted from 1: those that fired, and what each moved.

    Two rule sets, such as a file before and after an edit, are compared. Trees and rules are as in
    `apply`; with a `reference`, as in `evaluate`, the sentence is scored, too.
    """
    options = taken(Matching, settings, keywords)
    sets = [rules] if isinstance(rules, (RuleSet, str)) else list(rules)
    return explain_preorder(
        _column(trees),
        sets,
        segment=segment,
        reference=None if reference is None else printed_order(reference, where="reference"),
        metric=options.frs(),
    )


@checked
@takes(SelectSettings)
def select(
    trees: Treebank | str | Sequence[Treebank | str],
    rules: RuleSet | str,
    reference: object,
    *,
    jobs: int = 1,
    settings: SelectSettings | None = None,
    **keywords: object,
) -> Selection:
    """Return for each sentence the parse whose reordering scores best; `write` writes them.

    `trees` are n-best parses, or a treebank or file for each rank.
    """
    options = taken(SelectSettings, settings, keywords)
    return select_parses(
        _banks(trees),
        rules,
        printed_order(reference, where="reference"),
        metric=options.matching.frs(),
        minimum=options.minimum,
        changed_only=options.changed_only,
        jobs=jobs,
    )


@checked
@takes(SearchSettings)
def search(
    trees: DependencyTreeColumn | Treebank | str,
    reference: object,
    *,
    rules: RuleSet | str | None = None,
    jobs: int = 1,
    settings: SearchSettings | None = None,
    **keywords: object,
) -> tuple[RuleSet, RuleSearchResult]:
    """Return rules that score better than `rules`, or than none, and the steps that led to them.

    Held-out sentences are scored at every step and decide nothing; cross-validation on the others, in `folds`
    parts (0: none), decides how small a gain may be. Rules with `lemmas` need trees that have them; parsers give none.
    """
    options = taken(SearchSettings, settings, keywords)
    return search_rules(
        _column(trees),
        printed_order(reference, where="reference"),
        start=rules,
        settings=options,
        jobs=jobs,
    )


@checked
@takes(Matching)
def ratings(
    ratings: str,
    *,
    orders: Mapping[str, object] | None = None,
    references: Mapping[str, object] | None = None,
    scores: Mapping[str, str] | None = None,
    lower_is_better: Sequence[str] = (),
    resampling: Resampling | None = None,
    jobs: int = 1,
    settings: Matching | None = None,
    **keywords: object,
) -> RatedSystems:
    """Return what people's ratings say of systems, how far raters agree, and scores against ratings.

    `ratings` is a table of system, segment, rater and rating, or the folder of a survey's export. `orders` are
    the reordered sources by system and `references` what they are scored by, one kind or several by name, both
    as in `kilter.reorder.score`; `scores` are files of any segment scores by the name of their metric.
    """
    options = taken(Matching, settings, keywords)
    if bool(orders) != bool(references):
        raise OptionError("orders are scored by references; give both, or neither")
    read = {name: printed_order(each, where=name) for name, each in (orders or {}).items()}
    return rated_systems(
        ratings,
        orders={
            name: score_reorderings(
                printed_order(each, where=name),
                read,
                metrics=options.metrics(pooled=False),
                resampling=resampling,
                jobs=jobs,
            )
            for name, each in (references or {}).items()
        },
        scores=scores,
        lower_is_better=lower_is_better,
        resampling=resampling,
    )


@checked
@takes(SelfTrainingSettings)
def selftrain(  # noqa: PLR0913 - data of three kinds, and how it is learned from
    treebanks: Treebank | str | Sequence[Treebank | str],
    rules: RuleSet | str,
    reference: object,
    *,
    folder: str,
    source: Sequence[Sequence[str]] | None = None,
    held_out: object = 0.2,
    held_out_source: Sequence[Sequence[str]] | None = None,
    gold: DependencyTreeColumn | Treebank | str | None = None,
    jobs: int = 1,
    settings: SelfTrainingSettings | None = None,
    **keywords: object,
) -> SelfTrainingResult:
    """Return the rounds in which a parser learns from those of its own parses that reorder best.

    `reference` are reorderings of the training sentences; `source` gives their words, unless the references
    do. `held_out` is a share of them that is not learned from, or references of other sentences. Models and
    picked parses are written to `folder`, where an interrupted run goes on.
    """
    options = taken(SelfTrainingSettings, settings, keywords)
    banks = _banks(treebanks)
    held = held_out if isinstance(held_out, float) else printed_order(held_out, where="held_out")
    data = SelfTrainingData(
        treebanks=[(f"treebank {number}", bank) for number, bank in enumerate(banks, start=1)],
        training=Sentences.of(printed_order(reference, where="reference"), source),
        held_out=held if isinstance(held, float) else Sentences.of(held, held_out_source),
        gold=None if gold is None else _column(gold),
    )
    return self_train(data, rules, folder=folder, settings=options, jobs=jobs)


@checked
def write(trees: Treebank | str | Sequence[Treebank | str], selection: Selection) -> Iterator[str]:
    """Yield the selected trees as CoNLL-U, with comments that say their rank and score."""
    return write_selection(_banks(trees), selection)


def rules() -> dict[str, RuleSet]:
    """Return the rule sets that come with Kilter, by name."""
    return {name: load_rule_set(name) for name in shipped_names()}


def _column(trees: DependencyTreeColumn | Treebank | str) -> DependencyTreeColumn:
    """Return the first parse of every sentence, with lemmas and fine tags where they are known."""
    if isinstance(trees, str):
        return read_trees(trees, details=True).first_parses()
    if isinstance(trees, Treebank):
        trees = detailed(trees.trees, trees.kept)
    return trees.first_parses()


def _banks(trees: Treebank | str | Sequence[Treebank | str]) -> list[Treebank]:
    listed = [trees] if isinstance(trees, (Treebank, str)) else list(trees)
    return [read_conllu(each) if isinstance(each, str) else each for each in listed]
