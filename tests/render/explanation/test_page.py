"""Explanations on a page."""

import re
from html.parser import HTMLParser

import kilter
from kilter.render.explanation.page import explanation_page, explanation_part
from tests.golden.test_tree_examples import CELLIST, CELLIST_LINKS, MS


class _Checker(HTMLParser):
    """Collects identifiers, what refers to them, and tags that are not closed."""

    void = frozenset({"meta", "rect", "line", "path", "circle", "polygon", "polyline", "img", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.identifiers: list[str] = []
        self.referred: list[str] = []
        self.open: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.identifiers += [str(given["id"])] if "id" in given else []
        for name in ("aria-labelledby", "aria-describedby"):
            self.referred += str(given.get(name) or "").split()
        self.loaded += [str(given[name]) for name in ("src", "href") if name in given]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.void:
            self.open.pop()


def checked(page: str) -> _Checker:
    checker = _Checker()
    checker.feed(page)
    assert checker.open == []
    assert len(set(checker.identifiers)) == len(checker.identifiers)
    assert set(checker.referred) <= set(checker.identifiers)
    assert [url for url in checker.loaded if not url.startswith("#")] == []
    return checker


def test_words_cannot_turn_the_page_around() -> None:
    found = kilter.explain("b \u202ea", "\u202ea b", metrics="kendall", tokenize="none")
    page = explanation_page([found])
    assert "\u202e" not in page
    assert page.count("\\u202ea") > 2


def test_of_many_errors_the_first_stand_in_a_table_and_the_others_can_be_opened() -> None:
    words = [f"{letter}{number}" for number in range(25) for letter in "ba"]
    order = sorted(words, key=lambda word: (int(word[1:]), word))
    page = explanation_page([kilter.explain(" ".join(words), " ".join(order), metrics="kendall")])
    checked(page)
    assert page.count('<th scope="row">swap</th>') == 25
    assert page.partition("<details>")[0].count('<th scope="row">swap</th>') == 20
    assert "<summary>and 5 errors more</summary>" in page
    assert "<p>kendall loses 0.0204082 by order</p>" in page


def test_a_page_is_whole_and_loads_nothing() -> None:
    found = kilter.explain_segments(
        {"one": ["b a c"], "two": ["b a c"]}, ["a b c"], segments=1, metrics=["kendall", "pef"]
    )
    page = explanation_page(found)
    checked(page)
    assert page.count("<h2") == 2
    assert page.count("<svg") == 6
    assert "prefers-color-scheme: dark" in page
    assert "<script" not in page


def test_trees_have_their_pictures_and_tables() -> None:
    trees = kilter.Trees(systems=([CELLIST],), references=([MS],))
    links = kilter.LinkBatch.of([CELLIST_LINKS])
    sentences = " ".join(CELLIST.words), " ".join(MS.words)
    found = kilter.explain(*sentences, links=links, trees=trees, metrics=["dted", "derp"])
    page = explanation_page([found])
    checked(page)
    assert page.count("<svg") == 5
    assert re.search(r"<caption>Edits of dted; distance: 7</caption>", page)
    assert len(re.findall(r"<th scope=\"row\">[^<]+ - [^<]+</th>", page)) == 10


def test_words_are_escaped() -> None:
    page = explanation_page([kilter.explain("<b> a", "a <b>", tokenize="none", metrics="kendall")])
    checked(page)
    assert "<b>" not in page


def test_a_long_segment_and_one_without_words_have_a_page() -> None:
    words = " ".join(f"w{number}" for number in range(60))
    found = kilter.explain_segments(["", words], ["a", words], segments=[1, 2], metrics="pef")
    checked(explanation_page(found))


def test_what_is_out_of_order_is_marked_in_words_not_in_colour_alone() -> None:
    page = explanation_page([kilter.explain("b c a", "a b c", metrics="kendall")])
    checked(page)
    assert page.count('<span class="misplaced" title="out of order">a</span>') == 1
    assert "<caption>Out of order: 1 move restores the order (the minimum)</caption>" in page
    assert "<li><bdi>b c a</bdi></li>" in page


def test_two_explanations_in_a_notebook_leave_it_and_one_another_alone() -> None:
    pairs = ("b a", "a b"), ("b c a", "a b c")
    parts = [explanation_part(kilter.explain(*pair, metrics="kendall")) for pair in pairs]
    checked("".join(parts))
    style = re.findall(r"<style>(.*?)</style>", parts[0], re.DOTALL)[0]
    assert not re.search(r"(?:^|[\s}])(?::root|body|html)\b", style)
