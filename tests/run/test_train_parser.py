"""From treebanks to a model that was tried on what it has not seen."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.io.conllu import Treebank, read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.network_file import ParserNetwork
from kilter.parsers.network_training import NetworkSettings
from kilter.parsers.perceptron_training import TrainingSettings
from kilter.run.train_parser import learned_parser
from tests.parsers.small_treebank import sentences

FEW = TrainingSettings(passes=1, voters=1)


def bank(folder: Path, content: str, name: str = "bank") -> tuple[str, Treebank]:
    path = folder / f"{name}.conllu"
    path.write_text(content, encoding="utf-8")
    return name, read_conllu(ByteSource(str(path)))


def test_a_tenth_is_held_out_and_not_learned_from(tmp_path: Path) -> None:
    card = learned_parser([bank(tmp_path, sentences(50))], settings=FEW, language="xx").card
    assert card.accuracy is not None
    assert (card.sentences, card.accuracy.sentences) == (45, 5)
    assert (card.held_out, card.tried_on, card.language) == (0.1, None, "xx")


def test_a_development_treebank_is_tried_on_and_all_others_are_learned(tmp_path: Path) -> None:
    given = [bank(tmp_path, sentences(20, 1), "one"), bank(tmp_path, sentences(15, 2), "two")]
    found = learned_parser(given, development=bank(tmp_path, sentences(7, 3), "dev"), settings=FEW)
    card = found.card
    assert card.accuracy is not None
    assert (card.sentences, card.files) == (35, ("one", "two"))
    assert (card.accuracy.sentences, card.tried_on) == (7, "dev")
    assert found.tables.card == card.to_dict()


def test_sentences_that_are_learned_and_tried_on_are_counted(tmp_path: Path) -> None:
    text = sentences(20, 1)
    found = learned_parser(
        [bank(tmp_path, text)], development=bank(tmp_path, text, "copy"), settings=FEW
    ).card.accuracy
    assert found is not None
    assert (found.sentences, found.seen) == (20, 20)


def test_what_parses_write_otherwise_is_told(tmp_path: Path) -> None:
    tree = "1\ta\t_\tX\t_\t_\t0\tfoo\t_\t_\n2\tb\t_\tX\t_\t_\t1\troot\t_\t_\n\n"
    with pytest.warns(KilterWarning, match="40 words with the label root below another, or a root"):
        found = learned_parser([bank(tmp_path, tree * 20)], held_out=0, settings=FEW)
    assert found.card.sentences == 20
    roots = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.warns(KilterWarning, match="several roots; .* here and in 19 more trees"):
        learned_parser([bank(tmp_path, roots * 20)], held_out=0, settings=FEW)


def test_nothing_held_out_means_no_accuracy(tmp_path: Path) -> None:
    card = learned_parser([bank(tmp_path, sentences(25))], held_out=0, settings=FEW).card
    assert card.sentences == 25
    assert card.accuracy is None


def test_a_language_is_a_code(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="language is 'a b'; it must be a code such as fr"):
        learned_parser([bank(tmp_path, sentences(25))], settings=FEW, language="a b")


def test_a_treebank_without_tags_is_told(tmp_path: Path) -> None:
    rows = [line.split("\t") for line in sentences(25).split("\n")]
    bare = "\n".join(
        "\t".join([*row[:3], "_", "_", *row[5:]]) if len(row) > 4 else row[0] for row in rows
    )
    with pytest.warns(KilterWarning, match="bank: it has no tags; rules and metrics"):
        learned_parser([bank(tmp_path, bare)], held_out=0, settings=FEW)


def test_another_seed_holds_other_sentences_out(tmp_path: Path) -> None:
    given = [bank(tmp_path, sentences(40))]
    words = {
        learned_parser(given, settings=TrainingSettings(passes=1, voters=1, seed=seed)).card.words
        for seed in (1, 2, 3)
    }
    assert len(words) > 1


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (sentences(12), "11 trees to learn from and 1 other held out; at least 20"),
        ("# sent_id = 1\n# text =\n\n" * 30, "no trees"),
        (
            "# parse = 1\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n# parse = 2\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n",
            "several parses",
        ),
    ],
)
def test_what_teaches_nothing_is_refused(tmp_path: Path, content: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        learned_parser([bank(tmp_path, content)], settings=FEW)


def test_a_share_beside_a_development_treebank_is_refused(tmp_path: Path) -> None:
    given = bank(tmp_path, sentences(25))
    with pytest.raises(OptionError, match="nothing to add"):
        learned_parser([given], development=given, held_out=0.2)


def test_a_treebank_may_be_read_several_times(tmp_path: Path) -> None:
    given = [bank(tmp_path, sentences(20, 1), "one"), bank(tmp_path, sentences(7, 2), "two")]
    once, thrice = (
        learned_parser(given, copies=[1, copies], held_out=0, settings=FEW).card
        for copies in (1, 3)
    )
    assert (once.sentences, thrice.sentences) == (27, 41)
    assert thrice.words - once.words == 2 * (once.words - _words(given[0]))


def _words(named: tuple[str, Treebank]) -> int:
    return int(named[1].trees.offsets[-1])


def test_a_network_is_learned_by_its_settings_and_its_card_says_so(tmp_path: Path) -> None:
    settings = NetworkSettings(passes=1, seed=4)
    found = learned_parser([bank(tmp_path, sentences(25))], settings=settings, language="xx")
    assert isinstance(found.tables, ParserNetwork)
    assert found.card.accuracy is not None
    assert found.card.settings == {"passes": 1, "lowercase": False, "seed": 4}
    assert found.tables.card == found.card.to_dict()
    assert (found.card.tags, found.card.labels) == (5, 6)
