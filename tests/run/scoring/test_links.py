"""Links that the user gives, from files and from memory."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kilter.core.errors import InputError, KilterError, OptionError
from kilter.core.links import LinkBatch
from kilter.io.links import read_links
from kilter.io.stream import ByteSource
from kilter.metrics.metric import LinkUse
from kilter.metrics.registry import metric_class, metric_names
from kilter.results.score_result import ScoreResult
from kilter.run.scoring.links import LinkPath, Links
from kilter.run.scoring.score import score
from kilter.stats.resampling import Resampling


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


SHARED = direct([(0, 0)], [(0, 0), (0, 1), (2, 1)])
WORD = "word 0 of the hypothesis is linked with words 0 and 1 of the reference, counted from 0"


def test_several_links_of_a_word_are_refused_with_place_words_and_remedy() -> None:
    with pytest.raises(InputError) as caught:
        scored(SHARED, metrics=["tau", "kendall"])
    assert str(caught.value) == (
        f"hypothesis-reference links of system and references, segment 2: {WORD}; kendall takes one "
        "link a word under the rule one-to-one; choose what several links mean, such as the mean of "
        "their places with rule='mean'"
    )
    assert caught.value.for_command() == str(caught.value).replace("rule='mean'", "--rule mean")


@pytest.mark.parametrize("name", ["tau", "aligned"])
def test_metrics_of_links_take_several_without_a_rule(name: str) -> None:
    plain, ruled = scored(SHARED, metrics=[name]), scored(SHARED, metrics=[name], rule="mean")
    assert plain.to_dict() == ruled.to_dict()
    assert "rule" not in plain.signatures[name]


@pytest.mark.parametrize("name", ["kendall", "pef", "full", "sen", "lr"])
def test_a_rule_shows_in_the_signature_of_what_it_decides(name: str) -> None:
    result = scored(SHARED, metrics=[name, "bleu"], rule="birch:null=drop")
    assert "|aligner:given|rule:birch(null:drop)|tok:13a|" in result.signatures[name]
    assert "rule" not in result.signatures["bleu"]
    assert "rule" not in scored(direct([], []), metrics=[name]).signatures[name]


def test_the_rule_decides_the_order() -> None:
    # Of three hypothesis words the first is linked with both words of the reference, the last with one.
    links = direct([(0, 0)], [(0, 0), (0, 1), (2, 0)])
    arrays = {
        rule: scored(links, metrics=["kendall:penalty=false"], rule=rule).segment_arrays
        for rule in ("drop", "mean", "birch", "mean:null=next")
    }
    found = {rule: next(iter(each.values()))[1] for rule, each in arrays.items()}
    # drop: both sort by word 0; mean: 0.5 comes after 0; birch: the word between follows the first;
    # null=next: it goes before the last, which comes first.
    assert found == pytest.approx({"drop": 1.0, "mean": 0.0, "birch": 1.0, "mean:null=next": 1 / 3})


@pytest.mark.parametrize("name", ["meteor", "meteor-chunk"])
def test_metrics_of_matches_refuse_several_links_under_every_rule(name: str) -> None:
    for rule in ("one-to-one", "mean"):
        with pytest.raises(
            InputError, match=f"; {name} takes one link a word under every rule; le"
        ):
            scored(SHARED, metrics=[name], rule=rule)


def test_all_leaves_out_metrics_that_cannot_take_several_links_and_says_so() -> None:
    result = scored(SHARED, metrics=["all"], rule="mean")
    assert "kendall" in result.system
    left_out = [
        name for name in metric_names() if metric_class(name).link_use is LinkUse.ONE_TO_ONE
    ]
    assert {"meteor", "meteor-chunk"} <= {*left_out}
    assert not {*left_out} & set(result.system)
    assert {name for name, _ in result.segment_arrays} == set(result.system) == set(result.metrics)
    said = [note for note in result.notes[1:] if "order is missing" not in note]
    assert tuple(said) == tuple(
        f"{name} is left out, because it takes one link a word: hypothesis-reference links of system "
        f"and references, segment 2: {WORD}"
        for name in left_out
    )
    fine = scored(direct([(0, 0)], [(1, 0)]), metrics=["all"], rule="mean")
    assert "meteor" in fine.system
    assert not any("left out" in note for note in fine.notes)
    with pytest.raises(InputError, match="meteor takes one link a word under every rule"):
        scored(SHARED, metrics=["all", "meteor"], rule="mean")
    with pytest.raises(InputError, match="kendall takes one link a word under the rule one-to-one"):
        scored(SHARED, metrics=["all"])


@pytest.mark.parametrize(
    ("aligner", "single"),
    [
        ("ribes:repeats=true", "ribes"),
        ("ibm1:iterations=3", "ibm1:iterations=3,symmetrize=intersection"),
        ("hmm", "hmm:symmetrize=intersection"),
    ],
)
def test_an_aligner_that_gives_several_links_is_a_matter_of_options(
    aligner: str, single: str
) -> None:
    texts = {"x": ["x a b a y", "u v v w"], "y": ["x a y", "u v w"]}
    where = f"aligner {aligner.partition(':')[0]} on x and references, segment 1: word "
    helps = f"{where}.*; the aligner {single} gives no more, or choose .* with rule='mean'$"
    with pytest.raises(OptionError, match=helps):
        score(texts, texts["y"], aligner=aligner, metrics=["kendall"])
    helps = f"{where}.*under every rule; leave it out, or take an aligner .*: aligner='{single}'$"
    with pytest.raises(OptionError, match=helps):
        score(texts, texts["y"], aligner=aligner, metrics=["meteor"], rule="drop")
    few = Resampling(resamples=2)
    assert score(texts, texts["y"], aligner=aligner, rule="mean", resampling=few).systems
    assert score(texts, texts["y"], aligner=single, resampling=few).systems


def test_joined_links_name_both_of_their_places(tmp_path: Path) -> None:
    paths = [tmp_path / "hypothesis.naacl", tmp_path / "reference.naacl"]
    paths[0].write_text("1 1 1\n2 1 1\n", encoding="utf-8")
    paths[1].write_text("1 1 1\n\n2 1 1\n2 1 2\n", encoding="utf-8")
    first, second = (LinkPath(str(path), "naacl") for path in paths)
    links = Links(source_hypothesis=(first,), source_reference=(second,), through_source=True)
    message = f"{paths[0]}:2 joined with {paths[1]}:3: {WORD}; kendall takes one link"
    with pytest.raises(InputError, match=message):
        scored(links, source=["x", "x y"])
    assert scored(links, source=["x", "x y"], rule="talbot").system["kendall"].score


STRAIGHT = LinkBatch.of([[(0, 0)], [(0, 0), (1, 1)]])
BROKEN = "embedding:folder=no-such-folder"
WITH_SOURCE = Links(source_hypothesis=(STRAIGHT,), source_reference=(STRAIGHT,))


@pytest.mark.parametrize("name", ["lr", "lr:through=source", "crossings", "bleu"])
def test_no_aligner_runs_where_no_metric_looks_at_its_links(name: str) -> None:
    # This aligner cannot run: if it were asked, it would miss its model.
    result = scored(WITH_SOURCE, metrics=[name], source=["x", "x y"], aligner=BROKEN)
    assert "aligner" not in result.signatures[name]
    assert "rule" not in result.signatures[name]


@pytest.mark.parametrize("name", ["lr:through=reference", "kendall", "full", "aligned"])
def test_the_aligner_runs_where_a_metric_looks_at_its_links(name: str) -> None:
    settings = {"metrics": [name], "source": ["x", "x y"]}
    assert "|aligner:match(" in scored(WITH_SOURCE, **settings).signatures[name]
    with pytest.raises(KilterError, match="no-such-folder"):
        scored(WITH_SOURCE, **settings, aligner=BROKEN)


def test_lr_through_the_source_needs_both_kinds_of_links() -> None:
    half = Links(source_hypothesis=(STRAIGHT,))
    assert "through:reference" in scored(half, metrics=["lr"], source=["x", "x y"]).signatures["lr"]
    with pytest.raises(OptionError, match=r"lr needs reference-links .* which are not given"):
        scored(half, metrics=["lr:through=source"], source=["x", "x y"])


def test_an_aligner_beside_given_links_is_refused() -> None:
    message = "the aligner match would have nothing to do, because the links are given; leave out"
    with pytest.raises(OptionError, match=message):
        scored(direct([], []), aligner="match")
    joined = replace(WITH_SOURCE, through_source=True)
    with pytest.raises(OptionError, match=message):
        scored(joined, aligner="match", source=["x", "x y"])
    both = replace(joined, hypothesis_reference=((STRAIGHT,),))
    with pytest.raises(OptionError, match="so that none are made through the source; leave out"):
        scored(both, source=["x", "x y"])


def test_links_that_were_read_from_a_file_still_name_it(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("1-1\n4-1\n", encoding="utf-8")
    batch = read_links(ByteSource(str(path)), form="pharaoh-1").sure
    message = f"{path}:2: link 4-1 points past the 3 words of the hypothesis, counted from 1; "
    with pytest.raises(InputError, match=message):
        scored(Links(hypothesis_reference=((batch,),)))


def test_lists_of_pairs_are_refused_with_what_makes_links_of_them() -> None:
    with pytest.raises(
        OptionError, match=r"source_hypothesis is .* kilter.LinkBatch.of makes links"
    ):
        Links(source_hypothesis=[[(0, 0)]])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"it must be True or False$"):
        Links(through_source=1)  # type: ignore[arg-type]
