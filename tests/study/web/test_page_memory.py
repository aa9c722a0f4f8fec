"""Pages that are made once and filled in again."""

from collections.abc import Mapping

from kilter.study.web.page_memory import PageMemory


def test_a_page_is_made_once_and_its_gaps_are_filled_each_time() -> None:
    memory, made = PageMemory(2), []

    def page(key: str, **gaps: str) -> str:
        def make(marks: Mapping[str, str]) -> str:
            made.append(key)
            return f"{marks['b']}{key} {marks['a_b']} {{a_b}} -b- {marks['b']}"

        return memory.page(key, gaps, make)

    assert page("x", a_b="1", b="2") == "2x 1 {a_b} -b- 2"
    assert page("x", a_b="", b="<b>") == "<b>x  {a_b} -b- <b>"
    assert page("y", a_b="x", b="y") == "yy x {a_b} -b- y"
    assert made == ["x", "y"]
    page("x", a_b="", b="")
    page("z", a_b="", b="")  # one too many: the one that was not asked for longest is made again
    page("x", a_b="", b="")
    assert made == ["x", "y", "z"]
    page("y", a_b="", b="")
    assert made == ["x", "y", "z", "y"]
