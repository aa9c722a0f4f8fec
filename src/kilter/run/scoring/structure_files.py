"""Files of links and dependency trees that come with texts, as every command takes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.dependency_tree_column import DependencyTreeColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import Group, InputFile, check_fields, flag, setting
from kilter.io.conllu import read_trees
from kilter.io.link_format import LinkFormat, link_directions
from kilter.io.links import links_without_zero
from kilter.io.stream import ByteSource, display_name, is_file
from kilter.io.text import most_bytes
from kilter.run.scoring.links import GivenLinks, LinkPath, Links
from kilter.run.scoring.trees import Trees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.run.scoring.corpus import Texts

_LEAST = 5
"""Segments with links below which it may be chance that no first word is linked."""


@dataclass(frozen=True, kw_only=True)
class StructureFiles:
    """Links and dependency trees by file; those of systems and references in the order of the texts."""

    links: tuple[InputFile, ...] = setting(
        "-a",
        "--links",
        default=(),
        description="Hypothesis-reference links, one file per system.",
    )
    source_hypothesis: tuple[InputFile, ...] = setting(
        "--links-source-hypothesis",
        default=(),
        description="Source-hypothesis links, one file per system.",
        group=Group.ADVANCED,
    )
    source_reference: tuple[InputFile, ...] = setting(
        "--links-source-reference",
        default=(),
        description="Source-reference links, one file per reference.",
        group=Group.ADVANCED,
    )
    through_source: bool = flag(
        "--via-source",
        old=("--through-source",),
        group=Group.ADVANCED,
        description="Derive these links from the two kinds of source links.",
    )
    link_format: LinkFormat | None = setting(
        default=None,
        group=Group.ADVANCED,
        description=f"Format of the link files.  [default: {LinkFormat.PHARAOH}]",
    )
    trees: tuple[InputFile, ...] = setting(
        default=(),
        description="Dependency trees (CoNLL-U), one file per system.",
    )
    trees_reference: tuple[InputFile, ...] = setting(
        default=(), description="Dependency trees of the references, one file per reference."
    )
    trees_source: InputFile | None = setting(
        default=None, description="Dependency trees of the source."
    )

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def form(self) -> LinkFormat:
        """The format of files of links: pharaoh if none was named."""
        return self.link_format or LinkFormat.PHARAOH

    def link_notes(self) -> list[str]:
        """Return which files of links seem to count from 1, if no format was named."""
        if self.link_format is not None:
            return []
        found = []
        for path in dict.fromkeys(self.link_paths):
            source = ByteSource(path)
            if not is_file(path) or link_directions(source) is not None:
                continue
            try:
                count = links_without_zero(source)
            except InputError:  # reading it says so
                continue
            if count >= _LEAST:
                found.append(
                    f"{display_name(path)}: no link of {counted(count, 'segment')} has a 0; name --link-format "
                    f"{LinkFormat.PHARAOH_1} if it counts from 1, or {LinkFormat.PHARAOH} if from 0"
                )
        return found

    def any(self) -> bool:
        """Return whether there is anything beside texts."""
        return self != StructureFiles(link_format=self.link_format)

    def any_trees(self) -> bool:
        """Return whether there are any trees."""
        return bool(self.trees or self.trees_reference or self.trees_source)

    def beside(self, texts: Texts) -> Texts:
        """Return texts with their links and trees; a wrong number of files is an `OptionError`."""
        most = _most_bytes(texts)

        def read(path: str) -> DependencyTreeColumn:
            return read_trees(ByteSource(path), most=most)

        return replace(texts, links=self.named_links(texts), trees=self._trees(texts, read))

    def unread(self, texts: Texts) -> Texts:
        """Return texts with links by file and trees of no segment, for whoever asks what there is."""
        return replace(texts, links=self.named_links(texts), trees=self._trees(texts, _leave))

    def whole_because(self) -> str | None:
        """Return why files cannot be read some segments at a time; None where they can."""
        if self.link_paths and self.form.blocks:
            return f"links are given as {self.form}, which has no line for each segment"
        if any(link_directions(ByteSource(path)) is not None for path in self.link_paths):
            return "links are given in two directions"
        return None

    def named_links(self, texts: Texts) -> Links:
        """Return the links of texts, which nobody has read yet."""
        systems, references = len(texts.systems), len(texts.references)
        expected = systems * references
        if self.links and len(self.links) != expected:
            raise OptionError(
                f"{counted(len(self.links), 'file')} of links for {counted(systems, 'system')} and "
                f"{counted(references, 'reference')}; give {expected}"
            )
        names = [name for name in texts.systems for _ in range(references)]
        for paths, owners in ((self.links, names), (self.source_hypothesis, [*texts.systems])):
            _check_order(paths, owners, "links")
        for name, texts_of in (("source_hypothesis", systems), ("source_reference", references)):
            if getattr(self, name) and texts.source is None:
                raise OptionError(f"{_flag(name)} needs the source text, -s FILE")
            _check_number(_flag(name), len(getattr(self, name)), texts_of)
        return self.links_of([LinkPath(path, self.form) for path in self.link_paths], references)

    @property
    def link_paths(self) -> tuple[str, ...]:
        """Every file of links."""
        return (*self.links, *self.source_hypothesis, *self.source_reference)

    @property
    def tree_paths(self) -> tuple[str, ...]:
        """Every file of trees."""
        source = (self.trees_source,) if self.trees_source else ()
        return (*self.trees, *self.trees_reference, *source)

    def links_of(self, links: Sequence[GivenLinks], references: int) -> Links:
        """Return links with so many references, which are given in the order of their files."""
        direct, by_source = len(self.links), len(self.links) + len(self.source_hypothesis)
        return Links(
            hypothesis_reference=tuple(
                tuple(links[start : start + references])
                for start in range(0, direct, references or 1)
            ),
            source_hypothesis=tuple(links[direct:by_source]),
            source_reference=tuple(links[by_source:]),
            through_source=self.through_source,
        )

    def trees_of(self, columns: Sequence[DependencyTreeColumn]) -> Trees:
        """Return trees, which are given in the order of their files."""
        outputs, both = len(self.trees), len(self.trees) + len(self.trees_reference)
        return Trees(
            systems=columns[:outputs],
            references=columns[outputs:both],
            source=columns[both] if self.trees_source else None,
        )

    def _trees(self, texts: Texts, read: Callable[[str], DependencyTreeColumn]) -> Trees:
        _check_number("--trees", len(self.trees), len(texts.systems), "system")
        _check_order(self.trees, [*texts.systems], "trees")
        references = len(texts.references)
        _check_number("--trees-reference", len(self.trees_reference), references, "reference")
        if self.trees_source and texts.source is None:
            raise OptionError("--trees-source needs the source text, -s FILE")
        return self.trees_of([*map(read, self.tree_paths)])


def _most_bytes(texts: Texts) -> int:
    """Return how large a file of trees may be that comes with texts."""
    named = [lines for _, lines in texts.named()]
    longest = max((sum(map(len, lines)) for lines in named), default=0)
    return most_bytes(max(map(len, named), default=0), longest)


def _leave(_path: str) -> DependencyTreeColumn:
    return DependencyTreeColumn.of([])


def _flag(name: str) -> str:
    return "--links-" + name.replace("_", "-")


def _check_order(paths: Sequence[str], systems: Sequence[str], what: str) -> None:
    """Raise an `OptionError` for a file that is called as another system than the one it stands for.

    Outputs of the same segments are often so alike that links of one fit the words of another.
    """
    for path, own in zip(paths, systems, strict=False):
        name = Path(path).name
        other = next((each for each in systems if _called(name, each)), None)
        if other is not None and not _called(name, own):
            raise OptionError(
                f"{path} stands where the {what} of {own} belong, but is called as {other}; name the files in the "
                "order of the systems"
            )


def _called(file: str, system: str) -> bool:
    return file == system or file.startswith(f"{system}.")


def _check_number(flag: str, count: int, expected: int, noun: str = "") -> None:
    """Raise an `OptionError` if files are given, but not one for each text."""
    if count and count != expected:
        raise OptionError(
            f"{flag} is given {counted(count, 'time')}; give it {counted(expected, 'time')}"
            + (f", once for each {noun}" if noun else "")
        )
