"""Settings of every test, and what `make test` leaves to `make test-all`."""

import asyncio
import gc
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.thorough import ALL_EXAMPLES, QUICK_EXAMPLES, costly, quick, spread

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# No test is timed, and the same commit draws the same examples everywhere.
for _name, _count in (("quick", QUICK_EXAMPLES), ("thorough", ALL_EXAMPLES)):
    settings.register_profile(_name, deadline=None, derandomize=True, max_examples=_count)

_LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="try all tests, examples and variants")
    parser.addoption(
        "--costs", metavar="FILE", help="add the processor time of each test to a file"
    )


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("thorough" if config.getoption("thorough") else "quick")
    if not config.getoption("thorough"):
        # Examples would hold numbers and words of modules too, for which all that are imported are read.
        pytest.MonkeyPatch().setattr(
            providers, "_get_local_constants", lambda: providers._local_constants, raising=False
        )
    config.addinivalue_line("markers", "thorough: a variant that make test leaves to make test-all")
    config.stash[_LEFT_OUT] = 0
    if config.getoption("costs"):
        from tests.costs import Costs

        config.pluginmanager.register(Costs(Path(config.getoption("costs"))))
    # Started in the background, or by nohup, tests would hand on that these are ignored to what they interrupt.
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, since everything is kept."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    for item in left_out:
        if not _is_one_variant(item):
            raise pytest.UsageError(
                f"{item.nodeid} is marked as thorough as a whole; mark some of its parameters, so "
                "that 'make test' keeps one variant, or name it in tests/costly.txt"
            )
    kept = [item for item in items if not item.get_closest_marker("thorough")]
    if _is_of_everything(config):
        try:
            names = spread(quick([item.nodeid for item in kept], costly=costly()))
        except ValueError as problem:
            raise pytest.UsageError(str(problem)) from None
        left_out += [item for item in kept if item.nodeid not in names]
        kept = [item for item in kept if item.nodeid in names]
    if config.getoption("thorough"):
        return
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept
    config.stash[_LEFT_OUT] = len(left_out)


def _is_of_everything(config: pytest.Config) -> bool:
    """Return whether the run is of all tests, and none was chosen by a path or a word."""
    chosen = getattr(config, "workerinput", None)
    if chosen is not None:
        return bool(chosen["of_everything"])
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Start the browser and PostgreSQL on one worker only, where files stay together."""
    from tests.scheduling import SharedScheduling

    return SharedScheduling(config, log) if config.option.dist == "loadfile" else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of xdist, which is given all paths, whether somebody has named them."""
    node.workerinput["of_everything"] = _is_of_everything(node.config)


def pytest_collection_finish() -> None:
    """Take what was collected out of reach of the collector of garbage, which else walks it all again.

    It looks for new garbage seldom: tests leave little of it, and a look took a tenth of their time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Tell the process that waits for a worker of xdist what a test came to, and what went wrong.

    Else it is sent six messages for each of many thousand tests: that it begins, that what it needs is
    there, and so on, which nobody sees unless they ask for times or a file of all that happened.
    """
    options = item.config.option
    if not hasattr(item.config, "workerinput") or options.durations or options.xmlpath:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(scope="session")
def only_chromium() -> Iterator["Browser"]:
    """Return the browser of all tests of a worker."""
    from tests.study import browsing

    with browsing.browser() as started:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield started
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def chromium(only_chromium: "Browser") -> Iterator["Browser"]:
    """Return the browser for tests of a module, which open contexts of their own.

    The loop of its driver is the one of this thread meanwhile, and no longer: other tests run servers here.
    """
    asyncio._set_running_loop(only_chromium._impl_obj._loop)
    yield only_chromium
    asyncio._set_running_loop(None)


def _is_one_variant(item: pytest.Item) -> bool:
    variant = getattr(item, "callspec", None)
    return variant is not None and any(mark.name == "thorough" for mark in variant.marks)


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash[_LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """Take over the count of a worker of xdist; all workers leave out the same tests."""
    del error
    node.config.stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    left_out = config.stash[_LEFT_OUT]
    if left_out:
        terminalreporter.write_line(
            f"{left_out} tests and variants left to 'make test-all', and hypothesis drew a share of "
            "its examples"
        )
