"""Links between words whose vectors are most similar; needs the optional parser model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NoReturn

from kilter.align.aligner import Aligner
from kilter.errors import MissingToolError

if TYPE_CHECKING:
    from kilter.align.aligner import Progress
    from kilter.structures.token_column import TokenColumn, Vocabulary


@dataclass(frozen=True, kw_only=True)
class Embedding(Aligner):
    """Links words that are each other's most similar one; says what to install until it can."""

    name: ClassVar[str] = "embedding"
    summary: ClassVar[str] = "links between most similar words (needs kilter[parse])"
    monolingual: ClassVar[bool] = True

    def align(
        self,
        first: TokenColumn,  # noqa: ARG002 - the contract of every aligner
        second: TokenColumn,  # noqa: ARG002
        vocabulary: Vocabulary,  # noqa: ARG002
        *,
        jobs: int = 1,  # noqa: ARG002
        progress: Progress | None = None,  # noqa: ARG002
    ) -> NoReturn:
        """Raise a `MissingToolError`: the model is not there."""
        raise MissingToolError("the embedding aligner", install="pip install 'kilter[parse]'")
