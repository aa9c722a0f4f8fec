"""Parts of pages: values are escaped once, and one that is missing is an error."""

from pathlib import Path

import pytest

from kilter.render.page.page_part import Html, PageParts, joined, lines

TEXT = """<!-- list -->
<ul>
$entries</ul>
<!-- list entry -->
<li title="$title">$text</li>
"""


@pytest.fixture
def parts(tmp_path: Path) -> PageParts:
    path = tmp_path / "parts.html"
    path.write_text(TEXT, encoding="utf-8")
    return PageParts(path)


def test_values_are_escaped_and_markup_is_not(parts: PageParts) -> None:
    entry = parts.part("list entry", title='"$text"', text="<b>&")
    assert entry == '<li title="&quot;$text&quot;">&lt;b&gt;&amp;</li>'
    assert parts.part("list", entries=lines([entry])) == f"<ul>\n{entry}\n</ul>"
    assert parts.part("list", entries=str(entry)).count("<li") == 0


def test_a_missing_value_is_an_error(parts: PageParts) -> None:
    with pytest.raises(KeyError, match="title"):
        parts.part("list entry", text="a")


def test_parts_are_joined() -> None:
    one, two = Html("<p>1</p>"), Html("<p>2</p>")
    assert joined([one, two]) == "<p>1</p><p>2</p>"
    assert joined([one, two], ", ") == "<p>1</p>, <p>2</p>"
    assert lines([]) == ""
