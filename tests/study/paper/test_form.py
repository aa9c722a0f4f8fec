"""Form files and the codes of pages."""

from dataclasses import replace
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.paper.form import Box, Field, Form, PageCode, read_forms

FORM = Form(
    study="example", questionnaire=2, items=("a", "b"), pages=3, page_size=(595.0, 842.0),
    boxes=[Box(2, 1, "order", 1, 10.0, 20.0, 9.0), Box(2, 1, "order", 2, 30.0, 20.0, 9.0)],
    fields=[Field(3, 2, "age", 10.0, 20.0, 60.0, 12.0)],
)  # fmt: skip


def test_a_form_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "q.form.json").write_text(FORM.to_json(), encoding="utf-8")
    assert read_forms(tmp_path) == {FORM.id: FORM}
    assert FORM.questions() == {(1, "order"): 2, (2, "age"): 3}


def test_every_layout_has_an_id_of_its_own() -> None:
    moved = replace(FORM, boxes=[replace(FORM.boxes[0], x=11.0), FORM.boxes[1]])
    assert len({FORM.id, moved.id, replace(FORM, items=("b", "a")).id}) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("595.0", "596.0"), "was changed after it was printed; restore it"),
        (("kilter.form/3", "kilter.form/2"), "is no form file of this version"),
        (('"pages"', '"leaves"'), "is no form file; print the booklets again"),
        (("{", "[", 1), "is no form file; print the booklets again"),
    ],
)
def test_a_form_that_was_changed_is_refused(
    change: tuple[str, str], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "q.form.json"
    path.write_text(FORM.to_json().replace(*change), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_forms(tmp_path)
    assert raised.value.where == str(path)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "text", ["kilter:a-1-1-1-0a1b2c3", "a-1-1-1-0a1b2c3d", "kilter:a-1-1-1-0A1B2C3D", "kilter:"]
)
def test_codes_of_others_are_none_of_ours(text: str) -> None:
    assert PageCode.parse(text) is None


def test_a_code_comes_back_from_what_cameras_see() -> None:
    code = PageCode("wmt14", 2, 1, 7, "0a1b2c3d")
    assert PageCode.parse(code.for_cameras) == code
    assert (code.booklet, code.is_consent) == ("wmt14-2-1", False)


def test_codes_of_consent_forms_name_neither_questionnaire_nor_copy() -> None:
    code = PageCode.parse("kilter:wmt14-consent-1-0a1b2c3d")
    assert code == PageCode("wmt14", 0, 0, 1, "0a1b2c3d")
    assert code.is_consent
    assert code.text == "wmt14-consent-1-0a1b2c3d"
    assert PageCode.parse("kilter:wmt14-consent-2-1-1-0a1b2c3d") is None
    assert replace(FORM, questionnaire=0).is_consent
    assert not FORM.is_consent
