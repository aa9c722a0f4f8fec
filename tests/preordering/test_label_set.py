"""Labels and tags that rules may name."""

import pytest

from kilter.preordering.rule_file import LABEL_SETS, TAG_SETS


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
