"""What an evaluation of metrics takes of one language pair: files, and the settings of scoring them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kilter.core.errors import OptionError
from kilter.core.judgments import Repeated, Unscored
from kilter.core.settings import Choice, check_fields, setting
from kilter.io.judgments.reader import JudgmentFormat
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.structure_files import StructureFiles

META_METRICS = ("bleu", "f1", "sen", "full", "kendall", "spearman", "ulam", "fuzzy", "pef")


class Identical(Choice):
    """What to do with judged pairs whose two outputs are the same text: keep or leave them out."""

    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, kw_only=True)
class EvaluationInputs(StructureFiles):
    """The files of one language pair, how to read them, and the settings under which texts are scored.

    Files of links and trees are given for the systems in their order; where systems are the files of a
    folder, theirs may be folders of files with the systems' names.
    """

    judgments: str | None = None
    ratings: str | None = None
    """Instead of judgments: a file of ratings by system, segment and rater, which are compared as well."""
    references: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    """Files, or folders whose files are the systems."""
    source: str | None = None
    scores: Mapping[str, str] = field(default_factory=dict)
    """Files of segment scores by the name of their metric."""
    lower_is_better: tuple[str, ...] = ()
    """Metrics of these files where less is better; those that Kilter has too are known to it."""
    judgment_format: JudgmentFormat = JudgmentFormat.AUTO
    judgment_name: str | None = None
    pair: str | None = None
    question: str | None = None
    threshold: float = 0.0
    published: str | None = None
    settings: Settings = field(default_factory=lambda: Settings(metrics=META_METRICS))
    """As for `score`; no metric at all leaves those that files hold scores of."""

    def __post_init__(self) -> None:
        check_fields(self)
        if self.threshold < 0:
            raise OptionError(f"threshold is {self.threshold!r}; it must be 0 or more")
        if (self.judgments is None) == (self.ratings is None):
            raise OptionError("name judgments or ratings, and not both")
        if self.ratings is not None and (self.judgment_name or self.question):
            raise OptionError(
                "ratings have neither names nor questions to choose from; leave these out"
            )
        if "" in self.scores:
            raise OptionError("scores are of a metric without name; name each")


@dataclass(frozen=True, kw_only=True)
class JudgmentPolicy:
    """What becomes of judgments that do not count by themselves."""

    unscored: Unscored = setting(
        default=Unscored.STOP,
        description="Judged system without output: stop or skip it.",
    )
    repeated: Repeated = setting(
        default=Repeated.COUNT,
        description="Repeated judgments: count all or only the first.",
    )
    identical: Identical = setting(
        default=Identical.KEEP, description="Keep or drop pairs of identical outputs."
    )
    min_agreement: float = setting(
        default=0.0,
        low=0,
        high=1,
        metavar="SHARE",
        description="Use only pairs on which this share of judges agrees.",
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0.0 <= self.min_agreement <= 1.0:
            raise OptionError(f"min_agreement is {self.min_agreement!r}; it is a share from 0 to 1")
