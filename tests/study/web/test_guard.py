"""Limits of attempts, and tokens of forms."""

from kilter.study.web.guard import AttemptLimit, is_own_form
from kilter.study.web.guard import forgery_token as made_token


def test_the_limit_forgets_after_its_time_and_never_grows_without_bound() -> None:
    now = 0.0
    limit = AttemptLimit(2, 60, keys=3, clock=lambda: now)
    assert [limit.attempt("a") for _ in range(3)] == [True, True, False]
    now = 61.0
    assert limit.attempt("a")
    for number in range(100):
        limit.attempt(f"key {number}")
    assert len(limit._seen) == 3


def test_a_full_limit_still_limits_whoever_comes_next() -> None:
    now = 0.0
    limit = AttemptLimit(2, 60, keys=3, clock=lambda: now)
    for number in range(3):
        assert limit.attempt(f"key {number}")
    for key in ("new", "another"):
        assert [limit.attempt(key) for _ in range(4)] == [True, True, False, False]
    assert not limit.attempt("new")  # the oldest keys went, not those that were just seen
    now = 60.0
    assert limit.attempt("new")
    assert limit.attempt("another")


def test_a_limit_looks_back_by_its_time_and_no_further() -> None:
    now = 0.0
    limit = AttemptLimit(3, 10, clock=lambda: now)
    moments = [0.0, 4.0, 8.0, 9.0, 10.5, 11.0, 14.5, 15.0]
    found, allowed = [], list[float]()
    for now in moments:
        found.append(limit.attempt("a"))
        expected = sum(now - moment < 10 for moment in allowed) < 3
        assert found[-1] is expected
        allowed += [now] if expected else []
    assert found == [True, True, True, False, True, False, True, False]


def test_tokens_of_forms_belong_to_one_visitor() -> None:
    token = made_token(b"secret", "visitor")
    assert is_own_form(b"secret", "visitor", token)
    assert not is_own_form(b"secret", "other", token)
    assert not is_own_form(b"other", "visitor", token)
    assert not is_own_form(b"secret", "", made_token(b"secret", ""))
