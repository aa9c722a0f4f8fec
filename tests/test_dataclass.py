"""Values are built whole, by name where numbers could be exchanged, and never change."""

import dataclasses
import inspect
import re
from importlib import import_module
from inspect import isabstract
from itertools import chain
from pkgutil import walk_packages

import pytest

import kilter

# They gather what comes one by one, or work through it.
GATHERING = {
    "kilter.cli.perturb._DependencyTreeMaker",
    "kilter.run.engine.run.KeptParts",
    "kilter.io.link_format.LinkRows",
    "kilter.io.sgm._Reader",
    "kilter.run.permutation.LineCount",
    "kilter.study.exchange.scan.ScanOutcome",
    "kilter.run.scoring.validate.ValidationReport",
    "kilter.run.scoring.validate._Checks",
    "kilter.study.paper.form.Form",
    "kilter.study.exchange.intake.Intake",
    "kilter.study.store.answer.PaperAnswers",
    "kilter.study.design.pool.Pool",
    "kilter.study.design.sampling.Sampler",
    "kilter.study.design.sampling._Part",
    "kilter.study.paper.block.Column",
    "kilter.study.paper.pdf_file.PdfFile",
    "kilter.study.paper.pdf_file.PdfPage",
    "kilter.study.paper.scan.pile.Pile",
    "kilter.study.paper.scan.pile.ScannedBooklet",
    "kilter.study.annotation.web.request.AnnotationCall",
    "kilter.study.annotation.web.site.AnnotationSite",
    "kilter.study.web.request.Call",
    "kilter.study.web.site.Site",
    "kilter.study.web.site_base.BaseSite",
}
# Options and results are full of numbers that a reader of a call could not tell apart.
NAMED = (
    "kilter.run.",
    "kilter.stats.",
    "kilter.metrics.",
    "kilter.run.meta.",
    "kilter.study.analysis.",
)
# Few or different values, made in one place each.
UNNAMED = {
    "kilter.run.perturb.PerturbedRow",
    "kilter.run.preordering.search.Tried",
    "kilter.run.scoring.settings.Configuration",
    "kilter.run.scoring.links.LinkLines",
    "kilter.run.scoring.links.LinkPath",
    "kilter.run.scoring.links._Kind",
    "kilter.run.scoring.significance._PValues",
    "kilter.study.analysis.chapter._Chapter",
    "kilter.stats.resampling.ResampledSums",
    "kilter.stats.undefined.Undefined",
    "kilter.stats.participant_effect._Solved",
    "kilter.run.meta.tuning.PairObjective",
    "kilter.study.analysis.judged_correlation.ChosenJudgments",
    "kilter.study.analysis.published_value._Ours",
}


# It is compared as the class it derives from, by names.
COMPARED = {"kilter.io.links.FileOrigin"}


def _dataclasses() -> dict[str, type]:
    modules = (
        import_module(module.name)
        for module in walk_packages(kilter.__path__, "kilter.")
        if module.name != "kilter._core" and "migrations" not in module.name
    )
    return {
        f"{module.__name__}.{name}": found
        for module in modules
        for name, found in vars(module).items()
        if inspect.isclass(found)
        and found.__module__ == module.__name__
        and "__dataclass_params__" in vars(found)
    }


DATACLASSES = _dataclasses()


def test_the_dataclasses_are_found() -> None:
    assert DATACLASSES.keys() >= GATHERING | UNNAMED


def _changes(kind: type) -> bool:
    fields = [field.name for field in dataclasses.fields(kind)] or ["anything"]
    try:
        setattr(object.__new__(kind), fields[0], 1)
    except dataclasses.FrozenInstanceError:
        return False
    return True


def test_a_value_does_not_change() -> None:
    # Of an abstract class there is no value; Python keeps frozen classes from being derived from others.
    kinds = {name: DATACLASSES[name] for name in sorted(DATACLASSES.keys() - GATHERING)}
    assert [name for name, kind in kinds.items() if not isabstract(kind) and _changes(kind)] == []


def _named_alone(kind: type) -> bool:
    kinds = {parameter.kind for parameter in inspect.signature(kind).parameters.values()}
    return kinds <= {inspect.Parameter.KEYWORD_ONLY}


def test_options_and_results_are_built_by_name() -> None:
    names = sorted(n for n in DATACLASSES.keys() - UNNAMED - GATHERING if n.startswith(NAMED))
    assert names
    assert [name for name in names if not _named_alone(DATACLASSES[name])] == []


def _array_names() -> set[str]:
    """Return what arrays are called in annotations: `NDArray`, and the aliases of modules."""
    sources = (inspect.getsource(import_module(kind.__module__)) for kind in DATACLASSES.values())
    aliases = (re.findall(r"^ *(\w+) = NDArray\[", source, re.MULTILINE) for source in sources)
    return {"NDArray", *chain.from_iterable(aliases)}


ARRAYS = _array_names()
BY_NAME = {kind.__name__: kind for kind in DATACLASSES.values()}


def _holds_arrays(kind: type, within: tuple[type, ...] = ()) -> bool:
    """Return whether a dataclass has arrays, or values that have some."""
    for field in dataclasses.fields(kind):
        for name in re.findall(r"\w+", str(field.type)):
            inner = BY_NAME.get(name)
            if name in ARRAYS:
                return True
            if inner and inner not in within and _holds_arrays(inner, (*within, kind)):
                return True
    return False


# Two arrays have no truth value: comparing them would raise an error of numpy's.
@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name, kind in DATACLASSES.items()
        if name not in GATHERING | COMPARED and _holds_arrays(kind)
    ),
)
def test_what_holds_arrays_is_equal_to_itself_alone(name: str) -> None:
    kind = DATACLASSES[name]
    first: object = object.__new__(kind)
    second: object = object.__new__(kind)
    assert first == first  # noqa: PLR0124 - what is tested
    assert first != second
    assert len({first, second}) == 2
