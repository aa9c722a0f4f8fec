"""Names of variants, as the thesis has them."""

import pytest

from kilter.run.meta.hypothesis import VARIANTS
from kilter.study.analysis.tool_name import (
    PUBLISHED,
    ToolFamily,
    family_colour,
    family_keys,
    tool_family,
    tool_label,
    variant_colour,
    variant_name,
)


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


def test_variants_of_the_thesis_have_its_names_and_others_their_options() -> None:
    assert tool_label("dted", "") == "dted c"
    assert tool_label("derp", "flat=true") == "fderp"
    assert tool_label("pef", "beta=0.5") == "pef:beta=0.5"
    assert tool_label("ter", "") == "ter"


@pytest.mark.parametrize(
    ("tool", "variant", "family"),
    [
        ("bleu", "", ToolFamily.BASELINE),
        ("wmt-rank", "", ToolFamily.BASELINE),
        ("dted", "", ToolFamily.DTED),
        ("dted", "variant=b", ToolFamily.DTED),
        ("dted", "variant=cl,flat=true", ToolFamily.FLAT_DTED),
        ("derp", "", ToolFamily.DERP),
        ("derp", "flat=true", ToolFamily.FLAT_DERP),
        ("dted", "labels=true", ToolFamily.OTHER),
        ("kendall", "", ToolFamily.OTHER),
    ],
)
def test_a_tool_has_one_family(tool: str, variant: str, family: ToolFamily) -> None:
    assert tool_family(tool, variant) is family


def test_an_external_tool_is_one_whatever_it_is_called() -> None:
    assert tool_family("dted (external)", "variant=b", external=True) is ToolFamily.EXTERNAL
    assert tool_family("comet", "", external=True) is ToolFamily.EXTERNAL
    assert tool_family("wmt-rank", "", external=True) is ToolFamily.BASELINE


def test_families_have_different_colours_and_a_legend_names_those_that_occur() -> None:
    assert len({family_colour(family) for family in ToolFamily}) == len(ToolFamily) == 7
    assert len(PUBLISHED) == 5
    keys = family_keys([ToolFamily.EXTERNAL, ToolFamily.DTED, ToolFamily.DTED])
    assert [(key.name, key.look.colour) for key in keys] == [
        ("DTED", family_colour(ToolFamily.DTED)),
        ("external tools", family_colour(ToolFamily.EXTERNAL)),
    ]


@pytest.mark.parametrize(
    ("name", "tool", "variant"),
    [
        ("b", "dted", "variant=b"),
        ("c", "dted", ""),
        ("fcl", "dted", "variant=cl,flat=true"),
        ("derp", "derp", ""),
        ("fderp", "derp", "flat=true"),
    ],
)
def test_a_variant_has_the_colour_of_its_tool(name: str, tool: str, variant: str) -> None:
    assert variant_colour(name) == family_colour(tool_family(tool, variant))
    assert variant_colour("threshold") == ""
