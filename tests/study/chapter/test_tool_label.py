"""What figures call tools."""

from kilter.study.chapter.tool_label import tool_label


def test_variants_of_the_thesis_have_its_names_and_others_their_options() -> None:
    assert tool_label("dted", "") == "dted c"
    assert tool_label("derp", "flat=true") == "fderp"
    assert tool_label("pef", "beta=0.5") == "pef:beta=0.5"
    assert tool_label("ter", "") == "ter"
