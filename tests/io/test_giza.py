"""Files of GIZA++: which word of which sentence a link joins."""

import pytest

from kilter.core.errors import InputError
from kilter.io.links import read_links
from tests.io.link_texts import GIZA, Text, lengths, segments


def test_the_source_of_giza_is_the_first_sentence_and_null_has_no_links() -> None:
    found = read_links(Text(GIZA), form="giza", lengths=lengths((3, 4), (1, 2), (2, 0)))
    assert segments(found) == [[(0, 0), (1, 1), (1, 3), (2, 2)], [(0, 1)], []]


def test_sentences_of_other_lengths_are_those_of_the_block() -> None:
    with pytest.raises(InputError) as caught:
        read_links(Text(GIZA), form="giza", lengths=lengths((4, 3), (2, 1), (0, 2)))
    told = [str(caught.value), *caught.value.__notes__]
    assert [each.partition(";")[0] for each in told if "the file gives" in each] == [
        "links.txt:3: the file gives the first sentence 3 words, but it has 4",
        "links.txt:3: the file gives the second sentence 4 words, but it has 3",
        "links.txt:6: the file gives the first sentence 1 word, but it has 2",
        "links.txt:6: the file gives the second sentence 2 words, but it has 1",
        "links.txt:9: the file gives the first sentence 2 words, but it has 0",
        "links.txt:9: the file gives the second sentence 0 words, but it has 2",
    ]
