"""Links that the user gives, from files and from memory."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kilter
from kilter.aligners.embedding import Embedding
from kilter.aligners.registry import aligner
from kilter.cli.main import run
from kilter.core.corpus import Corpus
from kilter.core.errors import InputError, KilterError, KilterWarning, OptionError
from kilter.core.links import LinkBatch, LinkOrigin
from kilter.io.links import read_links
from kilter.io.stream import ByteSource
from kilter.metrics.metric import LinkUse
from kilter.metrics.registry import metric_class, metric_names
from kilter.parsers.encoder.encoder import Encoder
from kilter.results.score_result import ScoreResult
from kilter.run.align import align
from kilter.run.demo import SAMPLE
from kilter.run.scoring import text_streams
from kilter.run.scoring.corpus import Texts, build_corpus
from kilter.run.scoring.links import LinkPath, LinkReach, Links, MadeLinks
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
    assert caught.value.for_command() == str(caught.value).replace(
        "rule='mean'", "--order-rule mean"
    )


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
    few = ("order is missing", "bleu is 0")
    said = [note for note in result.notes[1:] if not any(each in note for each in few)]
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


# Links that count other words than the tokeniser makes.


SYSTEM, REFERENCE = (str(SAMPLE / name) for name in ("verb.en", "reference.en"))
TEXTS = [Path(path).read_text(encoding="utf-8").splitlines() for path in (SYSTEM, REFERENCE)]
METRICS = ["kilter", "order", "coverage", "kendall"]
BETWEEN_BLANKS = "no link points past the latter, so that links may count words between blanks"


def scores(**options: object) -> list[float | None]:
    result = kilter.score(*TEXTS, metrics=METRICS, **options)  # type: ignore[arg-type]
    return [result.system[name].score for name in METRICS]


def test_links_of_align_score_as_no_links_do() -> None:
    assert scores(links=kilter.align(*TEXTS)) == scores()
    plain = kilter.align(*TEXTS, tokenize="none")
    assert scores(links=plain, tokenize="none") == scores(tokenize="none")


def test_links_of_words_between_blanks_are_refused_unless_these_are_asked_for() -> None:
    with pytest.raises(InputError, match=rf"{BETWEEN_BLANKS}; .* 13a or tokenize='none'$"):
        scores(links=kilter.align(*TEXTS, tokenize="none"))


@pytest.mark.parametrize("block", [4096, 16])
def test_the_command_refuses_the_same_whole_or_in_blocks(
    block: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_streams, "BLOCK", block)
    links = str(tmp_path / "links")
    assert run(["align", SYSTEM, "-r", REFERENCE, "--tokenize", "none", "-o", links]) == 0
    given = [SYSTEM, "-r", REFERENCE, "-a", links]
    assert run(["score", *given]) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"kilter: {links}: the tokeniser 13a finds more words than stand")
    assert told.endswith("13a or --tokenize none\n")
    assert told.count("\n") == 1
    assert run(["validate", *given]) == 3
    assert BETWEEN_BLANKS in capsys.readouterr().out
    assert run(["score", *given, "--tokenize", "none"]) == 0


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([[(0, 0)], [(1, 1)]], LinkReach("links", split=1, past=0)),
        ([[(0, 0), (2, 1)], []], LinkReach("links", split=1, past=1)),
        ([[], [(0, 0)]], LinkReach("links", split=0, past=0)),
    ],
)
def test_reach_is_looked_at_where_words_differ(
    links: list[list[tuple[int, int]]], expected: LinkReach
) -> None:
    words, blanks = np.array([3, 2]), np.array([2, 2])
    batch = replace(LinkBatch.of(links), origin=LinkOrigin("links"))
    found = LinkReach.of(batch, [words, blanks], [blanks, blanks])
    assert found == expected
    more = found + LinkReach("other", 1, 1)
    assert more == LinkReach("links", expected.split + 1, expected.past + 1)


def test_links_of_few_segments_are_taken_with_a_warning() -> None:
    texts = ["b, a."], ["a. b,"]
    links = LinkBatch.of([[(0, 1), (1, 0)]])
    with pytest.warns(KilterWarning, match=f"between blanks in 1 segment, and {BETWEEN_BLANKS}"):
        kilter.score(*texts, links=links, metrics="kendall")
    assert kilter.score(*texts, links=links, metrics="kendall", tokenize="none").count == 1


# Links of a corpus: what depends on a pair alone is made once for all systems.


REFERENCES = {
    "r1": ["a cat sleeps here", "the dog barks", "yes"],
    "r2": ["here a cat is asleep", "a dog barks", "yes"],
}
SYSTEMS = {
    "one": ["the cat sleeps", "a dog barks", "yes"],
    "two": ["the cat sleeps", "dogs bark", ""],
    "three": ["cats sleep", "a dog barks", "a dog barks"],
}


@pytest.fixture
def corpus() -> Corpus:
    return build_corpus(Texts(systems=SYSTEMS, references=REFERENCES), tokenize="none")


@pytest.mark.parametrize("name", ["embedding", "match", "hmm"])
def test_links_are_those_of_each_pair_of_texts(name: str, corpus: Corpus) -> None:
    made = MadeLinks(corpus, jobs=1)
    chosen = aligner(name)
    for place in (2, 0, 1):
        found = made.of(chosen, place)
        assert len(found) == 2
        for batch, reference in zip(found, corpus.references, strict=True):
            tokens = corpus.systems[place].tokens, reference.tokens
            alone = chosen.align(*tokens, corpus.vocabulary)
            assert batch.links.tolist() == alone.links.tolist()
            assert batch.offsets.tolist() == alone.offsets.tolist()
            assert batch.bounded == alone.bounded


def test_every_distinct_sentence_is_encoded_once(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []
    real = Encoder._windows

    def watching(self, words, vocabulary):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        encoded.extend(" ".join(vocabulary.text(words, place)) for place in range(len(words)))
        return real(self, words, vocabulary)

    monkeypatch.setattr(Encoder, "_windows", watching)
    monkeypatch.setattr("kilter.parsers.encoder.meaning.BLOCK", 4)  # many blocks
    made = MadeLinks(corpus, jobs=1)
    for place in range(len(SYSTEMS)):
        made.of(Embedding(), place)
    texts = [*REFERENCES.values(), *SYSTEMS.values()]
    assert sorted(encoded) == sorted({line for lines in texts for line in lines})


def test_links_are_the_same_where_vectors_may_not_wait(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def links() -> list[object]:
        made = MadeLinks(corpus, jobs=1)
        return [batch.links.tolist() for place in range(3) for batch in made.of(Embedding(), place)]

    before = links()
    monkeypatch.setattr("kilter.parsers.encoder.meaning.BLOCK", 4)
    monkeypatch.setattr("kilter.parsers.encoder.meaning.WAITING", 2)
    assert links() == before


PARAPHRASED = {
    "one": ["she purchased a house", "we sell books", "so they purchased it"],
    "two": ["she bought a house", "we vend books", "so they bought it"],
    "three": ["she acquired a house", "we sell books", "so they acquired it"],
}
WRITTEN = ["she bought a house", "we sell books", "so they bought it"]
LEARNED = "match:stages=exact+learned"


def learned(systems: dict[str, list[str]]) -> dict[str, list[list[tuple[int, int]]]]:
    texts = Texts(systems=systems, references={"r": WRITTEN})
    corpus = build_corpus(texts, tokenize="none")
    made = MadeLinks(corpus, jobs=1)
    found = {}
    for place, system in enumerate(corpus.systems):
        (batch,) = made.of(aligner(LEARNED), place)
        found[system.name] = [batch.segment(segment) for segment in range(3)]
    return found


def test_what_is_learned_is_learned_from_all_systems_in_any_order() -> None:
    # What stands in two segments of a reference that differ is learned, whoever wrote it.
    whole = learned(PARAPHRASED)
    assert whole["one"][2] == whole["three"][2] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    turned = learned(dict(reversed(PARAPHRASED.items())))
    assert turned == whole
    split = {
        "one": ["she purchased a house", "", ""],
        "two": ["", "", "so they purchased it"],
    }
    together = learned(split)
    assert (1, 1) in together["one"][0]
    assert (2, 2) in together["two"][2]
    for name, lines in split.items():  # alone, a system has one segment to show
        assert learned({name: lines})[name] == [
            [link for link in links if WRITTEN[segment].split()[link[1]] != "bought"]
            for segment, links in enumerate(together[name])
        ]


def test_the_certainty_of_links_goes_with_them(corpus: Corpus) -> None:
    made = MadeLinks(corpus, jobs=1)
    for name in ("match", "match:stages=exact+stem+similar+learned"):
        for place in range(len(SYSTEMS)):
            for batch, reference in zip(
                made.of(aligner(name), place), corpus.references, strict=True
            ):
                assert batch.certainty is not None
                words = [corpus.vocabulary.text(corpus.systems[place].tokens, s) for s in range(3)]
                others = [corpus.vocabulary.text(reference.tokens, s) for s in range(3)]
                equal = [
                    words[s][first] == others[s][second]
                    for s in range(3)
                    for first, second in batch.segment(s)
                ]
                assert (batch.certainty == 1.0).tolist() == equal
    (batch, _) = made.of(aligner("embedding"), 0)
    assert batch.certainty is None


def test_an_aligner_that_is_named_links_the_source_for_metrics_that_need_it() -> None:
    source = ["eine Katze schläft hier", "der Hund bellt", "ja"] * 3
    references = [*REFERENCES["r1"]] * 3
    systems = {name: lines * 3 for name, lines in SYSTEMS.items()}
    metrics = ["lr:through=source", "frs", "crossings"]
    found = score(
        systems, references, source=source, metrics=metrics, aligner="hmm", tokenize="none"
    )
    made = [align(source, lines, aligner="hmm", tokenize="none") for lines in systems.values()]
    given = score(
        systems,
        references,
        source=source,
        metrics=metrics,
        links=Links(
            source_hypothesis=tuple(made),
            source_reference=(align(source, references, aligner="hmm", tokenize="none"),),
        ),
    )
    for name in metrics:
        assert "aligner:hmm(" in found.metrics[name].signature
        for system in systems:
            one, other = (result.segment_arrays[name, system] for result in (found, given))
            assert one.tolist() == other.tolist()
    assert not [note for note in found.notes if "no effect" in note]
    with pytest.raises(OptionError, match="or let an aligner link the source"):
        score(systems, references, source=source, metrics="frs")
    # One of hypothesis and reference cannot link two languages.
    with pytest.raises(OptionError, match="frs needs reference-links"):
        score(systems, references, source=source, metrics="frs", aligner="match")
