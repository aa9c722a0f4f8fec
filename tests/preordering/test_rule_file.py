"""Rule files: what they say is read, and every mistake is named with file, rule and field."""

from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.preordering.condition import Condition, Side
from kilter.preordering.rule_file import (
    load_rule_set,
    parse_rule_set,
    rule_set_digest,
    rule_set_text,
    shipped_names,
    shipped_text,
)
from kilter.preordering.rule_set import Group, Method, RuleSet

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
        (rule('["ob*", "OTHER", "HEAD"]'), "'ob*' is no pattern; a wildcard stands for a subtype, such as nsubj:*"),
        (rule('["*", "OTHER", "HEAD"]'), "'*' is no pattern"),
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
        (conditional('{ label = "ob*" }'), "[when]: label is 'ob*', which is no pattern; a wildcard stands for a subtype"),
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
