"""Names of variants, as the thesis has them."""

import pytest

from kilter.run.meta.hypothesis import VARIANTS
from kilter.study.analysis.variant import variant_name


@pytest.mark.parametrize(
    ("tool", "variant", "name"),
    [
        ("dted", "", "c"),
        ("dted", "variant=b", "b"),
        ("dted", "flat=true", "fc"),
        ("dted", "variant=cl,flat=yes", "fcl"),
        ("derp", "flat=false", "derp"),
        ("derp", "flat=true", "fderp"),
    ],
)
def test_a_variant_is_named_by_what_it_compares(tool: str, variant: str, name: str) -> None:
    assert variant_name(tool, variant) == name
    assert name in VARIANTS


@pytest.mark.parametrize(("tool", "variant"), [("bleu", ""), ("dted", "variant=c,labels=false")])
def test_other_tools_have_no_such_name(tool: str, variant: str) -> None:
    assert variant_name(tool, variant) is None
