"""Rule files: what they say is read, and every mistake is named with file, rule and field."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError, OptionError
from kilter.io.toml_table import TomlTable, parse_toml
from kilter.preordering.condition import Condition, Side
from kilter.preordering.rule_file import (
    LABEL_SETS,
    TAG_SETS,
    ConditionReader,
    condition_text,
    load_rule_set,
    parse_rule_set,
    rule_lines,
    rule_set_digest,
    rule_set_text,
    shipped_names,
    shipped_text,
)
from kilter.preordering.rule_set import Group, Method, RuleSet
from kilter.results.preordering import AppliedRules
from kilter.run.preordering.explain import applied_rules
from tests import strategies
from tests.oracles.preorder import children
from tests.preordering.conditioned import conditions, made

WORKED = """
name = "own"
description = "to the end with it"
keep_final_punctuation = true

[[rule]]
head = ["VERB", "AUX"]
order = ["nsubj:*", ["obl", "advmod"], "OTHER", { labels = ["aux", "cop"], reverse = true }, "HEAD"]

[[rule]]
head = "*"
order = [{ labels = ["OTHER"], reverse = true }, "HEAD"]
"""


def test_everything_that_a_file_can_say() -> None:
    rules = parse_rule_set(WORKED, where="own.toml", name="file")
    assert rules.name == "own"
    assert rules.description == "to the end with it"
    assert rules.keep_final_punctuation
    assert rules.method is Method.PRECEDENCE
    assert rules.rules[0].heads == ("VERB", "AUX")
    assert rules.rules[0].groups == (
        Group(labels=("nsubj:*",)),
        Group(labels=("obl", "advmod")),
        Group(labels=("OTHER",)),
        Group(labels=("aux", "cop"), reverse=True),
        Group(labels=("HEAD",)),
    )
    assert rules.rules[1].groups[0].reverse


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_set_is_read(name: str) -> None:
    rules = load_rule_set(name)
    assert rules.name == name
    assert rules.description
    assert parse_rule_set(shipped_text(name), where=name, name=name) == rules


def test_the_five_sets_of_the_paper_come_with_it() -> None:
    assert {"r1", "r2", "r3", "r4", "r5"} <= set(shipped_names())


def test_own_labels_and_tags_are_declared() -> None:
    text = 'labels = ["S", "O"]\ntags = ["V"]\n[[rule]]\nhead = "V"\norder = ["S", "O:*", "OTHER", "HEAD"]'
    assert parse_rule_set(text, where="x", name="x").rules[0].heads == ("V",)
    loose = 'labels = "any"\ntags = "any"\n[[rule]]\nhead = "q"\norder = ["z", "OTHER", "HEAD"]'
    assert parse_rule_set(loose, where="x", name="x").rules[0].groups[0].labels == ("z",)


def rule(order: str, head: str = '"VERB"') -> str:
    return f"[[rule]]\nhead = {head}\norder = {order}\n"


def conditional(when: str) -> str:
    return f'[[rule]]\nhead = "VERB"\nwhen = {when}\norder = ["OTHER", "HEAD"]\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "x.toml: says nothing about order; it needs [[rule]] tables"),
        ("rule = [3]", "rule must be tables; write [[rule]] before each"),
        ('[[rule]]\nhead = "VERB"\norders = ["OTHER", "HEAD"]', "orders is unknown; did you mean order?"),
        ("rule = 3", "rule is 3; it must be a list"),
        ("name = ", "x.toml: is no TOML: "),
        ('method = "up"', "method is 'up'; it can be precedence, none, reverse, head-final-"),
        ('method = "precedence"', "field rule: there is no rule"),
        ('method = "none"\n' + rule('["OTHER", "HEAD"]'), "the method none takes no rules"),
        (rule('["other", "HEAD"]'), "there is no label 'other'; did you mean OTHER?"),
        (rule('["obl:", "OTHER", "HEAD"]'), "'obl:' names no subtype; write obl for the label alone, obl:*"),
        (rule('["OBL", "OTHER", "HEAD"]'), "there is no label 'OBL'; did you mean obl?"),
        (rule('["OTHER", "HEAD"]').replace("VERB", "verb"), "no tag 'verb'; did you mean VERB?"),
        ('colour = "red"', "colour is unknown; there are name, description, method, labels, tags, keep_"),
        ("name = 3\n" + rule('["OTHER", "HEAD"]'), "name is 3; it must be a text"),
        (
            "keep_final_punctuation = 1\n" + rule('["OTHER", "HEAD"]'),
            "keep_final_punctuation is 1; it must be true or false",
        ),
        ('labels = "penn"\n' + rule('["OTHER", "HEAD"]'), "labels is 'penn'; it can be ud, stanford"),
        (rule('["nsbj", "OTHER", "HEAD"]'), "x.toml:3: rule 1 (VERB): field order: there is no label 'nsbj'; did you mean nsubj? the labels of ud are acl "),
        (rule('["dobj", "OTHER", "HEAD"]'), "there is no label 'dobj'"),
        ('labels = "stanford"\n' + rule('["obl", "OTHER", "HEAD"]'), "there is no label 'obl'"),
        (rule('["OTHER", "HEAD"]', '"VRB"'), "rule 1 (VRB): field head: there is no tag 'VRB'; did you mean VERB?"),
        (rule('["OTHER", "HEAD"]', "3"), "rule 1: head is 3; it must be a tag"),
        ('[[rule]]\norder = ["OTHER", "HEAD"]', "rule 1: head is missing"),
        ('[[rule]]\nhead = "VERB"', "field order: must be a list"),
        (rule("[]"), "field order: must be a list"),
        (rule('["OTHER"]'), "field order: HEAD occurs 0 times"),
        (rule('["HEAD"]'), "field order: OTHER occurs 0 times"),
        (rule('["HEAD", "OTHER", "HEAD"]'), "field order: HEAD occurs 2 times"),
        (rule('["obj", "obj", "HEAD", "OTHER"]'), "field order: obj occurs twice"),
        (rule('[["obj", "HEAD"], "OTHER"]'), "HEAD stands in a group with obj"),
        (rule('["ob*", "OTHER", "HEAD"]'), "'ob*' is not a pattern; a wildcard stands for a subtype, such as nsubj:*"),
        (rule('["*", "OTHER", "HEAD"]'), "'*' is not a pattern"),
        (rule('[{ labels = ["obj"], reverse = 1 }, "OTHER", "HEAD"]'), "rule 1 (VERB): field order: reverse is 1; it must be true or false"),
        (rule('[{ label = "obj" }, "OTHER", "HEAD"]'), "field order: label is unknown; did you mean labels?"),
        (rule('[{ reverse = true }, "OTHER", "HEAD"]'), "field order: labels is missing; it must be a label"),
        (rule('[[], "OTHER", "HEAD"]'), "order is []; it must be a label"),
        (rule('["OTHER", "HEAD"]') * 2, "x.toml:5: rule 2 (VERB): field head: VERB already has rule 1; a category has one rule without a condition"),
        (rule('["OTHER", "HEAD"]') + conditional('{ lemma = "be" }'), "x.toml:5: rule 2 (VERB): field head: VERB already has rule 1, which has no condition and takes them all; rules with when stand before it"),
        ('[[rule]]\nhead = "VERB"\nordr = ["OTHER", "HEAD"]\n', "x.toml:3: rule 1 (VERB)"),
        (conditional('{ lemma = "be" }') + conditional('{ lemma = ["BE", "Be"] }'), "x.toml:7: rule 2 (VERB): field when: VERB already has rule 1 with this condition"),
        (rule('["HEAD", { labels = "obj", when = { word = "x" } }, { labels = "obj", when = { word = "X" } }, "OTHER"]'), "field order: obj occurs twice with one condition"),
        (conditional('{ lemma = "be" }') * 2, "x.toml:7: rule 2 (VERB): field when: VERB already has rule 1 with this condition"),
        (conditional("3"), "x.toml:3: rule 1 (VERB): when is 3; it must be a condition such as"),
        (conditional("{}"), "x.toml:3: rule 1 (VERB): [when]: says nothing; name at least one of word, lemma, tag,"),
        (conditional('{ lema = "be" }'), "x.toml:3: rule 1 (VERB): [when]: lema is unknown; did you mean lemma?"),
        (conditional("{ word = [] }"), "[when]: word is []; it must be a word or a list of words"),
        (conditional('{ tag = "VRB" }'), "[when]: there is no tag 'VRB'; did you mean VERB?"),
        (conditional('{ label = "ob*" }'), "[when]: label is 'ob*', which is not a pattern; a wildcard stands for a subtype"),
        (conditional('{ xpos = "V*Z" }'), "[when]: xpos is 'V*Z'; * stands at the end"),
        (conditional('{ side = "left" }'), "[when]: side is 'left'; it can be before, after"),
        (conditional("{ children = true }"), "[when]: children is True; it must be a number, or { least"),
        (conditional("{ children = -1 }"), "[when]: children is -1; it must lie between 0"),
        (conditional("{ children = { least = 3, most = 2 } }"), "[when]: [children]: most is 2, but least is 3"),
        (conditional("{ children = {} }"), "[when]: [children]: says nothing; name least, most or both"),
        (conditional('{ child = { label = "nsbj" } }'), "x.toml:3: rule 1 (VERB): [when]: [child]: there is no label 'nsbj'; did you mean nsubj?"),
        (conditional('{ no_child = [{ tag = "NOUN" }, { tag = "NN" }] }'), "[when]: no_child 2: there is no tag 'NN'"),
        (conditional("{ child = [] }"), "[when]: child is an empty list"),
        (conditional('{ parent = "NOUN" }'), "[when]: parent is 'NOUN'; it must be a table"),
        (rule('[{ labels = "OTHER", when = { word = "x" } }, "HEAD"]'), "OTHER takes no condition; * with a condition is children of any label"),
        (rule('[\n "HEAD",\n { labels = "obj", when = { word = "x" } },\n { labels = "obj", when = { word = "x" } }, "OTHER"]'), "x.toml:5: rule 1 (VERB): field order: obj occurs twice with one condition"),
        (rule('[\n "HEAD",\n { labels = "obj", when = { wrd = "x" } }, "OTHER"]'), "x.toml:5: rule 1 (VERB): field order: [when]: wrd is unknown; did you mean word?"),
    ],
)  # fmt: skip
def test_every_mistake_is_named_with_file_rule_and_field(text: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_rule_set(text, where="x.toml", name="x")
    assert reason in str(caught.value)
    assert str(caught.value).startswith("x.toml:")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_is_named(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"rules.toml: the file is empty; it needs"):
        load_rule_set(str(path))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b"name = \xff")
    with pytest.raises(InputError, match=r"rules.toml:1: byte 0xff in column 8 is not UTF-8"):
        load_rule_set(str(path))


def test_a_name_that_does_not_exist_lists_those_that_do() -> None:
    with pytest.raises(OptionError, match=r"no rule set 'r9'; there are .*r1, r2"):
        load_rule_set("r9")


def test_the_name_of_a_file_is_the_name_of_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('method = "reverse"', encoding="utf-8")
    assert load_rule_set(str(path)).name == "mine"


@pytest.mark.parametrize("name", shipped_names())
def test_a_rule_set_written_and_read_again_is_the_same(name: str) -> None:
    rules = load_rule_set(name)
    text = rule_set_text(rules, ["made", "by hand"])
    assert text.startswith("# made\n# by hand\n")
    assert parse_rule_set(text, where="text", name="other") == rules


CONDITIONED = """
[[rule]]
head = ["VERB", "AUX"]
when = { lemma = ["be", "have"], label = "acl:*", children = { least = 1 }, parent = { tag = "NOUN" }, no_child = { label = "obj" } }
order = [{ labels = ["*"], when = { side = "before" } }, "OTHER", "HEAD"]

[[rule]]
head = ["VERB"]
order = [
    { labels = ["advmod"], when = { word = "not", children = 0 }, reverse = true },
    "advmod",
    { labels = ["obj"], when = { xpos = "NN*", child = [{ label = "det" }, { tag = "ADJ" }], children = { most = 4 } } },
    "OTHER",
    "HEAD",
]
"""


def test_conditions_are_read_as_written_and_written_so_that_they_are_read_again() -> None:
    rules = parse_rule_set(CONDITIONED, where="x", name="x")
    first, second = rules.rules
    assert first.when == Condition(
        lemma=("be", "have"),
        label=("acl:*",),
        children=(1, None),
        parent=Condition(tag=("NOUN",)),
        no_child=(Condition(label=("obj",)),),
    )
    assert first.groups[0] == Group(labels=("*",), when=Condition(side=Side.BEFORE))
    assert second.groups[0].when == Condition(word=("not",), children=(0, 0))
    assert second.groups[2].when == Condition(
        xpos=("NN*",),
        child=(Condition(label=("det",)), Condition(tag=("ADJ",))),
        children=(0, 4),
    )
    text = rule_set_text(rules)
    assert parse_rule_set(text, where="y", name="y") == rules
    assert 'when = { lemma = ["be", "have"], label = "acl:*", children = { least = 1 }' in text


def test_the_digest_tells_rules_apart_by_what_they_say_and_not_by_their_names() -> None:
    rules = parse_rule_set(CONDITIONED, where="x", name="x")
    digest = rule_set_digest(rules)
    assert rule_set_digest(replace(rules, name="y", description="z")) == digest
    other = CONDITIONED.replace('"not"', '"never"')
    assert rule_set_digest(parse_rule_set(other, where="x", name="x")) != digest


def test_rules_of_other_labels_are_written_so_that_they_are_allowed() -> None:
    text = '[[rule]]\nhead = "V"\norder = ["SB", "OTHER", "HEAD"]\n'
    rules = parse_rule_set(f'labels = "any"\ntags = "any"\n{text}', where="a", name="a")
    assert parse_rule_set(rule_set_text(rules), where="b", name="b") == rules


def test_no_rules_are_written_as_none() -> None:
    text = rule_set_text(RuleSet(name="empty", rules=()))
    assert parse_rule_set(text, where="a", name="a").method is Method.NONE


# Conditions in TOML: what is written is read as the same.


@given(conditions)
def test_a_condition_written_is_read_as_the_same(wanted: dict[str, Any]) -> None:
    condition = made(wanted)
    table = parse_toml(f"when = {condition_text(condition)}", where="x").table("when")
    reader = ConditionReader(LABEL_SETS["any"], TAG_SETS["any"])
    if all(each != Condition() for each in condition.below()):
        assert reader.condition(table) == condition
    else:
        assert isinstance(table, TomlTable)
        with pytest.raises(InputError, match="says nothing"):
            reader.condition(table)


# The rules that fired, put together, are the order that the rules make.


TREE = DependencyTree(
    ["Cats", "chase", "small", "mice", "at", "night", "."],
    [1, -1, 3, 1, 5, 1, 1],
    labels=["nsubj", "root", "amod", "obj", "case", "obl", "punct"],
    tags=["NOUN", "VERB", "ADJ", "NOUN", "ADP", "NOUN", "PUNCT"],
)
RULES = """
keep_final_punctuation = {final}
[[rule]]
head = "VERB"
order = ["nsubj", {{ labels = ["obj", "obl"], reverse = true }}, "OTHER", "HEAD"]
[[rule]]
head = "NOUN"
order = ["OTHER", "HEAD", "case"]
"""


def mine(*, final: str = "false") -> RuleSet:
    return parse_rule_set(RULES.format(final=final), where="mine.toml", name="mine")


@st.composite
def tagged(draw: st.DrawFn) -> DependencyTree:
    tree = draw(strategies.dependency_trees(max_size=12))
    size = len(tree)
    labels = draw(
        st.lists(
            st.sampled_from(["nsubj", "obj", "obl", "case", "punct", "det"]),
            min_size=size,
            max_size=size,
        )
    )
    tags = draw(
        st.lists(st.sampled_from(["VERB", "NOUN", "ADP", "PUNCT"]), min_size=size, max_size=size)
    )
    return DependencyTree(tree.words, tree.heads, labels=labels, tags=tags)


def replayed(tree: DependencyTree, applied: AppliedRules) -> list[int]:
    """Return the words in the order that the fired rules say, a child for all that hangs from it."""
    after = {fired.head: [part.word for part in fired.after] for fired in applied.fired}

    def below(head: int) -> list[int]:
        found: list[int] = []
        for word in after.get(head, sorted([head, *children(tree.heads, head)])):
            found += [head] if word == head else below(word)
        return found

    order = [word for root in children(tree.heads, -1) for word in below(root)]
    return [word for word in order if word not in applied.final] + list(applied.final)


@given(tagged(), st.sampled_from(["r3", "r4", "en-verb-final", "mine", "final"]))
def test_what_fired_is_all_there_is_to_the_new_order(tree: DependencyTree, name: str) -> None:
    if name in ("mine", "final"):
        rules = mine(final="true" if name == "final" else "false")
    else:
        rules = load_rule_set(name)
    applied = applied_rules(tree, rules)
    assert list(applied.order) == replayed(tree, applied)


@given(tagged())
def test_parts_hold_each_word_once_and_those_that_stay_keep_their_order(
    tree: DependencyTree,
) -> None:
    for fired in applied_rules(tree, mine()).fired:
        assert {part.word for part in fired.before} == {part.word for part in fired.after}
        covered = sorted(word for part in fired.before for word in part.words)
        assert covered == tree.subtree(fired.head)
        stay = [part.word for part in fired.after if not part.moved]
        assert stay == sorted(stay)
        assert fired.changed is bool(fired.moved)


@given(tagged())
def test_no_fewer_parts_could_have_moved(tree: DependencyTree) -> None:
    """What stays is the longest sequence that rises: longer ones are looked for among all choices."""
    for fired in applied_rules(tree, mine()).fired:
        order = [part.word for part in fired.after]
        longest = 0
        for choice in range(1 << min(len(order), 10)):
            kept = [word for place, word in enumerate(order) if choice >> place & 1]
            if kept == sorted(kept):
                longest = max(longest, len(kept))
        if len(order) <= 10:
            assert len(order) - len(fired.moved) == longest


def test_the_rule_for_verbs_moves_objects_and_the_verb() -> None:
    applied = applied_rules(TREE, mine())
    verb, at_night = (next(f for f in applied.fired if f.head == head) for head in (1, 5))
    assert [TREE.words[part.word] for part in verb.after] == ["Cats", "night", "mice", ".", "chase"]
    assert [(TREE.words[p.word], p.group) for p in verb.after] == [
        ("Cats", "nsubj"),
        ("night", "[obj obl] reversed"),
        ("mice", "[obj obl] reversed"),
        (".", "OTHER"),
        ("chase", "HEAD"),
    ]
    assert (verb.rule, verb.tag) == ("VERB", "VERB")
    assert [part.words for part in at_night.after] == [(5,), (4,)]


def test_final_punctuation_is_told_apart() -> None:
    applied = applied_rules(TREE, mine(final="true"))
    assert applied.final == (6,)
    assert applied.order[-1] == 6
    verb = next(fired for fired in applied.fired if fired.head == 1)
    assert [TREE.words[part.word] for part in verb.after] == ["Cats", "night", "mice", "chase"]
    assert applied_rules(TREE, mine()).final == ()


@pytest.mark.parametrize(("name", "order"), [("r1", [*range(7)]), ("r2", [*range(6, -1, -1)])])
def test_methods_that_look_at_no_head_fire_no_rule(name: str, order: list[int]) -> None:
    applied = applied_rules(TREE, load_rule_set(name))
    assert (applied.fired, list(applied.order)) == ((), order)


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_set_can_be_explained(name: str) -> None:
    applied = applied_rules(TREE, load_rule_set(name))
    assert sorted(applied.order) == [*range(7)]
    assert applied.rules


def test_a_sentence_without_words_has_no_rule() -> None:
    applied = applied_rules(DependencyTree([], []), mine())
    assert (applied.fired, applied.order, applied.final) == ((), (), ())


# Labels and tags that rules may name.


@pytest.mark.parametrize(
    ("kind", "name"),
    [("ud", "nsubj"), ("ud", "nsubj:pass"), ("stanford", "prep_of"), ("any", "whatever")],
)
def test_known_names_and_their_subtypes_are_allowed(kind: str, name: str) -> None:
    assert LABEL_SETS[kind].why_not(name) is None


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert (LABEL_SETS["ud"].why_not("nsbuj") or "").startswith("did you mean nsubj? the labels of")
    assert (TAG_SETS["ud"].why_not("noun") or "").startswith("did you mean NOUN? the tags of ud")
    assert (LABEL_SETS["ud"].why_not("qqqqqq") or "").startswith("the labels of ud are acl advcl")
    assert LABEL_SETS["ud"].why_not("prep_of")


# Lines of rules: of the field that is meant, of the name in it, or of the rule.


TEXT = """name = "x"
[[rule]]
head = "VERB"
order = [
    "obj", "HEAD",
    'obl',
    "OTHER",
]
[[rule]]  # the second
order = ["obj", "HEAD", "OTHER"]
head = "NOUN"
[rule.when]
lemma = "obj"
"""


def test_a_name_is_looked_for_in_its_field_of_its_rule() -> None:
    first, second = rule_lines(TEXT, 2)
    assert first is not None
    assert second is not None
    assert [first.of("order", name) for name in ("obj", "obl", "OTHER", "nsubj")] == [5, 6, 7, 4]
    assert [first.of("head"), first.of("when"), first.of("")] == [3, 2, 2]
    assert [second.of(field, "obj") for field in ("order", "head", "when")] == [10, 11, 13]
    assert second.of("when") == 12


def test_rules_that_are_no_tables_of_their_own_have_no_lines() -> None:
    assert rule_lines('rule = [{ head = "VERB" }]', 1) == [None]
    assert rule_lines('description = """\n[[rule]]\n"""\n[[rule]]\n', 1) == [None]
