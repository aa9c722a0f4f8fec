"""Links that are written."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import OptionError
from kilter.core.links import LinkBatch
from kilter.io.link_format import LinkFormat
from kilter.io.link_writer import write_links
from kilter.io.links import read_links
from tests.io.link_texts import Text, lengths, segments
from tests.strategies import link_sets

Drawn = tuple[int, int, list[tuple[int, int]]]


@pytest.mark.parametrize("form", LinkFormat)
@given(st.lists(link_sets(), min_size=1, max_size=4), st.data())
def test_what_is_written_is_read_again(
    form: LinkFormat, drawn: list[Drawn], data: st.DataObject
) -> None:
    if form is LinkFormat.METEOR:  # its links are one-to-one
        drawn = [(n, m, [(k, k) for k in range(min(n, m))]) for n, m, _ in drawn]
    links = LinkBatch.of([each for _, _, each in drawn])
    possible = None
    if form in (
        LinkFormat.SURE_POSSIBLE,
        LinkFormat.SURE_POSSIBLE_1,
        LinkFormat.TALP,
        LinkFormat.NAACL,
    ):
        marked = [[(data.draw(st.booleans()), link) for link in each] for _, _, each in drawn]
        links = LinkBatch.of([[link for sure, link in each if sure] for each in marked])
        possible = LinkBatch.of([[link for sure, link in each if not sure] for each in marked])
    texts = [["w"] * n for n, _, _ in drawn], [["w"] * m for _, m, _ in drawn]
    written = write_links(links, form=form, possible=possible, texts=texts)
    text = "".join(f"{line}\n" for line in written)
    known = lengths(*((n, m) for n, m, _ in drawn))
    again = read_links(Text(text), form=form, lengths=known)
    assert segments(again) == [links.segment(k) for k in range(len(links))]
    if possible is not None:
        assert [again.possible.segment(k) for k in range(len(links))] == [
            possible.segment(k) for k in range(len(links))
        ]


def test_a_writer_refuses_what_its_format_cannot_say() -> None:
    links = LinkBatch.of([[(0, 0)]])
    with pytest.raises(OptionError, match="pharaoh has no sign for possible links"):
        write_links(links, possible=links)
    for form in ("meteor", "target-lists"):
        with pytest.raises(OptionError, match=f"{form} cannot be written without the words"):
            write_links(links, form=form)
    assert list(write_links(links, form="moses")) == ["0=0"]


def test_links_of_meteor_come_in_the_order_of_the_second_text() -> None:
    links = LinkBatch.of([[(0, 2), (1, 0), (2, 1)]])
    written = list(write_links(links, form="meteor", texts=([["a"] * 3], [["a"] * 3])))
    places = [line.split("\t\t\t")[:2] for line in written if ":1" in line]
    assert places == [["0:1", "1:1"], ["1:1", "2:1"], ["2:1", "0:1"]]


def test_the_certainty_of_links_is_written_where_a_format_has_room() -> None:
    links = LinkBatch(
        np.array([[0, 1], [1, 0]], dtype=np.int32), np.array([0, 2]), certainty=np.array([0.575, 1])
    )
    assert [*write_links(links, form="naacl", certainty=True)] == [
        "1 1 2 S 0.5750",
        "1 2 1 S 1.0000",
    ]
    assert [*write_links(links, form="naacl")] == ["1 1 2 S", "1 2 1 S"]
    texts = [["a", "b"]], [["c", "d"]]
    written = [*write_links(links, form="meteor", texts=texts, certainty=True)]
    assert [line.split() for line in written[4:6]] == [
        ["0:1", "1:1", "0", "1.0000"],
        ["1:1", "0:1", "0", "0.5750"],
    ]
    for form in ("naacl", "meteor"):
        lines = "".join(
            f"{line}\n" for line in write_links(links, form=form, texts=texts, certainty=True)
        )
        again = read_links(Text(lines), form=form, lengths=lengths((2, 2)))
        assert again.sure.segment(0) == [(0, 1), (1, 0)]
    with pytest.raises(
        OptionError, match="no place for the certainty of links; take meteor, naacl"
    ):
        write_links(links, certainty=True)
    with pytest.raises(OptionError, match="nobody said how certain"):
        write_links(LinkBatch.of([[(0, 0)]]), form="naacl", certainty=True)
