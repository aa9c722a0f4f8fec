"""Every reader of Kilter with any bytes: a result, or one of the documented errors."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from kilter.aligners.em_model import load
from kilter.aligners.word_key import read_synonyms
from kilter.core.errors import InputError
from kilter.core.link_rule import OrderRule
from kilter.io.cache_rows import read_cache_rows, read_maker
from kilter.io.conllu import checked_trees, read_conllu, write_conllu
from kilter.io.judgments.reader import JudgmentFormat, read_judgments
from kilter.io.latency_log import read_audio, read_delays
from kilter.io.link_format import LinkFormat
from kilter.io.link_parser import TraceFault, read_trace
from kilter.io.links import checked_links
from kilter.io.nbest import read_nbest
from kilter.io.permutation import read_permutation_json, read_permutation_table, read_permutations
from kilter.io.perturbation import read_labelled, read_perturbed
from kilter.io.reordering import ReorderingForm, read_reorderings
from kilter.io.score_file import (
    read_metric_scores,
    read_rater_scores,
    read_ratings,
    read_score_rows,
)
from kilter.io.spans.entry import SpanFormatName
from kilter.io.spans.format import read_spans, write_spans
from kilter.io.stream import ByteSource
from kilter.io.table import read_table
from kilter.io.text_file import checked_text_file
from kilter.io.tokenizer import tokenizer
from kilter.metrics.fitted_weight import weight_file
from kilter.metrics.registry import metric
from kilter.parsers.encoder.model_folder import CONFIG, model_folder
from kilter.parsers.encoder.network import network, read_network
from kilter.parsers.network_file import load_network
from kilter.parsers.perceptron_tables import load_model
from kilter.preordering.rule_file import parse_rule_set
from kilter.run.meta.evaluation_file import read_evaluation_file
from kilter.run.published.worked_table import read_parallel_links
from kilter.run.variation import read_translations
from kilter.study.annotation.project import PROJECT_FILE, SENTENCE_FILE, read_project
from kilter.study.design.creation import KEY_FILE, read_keys
from kilter.study.design.item import ITEM_FILE, QUESTIONNAIRE_FILE, read_design
from kilter.study.design.study import STUDY_FILE
from kilter.study.design.study_file import read_study
from kilter.study.instrument.instrument import read_instrument
from kilter.study.instrument.interface import read_documents, read_interface
from kilter.study.instrument.question import read_questions
from kilter.study.judgments.score_file import read_scores
from kilter.study.judgments.study_table import read_export
from kilter.study.paper.form import PageCode, read_forms
from kilter.study.simulation.effect import read_effects
from kilter.study.web.site_address import SiteAddress
from tests import naive_reader
from tools.fuzz.lines import Pieces
from tools.fuzz.model_files import parsers
from tools.fuzz.paper_files import fonts, papers, scans
from tools.fuzz.refusal import folder_with, refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kilter.io.permutation import PermutationBlock


def permutations(data: bytes) -> None:
    """Lines of permutations, compared with the naive reader, whole and in pieces."""
    for pairs in (False, True):
        expected = naive_reader.read(data, pairs=pairs, zero_based=False)
        for pieces in ([data], [data[k : k + 3] for k in range(0, len(data), 3)]):
            good: dict[int, list[list[int]]] = {}
            bad = []
            with suppress(InputError):
                for block in read_permutations(Pieces(pieces), pairs=pairs, zero_based=False):
                    step = 2 if pairs else 1
                    rows = [block.batch[s].tolist() for s in range(len(block.batch))]
                    for k, line in enumerate(block.lines.tolist()):
                        good[line] = rows[k * step : (k + 1) * step]
                    bad += [problem.line for problem in block.bad]
            assert (good, bad) == (expected.good, expected.bad)


def permutation_table(data: bytes) -> None:
    """Permutations in Parquet and Arrow files, and as JSON lines, whole and in pieces."""
    for name in ("t.parquet", "t.arrow"):
        with folder_with(data, name) as folder, refusing():
            for block in read_permutation_table(ByteSource(str(folder / name))):
                assert len(block.lines) == len(block.batch)
    for field in (None, "a"):
        found = [
            _rows(read_permutation_json(Pieces(pieces), field))
            for pieces in ([data], [data[k : k + 3] for k in range(0, len(data), 3)])
        ]
        assert found[0] == found[1]


def _rows(blocks: Iterator[PermutationBlock]) -> dict[int, object] | None:
    """Return permutations and reasons of bad lines by their numbers; None if all of it is refused."""
    found: dict[int, object] = {}
    with refusing():
        for block in blocks:
            rows = [block.batch[place].tolist() for place in range(len(block.batch))]
            found |= zip(block.lines.tolist(), rows, strict=True)
            found |= {bad.line: bad.reason for bad in block.bad}
        return found
    return None


def links(data: bytes) -> None:
    """Links in every format, and where the format is to be found out."""
    for form in (None, *LinkFormat):
        with refusing():
            file, faults = checked_links(Pieces([data]), form=form, segments=None)
            assert (file is None) == bool(faults)
    for line in data.split(b"\n"):
        for diagonal in (False, True):
            with suppress(TraceFault):
                read_trace(line, diagonal=diagonal)
    with folder_with(data, "l.json") as folder, refusing():
        read_parallel_links(str(folder / "l.json"))


def trees(data: bytes) -> None:
    """CoNLL-U; what is read is written again as it was, and read again."""
    with refusing():
        assert (checked_trees(Pieces([data]))[0] is None) == bool(checked_trees(Pieces([data]))[1])
        bank = read_conllu(Pieces([data]))
        text = "".join(write_conllu(bank)).encode()
        assert read_conllu(Pieces([text])).trees.heads.tolist() == bank.trees.heads.tolist()


def nbest(data: bytes) -> None:
    """Lists of candidates, of Moses and as JSON lines."""
    with refusing():
        read_nbest(Pieces([data]))


def texts(data: bytes) -> None:
    """Plain texts and sets of segments by the names of their files, whole and a part of them."""
    names = ("t.txt", "t.sgm", "t.tsv", "t.csv", "t.jsonl", "t.gz", "t.xz", "t.parquet", "t.arrow")
    with folder_with(data, *names) as folder:
        for name in names:
            for part in ("", "#a"):
                with refusing():
                    lines, faults = checked_text_file(f"{folder / name}{part}")
                    assert (lines is None) == bool(faults)


def tables(data: bytes) -> None:
    """Tables in every format; perturbed pairs of them and of JSON, labelled outputs."""
    names = ("t.csv", "t.tsv", "t.json", "t.jsonl", "t.parquet", "t.arrow")
    with folder_with(data, *names) as folder:
        for name in names:
            source = ByteSource(str(folder / name))
            for read in (read_table, read_perturbed, read_labelled):
                with refusing():
                    read(source)


def judgments(data: bytes) -> None:
    """Judgments in every format."""
    names = ("t.csv", "t.rank", "t.seg.rating", "t.jsonl")
    with folder_with(data, *names) as folder:
        for name in names:
            with refusing():
                read_judgments(str(folder / name))
        for form in JudgmentFormat:
            with refusing():
                read_judgments(str(folder / "t.csv"), form=form)


def scores(data: bytes) -> None:
    """Scores and ratings of others."""
    names = ("t.seg.score", "t.sys.score", "t.tsv", "t.txt")
    with folder_with(data, *names) as folder:
        for name in names:
            source = ByteSource(str(folder / name))
            with refusing():
                read_score_rows(source)
            with refusing():
                read_metric_scores(source, name="given")
            with refusing():
                read_ratings(source, name="given")
            with refusing():
                read_rater_scores(source)


def latency(data: bytes) -> None:
    """Logs of simultaneous translation, their segments, and tables of TPR-DB."""
    audio = [{"wav": "rec0.wav", "offset": 0.0, "duration": 3.0}]
    with folder_with(data, "log.jsonl", "audio.yaml", "table.tsv") as folder:
        for elapsed in (False, True):
            with refusing():
                read_delays(str(folder / "log.jsonl"), elapsed=elapsed)
        with refusing():
            read_delays(str(folder / "log.jsonl"), references=["a b"], audio=audio)
        with refusing():
            read_audio(str(folder / "audio.yaml"))
        with refusing():
            read_translations(str(folder / "table.tsv"))


def spans(data: bytes) -> None:
    """Error spans in every format; what is read is written in every other."""
    with folder_with(data, "spans") as folder:
        for form in (None, *SpanFormatName):
            with refusing():
                found = read_spans(str(folder / "spans"), form=form, text=["a b c", "d"])
                for other in SpanFormatName:
                    with refusing():
                        "".join(write_spans(found, form=other))


def reorderings(data: bytes) -> None:
    """Reference orders with ties, in every form."""
    for form in ReorderingForm:
        with refusing():
            read_reorderings(Pieces([data]), form=form)


def rules(data: bytes) -> None:
    """Rules of pre-ordering."""
    with refusing():
        parse_rule_set(data.decode("utf-8", "replace"), where="rules.toml", name="rules")


def studies(data: bytes) -> None:
    """The file of a study, and the files that it may bring along."""
    data_files = (
        "interface/xx.toml",
        "documents/xx.toml",
        "instruments/own.toml",
        "questions/own.toml",
    )
    with folder_with(data, STUDY_FILE, *data_files) as folder:
        with refusing():
            read_study(folder)
        with refusing():
            read_interface("xx", folder)
        with refusing():
            read_documents("xx", folder, {})
        with refusing():
            read_instrument("own", folder, languages=("en",))
        with refusing():
            read_questions("own", folder, languages=("en",))
        with refusing():
            read_effects(folder / STUDY_FILE)
        (folder / KEY_FILE).write_bytes(data)
        with refusing():
            read_keys(folder)


def designs(data: bytes) -> None:
    """Items and questionnaires of a study, form files of its booklets, codes of pages, addresses."""
    with folder_with(data, ITEM_FILE, QUESTIONNAIRE_FILE, "a.form.json") as folder:
        with refusing():
            read_design(folder)
        (folder / ITEM_FILE).write_text(
            '{"id": "a", "kind": "x", "system": "", "pair": "", "line": 1, "hypothesis": "", "reference": ""}\n'
        )
        with refusing():
            read_design(folder)
        with refusing():
            read_forms(folder)
    text = data.decode("utf-8", "replace")
    PageCode.parse(text)
    with refusing():
        SiteAddress.parse(text)


def exports(data: bytes) -> None:
    """Tables that a survey exports, each of them in turn what was given."""
    sound = {
        "judgments.csv": b"participant,item,question,answer\np1,i1,order,3\n",
        "items.csv": b"item,kind\ni1,translation\n",
    }
    for name in (*sound, "participants.csv", "dictionary.csv", "scores.csv"):
        with folder_with(data, name) as folder:
            for other, content in sound.items():
                if other != name:
                    (folder / other).write_bytes(content)
            with refusing():
                study = read_export(folder)
                for given in ("given.csv", "given.jsonl"):
                    (folder / given).write_bytes(data)
                    with refusing():
                        read_scores(folder / given, study)


def projects(data: bytes) -> None:
    """The files of a project of annotation."""
    with folder_with(data, PROJECT_FILE, SENTENCE_FILE) as folder:
        with refusing():
            read_project(folder)
        (folder / PROJECT_FILE).write_text('title = "a"\nannotators = ["A"]\n', encoding="utf-8")
        with refusing():
            read_project(folder)


def evaluations(data: bytes) -> None:
    """The file of an evaluation of metrics."""
    with folder_with(data, "t.toml") as folder, refusing():
        read_evaluation_file(str(folder / "t.toml"))


def models(data: bytes) -> None:
    """Files of models and of what is kept, of any bytes."""
    with folder_with(data, "m.npz", CONFIG, "w.json") as folder:
        path = folder / "m.npz"
        for read in (load, load_model, load_network):
            with refusing():
                read(str(path))
        with refusing():
            read_maker(path)
        with refusing():
            read_cache_rows(path, "a", columns=2, named=1)
        with refusing():
            model_folder(str(folder)).read("network.onnx")
        with refusing():
            weight_file(str(folder / "w.json"))
    with suppress(ValueError):  # whoever calls it tells of the folder
        network(read_network(data))


def synonyms(data: bytes) -> None:
    """Groups of synonyms, and an index of WordNet."""
    with folder_with(data, "s.txt", "w/index.noun", "w/noun.exc") as folder:
        for path in (folder / "s.txt", folder / "w"):
            with refusing():
                read_synonyms(str(path), fold=True)("dogs")


def specifications(data: bytes) -> None:
    """What options take: metrics with their settings, orders of links; lines through tokenisers."""
    text = data.decode("utf-8", "replace")
    with refusing():
        metric(text)
    with refusing():
        OrderRule.parse(text)
    for name in ("13a", "none", "char", "intl", "zh"):
        with refusing():
            tokenizer(name)(text.replace("\n", " "))


READERS: dict[str, Callable[[bytes], None]] = {
    read.__name__.replace("_", "-"): read
    for read in (
        permutations, permutation_table, links, trees, nbest, texts, tables, judgments, scores, latency, spans, reorderings,
        rules, studies, designs, exports, projects, evaluations, models, synonyms, specifications, parsers,
        fonts, scans, papers,
    )
}  # fmt: skip
