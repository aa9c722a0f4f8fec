"""Printed tables of pre-ordering rules, from trees and links. [FRS]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.link_batch import LinkBatch
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.printed_order import PrintedOrder
from kilter.io.conllu import read_trees
from kilter.io.json_text import parse_json
from kilter.io.stream import ByteSource
from kilter.preordering.rule_file import load_rule_set
from kilter.run.parse import parse
from kilter.run.preordering.evaluate import evaluate_preorder
from kilter.run.published.recipe import RecipeResult, Recomputed

if TYPE_CHECKING:
    from kilter.core.link import Link
    from kilter.run.published.recipe import RecipeRun


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
        (names[system.rules], system.parser): Recomputed(
            interval.score, interval.low, interval.high
        )
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
            f'is no list of links by word, such as [{{"1": ["2"]}}]: {error}', where=path
        ) from error


def _sentence_links(sentence: dict[str, list[str]]) -> list[Link]:
    pairs = [(first, second) for first, others in sentence.items() for second in others]
    return [(int(one) - 1, int(other) - 1) for one, other in pairs if "X" not in (one, other)]
