"""The server of a project: its routes, what is kept for monitoring, addresses with a path."""

import gc
from pathlib import Path

import pytest

from kilter.core.errors import OptionError
from kilter.study.annotation.web.request import AnnotationCall
from kilter.study.annotation.web.server import application
from kilter.study.annotation.web.site import site_of
from tests.study.annotation.projects import Visitor, created


def test_pages_work_below_a_path_and_a_page_cannot_be_that_path(tmp_path: Path) -> None:
    with created(tmp_path) as running:
        visitor = Visitor(running, "A", address="https://links.example/en-ja", is_public=True)
        assert visitor.opened.url.path == "/en-ja/sentences"
        assert "/en-ja/static/annotate.css" in visitor.opened.text
        assert visitor.get("/en-ja/sentence/1/").url.path == "/en-ja/sentence/1"
        with pytest.raises(OptionError, match="--public-url"):
            application(site_of(running, address="https://links.example/sentences"))


def test_unknown_pages_and_methods_are_refused_and_counted(tmp_path: Path) -> None:
    with created(tmp_path) as running:
        visitor = Visitor(running, "A")
        assert visitor.get("/nothing").status_code == 404
        assert visitor.ask("DELETE", "/sentences").status_code == 405
        assert visitor.ask("POST", "/sentences").status_code == 405
        assert visitor.get("/static/../server.py").status_code == 404
        assert visitor.get("/health").json() == {"status": "ok"}
        numbers = visitor.get("/metrics").text
        assert "kilter_people 3\n" in numbers
        assert "kilter_errors_total 0\n" in numbers
        assert 'kilter_responses_total{status="4xx"} 4\n' in numbers


def test_nothing_is_kept_of_requests_for_pages_that_are_not_there(tmp_path: Path) -> None:
    with created(tmp_path) as running:
        visitor = Visitor(running, "A")
        for _ in range(10):
            assert visitor.get("/nothing").status_code == 404
        gc.collect()
        assert sum(isinstance(each, AnnotationCall) for each in gc.get_objects()) < 5
