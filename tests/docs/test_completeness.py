"""What exists is documented, and what is documented exists."""

import inspect
import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import kilter
from kilter.aligners.registry import ALIGNERS
from kilter.cli.main import cli, run
from kilter.parsers.registry import PARSERS
from kilter.results.meta_result import AgreementMeasure
from tests.cli.judged_sample import TEXTS
from tests.docs.arguments import tables, with_arguments
from tests.docs.pages import ROOT, blocks, pages

METRIC_PAGES = ROOT / "docs" / "metrics"
METRIC_ROWS = (METRIC_PAGES / "README.md").read_text(encoding="utf-8").splitlines()
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands(group: click.Group = cli, prefix: str = "") -> dict[str, click.Command]:
    """Return every command by its full name; a group itself where it does something."""
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            found |= commands(command, f"{prefix}{name} ")
        if not isinstance(command, click.Group) or command.invoke_without_command:
            found[prefix + name] = command
    return found


def section(page: str, heading: str) -> str:
    _, found, rest = page.partition(f"\n## {heading}\n")
    assert found, f"there is no section {heading!r}"
    return rest.partition("\n## ")[0]


def command_page(name: str) -> str:
    """Return what the page of a command, or that of its group, tells of it."""
    first = name.partition(" ")[0]
    page = without_blocks(text_of(f"docs/cli/{first}.md"))
    heading = re.compile(r"^##? kilter (.+)$", re.MULTILINE)
    names, told = heading.findall(page), heading.split(page)[2::2]
    assert name in names, f"no heading of docs/cli/{first}.md is 'kilter {name}'"
    return told[names.index(name)]


def table(text: str) -> list[list[str]]:
    """Return the cells of the rows of a table, without its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def written(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", commands())
def test_every_option_of_a_command_is_documented_with_its_values(name: str) -> None:
    text = command_page(name)
    for parameter in commands()[name].params:
        if isinstance(parameter, click.Argument):
            assert f"`{parameter.human_readable_name}`" in text
            continue
        missing = [option for option in parameter.opts if f"`{option}`" not in text]
        assert missing == []
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{parameter.opts[0]}`")]
        values = parameter.type.choices if isinstance(parameter.type, click.Choice) else []
        assert [value for value in values if f"`{value}`" not in row] == []
        if isinstance(parameter.default, str | float) and not isinstance(parameter.default, bool):
            assert f"| `{parameter.default}`" in row


@pytest.mark.parametrize("name", commands())
def test_every_documented_option_of_a_command_exists(name: str) -> None:
    options = [p for p in commands()[name].params if isinstance(p, click.Option)]
    rows = re.findall(r"^\| (`-.*?) \|", command_page(name), re.MULTILINE)
    assert {option for row in rows for option in re.findall(r"`([^`]+)`", row)} == {
        option for parameter in options for option in parameter.opts
    }


def test_every_option_of_the_program_itself_is_documented() -> None:
    options = [option for parameter in cli.params for option in parameter.opts]
    assert [option for option in options if f"`{option}`" not in text_of("docs/cli.md")] == []


@pytest.mark.parametrize("option", [[], ["-m", "pef"], ["--pairs"], ["--forest"]])
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_every_key_of_the_output_is_documented(
    form: str, option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "orders.txt"
    path.write_text("2 1 3 ||| 2 1 3\n" if option == ["--pairs"] else "2 1 3\n", encoding="utf-8")
    chosen = option if option == ["--forest"] else ["--format", form, *option]
    shown = written(capsys, "permutation", str(path), *chosen)
    named = set(re.findall(r"`([^`\s]+)`", command_page("permutation")))
    assert set(keys(json.loads(shown))) - named == set()


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_every_key_of_scores_is_documented(
    form: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [str(ROOT / "examples" / name) for name in ("reference.en", "local.en", "verb.en")]
    shown = written(capsys, command, "-m", "pef", "--format", form, "-r", *texts)
    documents = [json.loads(shown)] if form == "json" else map(json.loads, shown.splitlines())
    page = command_page(command)
    named = set(re.findall(r"`([^`\s]+)`", page))
    found = {key for document in documents for key in keys(document)}
    assert {key for key in found if _level(key) not in named} == set()


def test_every_key_of_an_explanation_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [
        str(ROOT / "examples" / f"worked.{name}") for name in ("reference.en", "hypothesis.en")
    ]
    asked = ["--segment", "2", "-m", "derp", "-m", "dted", "--parser", "perceptron"]
    document = json.loads(written(capsys, "explain", "-r", *texts, *asked, "--format", "json"))
    named = set(re.findall(r"`([^`\s]+)`", command_page("explain")))
    assert set(keys(document)) - named - {"derp", "dted"} == set()


def test_every_key_of_agreement_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    measures = [part for measure in AgreementMeasure for part in ("--measure", str(measure))]
    asked = ["meta", "--evaluation", str(ROOT / "examples" / "evaluation.toml"), "-q"]
    asked += ["--baseline", "bleu"]
    document = json.loads(written(capsys, *asked, *measures, "--format", "json"))
    page = command_page("meta")
    named = set(re.findall(r"`([^`\s]+)`", page))
    for part in document["pairs"].values():
        named |= set(part["metrics"])
    assert set(keys(document)) - named - set(document["pairs"]) == set()


@pytest.mark.parametrize("asked", [["perturbed.tsv"], ["labelled.tsv", "--labels"]])
def test_every_key_of_sensitivity_is_documented(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(ROOT / "examples" / asked[0])
    shown = ["meta", "sensitivity", path, *asked[1:], "-m", "pef", "--resamples", "5"]
    document = json.loads(written(capsys, *shown, "--format", "json"))
    page = command_page("meta sensitivity")
    named = set(re.findall(r"`([^`\s]+)`", page))
    assert set(keys(document)) - named - {"pef", "swap", "word"} == set()


def test_every_key_of_tuning_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["tune", *TEXTS, "-m", "full", "-o", "alpha", "--format", "json"]
    document = json.loads(written(capsys, *asked))
    counts = set(document.pop("judgments"))
    named = set(re.findall(r"`([^`\s]+)`", command_page("tune")))
    assert set(keys(document)) - named - {"alpha"} == set()
    assert counts - set(re.findall(r"`([^`\s]+)`", command_page("meta"))) == set()


@pytest.mark.parametrize("name", ["th-5.1", "list"])
def test_every_key_of_published_tables_is_documented(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = json.loads(written(capsys, "published", name, "--format", "json"))
    rows = [json.loads(written(capsys, "published", name, "--format", "jsonl").splitlines()[0])]
    named = set(re.findall(r"`([^`\s]+)`", command_page("published")))
    assert {*keys(shown), *keys(rows)} - named - {"M23"} == set()


def _level(key: str) -> str:
    """Return the key without the prefix that flattening gives it: p_bootstrap is p of a test, and
    order_low that of a part.
    """
    key = re.sub(r"^(?:order|coverage|words)_", "", key)
    flat = re.match(
        r"(?:first|second|p|holm|holm_baseline)_(score|low|high|[a-z]+ion|bootstrap)$", key
    )
    return flat[1] if flat else key


def test_every_file_of_the_sample_that_pages_use_is_the_bundled_one() -> None:
    sample = ROOT / "src" / "kilter" / "sample"
    copies = [path for path in (ROOT / "examples").iterdir() if (sample / path.name).exists()]
    assert copies
    assert [
        path.name for path in copies if path.read_bytes() != (sample / path.name).read_bytes()
    ] == []


@pytest.mark.parametrize("name", ALIGNERS.names())
def test_every_aligner_and_its_options_are_documented(name: str) -> None:
    page = text_of("docs/aligners.md")
    assert f"| `{name}` |" in page
    assert [option for option in ALIGNERS.make(name).options() if f"`{option}`" not in page] == []


@pytest.mark.parametrize("name", PARSERS.names())
def test_every_parser_and_its_options_are_documented(name: str) -> None:
    page = text_of("docs/parsers.md")
    assert f"| `{name}` |" in page
    assert PARSERS.find(name).name == name
    assert [option for option in PARSERS.make(name).options() if f"`{option}`" not in page] == []


def test_every_key_of_a_described_metric_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    named = set(re.findall(r"`([^`\s]+)`", command_page("metrics")))
    shown = json.loads(written(capsys, "metrics", "--format", "json"))
    assert set(keys(shown)) - named == set()


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    for item in value if isinstance(value, list) else []:
        yield from keys(item)


def test_every_metric_has_a_page_and_every_page_a_metric() -> None:
    pages_of_metrics = {page.stem for page in METRIC_PAGES.glob("*.md")} - {"README"}
    assert pages_of_metrics == set(kilter.metric_names())


@pytest.mark.parametrize("name", kilter.metric_names())
def test_the_page_of_a_metric_says_what_the_metric_says(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (METRIC_PAGES / f"{name}.md").read_text(encoding="utf-8")
    (facts,) = json.loads(written(capsys, "metrics", name, "--format", "json"))
    expected = [
        [f"`{o['name']}`", f"`{o['default']}`", allowed(o), o["help"]] for o in facts["options"]
    ]
    assert table(section(page, "Options")) == expected
    assert page.startswith(f"# {name}\n")
    assert [key for key in facts["citations"] if f"`{key}`" not in page] == []
    headings = ["Definition", "Edge cases", "Options", "Example", "Range and invariances"]
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == [*headings, "Other tools", "Citation"]
    summary = facts["summary"].removesuffix(" (lower is better)").replace("|", "\\|")
    better = "higher" if facts["higher_is_better"] else "lower"
    rows = [row for row in METRIC_ROWS if row.startswith(f"| [{name}]({name}.md) |")]
    assert [
        row.removeprefix(f"| [{name}]({name}.md) | {summary} | ").split(" | ")[1:] for row in rows
    ] == [[", ".join(facts["needs"]), f"{better} |"]]


def allowed(option: dict[str, Any]) -> str:
    if "values" in option:
        return ", ".join(f"`{value}`" for value in option["values"])
    return " to ".join(f"`{bound:g}`" for bound in option.get("range", []))


def test_every_argument_is_in_its_table_with_its_default_and_a_meaning() -> None:
    page = text_of("docs/python.md")
    assert with_arguments(page) == page, "run make docs"
    for name, meanings in tables(page).items():
        assert [argument for argument, meaning in meanings.items() if not meaning] == [], name
    told = {*tables(page)}
    public = {
        name
        for name in kilter.__all__
        if inspect.isfunction(getattr(kilter, name)) and _ARGUMENTS_TOLD.search(name)
    }
    assert public <= told


_ARGUMENTS_TOLD = re.compile(
    r"^(score|compare|validate|align|parse|perturb|permutation_scores|meta|tune|read_judgments)$"
)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_imports_from_behind_the_front_door(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    examples = "\n".join(example.source for block in blocks(text) for example in block.examples())
    behind = re.findall(r"\bfrom kilter\.(?!sentence\b|adapters\.)[\w.]+ import", examples)
    assert behind == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in _LINK.findall(without_blocks(text)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.is_file(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def without_blocks(text: str) -> str:
    for block in reversed(blocks(text)):
        text = text[: block.start] + text[block.end :]
    return text


def anchors(text: str) -> set[str]:
    headings = _HEADING.findall(without_blocks(text))
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def test_every_page_can_be_reached_from_the_first() -> None:
    found, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        links = _LINK.findall(without_blocks(page.read_text(encoding="utf-8")))
        waiting += [
            (page.parent / link.partition("#")[0]).resolve() for link in links if "://" not in link
        ]
    assert set(pages()) - found == set()


def test_the_first_screen_of_the_readme_is_short_and_holds_the_essentials() -> None:
    screen = text_of("README.md").partition("\n## ")[0]
    assert len(screen.splitlines()) <= 40
    essentials = ["make demo", "```console", "```python", "docs/", "Licence"]
    assert [essential for essential in essentials if essential not in screen] == []


def test_the_demo_of_the_readme_is_part_of_its_real_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    demo = written(capsys, "demo", "--report", os.devnull).splitlines()
    first = blocks(text_of("README.md"))[0].text.splitlines()
    assert [line for line in first if line not in demo] == []


def test_the_references_list_every_command_and_every_public_name() -> None:
    listed, named = text_of("docs/cli.md"), text_of("docs/python.md")
    assert {name.partition(" ")[0] for name in commands()} == {
        *re.findall(r"\]\(cli/(\w+)\.md\) \|", listed)
    }
    assert [name for name in kilter.__all__ if f"`kilter.{name}" not in named] == []


def test_the_changelog_names_everything_at_the_front_door() -> None:
    offered = text_of("CHANGELOG.md")
    assert [name for name in kilter.__all__ if not re.search(rf"`{name}`", offered)] == []


@pytest.mark.parametrize("name", ["CHANGELOG.md", "CITATION.cff", ".zenodo.json"])
def test_changelog_and_citation_know_the_current_version(name: str) -> None:
    assert re.search(rf"(?<![\d.]){re.escape(kilter.__version__)}(?![\d]|\.\d)", text_of(name))


def test_every_extra_is_documented_and_part_of_all() -> None:
    described = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
    (everything,) = described.pop("all")
    assert everything == f"kilter[{','.join(described)}]"
    rows = table(section(text_of("docs/release.md"), "Extras"))
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    assert told == {*described, "all"}
