"""Lines of rules: of the field that is meant, of the name in it, or of the rule."""

from kilter.preordering.rule_file import rule_lines

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
