"""Printed tables of agreement, on small data of the same layout."""

from pathlib import Path

import pytest

import kilter
from kilter.run.published.published import published
from kilter.stats.resampling import Resampling
from tests.docs.pages import ROOT

SAMPLE = ROOT / "examples"
SYSTEMS = ("local", "verb", "phrase", "lexical")
RANKS = [(first, second) for first in SYSTEMS for second in SYSTEMS if first < second]
FEW = Resampling(resamples=20)


def copied(path: Path, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((SAMPLE / name).read_bytes())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a folder with the sample's systems, judged in both layouts."""
    folder = tmp_path_factory.mktemp("published")
    pairs = folder / "wmt13-de-en"
    copied(pairs / "ref.en", "reference.en")
    copied(pairs / "src.de", "source.de")
    for system in SYSTEMS:
        copied(pairs / "sys" / f"{system}.txt", f"{system}.en")
    rows = [
        f"{segment}\t" + "\t".join(RANKS[segment % 6][:: 1 if segment % 5 else -1])
        for segment in range(1, 49)
    ]
    (pairs / "pairs.tsv").write_text(
        "seg\tbetter\tworse\n" + "".join(f"{row}\n" for row in rows), encoding="utf-8"
    )
    ranked = folder / "wmt12-into-english"
    head, *lines = (SAMPLE / "rankings.csv").read_text(encoding="utf-8").splitlines()
    languages = {"de": "German", "es": "Spanish", "fr": "French", "cs": "Czech"}
    for code in languages:
        copied(ranked / f"{code}-en" / "ref.en", "reference.en")
        copied(ranked / f"{code}-en" / f"src.{code}", "source.de")
        for system in SYSTEMS:
            copied(ranked / f"{code}-en" / "sys" / f"{system}.en.txt", f"{system}.en")
    named = [
        ",".join([name, *line.split(",")[1:]]) for name in languages.values() for line in lines
    ]
    (ranked / "rankings.csv").write_text("\n".join([head, *named]) + "\n", encoding="utf-8")
    return str(folder)


def test_agreement_is_that_of_meta(data: str) -> None:
    found = published("pef-2", data=data, resampling=FEW)
    folder = Path(data) / "wmt13-de-en"
    inputs = kilter.EvaluationInputs(
        judgments=str(folder / "pairs.tsv"),
        references=(str(folder / "ref.en"),),
        systems=(str(folder / "sys"),),
        settings=kilter.Settings(metrics="full:order=ulam", language="en", resampling=FEW),
    )
    tau = kilter.AgreementMeasure.SEGMENT_TAU
    (pair,) = kilter.meta(inputs).pairs
    agreement = pair.agreement(tau, "full:order=ulam")
    cell = found.cell("Ulam", "de-en")
    assert (cell.value, cell.low, cell.high) == agreement.triple
    assert (cell.printed, found.cell("Ulam", "6").value) == (0.232, None)
    assert found.notes == ("de-en: 4 systems, 48 judged pairs",)
    assert len(found.signatures) == len(found.rows)


def test_a_figure_differs_where_the_interval_does_not_hold_the_printed_one(data: str) -> None:
    seen = set()
    for name in ("pef-2", "pc-2"):
        found = published(name, data=data, resampling=FEW)
        for cell in (found.cell(row, "de-en") for row in found.rows):
            if isinstance(cell.printed, float):
                assert cell.low is not None
                assert cell.high is not None
                held = cell.low <= cell.printed <= cell.high
                assert cell.verdict == ("within" if held else "differs")
                seen.add(str(cell.verdict))
    assert seen == {"within", "differs"}


def test_curves_meet_where_both_options_have_their_defaults(data: str) -> None:
    curves = published("pef-curves", data=data)
    full = published("pef-5", data=data, resampling=FEW).cell("PEFs, gamma 0", "de-en").value
    assert curves.cell("0.5", "alpha").value == pytest.approx(full)
    assert curves.cell("0.6", "beta").value == pytest.approx(full)
    assert len({cell.value for cell in curves.cells}) > 3


def test_alpha_is_tuned_through_the_source_and_agrees_at_least_as_well_as_the_default(
    data: str,
) -> None:
    found = published("lr-2", data=data, resampling=FEW)
    assert len(found.notes) == 4
    gains = []
    for column, note in zip(found.columns, found.notes, strict=True):
        assert note.startswith(f"{column}: LR-HB1 alpha ")
        for said in note.split("; ")[:-1]:
            row, _, default = said.split(": ")[-1].partition(" alpha ")
            tuned = found.cell(row, column).value
            assert isinstance(tuned, float)
            gains.append(tuned - float(default.rsplit(" ", 1)[1]))
    assert min(gains) > -0.005
    assert max(gains) > 0.01
    assert found.cell("BLEU4", "de-en").value is not None
    assert found.notes[0].split("; ")[-2].endswith(f" with alpha 0.5 {_untuned(data):.2f}")
    # The sample's four language pairs are one: links and searches do not depend on what came before.
    assert len({found.cell("LR-KB4", column).value for column in found.columns}) == 1


def _untuned(data: str) -> float:
    """Return the consistency of LRscore through the source, from links that are made here."""
    folder = Path(data) / "wmt12-into-english" / "de-en"
    source = (folder / "src.de").read_text(encoding="utf-8").splitlines()
    texts = {"reference": folder / "ref.en"}
    texts |= {name: folder / "sys" / f"{name}.en.txt" for name in SYSTEMS}
    for name, path in texts.items():
        lines = path.read_text(encoding="utf-8").splitlines()
        links = kilter.align(source, lines, aligner="hmm", tokenize="13a")
        (folder / f"{name}.links").write_text(
            "".join(f"{line}\n" for line in kilter.write_links(links)), encoding="utf-8"
        )
    inputs = kilter.EvaluationInputs(
        judgments=str(folder.parent / "rankings.csv"),
        pair="German-English",
        references=(str(texts["reference"]),),
        source=str(folder / "src.de"),
        systems=tuple(str(texts[name]) for name in SYSTEMS),
        source_hypothesis=tuple(str(folder / f"{name}.links") for name in SYSTEMS),
        source_reference=(str(folder / "reference.links"),),
        settings=kilter.Settings(metrics="lr", tokenize="13a", resampling=FEW),
    )
    measure = kilter.AgreementMeasure.CONSISTENCY
    value = (
        kilter.meta(inputs, kilter.MetaSettings(measures=(measure,))).pairs[0].value(measure, "lr")
    )
    assert value is not None
    return value
