"""Judgments of a language pair matched with the texts of the systems that they judge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.judgments import Repeated
from kilter.io.compression import uncompressed_name
from kilter.io.judgments.reader import read_judgments
from kilter.io.judgments.segment_scores import ratings
from kilter.io.stream import ByteSource, check_name, is_folder
from kilter.io.text_file import part_names, read_text_files, text_part
from kilter.run.meta.evaluation_inputs import Identical
from kilter.run.scoring.corpus import Texts, check_counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.judgments import Judgments
    from kilter.run.meta.evaluation_inputs import EvaluationInputs, JudgmentPolicy
    from kilter.run.scoring.structure_files import StructureFiles


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedTexts:
    """Judgments and the texts of the judged systems."""

    judgments: Judgments = field(repr=False)
    texts: Texts = field(repr=False)


def match_texts(
    inputs: EvaluationInputs, policy: JudgmentPolicy, *, shared: bool = False
) -> MatchedTexts:
    """Return the judgments, and the texts of the systems that they judge.

    A policy that other language pairs share may say something that is nothing to this one.
    """
    if not inputs.references or not inputs.systems:
        raise OptionError(
            "metrics over text need a reference and systems; files of scores need neither"
        )
    files = system_files(inputs.systems)
    source = [inputs.source] if inputs.source else []
    read = read_text_files([*files.values(), *inputs.references, *source])
    texts = Texts(
        systems={name: read[path] for name, path in files.items()},
        references={path: read[path] for path in inputs.references},
        source=(inputs.source, read[inputs.source]) if inputs.source else None,
    )
    texts = structure_files(inputs, [*files]).beside(texts)
    check_counts(texts)
    segments = len(next(iter(texts.references.values())))
    judgments = known_judgments(inputs, texts.systems, segments, policy, shared=shared)
    texts = texts.of_systems(judged_systems(judgments))
    judgments = of_judged_systems(judgments, list(texts.systems))
    same = _identical(texts, judgments)
    if policy.identical is Identical.DROP:
        judgments = judgments.without(same, "identical")
    else:
        judgments = replace(
            judgments, counts={**judgments.counts, "identical": int(np.count_nonzero(same))}
        )
    return MatchedTexts(judgments=_not_empty(judgments), texts=texts)


def judged_systems(judgments: Judgments) -> list[str]:
    """Return the systems that appear in judgments, in order."""
    columns = (judgments.pairs.first, judgments.pairs.second, judgments.scores.system)
    return [judgments.systems[number] for number in np.unique(np.concatenate(columns))]


def system_files(paths: Sequence[str]) -> dict[str, str]:
    """Return the files of systems by name; a folder stands for the files in it."""
    paths_by_name: dict[str, str] = {}
    for path, part in zip(paths, part_names(paths), strict=True):
        named = text_part(path)
        folder = Path(named.path)
        try:
            files = (
                sorted(entry for entry in folder.iterdir() if entry.is_file())
                if folder.is_dir()
                else [folder]
            )
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=path) from error
        if not files:
            raise InputError("holds no file", where=path)
        for file in files:
            if file.name.startswith("."):
                continue
            check_name(str(file))
            whole = named._replace(path=str(file)).with_column(None)
            name = uncompressed_name(file.name).removesuffix(".txt") if part is None else part
            if name in paths_by_name:
                raise InputError(
                    f"is called {name} as {paths_by_name[name]} is; rename one", where=str(file)
                )
            paths_by_name[name] = whole
    return paths_by_name


def structure_files(inputs: StructureFiles, systems: Sequence[str]) -> StructureFiles:
    """Return the files of links and trees, where a folder stands for the files of its systems."""

    def files(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(file for path in paths for file in _files_of(path, systems))

    return replace(
        inputs,
        links=files(inputs.links),
        source_hypothesis=files(inputs.source_hypothesis),
        trees=files(inputs.trees),
    )


def _files_of(path: str, systems: Sequence[str]) -> list[str]:
    """Return a file, or the files of a folder that are called as the systems are, in their order."""
    if not is_folder(path):
        return [path]
    names = sorted(entry.name for entry in Path(path).iterdir() if entry.is_file())
    paths = []
    for system in systems:
        own = [name for name in names if name == system or name.startswith(f"{system}.")]
        if len(own) != 1:
            fault = f"holds {counted(len(own), 'file')}" if own else "holds no file"
            raise InputError(
                f"{fault} of the system {system}; name one {system}, with any suffix", where=path
            )
        paths.append(str(Path(path) / own[0]))
    return paths


def known_judgments(
    inputs: EvaluationInputs,
    outputs: Mapping[str, Sequence[str]],
    segments: int,
    policy: JudgmentPolicy,
    *,
    shared: bool = False,
) -> Judgments:
    """Return the judgments of a file about systems that have outputs, with the pairs that scores make."""
    given = _judgments(inputs, outputs)
    if len(given.pairs) and inputs.threshold:
        raise OptionError(
            f"the threshold {inputs.threshold:g} makes ties of human scores, but {given.source} says of pairs "
            "which are ties; leave it out"
        )
    if not shared:
        check_policy(policy, [given])
    matched = given.of_systems(list(outputs), segments, unscored=policy.unscored)
    agreed = matched.agreed(policy.min_agreement)
    return _not_empty(agreed.once(policy.repeated).with_pairs(threshold=inputs.threshold))


def check_policy(policy: JudgmentPolicy, judgments: Sequence[Judgments]) -> None:
    """Raise an `OptionError` for what is said of pairs where nobody judged pairs."""
    if any(each.has_pairs for each in judgments):
        return
    if policy.min_agreement:
        raise OptionError(
            f"pairs are to be those on which people agree, but {judgments[0].source} holds scores; leave "
            "the minimal agreement out"
        )
    if policy.repeated is Repeated.FIRST:
        raise OptionError(
            f"repeated pairs are to count the first time only, but {judgments[0].source} holds scores, whose "
            "mean counts; leave 'first' out"
        )


def _judgments(inputs: EvaluationInputs, outputs: Mapping[str, Sequence[str]]) -> Judgments:
    if inputs.judgments is None:
        return ratings(ByteSource(inputs.ratings or ""), known=outputs, pair=inputs.pair)
    return read_judgments(
        inputs.judgments,
        form=inputs.judgment_format,
        outputs=outputs,
        pair=inputs.pair,
        name=inputs.judgment_name,
        question=inputs.question,
    )


def _not_empty(judgments: Judgments) -> Judgments:
    if not len(judgments.pairs) and not len(judgments.scores):
        raise InputError(
            "no judgment is left: all were of systems without output, of identical outputs, or of pairs on which "
            "people do not agree or that were judged once",
            where=judgments.source,
        )
    return judgments


def of_judged_systems(judgments: Judgments, systems: Sequence[str]) -> Judgments:
    """Return the judgments renumbered along the judged systems, without counting them again."""
    place = {name: number for number, name in enumerate(judgments.systems)}
    kept = [place[name] for name in systems]
    number = np.full(len(judgments.systems), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    return replace(
        judgments,
        systems=tuple(systems),
        pairs=replace(
            judgments.pairs,
            first=number[judgments.pairs.first],
            second=number[judgments.pairs.second],
        ),
        scores=replace(judgments.scores, system=number[judgments.scores.system]),
    )


def _identical(texts: Texts, judgments: Judgments) -> NDArray[np.bool_]:
    """Return which judged pairs are two copies of one text."""
    number: dict[str, int] = {}
    ids = np.array(
        [
            [number.setdefault(line, len(number)) for line in lines]
            for lines in texts.systems.values()
        ]
    )
    pairs = judgments.pairs
    return np.asarray(ids[pairs.first, pairs.segment] == ids[pairs.second, pairs.segment])
