"""What no editor sends is refused with what is wrong, whatever it is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.study.annotation.drawn_link import DrawnLink
from kilter.study.annotation.web.request import RefusedError
from kilter.study.annotation.web.sentence_form import save_form, sentence_form
from tests.study.annotation.projects import project, sentence

GOOD: dict[str, Any] = {
    "version": 1,
    "translation": "x y",
    "target": ["x"],
    "links": [{"source": 0, "target": 0, "sure": False, "proposed": True, "certainty": 0.5}],
    "comment": "c",
    "bookmark": True,
    "done": False,
    "seconds": 1,
}
LINK = GOOD["links"][0]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=4,
)


def taken(form: dict[str, Any]) -> None:
    sentence_form(form, project(), words=sentence().words, stored=["stored"])
    save_form(form)


def test_a_good_form_is_taken_as_it_is() -> None:
    form = sentence_form(GOOD, project(), words=sentence().words, stored=["stored"])
    assert (form.translation, form.target, form.before) == ("x y", ("x", "y"), ("x",))
    assert form.links == (DrawnLink(0, 0, sure=False, proposed=True, certainty=0.5),)
    other = save_form(GOOD)
    assert (other.version, other.comment, other.bookmark, other.done) == (1, "c", True, False)
    assert other.seconds == 1.0
    without = {name: value for name, value in GOOD.items() if name != "target"}
    assert sentence_form(without, project(), words=sentence().words, stored=["stored"]).before == (
        "stored",
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": -1}, "version"),
        ({"version": 10**400}, "version"),
        ({"seconds": 10**400}, "seconds"),
        ({"seconds": -(10**400)}, "seconds"),
        ({"links": [LINK | {"certainty": 10**400}]}, "certainty"),
        ({"version": True}, "version"),
        ({"version": 2**40}, "version"),
        ({"translation": None}, "translation"),
        ({"translation": "x" * 10_001}, "10000"),
        ({"translation": "x " * 501}, "500"),
        ({"translation": "a\nb"}, "one line"),
        ({"translation": "a\x00"}, "cannot be stored"),
        ({"translation": "\ud800"}, "cannot be stored"),
        ({"target": "x"}, "target"),
        ({"target": [1]}, "target"),
        ({"target": ["x"] * 501}, "target"),
        ({"links": {}}, "links"),
        ({"links": [[0, 0]]}, "object"),
        ({"links": [LINK | {"more": 1}]}, "object"),
        ({"links": [LINK | {"source": 3}]}, "3-0"),
        ({"links": [LINK | {"source": -1}]}, "-1-0"),
        ({"links": [LINK | {"target": 1}]}, "0-1"),
        ({"links": [LINK | {"source": 0.0}]}, "source"),
        ({"links": [LINK | {"sure": 1}]}, "sure"),
        ({"links": [LINK | {"proposed": "yes"}]}, "proposed"),
        ({"links": [LINK | {"certainty": 0}]}, "certainty"),
        ({"links": [LINK | {"certainty": "1"}]}, "certainty"),
        ({"links": [LINK, LINK]}, "twice"),
        ({"links": [LINK] * 5001}, "5000"),
        ({"comment": "x" * 5001}, "5000"),
        ({"comment": 3}, "comment"),
        ({"bookmark": 0}, "bookmark"),
        ({"done": "true"}, "done"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": 1e9}, "seconds"),
        ({"seconds": float("inf")}, "seconds"),
        ({"seconds": True}, "seconds"),
    ],
)
def test_everything_else_is_refused_with_its_name(change: dict[str, Any], said: str) -> None:
    with pytest.raises(RefusedError) as error:
        taken(GOOD | change)
    assert error.value.status == 422
    assert said in error.value.message


@given(st.sampled_from([*GOOD, "link"]), ANYTHING)
def test_whatever_a_field_is_the_form_is_taken_or_refused(name: str, value: Any) -> None:
    change = {"links": [value]} if name == "link" else {name: value}
    refused = None
    try:
        taken(GOOD | change)
    except RefusedError as error:
        refused = error
    assert refused is None or (refused.status == 422 and refused.message)
