"""The outcome of a check as other programs take it: JUnit XML, and annotations of GitHub."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from kilter.core.markup import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.results.check_result import CheckResult, Condition


def junit_xml(result: CheckResult) -> str:
    """Return a test suite with a test case for each condition, as CI servers show it."""
    failed = sum(not check.passed for check in result.checks)
    head = f'tests="{len(result.checks)}" failures="{failed}" errors="0" skipped="0"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            f'<testsuites><testsuite name="kilter check" {head}>',
            *(_case(result, check) for check in result.checks),
            "</testsuite></testsuites>\n",
        ]
    )


def _case(result: CheckResult, check: Condition) -> str:
    head = (
        f"<testcase classname={_quoted(check.system)} name={_quoted(f'{check.kind}: {check.name}')}"
    )
    if check.passed:
        return f"{head}/>"
    told = "\n\n".join(
        "\n".join(map(visible, worse.lines()))
        for worse in result.worse
        if worse.system == check.system
    )
    return f"{head}><failure message={_quoted(check.fault)}>{escape(told, quote=False)}</failure></testcase>"


def _quoted(text: str) -> str:
    return f'"{escape(visible(text))}"'


def github_annotations(result: CheckResult) -> Iterator[str]:
    """Yield workflow commands: an error for each condition that does not hold, a warning for each segment."""
    for check in result.checks:
        if not check.passed:
            yield _command("error", f"{check.system}: {check.fault}", title="kilter check")
    for worse in result.worse:
        place = {"file": worse.file, "line": str(worse.segment)} if worse.file else {}
        title = f"kilter check: segment {worse.segment} of {worse.system}"
        yield _command("warning", "\n".join(worse.lines()), title=title, **place)


def _command(kind: str, text: str, **properties: str) -> str:
    """Return a workflow command; what would end it, or a property of it, is escaped."""
    listed = ",".join(
        f"{name}={_escaped(value).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{kind} {listed}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
