"""Tokenisers: sacreBLEU's own, words as they stand, and what is said where one is missing."""

import subprocess
import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

import kilter.io.tokenizer as module
from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.io.tokenizer import (
    NAMES,
    check_spaced,
    check_tokenizer,
    default_tokenizer,
    tokenizer,
)

THEIRS: dict[str, Any] = {
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "zh": TokenizerZh,
}
LINES = (
    "He said: \"It's 3.14, isn't it?\"  &quot;Yes&quot; ",
    "a-b 1,000.50 (x/y) $5 — “so” e.g. 2-3",
    "他是一个好人。He said 你好!",
    "",
    "   ",
)


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("line", LINES)
def test_it_splits_as_sacrebleu_does(name: str, line: str) -> None:
    assert tokenizer(name)(line) == THEIRS[name]()(line.rstrip()).split()


@given(st.text(max_size=40))
def test_13a_is_sacrebleus_on_any_text(line: str) -> None:
    assert tokenizer("13a")(line) == THEIRS["13a"]()(line.rstrip()).split()


def test_13a_splits_off_punctuation() -> None:
    assert tokenizer("13a")("The cat, sat.") == ["The", "cat", ",", "sat", "."]


def test_none_leaves_words_as_they_stand() -> None:
    assert tokenizer("none")(" The cat,\tsat. ") == ["The", "cat,", "sat."]


def test_char_makes_every_character_a_word() -> None:
    assert tokenizer("char")("我爱 ab") == ["我", "爱", "a", "b"]


def test_zh_splits_chinese_and_keeps_other_words() -> None:
    assert tokenizer("zh")("我爱 Kilter") == ["我", "爱", "Kilter"]


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (None, "13a"),
        ("", "13a"),
        ("de", "13a"),
        ("zh", "zh"),
        ("ja", "ja-mecab"),
        ("ko", "ko-mecab"),
    ],
)
def test_a_language_has_a_default(language: str | None, name: str) -> None:
    assert default_tokenizer(language) == name


@pytest.mark.parametrize("name", ["", "13b", "moses", "None", "spm", "flores200"])
def test_an_unknown_name_is_answered_with_those_there_are(name: str) -> None:
    with pytest.raises(OptionError, match="there is no tokeniser") as raised:
        tokenizer(name)
    assert ", ".join(NAMES) in str(raised.value)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("ja-mecab", "MeCab", "ja"),
        ("ko-mecab", "mecab_ko", "ko"),
        ("moses:en", "sacremoses", "moses"),
    ],
)
def test_a_missing_package_is_named_with_its_install_command(
    name: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loaded in [each for each in sys.modules if each.startswith("sacrebleu.tokenizers.")]:
        if "mecab" in loaded:
            monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingToolError) as raised:
        tokenizer(name)
    assert raised.value.exit_code == 4
    assert str(raised.value).endswith(f"install it with: pip install 'kilter[{extra}]'")


@pytest.mark.parametrize("name", ["char", "zh", "intl"])
def test_no_temporary_directory_is_needed(name: str) -> None:
    program = (
        "import tempfile; tempfile._candidate_tempdir_list = lambda: ['/nowhere']; "
        "from kilter.io.tokenizer import tokenizer; "
        f"print(tokenizer({name!r})('a b')); print(tempfile.tempdir)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, text=True
    )
    assert (done.stdout, done.stderr) == ("['a', 'b']\nNone\n", "")


def test_the_moses_tokeniser_needs_a_language() -> None:
    with pytest.raises(OptionError, match="moses:en"):
        tokenizer("moses:")


@pytest.mark.parametrize(
    ("lines", "works"),
    [
        (["我今天去学校上课", "他喜欢吃苹果派吗"], "zh"),
        (["わたしはがくせいです", "", "   "], "ja-mecab"),
        (["東京都知事選挙実施へ", "首相が訪米を発表する見通し"], "ja-mecab"),
        (["他喜欢喝优の良品牌的牛奶和咖啡"], "zh"),
        (["ฉันไปโรงเรียนทุกวัน"], "char"),
        (["ຂ້ອຍໄປໂຮງຮຽນທຸກມື້"], "char"),
        (["ខ្ញុំទៅសាលារៀនរាល់ថ្ងៃ"], "char"),
        (["ကျွန်တော်ကျောင်းသွားတယ်"], "char"),
        (["བདག་ནི་སློབ་གྲྭར་འགྲོ་གི་ཡོད།"], "char"),
        (["我爱你", "谢谢你"], "zh"),
        (["我们使用 GPU 训练这个模型", "他在 Berlin 学习德语"], "zh"),
        (["我今天去学校上课", "yes", "no", "他 喜欢 苹果"], "zh"),
        (["昨天下雨。 今天天晴。 明天刮风。"], "zh"),
    ],
)
def test_an_unspaced_script_as_one_word_stops_with_advice_that_works(
    lines: list[str], works: str
) -> None:
    with pytest.raises(InputError, match="written without blanks") as raised:
        check_spaced(lines, where="system.txt", name="none")
    assert str(raised.value).startswith("system.txt: ")
    assert "the tokeniser none does not split it" in str(raised.value)
    assert str(raised.value).endswith(f": tokenize={works!r}")
    assert raised.value.for_command().endswith(f": --tokenize {works}")
    if works != "ja-mecab":  # an optional package
        check_spaced(lines, where="x", name=works)


def test_one_unspaced_script_does_not_pass_as_another() -> None:
    lines = ["ฉันไปโรงเรียนทุกวัน"]
    with pytest.raises(InputError, match="tokenize='char'"):
        check_spaced(lines, where="x", name="zh")


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["", ""],
        ["one", "two"],
        ["我 今天 去 学校 上课"],
        ["我今天去学校上课", "an English line", "another one here"],
        ["제 이름은 킬터입니다"],
        ["你好"],
        ["我们 使用 GPU 训练 这个 模型", "他 在 Berlin 学习 德语"],
        ["コンピューター を 使う", "アメリカ へ 行く"],
        ["ฉัน ไป โรงเรียน ทุก วัน"],
        ["the sign 今天天气很好 hangs over the door of the house"],
    ],
)
def test_other_texts_pass(lines: list[str]) -> None:
    assert check_spaced(lines, where="x", name="none") is None  # type: ignore[func-returns-value]


def test_the_moses_tokeniser_does_not_take_an_unknown_language_for_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Prefixes:
        available_langs: ClassVar[dict[str, str]] = {"english": "en", "en": "en", "de": "de"}

    class Moses:
        def __init__(self, lang: str) -> None:
            self.lang = lang

        def tokenize(self, line: str, *, escape: bool) -> list[str]:
            return [self.lang, str(escape), *line.split()]

    module, corpus = ModuleType("sacremoses"), ModuleType("sacremoses.corpus")
    module.MosesTokenizer = Moses  # type: ignore[attr-defined]
    corpus.NonbreakingPrefixes = Prefixes  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sacremoses", module)
    monkeypatch.setitem(sys.modules, "sacremoses.corpus", corpus)
    assert tokenizer("moses:de")("a b") == ["de", "False", "a", "b"]
    with pytest.raises(OptionError, match=r"does not know the language 'xx'; it knows de, en$"):
        tokenizer("moses:xx")


def test_the_usual_tokenisers_are_there_without_loading_another_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "sacrebleu_module", lambda name: pytest.fail(f"{name} is loaded"))
    for name in ("13a", "none"):
        check_tokenizer(name)
    with pytest.raises(OptionError, match="there is no tokeniser 'latin'"):
        check_tokenizer("latin")
    with pytest.raises(pytest.fail.Exception, match="is loaded"):
        check_tokenizer("intl")
