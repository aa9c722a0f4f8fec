"""The settings of a run: every option that decides what texts score, declared once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kilter.aligners.aligner import Aligner
from kilter.aligners.registry import ALIGNERS
from kilter.core.errors import OptionError
from kilter.core.link_rule import LinkRule
from kilter.core.settings import Group, check_fields, mixed, setting
from kilter.metrics.metric import Metric
from kilter.metrics.registry import METRICS
from kilter.parsers.parser import Parser
from kilter.parsers.registry import PARSERS
from kilter.run.scoring.corpus import EmptyLines
from kilter.stats.resampling import Resampling

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kilter.core.registry import Configured, Registry

DEFAULT_METRICS = ("kilter", "order", "coverage", "bleu", "chrf")
NAMED = "NAME[:OPTIONS]"
"""How help writes what is chosen by name with options, such as pef:beta=0.5."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How texts are split, linked, parsed, measured and resampled; the same for every command.

    `metrics` are specifications such as "pef" or "pef:beta=0.5", or one of them; "all" is every metric
    that the inputs allow, "order-metrics" and "published" are parts of them. Metrics, aligners and parsers may also be given as `metric`, `aligner` and
    `parser` make them. `rule` makes orders of links; a word with several links needs another than the
    default. `aligner` makes links and `parser` trees where none are given; with several of them, a metric
    has a score for each configuration, such as "dted@match+model", and under its own name their mean.
    """

    metrics: str | Metric | Sequence[str | Metric] = setting(
        "-m",
        "--metric",
        default=DEFAULT_METRICS,
        description="Metric, or all, order-metrics, published; repeatable.",
        metavar=NAMED,
    )
    aligner: str | Aligner | Sequence[str | Aligner] | None = setting(
        "--aligner",
        default=None,
        description="Aligner to use when no links are given.  [default: match]",
        metavar=NAMED,
    )
    parser: str | Parser | Sequence[str | Parser] | None = setting(
        "--parser",
        default=None,
        description="Parser to use when no trees are given.  [default: model]",
        metavar=NAMED,
    )
    tokenize: str | None = setting(
        "--tokenize",
        default=None,
        description="Tokeniser, such as 13a, zh or none.  [default: by language]",
        metavar="NAME",
    )
    language: str | None = setting(
        "-l",
        "--language",
        default=None,
        description="Language of the systems; en also links by meaning (English model).",
        metavar="LANG",
    )
    lowercase: bool = setting("--lowercase", default=False, description="Lowercase all texts.")
    empty: EmptyLines = setting(
        "--empty",
        default=EmptyLines.KEEP,
        description="Score empty lines, or stop at the first one.",
        group=Group.ADVANCED,
    )
    rule: str = setting(
        "--order-rule",
        old=("--rule",),
        default=LinkRule.ONE_TO_ONE,
        description="Rule that turns links into an order.",
        metavar="NAME[:null=WHERE]",
        group=Group.ADVANCED,
    )
    resampling: Resampling = mixed(Resampling, without=("jobs",), whole=True)
    cache: str | None = setting(
        "--cache",
        default=None,
        description="Folder where links and parses are kept for later runs.",
        metavar="DIR",
        group=Group.ADVANCED,
    )
    jobs: int = setting(
        "-j",
        "--jobs",
        default=1,
        description="Number of threads.",
        group=Group.ADVANCED,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        for name, registry in (("metrics", METRICS), ("aligner", ALIGNERS), ("parser", PARSERS)):
            object.__setattr__(self, name, _specified(registry, getattr(self, name)))
        if self.resampling.jobs == 1:
            object.__setattr__(self, "resampling", replace(self.resampling, jobs=self.jobs))

    @property
    def specifications(self) -> tuple[str, ...]:
        """The metrics that were asked for, one or several."""
        return _texts(self.metrics)

    @property
    def aligners(self) -> tuple[str, ...]:
        """The aligners that were chosen, none or several, each once."""
        return _listed(self.aligner, "aligner")

    @property
    def parsers(self) -> tuple[str, ...]:
        """The parsers that were chosen, none or several, each once."""
        return _listed(self.parser, "parser")

    def check_single(self, who: str) -> None:
        """Raise an `OptionError` for several aligners or parsers; `who`, as in "an explanation follows", one."""
        for noun, several in (("aligner", self.aligners), ("parser", self.parsers)):
            if len(several) > 1:
                raise OptionError(f"{len(several)} {noun}s are chosen; {who} one, so choose one")


def _specified(registry: Registry[Any], chosen: Any) -> Any:
    """Return what was chosen, one or several, by specifications."""
    if isinstance(chosen, tuple):
        return tuple(registry.specified(each) for each in chosen)
    return None if chosen is None else registry.specified(chosen)


def _texts(chosen: Any) -> tuple[str, ...]:
    return (chosen,) if isinstance(chosen, str) else tuple(chosen)


def _listed(names: Any, noun: str) -> tuple[str, ...]:
    if names is None:
        return ()
    listed = _texts(names)
    if not listed:
        raise OptionError(f"{noun} is an empty list; name at least one, or give None")
    for name in listed:
        if listed.count(name) > 1:
            raise OptionError(f"the {noun} {name} is chosen twice; once is enough")
    return listed


@dataclass(frozen=True, slots=True)
class Configuration:
    """What makes the links and the trees that a metric looks at."""

    aligner: Aligner
    parser: Parser | None

    def label(self, used: Sequence[Configuration]) -> str:
        """Return what tells a configuration from the others that are used.

        Paths are left out where names and the other options will do.
        """
        aligners = {each.aligner for each in used}
        parsers = {each.parser for each in used if each.parser is not None}
        parts = []
        if len(aligners) > 1:
            parts.append(_name(self.aligner, aligners))
        if self.parser is not None and len(parsers) > 1:
            parts.append(_name(self.parser, parsers))
        return "+".join(parts)


def _name(maker: Configured, makers: Collection[Configured]) -> str:
    short = maker.placeless()
    alike = [each for each in makers if each.placeless() == short]
    return short if len(alike) == 1 else maker.specification()
