"""Reordered sentences for people, programs and pages."""

import json
from io import StringIO

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.render.explanation.preorder_explanation import (
    PreorderForm,
    preorder_picture,
    write_preorder_explanation,
)
from kilter.results.preordering import (
    AppliedRules,
    FiredRule,
    PreorderExplanation,
    RuleDifference,
)
from kilter.run.preordering.explain import explain_preorder
from tests.preordering.test_rule_file import TREE, mine
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.explanation.look import check, ends, lines
from tests.render.explanation.test_link_diagram import HEAVY, PLAIN, is_link
from tests.render.picture import parsed, texts

TREES = DependencyTreeColumn.of([TREE])


def explained(*sets: str) -> PreorderExplanation:
    return explain_preorder(TREES, [*sets] or [mine(final="true")], segment=1)


def written(result: PreorderExplanation, form: PreorderForm) -> str:
    out = StringIO()
    write_preorder_explanation(result, out, form=form)
    return out.getvalue()


def test_people_read_the_tree_the_rules_and_what_each_moved() -> None:
    assert written(explained(), PreorderForm.TEXT).splitlines() == [
        "sentence 1",
        "  source  Cats chase small mice at night .",
        "  mine    Cats night at small mice chase .",
        "",
        " ┌──── nsubj  Cats",
        "─●──── root   chase",
        " │ ┌── amod   small",
        " ├─●── obj    mice",
        " │ ┌── case   at",
        " ├─●── obl    night",
        " └──── punct  .",
        "",
        "mine: rules that fired",
        "  chase (VERB): rule VERB: nsubj, [obj obl] reversed, OTHER, HEAD",
        "    before  [Cats] [chase] [small mice] [at night]",
        "    after   [Cats] [at night] [small mice] [chase]",
        "    moved   small mice (obj, [obj obl] reversed), chase (root, HEAD)",
        "  mice (NOUN): rule NOUN: nothing to move",
        "  night (NOUN): rule NOUN: OTHER, HEAD, case",
        "    before  [at] [night]",
        "    after   [night] [at]",
        "    moved   at (case)",
        "  kept at the end: .",
    ]


def test_two_sets_are_told_apart() -> None:
    shown = written(explained("en-verb-final", "r1"), PreorderForm.TEXT)
    assert "r1: no rule fired; the set moves nothing" in shown
    assert "where en-verb-final and r1 differ\n  chase (VERB)\n" in shown
    assert "    r1             no rule, in place\n" in shown
    same = written(explained("r1", "r1"), PreorderForm.TEXT)
    assert same.endswith("r1 (1) and r1 (2) give the same order\n")


def test_programs_read_the_document() -> None:
    result = explained("r4")
    assert json.loads(written(result, PreorderForm.JSON)) == json.loads(
        json.dumps(result.to_dict())
    )


def test_the_picture_links_every_word_with_itself() -> None:
    result = explained()
    picture = preorder_picture(result)
    assert written(result, PreorderForm.SVG) == picture
    check(picture)
    drawn = [
        line
        for width in (PLAIN, HEAVY)
        for line in lines(picture, width=width)
        if is_link(ends(line)) and line.get("stroke") != "#4a5a6a"
    ]
    assert len(drawn) == len(TREE)
    assert {"source", "mine", "moved: bold, underlined"} <= set(texts(picture))
    assert all(texts(picture).count(word) == 2 for word in TREE.words)
    bold = {t.text for t in parsed(picture).findall(".//{*}text") if t.get("font-weight")}
    assert "chase" in bold
    assert "Cats" not in bold


def test_two_sets_are_drawn_against_one_another() -> None:
    picture = preorder_picture(explained("r1", "en-verb-final"))
    check(picture)
    assert {"r1", "en-verb-final"} <= set(texts(picture))
    bold = {t.text for t in parsed(picture).findall(".//{*}text") if t.get("font-weight")}
    assert bold == {"chase", "small", "mice", "at", "night"}
    same = preorder_picture(explained("r1", "r1"))
    assert not [t for t in parsed(same).findall(".//{*}text") if t.get("font-weight")]


@case("write_preorder_explanation")
def test_every_place_of_the_document_holds_what_it_names(book: Book) -> None:
    fired = [book.make(FiredRule, "fired", str(k), head=k) for k in range(2)]
    first, second = (
        book.make(
            AppliedRules, str(k), method="precedence", fired=(each,), order=(1, 0), final=(0,)
        )
        for k, each in enumerate(fired)
    )
    difference = RuleDifference(head=0, first=fired[0], second=None)
    tree = DependencyTree(["wa", "wb"], [1, -1], labels=["la", "lb"], tags=["ta", "tb"])
    result: PreorderExplanation = book.make(
        PreorderExplanation, "result", tree=tree, applied=(first, second), differences=(difference,)
    )
    document = json.loads(written(result, PreorderForm.JSON))
    for key in ("segment", "reference", "score"):
        assert document[key] == getattr(result, key)
    assert document["tree"] == {
        "words": ["wa", "wb"], "heads": [1, -1], "labels": ["la", "lb"], "tags": ["ta", "tb"],
    }  # fmt: skip
    for made, held in zip((first, second), document["applied"], strict=True):
        for key in ("rules", "method", "score"):
            assert held[key] == getattr(made, key)
        assert (held["order"], held["text"], held["final"]) == ([1, 0], "wb wa", [0])
        assert held["fired"] == [told(each) for each in made.fired]
    (held,) = document["differences"]
    assert (held["head"], held["first"], held["second"]) == (0, told(fired[0]), None)


def told(fired: FiredRule) -> dict[str, object]:
    """Return a rule that fired as a document has it, attribute by attribute."""
    return {
        **{key: getattr(fired, key) for key in ("head", "tag", "rule", "when", "order", "changed")},
        **{
            side: [
                {
                    **{key: getattr(part, key) for key in ("word", "label", "group", "moved")},
                    "words": list(part.words),
                }
                for part in getattr(fired, side)
            ]
            for side in ("before", "after")
        },
    }
