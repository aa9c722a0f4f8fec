"""Links that several annotators have in common."""

from kilter.study.annotation.agreed_link import agreed_links
from kilter.study.annotation.drawn_link import DrawnLink


def test_common_links_are_sure_where_all_say_so() -> None:
    one = [DrawnLink(1, 1), DrawnLink(0, 0), DrawnLink(2, 2)]
    other = [DrawnLink(0, 0), DrawnLink(1, 1, sure=False), DrawnLink(2, 0)]
    assert agreed_links([one, other]) == (DrawnLink(0, 0), DrawnLink(1, 1, sure=False))
    assert agreed_links([one]) == tuple(sorted(one))
    assert agreed_links([]) == ()
