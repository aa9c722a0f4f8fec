"""Translations before and after a change, and outputs with labelled errors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PerturbedPairs:
    """Originals and perturbed versions of translations, with references and kinds, line by line."""

    kinds: tuple[str, ...]
    references: tuple[str, ...]
    originals: tuple[str, ...]
    perturbed: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kinds)

    def changed(self) -> PerturbedPairs:
        """Return the pairs whose two texts differ."""
        rows = [k for k in range(len(self)) if self.originals[k] != self.perturbed[k]]
        return PerturbedPairs(
            kinds=tuple(self.kinds[k] for k in rows),
            references=tuple(self.references[k] for k in rows),
            originals=tuple(self.originals[k] for k in rows),
            perturbed=tuple(self.perturbed[k] for k in rows),
        )

    def joined(self, other: PerturbedPairs) -> PerturbedPairs:
        """Return these pairs, then those."""
        return PerturbedPairs(
            kinds=self.kinds + other.kinds,
            references=self.references + other.references,
            originals=self.originals + other.originals,
            perturbed=self.perturbed + other.perturbed,
        )


@dataclass(frozen=True, kw_only=True)
class LabelledOutputs:
    """Outputs with references, and whether somebody found an error of order in each."""

    references: tuple[str, ...]
    outputs: tuple[str, ...]
    wrong: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.outputs)
