"""Sets of segments as WMT writes them."""

import pytest

from kilter.core.errors import InputError
from kilter.io.sgm import is_sgm, read_sgm

WHOLE = """<!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd">
<refset setid="news" srclang="any" trglang="en">
<doc sysid="ref" docid="one" genre="news">
<hl>
<seg id="1">The cat &amp; the dog slept.</seg>
</hl>
<p>
<SEG ID=2> He said &quot;no&quot;, 1 &lt; 2, AT&T, &amp;lt; &#233;&#xe9;
  and left. </SEG>
</p>
</doc>
<doc sysid="ref" docid="two"><seg id="1"></seg></doc>
</refset>
"""


def body(*segments: str, head: str = '<tstset setid="x" sysid="a">', attributes: str = "") -> str:
    inside = "\n".join(segments)
    return f"{head}\n<doc{attributes}>\n{inside}\n</doc>\n</{head[1:7]}>\n"


def test_segments_of_all_documents_come_in_order_and_decoded() -> None:
    found = read_sgm(WHOLE, name="ref.sgm")
    assert found.places == ("one#1", "one#2", "two#1")
    assert [*found] == [
        "The cat & the dog slept.",
        'He said "no", 1 < 2, AT&T, &lt; éé and left.',
        "",
    ]


def test_a_text_is_known_by_how_it_begins() -> None:
    assert is_sgm(WHOLE)
    assert is_sgm("\n <TSTSET>")
    assert not is_sgm("< tstset>")
    assert not is_sgm("a <refset>")


def test_one_of_several_systems_is_chosen_by_name() -> None:
    docs = "".join(
        f'<doc docid="d" sysid="{name}"><seg id="1">{name} says</seg></doc>' for name in "ab"
    )
    text = f"<tstset>{docs}</tstset>"
    assert read_sgm(text, name="t", part="b") == ("b says",)
    with pytest.raises(InputError, match=r"^t: holds the texts of a, b; choose one, such as t#a$"):
        read_sgm(text, name="t")
    with pytest.raises(InputError, match=r"^t: holds no text of 'c'; it has: a, b$"):
        read_sgm(text, name="t", part="c")
    assert read_sgm(body("<seg>x</seg>"), name="t", part="a") == ("x",)
    assert read_sgm(body("<seg>x</seg>", attributes=' sysid="z"'), name="t", part="z") == ("x",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (body("<seg>a</seg>", "b"), "t:4: 'b' stands outside of <seg>; put every segment into one"),
        (body("<seg>a <b>c</b></seg>"), "t:3: '<b>' stands inside of a segment; take it out, or"),
        (body("<seg>a"), "t:4: </doc> stands in <seg>; it closes nothing"),
        (body("<seg>a<seg>b</seg>"), "t:3: <seg> stands in <seg>; it belongs into <doc>"),
        ("<tstset><seg>a</seg></tstset>", "t:1: <seg> stands in <tstset>; it belongs into <doc>"),
        ("<tstset><doc>\n<seg>a</seg>\n", "t:1: <doc> is never closed; the file was cut off"),
        ("<refset></refset></refset>", "t:1: </refset> stands in no set; it closes nothing"),
        ("<mteval><doc>", "t:1: <doc> stands in <mteval>; it belongs into <srcset> or <refset> or"),
        ("<refset>\n</refset>", "t: holds no segment; write them as <seg"),
        (body("<seg id='1'>a</seg>", "<seg id='1'>b</seg>"), "t:4: segment 1#1 of its document stands"),
        (body("<seg>&#0;</seg>"), "t:3: &#0; is no character of a text"),
        (body("<seg>&#xd800;</seg>"), "t:3: &#xd800; is no character of a text"),
        (body("<seg>&#10;</seg>"), "t:3: &#10; is no character of a text"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_sgm(text, name="t")
    assert str(caught.value).startswith(message)
