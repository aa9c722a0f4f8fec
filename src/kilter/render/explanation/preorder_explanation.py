"""A reordered sentence with the rules that moved its words, for people, programs and pages."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from kilter.core.dependency_tree import ROOT, DependencyTree
from kilter.core.markup import text_width, visible
from kilter.render.explanation.dependency_picture import dependency_picture
from kilter.render.explanation.link_diagram import LinkedWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.results.preordering import (
        AppliedRules,
        FiredRule,
        OrderedPart,
        PreorderExplanation,
        RuleDifference,
    )


class PreorderForm(StrEnum):
    """How an explanation is written."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"


def write_preorder_explanation(
    result: PreorderExplanation, out: TextIO, *, form: PreorderForm
) -> None:
    """Write the explanation: lines for people, a document, or a picture."""
    if form is PreorderForm.JSON:
        json.dump(result.to_dict(), out, ensure_ascii=False, allow_nan=False)
        out.write("\n")
    elif form is PreorderForm.SVG:
        out.write(preorder_picture(result))
    else:
        out.writelines(f"{line}\n" for line in explanation_lines(result))


def preorder_picture(result: PreorderExplanation) -> str:
    """Return the picture as SVG: the source above, the sentence as the rules put it below.

    Of two rule sets, what the first makes of it is above and what the second makes of it below. Words in colour
    are those that moved: parts that a rule put elsewhere, or words in another place than before.
    """
    last = result.applied[-1]
    source = tuple(range(len(result.tree)))
    if len(result.applied) == 2:
        first = result.applied[0]
        above, names = first.order, (first.rules, last.rules)
        moved = _displaced(above, last.order)
    else:
        above, names = source, ("source", last.rules)
        moved = {word for fired in last.fired for part in fired.moved for word in part.words}
    place = {word: at for at, word in enumerate(above)}
    new_place = {word: at for at, word in enumerate(last.order)}
    trees = _reordered(result.tree, above), _reordered(result.tree, last.order)
    words = LinkedWords(
        trees[0].words,
        trees[1].words,
        [(place[word], new_place[word]) for word in source],
        misplaced=[place[word] for word in moved],
        sides=names,
        called="moved",
    )
    return dependency_picture(*trees, words, title=f"Sentence {result.segment}, reordered")


def _displaced(one: Sequence[int], other: Sequence[int]) -> set[int]:
    """Return the words that stand at another place of the sentence."""
    return {word for word, was in zip(one, other, strict=True) if word != was}


def _reordered(tree: DependencyTree, order: Sequence[int]) -> DependencyTree:
    place = {word: at for at, word in enumerate(order)}
    heads = [tree.heads[word] for word in order]
    return DependencyTree(
        [tree.words[word] for word in order],
        [ROOT if head == ROOT else place[head] for head in heads],
        labels=[tree.labels[word] for word in order],
        tags=[tree.tags[word] for word in order],
    )


def explanation_lines(result: PreorderExplanation) -> Iterator[str]:
    """Yield the lines of an explanation for people."""
    yield f"sentence {result.segment}"
    yield from _orders(result)
    yield ""
    yield from result.tree.draw().splitlines()
    for applied in result.applied:
        yield ""
        yield from _rules(result, applied)
    if len(result.applied) == 2:
        yield ""
        yield from _differences(result)


def _orders(result: PreorderExplanation) -> Iterator[str]:
    rows = [("source", result.text(), result.score)]
    rows += [(each.rules, result.text(each.order), each.score) for each in result.applied]
    if result.reference is not None:
        rows.append(("reference", result.reference, None))
    width = max(text_width(visible(name)) for name, _, _ in rows)
    for name, text, score in rows:
        pad = " " * (width - text_width(visible(name)))
        scored = "" if result.reference is None else "        "
        scored = scored if score is None else f"{score:.4f}  "
        yield f"  {visible(name)}{pad}  {scored}{visible(text)}"


def _rules(result: PreorderExplanation, applied: AppliedRules) -> Iterator[str]:
    if not applied.fired:
        yield f"{applied.rules}: no rule fired; {_without_rules(applied)}"
    else:
        yield f"{applied.rules}: rules that fired"
    for fired in applied.fired:
        held = "" if fired.when is None else f" when {visible(fired.when)}"
        rule = f"{result.tree.words[fired.head]} ({fired.tag}): rule {fired.rule}{held}"
        if not fired.changed:
            yield f"  {rule}: nothing to move"
            continue
        yield f"  {rule}: {visible(fired.order)}"
        yield f"    before  {_parts(result, fired.before)}"
        yield f"    after   {_parts(result, fired.after)}"
        yield f"    moved   {', '.join(_moved(result, part) for part in fired.moved)}"
    if applied.final:
        yield f"  kept at the end: {' '.join(result.tree.words[word] for word in applied.final)}"


def _without_rules(applied: AppliedRules) -> str:
    return {
        "none": "the set moves nothing",
        "reverse": "the set reverses all words",
    }.get(applied.method, "no word with children is one that a rule is for")


def _parts(result: PreorderExplanation, parts: Sequence[OrderedPart]) -> str:
    return " ".join(f"[{_words(result, part)}]" for part in parts)


def _words(result: PreorderExplanation, part: OrderedPart) -> str:
    return " ".join(result.tree.words[word] for word in part.words)


def _moved(result: PreorderExplanation, part: OrderedPart) -> str:
    named = part.group if part.group == part.label else f"{part.label}, {part.group}"
    return f"{_words(result, part)} ({named})"


def _differences(result: PreorderExplanation) -> Iterator[str]:
    first, second = result.applied
    if first.order == second.order:
        yield f"{first.rules} and {second.rules} give the same order"
    if not result.differences:
        return
    yield f"where {first.rules} and {second.rules} differ"
    for difference in result.differences:
        yield from _difference(result, difference)


def _difference(result: PreorderExplanation, difference: RuleDifference) -> Iterator[str]:
    yield f"  {result.tree.words[difference.head]} ({result.tree.tags[difference.head]})"
    names = [each.rules for each in result.applied]
    width = max(map(text_width, names))
    fires = difference.first, difference.second
    for name, fired in zip(names, fires, strict=True):
        pad = " " * (width - text_width(name))
        yield f"    {name}{pad}  {_outcome(result, fired)}"


def _outcome(result: PreorderExplanation, fired: FiredRule | None) -> str:
    return "no rule, in place" if fired is None else _parts(result, fired.after)
