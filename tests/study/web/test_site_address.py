"""Addresses as browsers spell them."""

import pytest

from kilter.core.errors import OptionError
from kilter.study.web.site_address import SiteAddress, origin_of


@pytest.mark.parametrize(
    ("text", "origin", "prefix"),
    [
        ("https://survey.example.org", "https://survey.example.org", ""),
        ("HTTPS://Survey.Example.ORG/", "https://survey.example.org", ""),
        ("https://uni.example:443/survey/", "https://uni.example", "/survey"),
        ("http://uni.example:443/a/b.c", "http://uni.example:443", "/a/b.c"),
        ("http://uni.example:80", "http://uni.example", ""),
        ("http://[::1]:8000", "http://[::1]:8000", ""),
        ("https://prüfung.example", "https://xn--prfung-4ya.example", ""),
    ],
)
def test_an_address_is_spelled_as_browsers_do(text: str, origin: str, prefix: str) -> None:
    address = SiteAddress.parse(text)
    assert (address.origin, address.prefix) == (origin, prefix)
    assert str(address) == origin + prefix
    assert address.is_secure == origin.startswith("https")
    assert SiteAddress.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    ["", "survey.example.org", "ftp://x", "https://", "https://x:99999", "https://[", "https://u@x", "https://x/a?b",
     "https://x/a#b", "https://x/a b", "https://x/%61", "https://x/..", "https://x/ä"],
)  # fmt: skip
def test_what_no_page_could_be_reached_by_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r"--public-url .*write it as https://survey"):
        SiteAddress.parse(text)


@pytest.mark.parametrize(
    "text", ["null", "http://[", "http://", "//x", "http://a b", "http://x:y", "http://@x", "\x00"]
)
def test_what_is_no_origin_is_none(text: str) -> None:
    assert origin_of(text) is None


def test_a_proxy_may_leave_the_prefix_or_take_it_away() -> None:
    address = SiteAddress.parse("https://uni.example/survey")
    for path, inner in (
        ("/survey", "/"),
        ("/survey/", "/"),
        ("/survey/item/1", "/item/1"),
        ("/item/1", "/item/1"),
        ("/surveys", "/surveys"),
        ("/", "/"),
    ):
        assert address.inner_path(path) == inner
    assert SiteAddress.parse("https://uni.example").inner_path("/survey/") == "/survey/"


def test_a_prefix_that_is_a_page_of_ours_is_noticed() -> None:
    for prefix, pattern, hidden in (
        ("/research", "/research", True),
        ("/research", "/research/links", True),
        ("/p", "/p/{token}", True),
        ("/p/x", "/p/{token}", True),
        ("/research/survey", "/research", False),
        ("/research/survey", "/research/export/{file}", False),
        ("/survey", "/", False),
        ("", "/", False),
    ):
        assert SiteAddress("https://uni.example", prefix).hides(pattern) is hidden, (
            prefix,
            pattern,
        )
