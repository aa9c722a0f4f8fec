"""METEOR's own matcher, run as a process from the user's jar. [Denkowski and Lavie 2014]"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from kilter.aligners.aligner import Aligner, check_pairs
from kilter.core.errors import InputError, MissingToolError, OptionError
from kilter.core.links import LinkBatch
from kilter.core.registry import option
from kilter.io.link_format import LinkFormat
from kilter.io.links import read_links
from kilter.io.stream import ByteSource, is_file

if TYPE_CHECKING:
    from kilter.aligners.aligner import Progress
    from kilter.core.corpus import TokenColumn, Vocabulary

_MODULES = ("exact", "stem", "synonym", "paraphrase")
_CODES = {"cs": "cz", "sv": "se"}
"""Languages that METEOR calls otherwise."""
_SECONDS = 3600


class MeteorType(StrEnum):
    """Which of several alignments METEOR's matcher takes, as its option -t calls it."""

    MAXCOV = "maxcov"
    MAXACC = "maxacc"


@dataclass(frozen=True, kw_only=True)
class MeteorAligner(Aligner):
    """Links as METEOR makes them: a process of its Matcher reads both texts and writes its alignments.

    Words are given as they are split here. With `paraphrase` a match may join phrases, so that words have
    several links; without it each word has one at most.
    """

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "links of METEOR 1.5 from your jar (needs Java)"
    monolingual: ClassVar[bool] = True
    places: ClassVar[frozenset[str]] = frozenset({"jar"})

    jar: str = option("", "the file meteor-1.5.jar, with its folder data beside it")
    modules: str = option("exact+stem+synonym", "what matches: exact, stem, synonym, paraphrase")
    language: str = option("en", "language of stems and synonyms, as METEOR calls it")
    lowercase: bool = option(True, "whether words that differ in case only are the same word")
    type: MeteorType = option(
        MeteorType.MAXCOV, "which alignment: maxcov, by which METEOR scores, or maxacc"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        chosen = self.modules.split("+")
        wrong = [each for each in chosen if each not in _MODULES]
        if wrong or len(set(chosen)) != len(chosen):
            raise OptionError(
                f"modules is {self.modules!r}; join some of {', '.join(_MODULES)} by +, each once"
            )

    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments."""
        check_pairs(first, second)
        java = self._java()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for text, column in (("test", first), ("reference", second)):
                lines = (" ".join(vocabulary.text(column, place)) for place in range(len(column)))
                content = "".join(f"{line}\n" for line in lines)
                cased = content.lower() if self.lowercase else content
                (folder / text).write_text(cased, encoding="utf-8")
            written = ByteSource(str(self._run(java, folder)))
            lengths = first.lengths, second.lengths
            found = read_links(written, form=LinkFormat.METEOR, lengths=lengths).sure
        return LinkBatch(found.links, found.offsets)  # the file that it names is gone

    def _java(self) -> str:
        if not self.jar:
            raise OptionError("meteor needs its jar: meteor:jar=FILE")
        if not is_file(self.jar):
            raise InputError("there is no such file; give meteor-1.5.jar", where=self.jar)
        java = shutil.which("java")
        if java is None:
            raise MissingToolError("the meteor aligner", install="apt install default-jre-headless")
        return java

    def _run(self, java: str, folder: Path) -> Path:
        """Return the file of alignments that the matcher writes to standard output."""
        written = folder / "links"
        command = [java, "-Xmx2G", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]
        command += ["-cp", str(Path(self.jar).absolute()), "Matcher"]
        command += [str(folder / "test"), str(folder / "reference"), "-l", self.language]
        command += ["-m", " ".join(self.modules.split("+")), "-t", str(self.type)]
        try:
            with written.open("wb") as out:
                done = subprocess.run(  # noqa: S603 - the program of the user's choice
                    command,
                    stdout=out,
                    stderr=subprocess.PIPE,
                    text=True,
                    check=False,
                    timeout=_SECONDS,
                    cwd=folder,
                )
        except subprocess.TimeoutExpired:
            raise InputError(
                f"METEOR did not end within {_SECONDS} seconds; give it less text", where=self.jar
            ) from None
        # METEOR tells of some faults on standard output, with exit code 0.
        with written.open(encoding="utf-8", errors="replace") as out:
            first = out.readline().strip()
        if done.returncode or not first.startswith("Alignment"):
            told = done.stderr.strip().splitlines() or ([first] if first else [])
            raise InputError(
                f"METEOR stopped: {told[0] if told else f'exit code {done.returncode}'}",
                where=self.jar,
            )
        return written

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:
        """Return METEOR's name of the language; synonyms are English, and Czech has no stemmer there."""
        other = "exact" if language == "cs" else "exact+stem"
        modules = {} if language == "en" else {"modules": other}
        return {"language": _CODES.get(language, language), **modules}

    def one_to_one(self) -> MeteorAligner:
        """Return the aligner without phrases."""
        kept = [each for each in self.modules.split("+") if each != "paraphrase"]
        return replace(self, modules="+".join(kept) or "exact")

    def identity(self) -> str | None:
        """Return the jar, the tables of phrases that are read beside it, the options and which Java.

        METEOR matches every pair by itself. None without a jar or Java, which `align` then misses.
        """
        java = shutil.which("java")
        if java is None or not is_file(self.jar):
            return None
        return f"{self.signature()},phrases:{self._phrases()},java:{Path(java).resolve()}"

    def _phrases(self) -> str:
        """Return a digest of the tables that the module `paraphrase` reads from the folder of the jar."""
        if "paraphrase" not in self.modules.split("+"):
            return "none"
        digest = hashlib.sha256()
        for path in sorted((Path(self.jar).absolute().parent / "data").glob("paraphrase*")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    def signature(self) -> str:
        """Return the name with every option, and which jar it is by its bytes."""
        listed = "".join(f"{k}:{value}," for k, value in self.options().items() if k != "jar")
        path = Path(self.jar)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8] if is_file(path) else "none"
        return f"{self.name}({listed}version:{digest})"
