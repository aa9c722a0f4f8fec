"""The pool in numbers, against what its files hold."""

import json
from pathlib import Path

from kilter.preordering.perturbations.perturbation import PUBLISHED_TYPES
from kilter.study.design.creation import POOL_FILE, create, draw_study
from kilter.study.design.pool import Pool, read_corpus
from kilter.study.design.study_file import read_study
from tests.study.generated import edited, write_study

REST = '[[composition]]\nitems = 4\nkind = "translation"\n'


def test_a_pool_is_counted_by_languages_and_year_and_altogether(tmp_path: Path) -> None:
    folder = write_study(tmp_path, lines=12, systems=3, pool=10, rest=REST)
    edited(
        folder, ('system = "sys2"\npair = "de-en"', 'system = "sys2"\npair = "cs-en"\nyear = 2013')
    )
    lines = (folder / "sys1.en").read_text(encoding="utf-8").splitlines()
    blank = [*lines[:2], "", *lines[3:]]
    (folder / "sys1.en").write_text("\n".join(blank) + "\n", encoding="utf-8")
    edited(folder, ('trees_hypothesis = "sys1.conllu"\n', ""))
    found = draw_study(folder).pool
    rows = [(row.pair, row.year, row.corpora, row.sentences, row.in_pool) for row in found.rows]
    assert rows == [("cs-en", 2013, 1, 12, 10), ("de-en", None, 2, 23, 20)]
    total = found.total
    assert (total.pair, total.corpora, total.sentences, total.in_pool) == (None, 3, 35, 30)
    assert (total.ranked, total.rank_score, total.permutations) == (0, None, None)


def test_permutations_are_those_that_can_be_made_of_the_pool(tmp_path: Path) -> None:
    folder = write_study(tmp_path, lines=6, systems=1, rest=REST)
    edited(folder, ("sentences = 450", "sentences = 450\nlast_degree = 4"))
    study = read_study(folder)
    pool = Pool.of(study, [read_corpus(files) for files in study.corpora])
    made = {
        str(kind): sum(
            pool.permutation(sentence, kind, degree).text is not None
            for sentence in pool.sentences
            for degree in (1, 2, 3, 4)
        )
        for kind in PUBLISHED_TYPES
    }
    seen: list[tuple[int, int]] = []
    found = draw_study(folder, permutations=True, progress=lambda *at: seen.append(at)).pool
    assert found.total.permutations == found.rows[0].permutations == made
    assert min(made.values()) > 0
    assert seen[-1] == (6, 6)
    lengths = [len(sentence.reference.split()) for sentence in pool.sentences]
    assert found.total.reference_length == sum(lengths) / 6


def test_the_numbers_are_written_with_the_study(tmp_path: Path) -> None:
    folder = write_study(tmp_path, lines=12, systems=1, rest=REST)
    created = create(folder)
    written = json.loads((folder / POOL_FILE).read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(created.drawn.pool.to_dict()))
    assert written["total"]["in_pool"] == 12
