"""What holds of every figure of a study, whatever its data."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
from hypothesis import given

from kilter.study.design.study import CONTROLS
from kilter.study.judgments.judgment_study import JudgedSentence, JudgmentStudy
from tests.render.figures import figures
from tests.render.picture import outside, overlaps, parsed, texts
from tests.study.analysis.studies import permutation, scores, study, translation
from tests.study.analysis.test_degenerate import studies
from tests.thorough import examples

PEOPLE = {
    0: {"age": "25", "gender": "female", "education": "masters", "language_points": "11"},
    1: {"age": "41", "gender": "prefer to describe it in a great many words of my own choosing"},
    2: {"nationality": "Österreich und anderswo <&>", "languages": "English (native)"},
}
LONG = "a_tool_with:an=extraordinarily,long=name,that=nobody,would=choose,but=somebody,will=choose"


@cache
def rich() -> JudgmentStudy:
    """Return a study in which every analysis has something to show."""
    drawn = np.random.default_rng(7)
    sentences = [translation(f"t{k}", pair=f"{('de', 'cs', 'fr')[k % 3]}-en") for k in range(20)]
    sentences += [
        permutation(f"{kind}{k}", kind, 1 + k % 4, degree_score=0.25 * (k % 4))
        for kind in ("order", "swap", "phrase", "choice")
        for k in range(8)
    ]
    sentences += [
        JudgedSentence(id=str(kind), kind=kind, reference="a b", hypothesis="a b")
        for kind in CONTROLS
    ]
    rows = [
        (person, place, int(drawn.integers(1, 6)), int(drawn.integers(1, 6)))
        for person in range(5)
        for place in range(len(sentences))
    ]
    tools = [
        scores(tool, drawn.random(len(sentences)), variant=variant, configuration=configuration)
        for tool, variant, configuration in (
            ("bleu", "", ""),
            ("degree", "", ""),
            *(
                ("dted", f"variant={name},flat={flat}", configuration)
                for name in ("b", "co")
                for flat in ("false", "true")
                for configuration in ("match+model", "ribes+perceptron")
            ),
            (LONG, "", "match"),
        )
    ]
    outer = scores("comet", drawn.random(len(sentences)), external=True)
    tools += [scores("wmt-rank", drawn.random(len(sentences))), outer]
    made = study(rows, sentences, tools=tools, fields=PEOPLE)
    return replace(made, seconds=10 * drawn.random(len(rows)))


@cache
def drawn_figures() -> dict[str, str]:
    return figures(rich())


def test_texts_neither_touch_nor_leave_the_picture() -> None:
    assert len(drawn_figures()) > 40
    for name, picture in drawn_figures().items():
        assert overlaps(picture) == [], name
        assert outside(picture) == [], name


def test_screen_readers_find_a_title_and_the_numbers() -> None:
    for name, picture in drawn_figures().items():
        root = parsed(picture)
        assert root.get("role") == "img", name
        title, description = root.find("{*}title"), root.find("{*}desc")
        assert title is not None, name
        assert description is not None, name
        assert title.get("id") == root.get("aria-labelledby"), name
        assert description.get("id") == root.get("aria-describedby"), name
        assert title.text, name
        assert re.search(r"\d", description.text or ""), name


def test_a_study_without_simulation_is_not_marked() -> None:
    marked = [name for name, picture in drawn_figures().items() if "SIMULATED" in picture]
    assert marked == []


def test_every_figure_of_simulated_data_says_so() -> None:
    for name, picture in figures(rich(), simulated=True).items():
        assert "SIMULATED DATA" in texts(picture), name
        assert overlaps(picture) == [], name


def test_pictures_on_one_page_share_no_names() -> None:
    seen: dict[str, str] = {}
    for name, picture in drawn_figures().items():
        for found in re.findall(r' id="([^"]+)"', picture):
            assert seen.setdefault(found, name) == name


def test_hatchings_that_are_used_are_defined_in_the_same_picture() -> None:
    for picture in drawn_figures().values():
        used = set(re.findall(r"url\(#([^)]+)\)", picture))
        assert used <= set(re.findall(r'<pattern id="([^"]+)"', picture))


def test_the_same_study_gives_the_same_bytes() -> None:
    assert figures(rich()) == drawn_figures()


def test_long_names_are_broken_and_not_cut() -> None:
    shown = texts(drawn_figures()["rho translation"])
    assert LONG in "".join(shown)
    assert LONG not in shown


@examples(10)
@given(studies())
def test_whatever_the_data_figures_are_legible(made: JudgmentStudy) -> None:
    for name, picture in figures(made).items():
        assert not re.search(r'="-?(nan|inf)', picture), name
        assert len(texts(picture)) > 1, name
        assert overlaps(picture) == [], name
        assert outside(picture) == [], name


def test_a_study_without_judgments_is_told_in_words() -> None:
    for name, picture in figures(study([], participants=0)).items():
        assert any("undefined: " in text for text in texts(picture)), name
