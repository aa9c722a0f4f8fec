"""Links that the user gives, from files and from memory."""

from pathlib import Path
from typing import Any

import pytest

from kilter.errors import InputError, OptionError
from kilter.formats.links import read_links
from kilter.formats.stream import ByteSource
from kilter.pipeline.links import LinkPath, Links
from kilter.pipeline.score import ScoreResult, score
from kilter.structures.link_batch import LinkBatch
from kilter.structures.resampling import Resampling


def scored(links: Links, hypotheses: Any = ("a", "a b c"), **settings: Any) -> ScoreResult:
    settings.setdefault("metrics", ["kendall"])
    few = Resampling(resamples=2)
    return score(list(hypotheses), ["a", "a b"], links=links, resampling=few, **settings)


def direct(*segments: list[tuple[int, int]]) -> Links:
    return Links(hypothesis_reference=((LinkBatch.of(segments),),))


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ((0, 2), "link 0-2 points past the 2 words of the reference"),
        ((3, 0), "link 3-0 points past the 3 words of the hypothesis"),
        ((-1, 0), "link -1-0 has a negative position; positions count from 0"),
    ],
)
def test_a_link_outside_its_sentence_is_named_with_its_texts(
    link: tuple[int, int], words: str
) -> None:
    where = "hypothesis-reference links of system and references, segment 2: "
    with pytest.raises(InputError, match=where + words):
        scored(direct([], [link]))


def test_source_links_outside_their_sentences_are_named() -> None:
    inside, outside = LinkBatch.of([[(0, 0)]]), LinkBatch.of([[(0, 1)]])
    for links, where in (
        (Links(source_hypothesis=(outside,)), "source-hypothesis links of source and system"),
        (
            Links(source_hypothesis=(inside,), source_reference=(outside,)),
            "source-reference links of source and references",
        ),
    ):
        message = f"{where}, segment 1: link 0-1 points past the 1 word of the"
        with pytest.raises(InputError, match=message):
            score(["a"], ["a"], source=["x"], metrics=["bleu"], links=links)


@pytest.mark.parametrize(
    "links",
    [
        Links(hypothesis_reference=((LinkBatch.of([[]]),),)),
        Links(hypothesis_reference=((LinkBatch.of([[], [], [(0, 0)]]),),)),
        Links(hypothesis_reference=((LinkBatch.of([[], []]),) * 2,)),
        Links(hypothesis_reference=((LinkBatch.of([[], []]),),) * 2),
        Links(source_hypothesis=(LinkBatch.of([[]]),)),
        Links(source_hypothesis=(LinkBatch.of([[], []]),) * 2),
        Links(source_reference=(LinkBatch.of([[]]),)),
        Links(source_reference=(LinkBatch.of([[], []]),) * 2),
    ],
)
def test_links_of_other_segments_systems_or_references_are_refused(links: Links) -> None:
    with pytest.raises(InputError, match=r"links"):
        scored(links, source=["x", "y"])


def test_source_links_need_a_source() -> None:
    links = Links(source_hypothesis=(LinkBatch.of([[], []]),))
    with pytest.raises(OptionError, match=r"source-hypothesis links need the source text"):
        scored(links, metrics=["crossings"])


def test_links_may_be_files_of_any_format(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0\n0-1 2-0\n", encoding="utf-8")
    expected = scored(direct([(0, 0)], [(0, 1), (2, 0)])).to_dict()
    assert scored(Links(hypothesis_reference=((LinkPath(str(path)),),))).to_dict() == expected
    path.write_text("1-1\n1-2 3-1\n", encoding="utf-8")
    named = LinkPath(str(path), "pharaoh-1")
    assert scored(Links(hypothesis_reference=((named,),))).to_dict() == expected


def test_links_that_were_read_from_a_file_still_name_it(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("1-1\n4-1\n", encoding="utf-8")
    batch = read_links(ByteSource(str(path)), form="pharaoh-1").sure
    message = f"{path}:2: link 4-1 points past the 3 words of the hypothesis, counted from 1; "
    with pytest.raises(InputError, match=message):
        scored(Links(hypothesis_reference=((batch,),)))
