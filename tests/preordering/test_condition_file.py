"""Conditions in TOML: what is written is read as the same."""

from typing import Any

import pytest
from hypothesis import given

from kilter.core.errors import InputError
from kilter.io.toml_table import TomlTable, parse_toml
from kilter.preordering.condition import Condition
from kilter.preordering.rule_file import LABEL_SETS, TAG_SETS, ConditionReader, condition_text
from tests.preordering.conditioned import conditions, made


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
