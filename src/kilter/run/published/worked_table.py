"""Printed tables that need no data: orders, sentences and trees that the publications print themselves."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.links import LinkBatch
from kilter.core.permutation import Permutation
from kilter.core.reordering import PrintedOrder
from kilter.io.conllu import read_trees
from kilter.io.json_text import parse_json
from kilter.io.link_format import LinkFormat
from kilter.io.link_parser import parse_links
from kilter.io.reordering import write_reorderings
from kilter.io.stream import ByteSource
from kilter.metrics.aligned import aligned
from kilter.metrics.bleu import Smooth, bleu
from kilter.metrics.derp import derp_tree
from kilter.metrics.dted import dted, dted_edits
from kilter.metrics.hamming import hamming
from kilter.metrics.kendall import kendall
from kilter.metrics.meteor import meteor
from kilter.metrics.meteor_chunk import meteor_chunk
from kilter.metrics.tau import tau
from kilter.preordering.perturbations.case import CaseCounts
from kilter.preordering.perturbations.order import ChoiceStep, OrderStep, PhraseStep, SwapStep
from kilter.preordering.perturbations.word import join_words, split_sentence
from kilter.preordering.rule_file import load_rule_set
from kilter.results.meta_result import Verdict
from kilter.run.meta.language_pairs import count_verdicts, pair_averages, scaled
from kilter.run.parse import parse
from kilter.run.preordering.evaluate import evaluate_preorder
from kilter.run.published.recipe import Figure, RecipeResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.core.links import Link
    from kilter.run.published.recipe import RecipeRun

_STEPS: dict[str, Any] = {
    "order": OrderStep,
    "swap": SwapStep,
    "phrase": PhraseStep,
    "choice": ChoiceStep,
}


def order_table(run: RecipeRun) -> RecipeResult:
    """Return orders as they are written, and their similarity to the order of the first row. [LR] table 1"""
    orders = {
        row.name: Permutation.from_one_based([int(word) for word in row.given["order"].split()])
        for row in run.table.rows
    }
    straight = next(iter(orders.values()))
    figures: dict[tuple[str, str], Figure] = {}
    for name, order in orders.items():
        figures[name, "written"] = order.bullets()
        figures[name, "kendall"] = kendall(order, straight)
        figures[name, "hamming"] = hamming(order, straight)
    return RecipeResult(figures=figures)


def rank_table(run: RecipeRun) -> RecipeResult:
    """Return mean ranks and means over the language pairs of printed tables. [PEF] table 3"""
    table = run.table
    assert table.agreement is not None  # noqa: S101 - the files are ours, and a test reads all of them
    averages = pair_averages(
        {row.given["metric"]: table.agreement.values[row.given["metric"]] for row in table.rows}
    )
    figures: dict[tuple[str, str], Figure] = {}
    for row in table.rows:
        mean = averages[row.given["metric"]]
        figures[row.name, "rank"] = mean.rank
        figures[row.name, "tau"] = mean.score
    return RecipeResult(figures=figures)


def scaled_table(run: RecipeRun) -> RecipeResult:
    """Return printed figures from 0, the worst of a language pair, to 1, its best. [PEF] figures 8 to 10"""
    table = run.table
    assert table.agreement is not None  # noqa: S101 - the files are ours, and a test reads all of them
    shares = scaled({row.name: table.agreement.values[row.given["metric"]] for row in table.rows})
    return RecipeResult(
        figures={
            (name, column): value
            for name, values in shares.items()
            for column, value in zip(table.columns, values, strict=True)
        }
    )


def verdict_table(run: RecipeRun) -> RecipeResult:
    """Return how often printed figures of a metric are above those of a baseline. [PC] table 3"""
    table = run.table
    assert table.agreement is not None  # noqa: S101 - the files are ours, and a test reads all of them
    values = table.agreement.values
    figures = {}
    for row in table.rows:
        for column in table.columns:
            pairs = zip(values[row.given["metric"]], values[table.given[column]], strict=True)
            counted = count_verdicts([_verdict(new, baseline) for new, baseline in pairs])
            figures[row.name, column] = str(counted)
    return RecipeResult(figures=figures)


def _verdict(new: float, baseline: float) -> Verdict:
    if new == baseline:
        return Verdict.DRAW
    return Verdict.NEW if new > baseline else Verdict.BASELINE


def reordering_table(run: RecipeRun) -> RecipeResult:
    """Return sentences in the order of their translation. [FRS] table 2"""
    rows = run.table.rows
    words = [row.given["source"].split() for row in rows]
    links = LinkBatch.of(_links(row.given["links"], LinkFormat.TARGET_LISTS) for row in rows)
    order = reorder(links, [len(each) for each in words], rule=LinkRule.TALBOT)
    lines = write_reorderings(words, order)
    return _one_column(run, {row.name: line for row, line in zip(rows, lines, strict=True)})


def linked_table(run: RecipeRun) -> RecipeResult:
    """Return metrics of the links between two sentences. [TH] table 3.2"""
    given = run.table.given
    links = _links(given["links"])
    hypothesis, reference = given["lengths"]
    found = {"tau": tau(links), "aligned": aligned(links, (hypothesis, reference))}
    return _one_column(run, {row.name: found[row.given["metric"]] for row in run.table.rows})


def precision_table(run: RecipeRun) -> RecipeResult:
    """Return n-gram precisions and BLEU. [TH] table 3.3

    BLEU of order n to the power of n is the product of the precisions up to n: the hypothesis is longer
    than the reference, so that there is no penalty.
    """
    given = run.table.given
    hypothesis, references = given["hypothesis"].split(), [given["reference"].split()]
    powers = [
        1.0,
        *(
            bleu(hypothesis, references, order=order, smooth=Smooth.NONE) ** order
            for order in (1, 2, 3)
        ),
    ]
    found: dict[str, float] = {}
    for row in run.table.rows:
        if "order" in row.given:
            found[row.name] = powers[row.given["order"]] / powers[row.given["order"] - 1]
        else:
            found[row.name] = powers[-1] ** (1 / (len(powers) - 1))
    return _one_column(run, found)


def meteor_table(run: RecipeRun) -> RecipeResult:
    """Return the parts of METEOR: of its weights, 0 and 1 leave precision and recall. [TH] table 3.4"""
    given = run.table.given
    links = _links(given["links"])
    hypothesis, reference = given["lengths"]
    found: dict[str, float] = {}
    for row in run.table.rows:
        options = dict(row.given)
        if options.pop("penalty", False):
            found[row.name] = 1 - meteor_chunk(links, **options)
        else:
            found[row.name] = meteor(
                links, hypothesis_length=hypothesis, reference_length=reference, **options
            )
    return _one_column(run, found)


def edit_table(run: RecipeRun) -> RecipeResult:
    """Return distances and scores of DTED on the example. [TH] tables 4.1 and 4.2"""
    hypothesis, reference, links = _example(run)
    figures: dict[tuple[str, str], Figure] = {}
    for row in run.table.rows:
        edits = dted_edits(hypothesis, reference, links=links, **row.given)
        linked = sum(edit.cost for edit in edits if edit.aligned)
        score = dted(hypothesis, reference, links=links, **row.given)
        figures[row.name, "distance"] = sum(edit.cost for edit in edits)
        figures[row.name, "linked"] = linked
        figures[row.name, "score"] = score
    return RecipeResult(figures=figures)


def path_table(run: RecipeRun) -> RecipeResult:
    """Return how far paths of two linked words of the reference differ in the hypothesis. [TH] table 5.1"""
    hypothesis, reference, links = _example(run)
    partner = {word: own for own, word in links}
    figures: dict[tuple[str, str], Figure] = {}
    for row in run.table.rows:
        places = [reference.words.index(word) for word in row.name.split("-")]
        (pair,) = derp_tree(
            hypothesis, reference, links=[(partner[place], place) for place in sorted(places)]
        )
        figures[row.name, "L"] = pair.cost
        figures[row.name, "L_max"] = pair.most
    return RecipeResult(figures=figures)


def perturbation_table(run: RecipeRun) -> RecipeResult:
    """Return the example after moves that lead to the printed sentences. [TH] table 6.1"""
    given = run.table.given
    counts = CaseCounts(Counter(given["capital"]), Counter(given["plain"]))
    found = {}
    for row in run.table.rows:
        words = split_sentence(given["text"])
        for kind, *fields in row.given["steps"]:
            words = _STEPS[kind](*fields).apply(words)
        found[row.name] = join_words(counts.truecase(words))
    return _one_column(run, found)


def _one_column(run: RecipeRun, values: Mapping[str, float | str]) -> RecipeResult:
    (column,) = run.table.columns
    return RecipeResult(figures={(name, column): value for name, value in values.items()})


def _links(text: str, form: LinkFormat = LinkFormat.PHARAOH) -> list[Link]:
    return [(int(s), int(t)) for s, t in parse_links([text.encode()], form).links]


def _example(run: RecipeRun) -> tuple[DependencyTree, DependencyTree, list[Link]]:
    given = run.table.given
    hypothesis, reference = (_tree(given[side]) for side in ("hypothesis", "reference"))
    return hypothesis, reference, _links(given["links"])


def _tree(given: Mapping[str, Any]) -> DependencyTree:
    labels = given.get("labels")
    return DependencyTree(
        given["words"].split(), given["heads"], labels=labels.split() if labels else None
    )


def rule_table(run: RecipeRun) -> RecipeResult:
    """Return the mean FRS of each rule set, over gold trees and over those of Kilter's parser."""
    table = run.table
    data, folder = run.data_set(table.columns[0])
    gold = read_trees(ByteSource(data.file(folder, "en-jp/en.conllu"))).first_parses()
    words = gold.sentences()
    links = read_parallel_links(data.file(folder, "en-jp/alignment.json"))
    made = reorder(links, gold.lengths, rule=LinkRule.TALBOT)
    parsed = parse([" ".join(sentence) for sentence in words], tokenize="none", jobs=run.jobs)
    found = evaluate_preorder(
        dict(zip(table.columns, (gold, parsed.trees), strict=True)),
        [load_rule_set(row.given["rules"]) for row in table.rows],
        PrintedOrder.of("references", made, words),
        resampling=run.resampling,
        jobs=run.jobs,
    )
    (frs,) = [metric for metric in found.comparison.metrics if metric.name == "frs"]
    names = {row.given["rules"]: row.name for row in table.rows}
    figures = {
        (names[system.rules], system.parser): interval
        for system, interval in zip(found.systems, frs.intervals, strict=True)
    }
    return RecipeResult(
        figures=figures,
        notes=(f"{len(words)} sentences",),
        signatures=(frs.signature,),
    )


def read_parallel_links(path: str) -> LinkBatch:
    """Return links of Parallel UD: a list with `{id: [ids]}` for each sentence, ids counted from 1.

    `X` stands for no word.
    """
    try:
        listed = parse_json(b"".join(ByteSource(path).chunks()))
        return LinkBatch.of(_sentence_links(sentence) for sentence in listed)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f'is not a list of links by word, such as [{{"1": ["2"]}}]: {error}', where=path
        ) from error


def _sentence_links(sentence: dict[str, list[str]]) -> list[Link]:
    pairs = [(first, second) for first, others in sentence.items() for second in others]
    return [(int(one) - 1, int(other) - 1) for one, other in pairs if "X" not in (one, other)]
